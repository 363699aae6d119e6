//! The rows of a circuit, for keys that do not carry them (arkworks', bellman's).

use std::path::Path;
use std::sync::Arc;

use ark_ff::{FftField, Field};
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_curves::{Curve, ProvingCurve, with_curve};
use rayon::prelude::*;

use super::Head;
use crate::backend::DomainSpec;
use crate::format::arkworks::HeadPoints;
use crate::format::{Csr, FormatError, FormatErrorKind as Kind, R1cs};

/// The matrices A and B as a [`ProvingKey`](super::ProvingKey) wants them: a row per constraint, then one row `wᵢ · 0 =
/// 0` for the constant one and each public signal, then empty rows up to the next power of two. Values are
/// `coefficient · R²`.
#[derive(Clone, Debug)]
pub struct CircuitRows {
    pub(super) curve: Curve,
    pub(super) n_public: usize,
    pub(super) log_domain: u32,
    pub(super) a: Arc<Csr>,
    pub(super) b: Arc<Csr>,
}

impl CircuitRows {
    /// The rows of a circuit whose public signals are wires 1..=n_public. Terms stay as they are: a wire that occurs twice
    /// in a row gets two entries, and they add up.
    ///
    /// # Errors
    /// The field has no domain large enough.
    pub fn from_r1cs(r1cs: &R1cs) -> Result<Self, FormatError> {
        let n_public = r1cs.n_public() as usize;
        let log_domain = log_domain(r1cs.curve(), r1cs.n_constraints(), n_public)?;
        let build = |part: usize| {
            let mut csr = Csr {
                rows: r1cs.n_constraints(),
                cols: r1cs.n_wires() as usize,
                row_offsets: vec![0],
                col_indices: Vec::new(),
                values: Vec::new(),
            };
            for combinations in r1cs.constraints() {
                for (wire, coefficient) in combinations[part].terms() {
                    csr.col_indices.push(wire);
                    csr.values.extend_from_slice(coefficient);
                }
                csr.row_offsets.push(csr.col_indices.len() as u64);
            }
            with_curve!(r1cs.curve(), E => to_doubly_montgomery::<E>(&mut csr.values));
            csr
        };
        Ok(Self::finish(r1cs.curve(), n_public, log_domain, build(0), build(1)))
    }

    /// Takes matrices that have a row per constraint, and nothing else, with values `coefficient · R²`, a column per
    /// signal, and signals 1..=n_public public.
    ///
    /// # Errors
    /// The matrices are malformed, have different shapes or fewer columns than public signals, or the field has no
    /// domain large enough.
    pub fn from_matrices(curve: Curve, n_public: usize, a: Csr, b: Csr) -> Result<Self, FormatError> {
        expect("the number of rows of B", b.rows, "A has", a.rows)?;
        expect("the number of columns of B", b.cols, "A has", a.cols)?;
        if n_public >= a.cols {
            let limit_of = "it must be below the number of columns,";
            return Err(mismatch("the number of public signals", n_public, limit_of, a.cols));
        }
        for matrix in [&a, &b] {
            check(curve, matrix)?;
        }
        let log_domain = log_domain(curve, a.rows, n_public)?;
        Ok(Self::finish(curve, n_public, log_domain, a, b))
    }

    fn finish(curve: Curve, n_public: usize, log_domain: u32, mut a: Csr, mut b: Csr) -> Self {
        let one = with_curve!(curve, E => doubly_montgomery_one::<E>());
        for input in 0..=n_public as u32 {
            a.col_indices.push(input);
            a.values.extend_from_slice(&one);
            a.row_offsets.push(a.col_indices.len() as u64);
        }
        for matrix in [&mut a, &mut b] {
            matrix.rows = 1 << log_domain;
            matrix.row_offsets.resize(matrix.rows + 1, matrix.col_indices.len() as u64);
        }
        Self { curve, n_public, log_domain, a: Arc::new(a), b: Arc::new(b) }
    }

    /// The domain as arkworks and bellman have it.
    pub(super) fn domain(&self) -> Result<DomainSpec, FormatError> {
        let spec = with_curve!(self.curve, E => domain::<E>(self.log_domain));
        spec.ok_or_else(|| too_many_rows(self.curve, 1 << self.log_domain))
    }
}

/// The `k` of the domain 2^k that a circuit takes.
pub(super) fn log_domain(curve: Curve, constraints: usize, n_public: usize) -> Result<u32, FormatError> {
    let rows = constraints as u64 + n_public as u64 + 1;
    let log_domain = rows.next_power_of_two().trailing_zeros();
    if log_domain > curve.scalar_two_adicity() { Err(too_many_rows(curve, rows)) } else { Ok(log_domain) }
}

/// What a key and a circuit must agree on.
pub(super) struct Shape {
    pub(super) curve: Curve,
    pub(super) n_vars: usize,
    pub(super) n_public: usize,
    pub(super) domain: usize,
}

impl Shape {
    /// Of a circuit, without building its rows.
    pub(super) fn of_r1cs(r1cs: &R1cs) -> Result<Self, FormatError> {
        let (n_vars, n_public) = (r1cs.n_wires() as usize, r1cs.n_public() as usize);
        let domain = 1 << log_domain(r1cs.curve(), r1cs.n_constraints(), n_public)?;
        Ok(Self { curve: r1cs.curve(), n_vars, n_public, domain })
    }

