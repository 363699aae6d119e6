//! Opaque objects. Their content belongs to the plugin; the host only passes the pointers back.
//!
//! A handle is valid from the call that made it to the call that frees it. A plugin answers a handle that it does not
//! know (freed before, of another kind, of another device) with `INTERLOCK_INVALID_HANDLE`; it never dereferences it
//! blindly.

/// An opened device, for one curve.
pub struct InterlockDevice(());

/// An in-order command queue of a device, used by one thread at a time.
pub struct InterlockLane(());

/// A buffer of scalars in a device's memory. Its memory is zeroised before it is reused or returned.
pub struct InterlockScalars(());

/// Bases of an MSM (part of a proving key) known to a device.
pub struct InterlockBases(());

/// A sparse matrix over the scalar field known to a device.
pub struct InterlockMatrix(());

/// A multiplicative subgroup with its coset shift, and whatever tables the device keeps for it.
pub struct InterlockDomain(());

/// An interlock strategy. It belongs to no device.
pub struct InterlockStrategy(());

/// A failed call's report. Destroyed by the caller through `error_destroy`.
pub struct InterlockError(());
