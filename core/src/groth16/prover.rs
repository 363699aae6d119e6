//! A key and an opened backend, for any number of proofs.

use std::sync::Arc;

use interlock_curves::ProvingCurve;

use crate::backend::{Device, DeviceOptions, Origin, Plugin};
use crate::format::Witness;
use crate::groth16::blinding::Blinding;
use crate::groth16::error::ProveError;
use crate::groth16::progress::{CancelFlag, Observer};
use crate::groth16::prove::{ProveOptions, Proved, prove_with};
use crate::groth16::resident::ResidentKey;
use crate::groth16::verify::{WrongSignalCount, verify};
use crate::key::ProvingKey;
use crate::types::{Proof, PublicSignals, VerifyingKey};

/// A key that a backend's device knows: opened once, then any number of proofs, from any number of threads.
///
/// Every proof is verified before it is returned. This is [`prove`](super::prove()) with one backend and without
/// fallback; call that one for fallbacks, comparisons between backends and proofs without the check.
///
/// ```
/// use interlock_core::backend::Plugin;
/// use interlock_core::format::{Witness, Zkey};
/// use interlock_core::groth16::Prover;
/// use interlock_core::key::ProvingKey;
/// use interlock_curves::Bn254;
///
/// # let folder = "../tests/fixtures/bn254/multiplier";
/// let key = ProvingKey::from_zkey(&Zkey::open(format!("{folder}/circuit.zkey"))?)?;
/// let backend = Plugin::linked(interlock_cpu::interlock_api())?;
/// let prover = Prover::<Bn254>::new(&backend, key)?;
///
/// let witness = Witness::open(format!("{folder}/witness.wtns"))?;
/// let first = prover.prove(&witness)?;
/// let second = prover.prove(&witness)?;
/// assert!(prover.verify(&first.signals, &first.proof)?);
/// assert!(prover.verify(&first.signals, &second.proof)?);
/// assert_ne!(first.proof, second.proof, "blinded by the operating system, each in its own way");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Prover<E: ProvingCurve> {
    plugin: Arc<Plugin>,
    options: DeviceOptions,
    reference: Option<Arc<Plugin>>,
    resident: Arc<ResidentKey>,
    verifying_key: VerifyingKey<E>,
}

impl<E: ProvingCurve> Prover<E> {
    /// Opens the backend's first device and makes the key known to it.
    ///
    /// # Errors
    /// [`ProveError::KeyCurve`], [`ProveError::DamagedHead`], [`ProveError::Backend`].
    pub fn new(plugin: &Arc<Plugin>, key: impl Into<Arc<ProvingKey>>) -> Result<Self, ProveError> {
        Self::with_device(plugin, key, DeviceOptions::default())
    }

    /// As [`new`](Self::new), with a device, a bound on its threads or its memory.
    ///
    /// # Errors
    /// As for [`new`](Self::new).
    pub fn with_device(
        plugin: &Arc<Plugin>,
        key: impl Into<Arc<ProvingKey>>,
        options: DeviceOptions,
    ) -> Result<Self, ProveError> {
        let key = key.into();
        if key.curve != E::CURVE {
            return Err(ProveError::KeyCurve { expected: E::CURVE, found: key.curve });
        }
        let verifying_key = key.verifying_key::<E>()?;
        let device = Device::open(plugin, E::CURVE, options)?;
        let resident = Arc::new(ResidentKey::load(&device, &key)?);
        // What is linked into this program is trusted as the program itself is.
        let reference = (*plugin.origin() == Origin::Embedded).then(|| Arc::clone(plugin));
        Ok(Self { plugin: Arc::clone(plugin), options, reference, resident, verifying_key })
    }

    /// Names the backend whose arithmetic settles whether the witness or the prover's own backend is at fault when a
    /// proof fails its check. Without a call: the prover's own when it is linked into the program, otherwise none.
    #[must_use]
    pub fn with_reference(mut self, reference: &Arc<Plugin>) -> Self {
        self.reference = Some(Arc::clone(reference));
        self
    }

    /// Proves, with blinding from the operating system.
    ///
    /// # Errors
    /// See [`ProveError`].
    pub fn prove(&self, witness: &Witness) -> Result<Proved<E>, ProveError> {
        self.prove_blinded(witness, &Blinding::random()?)
    }

    /// Proves with blinding that the caller chose: for comparing provers. A proof is zero-knowledge only when its blinding
    /// is random and used once.
    ///
    /// # Errors
    /// See [`ProveError`].
    pub fn prove_blinded(&self, witness: &Witness, blinding: &Blinding<E>) -> Result<Proved<E>, ProveError> {
        self.prove_observed(witness, blinding, &(), &CancelFlag::default())
    }

    /// As [`prove_blinded`](Self::prove_blinded), telling an observer of phases, and until it is cancelled. A flag belongs
    /// to one proof at a time.
    ///
    /// # Errors
    /// See [`ProveError`].
    pub fn prove_observed(
        &self,
        witness: &Witness,
        blinding: &Blinding<E>,
        observer: &dyn Observer,
        cancel: &CancelFlag,
    ) -> Result<Proved<E>, ProveError> {
        let options = ProveOptions {
            backends: std::slice::from_ref(&self.plugin),
            device: self.options,
            self_check: true,
            check_against: None,
            reference: self.reference.as_ref(),
            observer,
            cancel,
        };
        prove_with(self.key(), witness, blinding, &options, Some(&self.resident))
    }

    /// Whether a proof holds for these public signals. Its points are taken as given: readers of proofs check curve and
    /// subgroup.
    ///
    /// # Errors
    /// The number of signals is not the key's.
    pub fn verify(&self, signals: &PublicSignals<E>, proof: &Proof<E>) -> Result<bool, WrongSignalCount> {
        verify(&self.verifying_key, signals, proof)
    }

    /// What a verifier needs to know.
    pub fn verifying_key(&self) -> &VerifyingKey<E> {
        &self.verifying_key
    }

    /// The key.
    pub fn key(&self) -> &Arc<ProvingKey> {
        self.resident.key()
    }

    /// The backend.
    pub fn plugin(&self) -> &Arc<Plugin> {
        &self.plugin
    }
}
