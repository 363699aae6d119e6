//! The ABI's growth rules: a host and a plugin of different versions use what both know.
//!
//! * [`pairs`]: a host in C and plugins in C and Rust, each against the header of today and against one whose structs and table
//!   have grown; results are compared with arkworks;
//! * [`refused`]: structs that have another order or a wrong size;
//! * [`released`]: the headers of released versions, kept as they were.
#![cfg(target_os = "linux")]

mod headers;
mod inputs;
mod pairs;
mod refused;
mod released;
