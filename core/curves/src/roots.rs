//! Roots of unity. A domain's generator belongs to the *key's format*, not to the curve alone.
//!
//! snarkjs starts from the smallest quadratic non-residue, bellman and arkworks from a multiplicative generator. On
//! BN254 both are 5. On BLS12-381 they are 5 and 7, and from size 8 on the domains' generators differ: the same
//! set of points, in another order.

use ark_ff::{FftField, Field, LegendreSymbol, One, PrimeField};

use crate::ProvingCurve;

/// Which root of order `2^s` a format's domains descend from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum RootFamily {
    /// `n^((r−1)/2^s)` with `n` the smallest quadratic non-residue: snarkjs (`.zkey`, `.ptau`).
    Snarkjs,
    /// `g^((r−1)/2^s)` with `g` the field's generator, 7 on BLS12-381 and 5 on BN254: arkworks and bellman.
    Arkworks,
}

/// The generator of the domain of size `2^log_n`, or `None` when the field has no such domain.
pub fn root_of_unity<E: ProvingCurve>(log_n: u32, family: RootFamily) -> Option<E::ScalarField> {
    let adicity = E::ScalarField::TWO_ADICITY;
    let squarings = adicity.checked_sub(log_n)?;
    let mut root = match family {
        RootFamily::Snarkjs => {
            let odd_part = (-E::ScalarField::one()).into_bigint() >> adicity;
            smallest_non_residue::<E>().pow(odd_part)
        }
        RootFamily::Arkworks => E::ScalarField::TWO_ADIC_ROOT_OF_UNITY,
    };
    for _ in 0..squarings {
        root.square_in_place();
    }
    Some(root)
}

/// The `e` below `2^log_n` with `snarkjs' generator = arkworks' generator^e` for the domains of size `2^log_n`: the
/// row `j` of the one domain is the row `e·j mod 2^log_n` of the other. It is odd, 1 when the generators are the same.
/// `None` when the field has no such domain.
///
/// Bit by bit, from the lowest: the quotient of the generators' powers of order 2 tells each bit (Pohlig and Hellman).
pub fn snarkjs_exponent<E: ProvingCurve>(log_n: u32) -> Option<u64> {
    let ours = root_of_unity::<E>(log_n, RootFamily::Arkworks)?;
    let inverse = ours.inverse()?;
    let mut rest = root_of_unity::<E>(log_n, RootFamily::Snarkjs)?;
    let mut exponent = 0;
    for bit in 0..log_n {
        // rest = ours^(what is left of the exponent), whose lowest `bit` bits are 0.
        if !rest.pow([1u64 << (log_n - 1 - bit)]).is_one() {
            exponent |= 1 << bit;
            rest *= inverse.pow([1u64 << bit]);
        }
    }
    rest.is_one().then_some(exponent)
}

/// The shift of the coset on which a snarkjs key of domain `2^log_n` wants `a·b − c`: the generator of the domain of
/// twice the size, or, when the field has none, the square of the smallest non-residue. `None` when there is no
/// domain of size `2^log_n` either.
pub fn coset_shift_snarkjs<E: ProvingCurve>(log_n: u32) -> Option<E::ScalarField> {
    if log_n == E::ScalarField::TWO_ADICITY {
        return Some(smallest_non_residue::<E>().square());
    }
    root_of_unity::<E>(log_n.checked_add(1)?, RootFamily::Snarkjs)
}

/// The smallest integer above 1 that is no square modulo `r`: 5 on both curves.
fn smallest_non_residue<E: ProvingCurve>() -> E::ScalarField {
    let mut candidate = E::ScalarField::from(2u64);
    while candidate.legendre() != LegendreSymbol::QuadraticNonResidue {
        candidate += E::ScalarField::one();
    }
    candidate
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Bls12_381, Bn254, with_curve};

    #[test]
    fn snarkjs_root_of_bls12_381() {
        let root = root_of_unity::<Bls12_381>(32, RootFamily::Snarkjs).unwrap();
        assert_eq!(
            root.to_string(),
            "937917089079007706106976984802249742464848817460758522850752807661925904159"
        );
        assert_ne!(root, root_of_unity::<Bls12_381>(32, RootFamily::Arkworks).unwrap());
        for log_n in 0..=32 {
            let same = root_of_unity::<Bls12_381>(log_n, RootFamily::Snarkjs)
                == root_of_unity::<Bls12_381>(log_n, RootFamily::Arkworks);
            assert_eq!(same, log_n <= 2, "size 2^{log_n}");
        }
    }

    #[test]
    fn families_agree_on_bn254() {
        for log_n in 0..=28 {
            assert_eq!(
                root_of_unity::<Bn254>(log_n, RootFamily::Snarkjs),
                root_of_unity::<Bn254>(log_n, RootFamily::Arkworks)
            );
        }
    }

    #[test]
    fn one_family_as_powers_of_the_other() {
        for log_n in 0..=28 {
            assert_eq!(snarkjs_exponent::<Bn254>(log_n), Some(u64::from(log_n > 0)));
        }
        for log_n in 0..=32 {
            let exponent = snarkjs_exponent::<Bls12_381>(log_n).unwrap();
            assert!(exponent < 1 << log_n && (log_n == 0 || exponent % 2 == 1));
            assert_eq!(exponent == 1, log_n == 1 || log_n == 2, "size 2^{log_n}");
            let power = root_of_unity::<Bls12_381>(log_n, RootFamily::Arkworks).unwrap().pow([exponent]);
            assert_eq!(Some(power), root_of_unity::<Bls12_381>(log_n, RootFamily::Snarkjs));
        }
        assert_eq!(snarkjs_exponent::<Bls12_381>(33), None);
    }

    #[test]
    fn orders_and_shifts() {
        for curve in crate::Curve::ALL {
            with_curve!(curve, E => {
                let adicity = curve.scalar_two_adicity();
                assert_eq!(smallest_non_residue::<E>(), <E as ark_ec::pairing::Pairing>::ScalarField::from(5u64));
                assert_eq!(root_of_unity::<E>(adicity + 1, RootFamily::Snarkjs), None);
                assert_eq!(coset_shift_snarkjs::<E>(adicity + 1), None);
                assert_eq!(coset_shift_snarkjs::<E>(u32::MAX), None);
                for log_n in 0..adicity {
                    let root = root_of_unity::<E>(log_n, RootFamily::Snarkjs).unwrap();
                    assert!(root.pow([1u64 << log_n]).is_one());
                    assert!(log_n == 0 || !root.pow([1u64 << (log_n - 1)]).is_one());
                    assert_eq!(coset_shift_snarkjs::<E>(log_n).unwrap().square(), root);
                }
                assert_eq!(
                    coset_shift_snarkjs::<E>(adicity).unwrap(),
                    <E as ark_ec::pairing::Pairing>::ScalarField::from(25u64)
                );
            });
        }
    }
}
