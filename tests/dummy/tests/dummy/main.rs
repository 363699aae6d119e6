//! The dummy backend does what its scripts say, and proves as the CPU does when they say nothing.

mod benches;
mod faults;
mod memory;
mod proofs;
mod solo;
mod stalls;

use std::sync::Arc;
use std::time::Duration;

use interlock_core::backend::{
    BackendError, Bases, Device, DeviceOptions, Domain, Form, Group, Lane, Matrix, MsmTerm, NttOp, Plugin,
    Scalars,
};
use interlock_core::format::{Witness, Zkey};
use interlock_core::groth16::{Blinding, Prover};
use interlock_core::key::ProvingKey;
use interlock_core::types::Proof;
use interlock_curves::{Bn254, Curve, ProvingCurve};
use interlock_dummy::{Bench, Objects, Script};
use interlock_tests::linked;
use interlock_tests::places::fixture;

/// Longer than anything here takes; a test that waits so long has failed.
const PATIENCE: Duration = Duration::from_secs(60);

fn open(curve: Curve, name: &str) -> (Arc<ProvingKey>, Witness) {
    let folder = fixture(curve, name).folder;
    let key = ProvingKey::from_zkey(&Zkey::open(folder.join("circuit.zkey")).unwrap()).unwrap();
    (Arc::new(key), Witness::open(folder.join("witness.wtns")).unwrap())
}

fn plugin(bench: &Bench) -> Arc<Plugin> {
    Plugin::linked(bench.api()).unwrap()
}

fn blinding<E: ProvingCurve>() -> Blinding<E> {
    Blinding::from_seed(&[9; 32])
}

/// The CPU backend's proof, with [`blinding`].
fn by_cpu<E: ProvingCurve>(key: &Arc<ProvingKey>, witness: &Witness) -> Proof<E> {
    let prover = Prover::<E>::new(&linked(), Arc::clone(key)).unwrap();
    prover.prove_blinded(witness, &blinding()).unwrap().proof
}

/// A prover on a bench's first device, with the CPU backend as the judge.
fn prover(bench: &Bench, key: &Arc<ProvingKey>) -> Prover<Bn254> {
    Prover::new(&plugin(bench), Arc::clone(key)).unwrap().with_reference(&linked())
}

fn assert_nothing_left(script: &Script, why: &str) {
    assert_eq!(script.live_bytes(), 0, "{why}");
    assert_eq!(script.live_objects(), Objects::default(), "{why}");
}

/// Every operation at least once.
fn exercise(bench: &Bench, key: &ProvingKey, witness: &Witness) -> Result<(), BackendError> {
    let device = Device::open(&plugin(bench), key.curve, DeviceOptions::default())?;
    let lane = Lane::create(&device)?;
    let domain = Domain::load(&device, &key.domain)?;
    let matrix = Matrix::load(&device, Arc::clone(&key.a_matrix))?;
    let bases = Bases::load(&device, Group::G1, key.a.points.clone(), key.a.index.clone())?;
    let mut inputs = Scalars::alloc(&device, key.n_vars)?;
    lane.upload(&mut inputs, 0, witness.values(), Form::Canonical)?;
    let mut rows = Scalars::alloc(&device, key.domain_size())?;
    lane.multiply_matrix(&matrix, &inputs, &mut rows)?;
    let mut squares = Scalars::alloc(&device, key.domain_size())?;
    lane.multiply(&mut squares, &rows, &rows)?;
    lane.ntt(&domain, &mut squares, NttOp::Forward)?;
    lane.scale(&mut squares, &key.domain.generator)?;
    lane.msm(&inputs, &[MsmTerm { bases: &bases, first: 0 }])?;
    lane.download(&squares, 0, squares.len())?;
    Ok(())
}
