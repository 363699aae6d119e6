//! The examples do what they say: each ends in a verifier's verdict.

#[path = "../../examples/arkworks.rs"]
mod arkworks;
#[path = "../../examples/bellman.rs"]
mod bellman;
#[path = "../../examples/bellpepper.rs"]
mod bellpepper;

#[test]
fn they_run() {
    arkworks::main().unwrap_or_else(|error| panic!("{error}"));
    bellman::main().unwrap_or_else(|error| panic!("{error}"));
    bellpepper::main().unwrap_or_else(|error| panic!("{error}"));
}
