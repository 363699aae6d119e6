#![no_main]

interlock_fuzz::target!("proof_json");
