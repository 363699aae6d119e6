//! A key on a device, and the five sums for a witness.

use std::sync::Arc;

use ark_ec::CurveGroup;
use interlock_curves::{PointError, ProvingCurve};

use crate::backend::{
    BackendError, BackendErrorKind, Bases, Device, Domain, Form, Group, Lane, Matrix, MsmTerm, Scalars,
};
use crate::format::Witness;
use crate::groth16::assemble::{PartialSums, assemble};
use crate::groth16::blinding::Blinding;
use crate::groth16::error::ProveError;
use crate::groth16::progress::{CancelFlag, Phase, Recorder};
use crate::groth16::quotient::{self, Parts};
use crate::groth16::trace::Trace;
use crate::key::ProvingKey;
use crate::types::Proof;

/// A proving key that a device knows: bases, matrices, domain. Any number of proofs can be made with it.
#[derive(Debug)]
pub struct ResidentKey {
    key: Arc<ProvingKey>,
    device: Device,
    domain: Domain,
    a_matrix: Matrix,
    b_matrix: Matrix,
    a: Bases,
    b_g1: Bases,
    b_g2: Bases,
    l: Bases,
    h: Bases,
    /// Whether it is for a single proof, so that a mapped key's memory need not stay.
    once: bool,
}

impl ResidentKey {
    /// Makes a key known to a device that was opened for its curve.
    ///
    /// # Errors
    /// The device refuses, or has no room.
    pub fn load(device: &Device, key: &Arc<ProvingKey>) -> Result<Self, BackendError> {
        let bases = |group, set: &crate::key::BaseSet| {
            Bases::load(device, group, set.points.clone(), set.index.clone())
        };
        Ok(Self {
            domain: Domain::load(device, &key.domain)?,
            a_matrix: Matrix::load(device, Arc::clone(&key.a_matrix))?,
            b_matrix: Matrix::load(device, Arc::clone(&key.b_matrix))?,
            a: bases(Group::G1, &key.a)?,
            b_g1: bases(Group::G1, &key.b_g1)?,
            b_g2: bases(Group::G2, &key.b_g2)?,
            l: bases(Group::G1, &key.l)?,
            h: bases(Group::G1, &key.h)?,
            key: Arc::clone(key),
            device: device.clone(),
            once: false,
        })
    }

    /// As [`load`](Self::load), for a single proof: memory of a mapped key is let go of as soon as it was used.
    ///
    /// # Errors
    /// As for `load`.
    pub(crate) fn load_for_one(device: &Device, key: &Arc<ProvingKey>) -> Result<Self, BackendError> {
        let loaded = Self { once: true, ..Self::load(device, key)? };
        // A backend has looked at all of them, or has its own copies.
        for set in [&key.a, &key.b_g1, &key.b_g2, &key.l, &key.h] {
            set.points.release();
        }
        Ok(loaded)
    }

    /// The key.
    pub fn key(&self) -> &Arc<ProvingKey> {
        &self.key
    }

    /// The device.
    pub fn device(&self) -> &Device {
        &self.device
    }

    /// The five sums of a witness that [`check_witness`] accepts, on a lane of their own.
    ///
    /// # Errors
    /// The device failed, answered something that is no point, or the work was cancelled.
    pub(crate) fn sums<E: ProvingCurve>(
        &self,
        witness: &Witness,
        recorder: &mut Recorder<'_>,
        trace: &mut Trace,
    ) -> Result<PartialSums<E>, ProveError> {
        let lane = Lane::create(&self.device)?;
        let cancel = recorder.cancel;
        cancel.watched(&lane, || {
            let staged = self.stage(&lane, witness, recorder, trace)?;
            self.compute::<E>(&lane, &staged, recorder, trace, &mut |_| {})
        })
    }

    /// A proof of a witness, which nobody has verified, with digests of what each operation gave, in their order: to be
    /// compared with another backend's.
    ///
    /// # Errors
    /// The witness does not fit the key; the device failed or answered something that is no point.
    pub fn traced<E: ProvingCurve>(
        &self,
        witness: &Witness,
        blinding: &Blinding<E>,
    ) -> Result<(Proof<E>, Trace), ProveError> {
        check_witness(&self.key, witness)?;
        let (cancel, mut trace) = (CancelFlag::default(), Trace::on());
        let mut recorder = Recorder {
            observer: &(),
            cancel: &cancel,
            backend: self.device.plugin().name().to_owned(),
            timings: Vec::new(),
            ended: &|_, _| {},
        };
        let sums = self.sums::<E>(witness, &mut recorder, &mut trace)?;
        Ok((assemble(&self.key, &sums, blinding)?, trace))
    }

    /// Brings a witness onto the device.
    ///
    /// # Errors
    /// As for [`sums`](Self::sums).
    pub(crate) fn stage(
        &self,
        lane: &Lane,
        witness: &Witness,
        recorder: &mut Recorder<'_>,
        trace: &mut Trace,
    ) -> Result<Scalars, ProveError> {
        recorder.run(Phase::Stage, || {
            let mut staged = Scalars::alloc(&self.device, self.key.n_vars)?;
            lane.upload(&mut staged, 0, witness.values(), Form::Canonical)?;
            trace.scalars("upload", lane, &staged)?;
            Ok(staged)
        })
    }

