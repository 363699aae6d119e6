//! Circuits written for arkworks, bellman and bellpepper, proved here and judged by those provers' own code.

mod arkworks;
mod arkworks_refusals;
mod bellman;
mod bellpepper;
mod examples;
mod gadgets;
mod unsatisfied;
mod zoo;

use interlock_curves::ProvingCurve;
use interlock_tests::random::{generator, scalar};

type Fr<E> = <E as ark_ec::pairing::Pairing>::ScalarField;

/// Fixed r and s.
fn r_and_s<E: ProvingCurve>() -> (Fr<E>, Fr<E>) {
    let mut rng = generator(20_261);
    (scalar(&mut rng), scalar(&mut rng))
}
