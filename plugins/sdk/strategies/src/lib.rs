//! Interlock strategies: who may be in which phase on a device, and with how many bytes.
//!
//! A partition of a proof passes four phases: *prepare* (CPU), *stage* (its inputs go to the device), *compute* (its
//! kernels) and *finish* (CPU). A [`Strategy`] decides who may be in which of them at once. It is told of requests and
//! releases and asked to decide; it has no clock, no thread and no lock, so that the same object runs under real workers
//! and under a simulator's virtual clock, and equal calls give equal decisions.
//!
//! | name | what one device lock covers | bytes |
//! |---|---|---|
//! | [`whole`](stock::WHOLE) | all four phases | one partition on the device |
//! | [`narrow`](stock::NARROW) | stage and compute | one partition on the device |
//! | [`prestage`](stock::PRESTAGE) | compute; one partition ahead may stage | when its bytes fit beside the running one's peak |
//! | [`two-lock`](stock::TWO_LOCK) | compute; another lock, stage | not looked at: it overcommits |
//! | [`ledger`](stock::LEDGER) | compute, in one order for staging and computing | each partition's remaining peak is reserved |
//!
//! The first four are what a prover of Filecoin's went through in its history, kept to be compared with; `ledger` is
//! the default.
//!
//! # A partition's calls
//!
//! ```text
//! request(Prepare) … granted … release(Prepare)
//! request(Stage, bytes, peak) … granted … release(Stage)           the bytes stay with the ticket: it is staged
//! request(Compute, bytes, peak) … granted … shrink … release(Compute)   nothing is left on the device
//! request(Finish) … granted … release(Finish)                      the ticket is forgotten
//! ```
//!
//! A ticket that is [revoked](Decision::Revoke) while it is staged and waits for compute drops its bytes, is
//! [cancelled](Strategy::cancel) and asks for stage again with its old age. A ticket may skip stage (its inputs are then
//! staged within compute: the slow path).
//!
//! | module | holds |
//! |---|---|
//! | [`strategy`] | the trait, and what its methods take and give |
//! | [`stock`] | the five strategies, by name |
//! | `desk` | who waits for what and holds what: the books that the five share |

#![forbid(unsafe_code)]

mod desk;
mod ledger;
mod locks;
mod prestage;
pub mod stock;
pub mod strategy;

pub use strategy::{
    Account, Decision, Limits, MemoryPolicy, Misuse, Phase, Priority, Reason, Strategy, Ticket,
};
