//! Bytes of scalar buffers, and objects that are alive.

use std::sync::{Arc, Mutex};

use interlock_sdk::BackendError;

use crate::lock;

/// How many objects of a device are alive, of all its openings together.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Objects {
    /// Openings of the device that are not closed, or that an object keeps alive.
    pub devices: u64,
    /// Lanes.
    pub lanes: u64,
    /// Scalar buffers.
    pub scalars: u64,
    /// Sets of bases.
    pub bases: u64,
    /// Matrices.
    pub matrices: u64,
    /// Domains.
    pub domains: u64,
}

impl Objects {
    fn count(&mut self, kind: Kind) -> &mut u64 {
        match kind {
            Kind::Device => &mut self.devices,
            Kind::Lane => &mut self.lanes,
            Kind::Scalars => &mut self.scalars,
            Kind::Bases => &mut self.bases,
            Kind::Matrix => &mut self.matrices,
            Kind::Domain => &mut self.domains,
        }
    }
}

/// The kinds of [`Objects`].
#[derive(Clone, Copy, Debug)]
pub(crate) enum Kind {
    Device,
    Lane,
    Scalars,
    Bases,
    Matrix,
    Domain,
}

/// The books of one device.
#[derive(Debug)]
pub(crate) struct Account(Mutex<Books>);

#[derive(Clone, Copy, Debug)]
pub(crate) struct Books {
    /// Most bytes of scalars.
    pub(crate) limit: u64,
    /// Bytes of scalars that are alive.
    pub(crate) live: u64,
    /// The most that `live` was since the peak was last reset.
    pub(crate) peak: u64,
    pub(crate) objects: Objects,
}

impl Account {
    pub(crate) fn new(limit: u64) -> Arc<Self> {
        let books = Books { limit, live: 0, peak: 0, objects: Objects::default() };
        Arc::new(Self(Mutex::new(books)))
    }

    pub(crate) fn books(&self) -> Books {
        *lock(&self.0)
    }

    /// What is alive already stays, even when it is more.
    pub(crate) fn set_limit(&self, bytes: u64) {
        lock(&self.0).limit = bytes;
    }

    pub(crate) fn reset_peak(&self) {
        let mut books = lock(&self.0);
        books.peak = books.live;
    }

    /// Books bytes until the result is dropped, by however a call ends.
    ///
    /// # Errors
    /// They alone exceed the device's limit or the opening's, `most`; or they exceed what is left of the device's.
    pub(crate) fn hold(self: &Arc<Self>, bytes: u64, most: u64) -> Result<Held, BackendError> {
        let mut books = lock(&self.0);
        let most = most.min(books.limit);
        if bytes > most {
            return Err(BackendError::never_fits(bytes, most));
        }
        let free = books.limit.saturating_sub(books.live);
        if bytes > free {
            return Err(BackendError::not_now(bytes, free));
        }
        books.live += bytes;
        books.peak = books.peak.max(books.live);
        Ok(Held { account: Arc::clone(self), bytes })
    }

    /// Counts an object until the result is dropped.
    pub(crate) fn live(self: &Arc<Self>, kind: Kind) -> Live {
        *lock(&self.0).objects.count(kind) += 1;
        Live { account: Arc::clone(self), kind }
    }
}

/// Bytes on an account, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Held {
    account: Arc<Account>,
    bytes: u64,
}

impl Drop for Held {
    fn drop(&mut self) {
        lock(&self.account.0).live -= self.bytes;
    }
}

/// An object on an account, for as long as this lives.
#[derive(Debug)]
pub(crate) struct Live {
    account: Arc<Account>,
    kind: Kind,
}

impl Drop for Live {
    fn drop(&mut self) {
        *lock(&self.account.0).objects.count(self.kind) -= 1;
    }
}
