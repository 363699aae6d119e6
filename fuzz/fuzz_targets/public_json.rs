#![no_main]

interlock_fuzz::target!("public_json");
