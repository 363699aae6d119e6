//! Every operation of a backend against arkworks, edge cases first, on the linked and on the loaded CPU
//! backend and on the templates in C and in Rust.

mod contract;
mod msm;
mod ntt;
mod vectors;

use std::sync::Arc;

use interlock_core::backend::{Device, DeviceOptions, Lane, Plugin};
use interlock_curves::ProvingCurve;

/// Runs a test on every backend, for every curve.
macro_rules! on_every_backend {
    ($($test:ident),* $(,)?) => {
        $(
            for plugin in [
                interlock_tests::linked(),
                interlock_tests::loaded(),
                interlock_tests::template_c::loaded(),
                interlock_tests::template_rust::loaded(),
            ] {
                $test::<interlock_curves::Bn254>(&plugin);
                $test::<interlock_curves::Bls12_381>(&plugin);
            }
        )*
    };
}
pub(crate) use on_every_backend;

type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;

/// A device of two threads and a lane of it.
fn open<E: ProvingCurve>(plugin: &Arc<Plugin>) -> (Device, Lane) {
    let options = DeviceOptions { threads: Some(2), ..DeviceOptions::default() };
    let device = Device::open(plugin, E::CURVE, options).unwrap();
    let lane = Lane::create(&device).unwrap();
    (device, lane)
}

fn montgomery<E: ProvingCurve>(scalars: &[Fr<E>]) -> Vec<u8> {
    scalars.iter().flat_map(E::scalar_to_montgomery).collect()
}

fn canonical<E: ProvingCurve>(scalars: &[Fr<E>]) -> Vec<u8> {
    scalars.iter().flat_map(E::scalar_to_canonical).collect()
}

/// Scalars from bytes in Montgomery form.
fn from_montgomery<E: ProvingCurve>(bytes: &[u8]) -> Vec<Fr<E>> {
    bytes.as_chunks::<32>().0.iter().map(|bytes| E::scalar_from_montgomery(bytes).unwrap()).collect()
}