    /// The five sums of a staged witness. `shrunk` hears how many bytes of scalars the proof has from then on, when it
    /// needs no more.
    ///
    /// # Errors
    /// As for [`sums`](Self::sums).
    pub(crate) fn compute<E: ProvingCurve>(
        &self,
        lane: &Lane,
        staged: &Scalars,
        recorder: &mut Recorder<'_>,
        trace: &mut Trace,
        shrunk: &mut dyn FnMut(u64),
    ) -> Result<PartialSums<E>, ProveError> {
        let quotient = recorder.run(Phase::Quotient, || {
            let parts = Parts {
                lane,
                domain: &self.domain,
                a: &self.a_matrix,
                b: &self.b_matrix,
                convention: self.key.quotient,
                z_inverse: quotient::z_inverse::<E>(&self.key.domain),
            };
            let scalars = quotient::scalars(&parts, staged, trace)?;
            lane.sync()?;
            Ok::<_, ProveError>(scalars)
        })?;
        shrunk(Footprint::of(&self.key).sums);
        recorder.run(Phase::Msm, || {
            let all = |bases| MsmTerm { bases, first: 0 };
            let private = MsmTerm { bases: &self.l, first: self.key.n_public + 1 };
            let over_witness = [all(&self.a), all(&self.b_g1), all(&self.b_g2), private];
            let witness_sums = lane.msm(staged, &over_witness)?;
            if self.once {
                for set in [&self.key.a, &self.key.b_g1, &self.key.b_g2, &self.key.l] {
                    set.points.release();
                }
            }
            let quotient_sums = lane.msm(&quotient, &[all(&self.h)])?;
            let [a, b_g1, b_g2, l] = witness_sums.as_slice() else { return Err(self.nonsense("msm", None)) };
            let [h] = quotient_sums.as_slice() else { return Err(self.nonsense("msm", None)) };
            Ok(PartialSums {
                a: self.g1::<E>("MSM over A", a, trace)?,
                b_g1: self.g1::<E>("MSM over B1", b_g1, trace)?,
                b_g2: self.g2::<E>("MSM over B2", b_g2, trace)?,
                l: self.g1::<E>("MSM over L", l, trace)?,
                h: self.g1::<E>("MSM over H", h, trace)?,
            })
        })
    }

    fn g1<E: ProvingCurve>(
        &self,
        what: &'static str,
        bytes: &[u8],
        trace: &mut Trace,
    ) -> Result<E::G1, ProveError> {
        let point = E::read_g1_jacobian(bytes).map_err(|error| self.nonsense(what, Some(error)))?;
        let mut affine = vec![0; E::CURVE.g1_bytes()];
        E::write_g1(&point.into_affine(), &mut affine);
        trace.point(what, &affine);
        Ok(point)
    }

    fn g2<E: ProvingCurve>(
        &self,
        what: &'static str,
        bytes: &[u8],
        trace: &mut Trace,
    ) -> Result<E::G2, ProveError> {
        let point = E::read_g2_jacobian(bytes).map_err(|error| self.nonsense(what, Some(error)))?;
        let mut affine = vec![0; E::CURVE.g2_bytes()];
        E::write_g2(&point.into_affine(), &mut affine);
        trace.point(what, &affine);
        Ok(point)
    }

    /// The backend answered something that cannot be a result. A damaged key can be the reason too, which the caller
    /// looks into.
    fn nonsense(&self, what: &'static str, error: Option<PointError>) -> ProveError {
        let reason =
            error.map_or_else(|| "the wrong number of results".to_owned(), |error| error.to_string());
        ProveError::Nonsense { backend: self.device.plugin().name().to_owned(), what, reason }
    }
}

/// Bytes of scalars that a proof has on its device. What a backend takes for itself is not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Footprint {
    /// From staging on: the witness.
    pub staged: u64,
    /// The most at once: the witness and the three vectors of the quotient.
    pub peak: u64,
    /// While the sums are computed: the witness and the quotient.
    pub sums: u64,
}

impl Footprint {
    /// Of a proof under this key.
    pub fn of(key: &ProvingKey) -> Self {
        let (witness, vector) = (32 * key.n_vars as u64, 32 * key.domain_size() as u64);
        Self { staged: witness, peak: witness + 3 * vector, sums: witness + vector }
    }
}

/// Checks a witness against a key: curve, length, and the constant one.
///
/// # Errors
/// [`ProveError::WrongCurve`], [`ProveError::WitnessLength`], [`ProveError::NotOne`].
pub fn check_witness(key: &ProvingKey, witness: &Witness) -> Result<(), ProveError> {
    if witness.curve() != key.curve {
        return Err(ProveError::WrongCurve { witness: witness.curve(), key: key.curve });
    }
    if witness.len() != key.n_vars {
        return Err(ProveError::WitnessLength { witness: witness.len(), key: key.n_vars });
    }
    let one = witness.value(0).is_some_and(|value| value[0] == 1 && value[1..].iter().all(|&byte| byte == 0));
    if one { Ok(()) } else { Err(ProveError::NotOne) }
}

impl ProveError {
    /// Whether another backend, or another try, might do better.
    pub(crate) fn is_backends_fault(&self) -> bool {
        match self {
            Self::Backend(error) => error.kind != BackendErrorKind::Cancelled,
            Self::Nonsense { .. } | Self::SelfCheck { .. } => true,
            _ => false,
        }
    }
}
