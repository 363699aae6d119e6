//! Loaded bases.

use std::marker::PhantomData;
use std::sync::Arc;

use interlock_sdk::account::{Account, Held, Purpose};
use interlock_sdk::{BackendError, BasesSource, CancelToken, Form, Group, KeySlice};
use rayon::prelude::*;

use crate::msm::classify::{Classes, classify};
use crate::msm::group::{CpuCurve, MsmGroup};

/// Points per parallel piece when looking for infinities.
const PIECE: usize = 8192;

/// Ones per parallel piece of their sum: enough to amortise the final addition.
const ONES: usize = 8192;

/// Bases of one of a curve's groups.
#[derive(Debug)]
pub struct LoadedBases<E> {
    group: Group,
    points: Points,
    /// The points that are not infinity; `None` when all are finite. A proving key's A and B are a third to two thirds
    /// infinity.
    finite: Option<Vec<u32>>,
    index: Option<KeySlice<u32>>,
    count: usize,
    _held: Held,
    _curve: PhantomData<E>,
}

/// The points' bytes, aligned to 8.
#[derive(Debug)]
enum Points {
    /// The host's memory is aligned already.
    Borrowed(KeySlice<u8>),
    /// A copy, because the host's is not (a section of a file may begin at any multiple of 4).
    Copied(Vec<u64>),
}

impl<E: CpuCurve> LoadedBases<E> {
    /// Finds the infinities; copies the points only when they are not aligned.
    ///
    /// # Errors
    /// 2^31 points or more, or no memory for a copy.
    pub fn load(source: BasesSource, keys: &Arc<Account>) -> Result<Self, BackendError> {
        // The highest bit of an index is a sign in the kernels.
        if i32::try_from(source.count).is_err() {
            return Err(BackendError::unsupported(format!("{} bases in one set", source.count)));
        }
        let points = Points::new(source.points)?;
        let bytes = match source.group {
            Group::G1 => E::CpuG1::POINT_BYTES,
            Group::G2 => E::CpuG2::POINT_BYTES,
        };
        let finite = finite(points.bytes(), bytes);
        let finite = (finite.len() != source.count).then_some(finite);
        let (group, index, count) = (source.group, source.index, source.count);
        let own = points.own_bytes() + finite.as_ref().map_or(0, |finite| 4 * finite.len());
        let held = keys.hold(Purpose::Keys, own as u64)?;
        Ok(Self { group, points, finite, index, count, _held: held, _curve: PhantomData })
    }

    /// `Σ scalars[index[i]] · base[i]`: Jacobian coordinates in the wire encoding.
    ///
    /// # Errors
    /// Cancelled, or out of memory.
    pub fn msm(
        &self,
        scalars: &[E::ScalarField],
        form: Form,
        cancel: &CancelToken,
    ) -> Result<Vec<u8>, BackendError> {
        // SAFETY: the slice is kept in this object, made from it, and nowhere else; it is alive.
        let index = self.index.as_ref().map(|index| unsafe { index.as_slice() });
        let classes = classify(scalars, form, self.count, self.finite.as_deref(), index);
        match self.group {
            Group::G1 => self.run::<E::CpuG1>(&classes, cancel),
            Group::G2 => self.run::<E::CpuG2>(&classes, cancel),
        }
    }

    fn run<G: MsmGroup>(&self, classes: &Classes, cancel: &CancelToken) -> Result<Vec<u8>, BackendError> {
        let points = self.points.bytes();
        let ones = classes.ones.par_chunks(ONES).map(|chosen| G::sum(points, chosen)).reduce(G::zero, G::add);
        cancel.check()?;
        let short = G::multiply(points, &classes.short.chosen, &classes.short.scalars, 8, cancel)?;
        let full = G::multiply(points, &classes.full.chosen, &classes.full.scalars, 32, cancel)?;
        Ok(G::encode(&G::add(G::add(ones, short), full)))
    }
}

impl Points {
    fn new(source: KeySlice<u8>) -> Result<Self, BackendError> {
        // SAFETY: the object is being made from it, so it has not been freed.
        let bytes = unsafe { source.as_slice() };
        if bytes.as_ptr().addr().is_multiple_of(8) && bytes.len().is_multiple_of(8) {
            return Ok(Self::Borrowed(source));
        }
        let mut copy = Vec::new();
        if copy.try_reserve_exact(bytes.len().div_ceil(8)).is_err() {
            return Err(BackendError::not_now(bytes.len() as u64, 0));
        }
        copy.extend(bytes.chunks(8).map(|chunk| {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            u64::from_ne_bytes(word)
        }));
        Ok(Self::Copied(copy))
    }

    /// Bytes of our own memory.
    fn own_bytes(&self) -> usize {
        match self {
            Self::Borrowed(_) => 0,
            Self::Copied(words) => 8 * words.len(),
        }
    }

    fn bytes(&self) -> &[u8] {
        match self {
            // SAFETY: kept in this object, made from it, and nowhere else; it is alive.
            Self::Borrowed(source) => unsafe { source.as_slice() },
            // SAFETY: any u64 is eight initialised bytes; the lifetime is that of the vector's borrow.
            Self::Copied(words) => unsafe {
                std::slice::from_raw_parts(words.as_ptr().cast(), words.len() * 8)
            },
        }
    }
}

/// The indices of the points that are not all zero.
fn finite(points: &[u8], point_bytes: usize) -> Vec<u32> {
    let pieces: Vec<Vec<u32>> = points
        .par_chunks(PIECE * point_bytes)
        .enumerate()
        .map(|(piece, points)| {
            let first = (piece * PIECE) as u32;
            let finite = points.chunks_exact(point_bytes).zip(first..);
            finite.filter(|(point, _)| point.iter().any(|&byte| byte != 0)).map(|(_, i)| i).collect()
        })
        .collect();
    pieces.concat()
}
