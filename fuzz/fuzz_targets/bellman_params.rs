#![no_main]

interlock_fuzz::target!("bellman_params");
