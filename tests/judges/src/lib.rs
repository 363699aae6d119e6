//! What the tests against other people's provers share.
//!
//! | module | holds |
//! |---|---|
//! | [`adapter`] | circuits of bellman and bellperson as a circuit and a witness of ours |
//! | [`proving`] | proving with a key and given blinding factors, and judging with our verifier |

pub mod adapter;
pub mod proving;
