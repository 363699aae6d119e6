#![no_main]

interlock_fuzz::target!("wtns");
