//! What `tests/plugins/host.c` computes with, and what should come out, by arkworks.

use std::fmt::Write;

use ark_ec::CurveGroup;
use ark_ff::{Field, One, Zero};
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_curves::{Curve, ProvingCurve};
use interlock_tests::random;

/// Scalars, and points of G1.
const COUNT: usize = 4;
/// The matrix: the second row is empty.
const ROW_OFFSETS: [u64; 4] = [0, 2, 2, 3];
const COLUMNS: [u32; 3] = [0, 3, 2];
/// Which scalars the points of G2 belong to.
const INDEX_G2: [u32; 2] = [1, 3];

/// A curve's inputs.
pub(crate) struct Inputs<E: ProvingCurve> {
    scalars: Vec<E::ScalarField>,
    g1: Vec<E::G1Affine>,
    g2: Vec<E::G2Affine>,
    values: Vec<E::ScalarField>,
    generator: E::ScalarField,
}

impl<E: ProvingCurve> Inputs<E> {
    pub(crate) fn new() -> Self {
        let mut rng = random::generator(52);
        let mut g1 = random::g1_points::<E>(COUNT, &mut rng);
        g1[2] = ark_ec::AffineRepr::zero();
        Self {
            scalars: (0..COUNT).map(|_| random::scalar(&mut rng)).collect(),
            g1,
            g2: random::g2_points::<E>(INDEX_G2.len(), &mut rng),
            values: (0..COLUMNS.len()).map(|_| random::scalar(&mut rng)).collect(),
            generator: root_of_unity::<E>(COUNT.ilog2(), RootFamily::Arkworks).unwrap(),
        }
    }

    /// `inputs.h`.
    pub(crate) fn header(&self) -> String {
        let curve = match E::CURVE {
            Curve::Bn254 => "INTERLOCK_CURVE_BN254",
            Curve::Bls12_381 => "INTERLOCK_CURVE_BLS12_381",
        };
        let mut text = format!(
            "enum {{ COUNT = {COUNT}, LOG_SIZE = {}, ROWS = {}, CURVE = {curve} }};\n",
            COUNT.ilog2(),
            ROW_OFFSETS.len() - 1
        );
        let mut bytes = |name: &str, bytes: &[u8]| {
            writeln!(text, "static const uint8_t {name}[{}] = {{{}}};", bytes.len(), list(bytes)).unwrap();
        };
        let canonical: Vec<[u8; 32]> = self.scalars.iter().map(E::scalar_to_canonical).collect();
        bytes("SCALARS", canonical.as_flattened());
        bytes("GENERATOR", &E::scalar_to_montgomery(&self.generator));
        bytes("SHIFT", &E::scalar_to_montgomery(&E::ScalarField::one()));
        let mut points = vec![0; COUNT * E::CURVE.g1_bytes()];
        for (point, out) in self.g1.iter().zip(points.chunks_exact_mut(E::CURVE.g1_bytes())) {
            E::write_g1(point, out);
        }
        bytes("POINTS_G1", &points);
        let mut points = vec![0; INDEX_G2.len() * E::CURVE.g2_bytes()];
        for (point, out) in self.g2.iter().zip(points.chunks_exact_mut(E::CURVE.g2_bytes())) {
            E::write_g2(point, out);
        }
        bytes("POINTS_G2", &points);
        // Coefficient · R²: twice the Montgomery form.
        let r = E::ScalarField::from(2).pow([256]);
        let values: Vec<[u8; 32]> = self.values.iter().map(|v| E::scalar_to_montgomery(&(*v * r))).collect();
        bytes("VALUES", values.as_flattened());
        writeln!(text, "static const uint64_t ROW_OFFSETS[] = {{{}}};", list(&ROW_OFFSETS)).unwrap();
        writeln!(text, "static const uint32_t COLUMNS[] = {{{}}};", list(&COLUMNS)).unwrap();
        writeln!(text, "static const uint32_t INDEX_G2[] = {{{}}};", list(&INDEX_G2)).unwrap();
        text
    }

    /// Compares what the host printed.
    pub(crate) fn check(&self, printed: &str, run: &str) {
        let bytes = |name: &str| {
            let line = printed.lines().find_map(|line| line.strip_prefix(&format!("{name} ")));
            unhex(line.unwrap_or_else(|| panic!("{run}: no line {name}:\n{printed}")))
        };
        let montgomery = |name: &str| -> Vec<E::ScalarField> {
            let bytes = bytes(name);
            bytes.as_chunks().0.iter().map(|scalar| E::scalar_from_montgomery(scalar).unwrap()).collect()
        };
        // The transform is linear, so scalars in canonical form stay in it.
        let canonical: Vec<E::ScalarField> = bytes("ntt")
            .as_chunks()
            .0
            .iter()
            .map(|scalar| E::scalar_from_canonical(scalar).unwrap())
            .collect();
        let transformed: Vec<E::ScalarField> = (0..COUNT as u64)
            .map(|k| {
                let point = self.generator.pow([k]);
                self.scalars.iter().rev().fold(E::ScalarField::zero(), |sum, x| sum * point + x)
            })
            .collect();
        assert_eq!(canonical, transformed, "{run}: ntt");
        let rows: Vec<E::ScalarField> = ROW_OFFSETS
            .windows(2)
            .map(|row| {
                let entries = row[0] as usize..row[1] as usize;
                entries.map(|e| self.values[e] * self.scalars[COLUMNS[e] as usize]).sum()
            })
            .collect();
        assert_eq!(montgomery("spmv"), rows, "{run}: spmv");
        let squares: Vec<E::ScalarField> = rows.iter().map(Field::square).collect();
        assert_eq!(montgomery("squares"), squares, "{run}: pointwise");
        let g1: E::G1 = self.g1.iter().zip(&self.scalars).map(|(point, scalar)| *point * scalar).sum();
        assert_eq!(E::read_g1_jacobian(&bytes("sum-g1")).unwrap().into_affine(), g1.into_affine(), "{run}");
        let chosen = INDEX_G2.map(|i| self.scalars[i as usize]);
        let g2: E::G2 = self.g2.iter().zip(&chosen).map(|(point, scalar)| *point * scalar).sum();
        assert_eq!(E::read_g2_jacobian(&bytes("sum-g2")).unwrap().into_affine(), g2.into_affine(), "{run}");
    }
}

fn list<T: std::fmt::Display>(numbers: &[T]) -> String {
    numbers.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}

fn unhex(text: &str) -> Vec<u8> {
    (0..text.len() / 2).map(|i| u8::from_str_radix(&text[2 * i..2 * i + 2], 16).unwrap()).collect()
}
