//! Finding, checking and loading backends.
#![cfg(target_os = "linux")]

mod faults;
mod folders;
mod policies;
mod probing;
mod signatures;
mod vendor;
