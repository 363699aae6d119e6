//! Results of single operations, by which two backends are compared.
//!
//! A proof says only that something differs. A trace has a digest of every operation's result, in order, so the first
//! operation that differs is named.

use sha2::{Digest, Sha256};

use crate::backend::{BackendError, Lane, Scalars};

/// Digests of results, in the order in which they were computed. Empty unless tracing is on.
#[derive(Debug, Default)]
pub struct Trace {
    on: bool,
    results: Vec<(&'static str, [u8; 32])>,
}

impl Trace {
    /// Records nothing.
    pub fn off() -> Self {
        Self::default()
    }

    /// Records everything: each buffer is downloaded and hashed.
    pub fn on() -> Self {
        Self { on: true, results: Vec::new() }
    }

    /// Records a buffer.
    ///
    /// # Errors
    /// It cannot be downloaded.
    pub fn scalars(
        &mut self,
        operation: &'static str,
        lane: &Lane,
        data: &Scalars,
    ) -> Result<(), BackendError> {
        if self.on {
            let (bytes, _) = lane.download(data, 0, data.len())?;
            self.results.push((operation, Sha256::digest(&*bytes).into()));
        }
        Ok(())
    }

    /// Records a point in a normal form.
    pub fn point(&mut self, operation: &'static str, affine: &[u8]) {
        if self.on {
            self.results.push((operation, Sha256::digest(affine).into()));
        }
    }

    /// Operations with digests of their results.
    pub fn into_results(self) -> Vec<(&'static str, [u8; 32])> {
        self.results
    }

    /// The first operation whose results differ; `None` when all agree.
    pub fn first_difference(&self, other: &Self) -> Option<&'static str> {
        self.results.iter().zip(&other.results).find(|(ours, theirs)| ours != theirs).map(|(ours, _)| ours.0)
    }
}