    pub(super) fn of_rows(rows: &CircuitRows) -> Self {
        Self { curve: rows.curve, n_vars: rows.a.cols, n_public: rows.n_public, domain: 1 << rows.log_domain }
    }

    /// Checks a key's shape (`self`) against its circuit's.
    pub(super) fn expect(&self, key: &Path, circuit: &Self) -> Result<(), FormatError> {
        if self.curve != circuit.curve {
            let kind = Kind::CurveMismatch { expected: circuit.curve, found: self.curve };
            return Err(FormatError::new(key, kind));
        }
        for (what, found, limit_of, limit) in [
            ("the key's number of signals", self.n_vars, "the circuit's is", circuit.n_vars),
            ("the key's number of public signals", self.n_public, "the circuit's is", circuit.n_public),
            ("the key's domain size", self.domain, "the circuit's is", circuit.domain),
        ] {
            if found != limit {
                let (found, limit) = (found as u64, limit as u64);
                return Err(FormatError::new(key, Kind::Count { what, found, limit_of, limit }));
            }
        }
        Ok(())
    }
}

impl From<&HeadPoints> for Head {
    fn from(points: &HeadPoints) -> Self {
        Self {
            alpha_g1: points.alpha_g1.clone(),
            beta_g1: points.beta_g1.clone(),
            beta_g2: points.beta_g2.clone(),
            gamma_g2: points.gamma_g2.clone(),
            delta_g1: points.delta_g1.clone(),
            delta_g2: points.delta_g2.clone(),
            ic: points.ic.to_vec(),
        }
    }
}

fn domain<E: ProvingCurve>(log_size: u32) -> Option<DomainSpec> {
    let root = root_of_unity::<E>(log_size, RootFamily::Arkworks)?;
    Some(DomainSpec {
        log_size,
        generator: E::scalar_to_montgomery(&root),
        shift: E::scalar_to_montgomery(&E::ScalarField::GENERATOR),
    })
}

/// `R` as a scalar: the Montgomery form of `x·R` is `x·R²`.
fn radix<E: ProvingCurve>() -> E::ScalarField {
    E::ScalarField::from(2u64).pow([256u64])
}

pub(super) fn doubly_montgomery_one<E: ProvingCurve>() -> [u8; 32] {
    E::scalar_to_montgomery(&radix::<E>())
}

/// From canonical values, which were checked when the circuit was made, to `coefficient · R²`.
fn to_doubly_montgomery<E: ProvingCurve>(values: &mut [u8]) {
    let radix = radix::<E>();
    values.as_chunks_mut::<32>().0.par_iter_mut().with_min_len(1024).for_each(|value| {
        if let Some(coefficient) = E::scalar_from_canonical(value) {
            *value = E::scalar_to_montgomery(&(coefficient * radix));
        }
    });
}

fn check(curve: Curve, matrix: &Csr) -> Result<(), FormatError> {
    let nnz = matrix.nnz();
    expect("the number of row offsets", matrix.row_offsets.len(), "the rows take", matrix.rows + 1)?;
    expect("the number of bytes of values", matrix.values.len(), "the entries take", 32 * nnz)?;
    let first = matrix.row_offsets.first().copied().unwrap_or_default();
    let last = matrix.row_offsets.last().copied().unwrap_or_default();
    expect("the first row offset", first as usize, "it must be", 0)?;
    expect("the last row offset", last as usize, "the number of entries is", nnz)?;
    if let Some(row) = matrix.row_offsets.windows(2).position(|pair| pair[0] > pair[1]) {
        let limit_of = "the next row begins before it; rows are";
        return Err(mismatch("a row", row, limit_of, matrix.rows));
    }
    let about = |kind| Err(FormatError::new(Path::new("matrix"), kind));
    if let Some(entry) = matrix.col_indices.iter().position(|col| *col as usize >= matrix.cols) {
        let index = matrix.col_indices.get(entry).copied().unwrap_or_default().into();
        let limit = matrix.cols as u64;
        return about(Kind::Index { entry: entry as u64, what: "signal", index, limit });
    }
    let reduced = |value: &[u8; 32]| with_curve!(curve, E => E::scalar_from_montgomery(value).is_some());
    match matrix.values.as_chunks::<32>().0.iter().position(|value| !reduced(value)) {
        Some(index) => about(Kind::NotReduced { index: index as u64 }),
        None => Ok(()),
    }
}

fn expect(what: &'static str, found: usize, limit_of: &'static str, limit: usize) -> Result<(), FormatError> {
    if found == limit { Ok(()) } else { Err(mismatch(what, found, limit_of, limit)) }
}

fn mismatch(what: &'static str, found: usize, limit_of: &'static str, limit: usize) -> FormatError {
    let (found, limit) = (found as u64, limit as u64);
    FormatError::new(Path::new("matrix"), Kind::Count { what, found, limit_of, limit })
}

fn too_many_rows(curve: Curve, rows: u64) -> FormatError {
    let kind = Kind::Count {
        what: "the number of constraints and public signals",
        found: rows,
        limit_of: "the field's largest domain is",
        limit: 1 << curve.scalar_two_adicity(),
    };
    FormatError::new(Path::new("circuit"), kind)
}
