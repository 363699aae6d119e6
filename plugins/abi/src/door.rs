//! The typed door: an `abi_stable` root module whose one job is to hand over the C table.
//!
//! What it adds to the C door is a version and layout check with a readable diagnosis before any function is called.
//! The entry is an opaque field, so that the table can grow without making old and new plugins incompatible.

// The derive macros of abi_stable 0.11 expand to code without docs and with unreachable `pub` items.
#![allow(
    missing_docs,
    unreachable_pub,
    non_local_definitions,
    reason = "expanded by abi_stable's derive macros"
)]

use abi_stable::StableAbi;
use abi_stable::library::RootModule;
use abi_stable::package_version_strings;
use abi_stable::sabi_types::VersionStrings;

use crate::api::InterlockGetApi;

/// What a Rust plugin exports.
#[repr(C)]
#[derive(StableAbi)]
#[sabi(kind(Prefix(prefix_ref = InterlockDoorRef)))]
#[sabi(missing_field(panic))]
pub struct InterlockDoor {
    /// Hands over the table; the same contract as the C symbol `interlock_get_api`.
    #[sabi(unsafe_opaque_field)]
    #[sabi(last_prefix_field)]
    pub get_api: InterlockGetApi,
}

impl RootModule for InterlockDoorRef {
    abi_stable::declare_root_module_statics! {InterlockDoorRef}
    const BASE_NAME: &'static str = "interlock_backend";
    const NAME: &'static str = "interlock_backend";
    const VERSION_STRINGS: VersionStrings = package_version_strings!();
}
