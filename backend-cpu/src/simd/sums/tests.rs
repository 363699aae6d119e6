use ark_ec::{AdditiveGroup as _, CurveGroup, PrimeGroup};
use interlock_curves::{Bls12_381, Bn254, ProvingCurve};

use super::*;
use crate::simd::{Bls12Base, Bn254Base, Fp, Fp2};

/// A generator of numbers that need not be good.
struct Steps(u64);

impl Steps {
    fn below(&mut self, n: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % n
    }
}

/// Buckets of very different lengths over few points, so that points meet themselves, their opposites and infinity.
fn group<F: Field, P: SWCurveConfig<BaseField = F::Ark>>(size: usize, write: impl Fn(&Affine<P>, &mut [u8])) {
    let Some(ifma) = Ifma::detect() else { return };
    let mut steps = Steps(7);
    for (distinct, buckets) in [(1, 1), (2, 3), (5, 40), (300, 70), (300, 1000)] {
        let mut point = Projective::<P>::generator();
        let mut wire = vec![0_u64; (distinct + 1) * size / 8];
        let mut affine = vec![Affine::<P>::identity()];
        for place in wire.chunks_exact_mut(size / 8).skip(1) {
            point = point.double() + Projective::<P>::generator();
            affine.push(point.into_affine());
            let mut bytes = vec![0; size];
            write(&point.into_affine(), &mut bytes);
            for (word, bytes) in place.iter_mut().zip(bytes.as_chunks().0) {
                *word = u64::from_le_bytes(*bytes);
            }
        }
        let chosen: Vec<u32> = (0..=distinct as u32).collect();
        let points = Points::<F>::new(&wire, &chosen, ifma);
        let (mut order, mut ends) = (Vec::new(), Vec::new());
        let (mut plain, mut weighted) = (Projective::<P>::ZERO, Projective::<P>::ZERO);
        for bucket in 0..buckets {
            let length = match steps.below(10) {
                0 => 0,
                1 => 200,
                few => few,
            };
            for _ in 0..length {
                let index = steps.below(distinct + 1);
                let opposite = steps.below(2) == 1;
                order.push(index as u32 | if opposite { OPPOSITE } else { 0 });
                let own = if opposite { -affine[index] } else { affine[index] };
                plain += own;
                weighted += own * P::ScalarField::from(bucket as u64 + 1);
            }
            ends.push(order.len() as u32);
        }
        let mut scratch = points.scratch();
        let one = vec![order.len() as u32];
        let sum: Projective<P> = Segments::new(&points, &order, one, &mut scratch).total();
        assert_eq!(sum, plain, "{distinct} points, one segment");
        // The same memory again.
        let sum: Projective<P> = Segments::new(&points, &order, ends, &mut scratch).weighted();
        assert_eq!(sum, weighted, "{distinct} points, {buckets} buckets");
    }
}

#[test]
fn sums_are_those_of_arkworks() {
    group::<Fp<Bn254Base, 5>, ark_bn254::g1::Config>(64, Bn254::write_g1);
    group::<Fp2<Bn254Base, 5>, ark_bn254::g2::Config>(128, Bn254::write_g2);
    group::<Fp<Bls12Base, 8>, ark_bls12_381::g1::Config>(96, Bls12_381::write_g1);
    group::<Fp2<Bls12Base, 8>, ark_bls12_381::g2::Config>(192, Bls12_381::write_g2);
}
