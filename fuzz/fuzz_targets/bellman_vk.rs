#![no_main]

interlock_fuzz::target!("bellman_vk");
