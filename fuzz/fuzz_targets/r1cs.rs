#![no_main]

interlock_fuzz::target!("r1cs");
