#![no_main]

interlock_fuzz::target!("ark_vk");
