#![no_main]

interlock_fuzz::target!("vk_json");
