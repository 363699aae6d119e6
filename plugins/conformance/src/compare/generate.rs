//! Edge cases and random ones.

use ark_ff::{One, Zero};
use interlock_curves::roots::{RootFamily, root_of_unity};
use interlock_curves::{Curve, ProvingCurve, with_curve};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

use super::case::{Case, GroupName, Operation, ScalarForm, Transform};
use super::hex::Hex;
use crate::reference::Fr;
use crate::reference::points::Points;
use crate::reference::scalars::{mostly_bits, scalar, to_wire, vector};

/// What is compared.
#[derive(Clone, Debug)]
pub struct Plan {
    /// On which curves.
    pub curves: Vec<Curve>,
    /// What random inputs are made from.
    pub seed: u64,
    /// log2 of the largest random inputs.
    pub max_log: u32,
    /// Random cases of each operation and curve, besides the edge cases.
    pub random: usize,
}

const FORMS: [ScalarForm; 2] = [ScalarForm::Canonical, ScalarForm::Montgomery];

/// Lengths at which loops end, blocks begin and tables grow.
const LENGTHS: [usize; 13] = [0, 1, 2, 3, 31, 32, 33, 127, 128, 129, 255, 256, 257];

/// Cases of operations, then of proofs; made one by one, since together they may be large.
pub fn cases(plan: &Plan) -> impl Iterator<Item = Case> {
    let plan = plan.clone();
    plan.curves.clone().into_iter().flat_map(move |curve| {
        let makers = edges();
        let random = (0..plan.random * 6).map(move |i| random_maker(i, plan.max_log));
        let proofs = proofs(&plan);
        let seed = plan.seed;
        let mut number = 0_u64;
        makers.into_iter().chain(random).chain(proofs).map(move |maker| {
            number += 1;
            let mut rng = ChaCha20Rng::seed_from_u64(seed.wrapping_mul(0x1_0000_0001).wrapping_add(number));
            let operation = with_curve!(curve, E => maker.make::<E>(&mut rng));
            Case { curve, operation }
        })
    })
}

/// How the scalars of a case are made.
#[derive(Clone, Copy, Debug)]
enum Values {
    Random,
    Zeros,
    Ones,
    /// r − 1.
    Largest,
    Equal,
    /// Below 256.
    Tiny,
    /// Nine of ten are 0 or 1.
    Bits,
}

const VALUES: [Values; 7] =
    [Values::Random, Values::Zeros, Values::Ones, Values::Largest, Values::Equal, Values::Tiny, Values::Bits];

impl Values {
    fn make<E: ProvingCurve>(self, n: usize, rng: &mut ChaCha20Rng) -> Vec<Fr<E>> {
        match self {
            Self::Random => vector(n, rng),
            Self::Zeros => vec![Fr::<E>::zero(); n],
            Self::Ones => vec![Fr::<E>::one(); n],
            Self::Largest => vec![-Fr::<E>::one(); n],
            Self::Equal => vec![scalar(rng); n],
            Self::Tiny => (0..n).map(|_| Fr::<E>::from(u64::from(rng.next_u32() % 256))).collect(),
            Self::Bits => mostly_bits(n, 90, rng),
        }
    }
}

/// How the points of a sum are chosen.
#[derive(Clone, Copy, Debug)]
enum Bases {
    Distinct,
    /// Every third is infinity.
    Gaps,
    /// The same point, and in every second place its opposite.
    Opposites,
    Infinities,
}

/// A case before it is made.
#[derive(Clone, Copy, Debug)]
enum Maker {
    Transfer(usize, ScalarForm, Values),
    Ntt(u32, Transform, ScalarForm, RootFamily, Values),
    Pointwise(usize, bool, Values),
    Scale(usize, ScalarForm, Values),
    /// Rows; entries of a row at most.
    Spmv(usize, u32, Values),
    Msm(GroupName, usize, ScalarForm, Values, Bases, bool),
    Proof(u32, bool),
}

fn edges() -> Vec<Maker> {
    let mut found = Vec::new();
    for (i, n) in LENGTHS.into_iter().enumerate() {
        for form in FORMS {
            found.push(Maker::Transfer(n, form, VALUES[i % VALUES.len()]));
            found.push(Maker::Scale(n, form, VALUES[(i + 3) % VALUES.len()]));
        }
        for subtracts in [false, true] {
            found.push(Maker::Pointwise(n, subtracts, VALUES[i % VALUES.len()]));
        }
        found.push(Maker::Spmv(n, 5, VALUES[i % VALUES.len()]));
        for group in [GroupName::G1, GroupName::G2] {
            for form in FORMS {
                found.push(Maker::Msm(group, n, form, Values::Random, Bases::Distinct, i % 2 == 1));
            }
        }
    }
    for log in 0..=10 {
        for transform in Transform::ALL {
            for (form, family) in FORMS.into_iter().zip([RootFamily::Snarkjs, RootFamily::Arkworks]) {
                found.push(Maker::Ntt(log, transform, form, family, VALUES[log as usize % VALUES.len()]));
            }
        }
    }
    for group in [GroupName::G1, GroupName::G2] {
        for values in VALUES {
            for bases in [Bases::Distinct, Bases::Gaps, Bases::Opposites, Bases::Infinities] {
                found.push(Maker::Msm(group, 65, ScalarForm::Canonical, values, bases, false));
            }
        }
        found.push(Maker::Msm(group, 300, ScalarForm::Montgomery, Values::Bits, Bases::Gaps, true));
    }
    // A row that is much longer than the others.
    found.push(Maker::Spmv(40, 2000, Values::Random));
    found
}

fn random_maker(i: usize, max_log: u32) -> Maker {
    let (which, round) = (i % 6, i / 6);
    let n = (1 << max_log) - 3 * round.min(1 << (max_log.max(3) - 3));
    let (form, values) = (FORMS[round % 2], VALUES[[0, 6, 0, 5][round % 4]]);
    let group = if round % 2 == 0 { GroupName::G1 } else { GroupName::G2 };
    match which {
        0 => Maker::Transfer(n, form, values),
        1 => Maker::Ntt(max_log, Transform::ALL[round % 4], form, RootFamily::Snarkjs, Values::Random),
        2 => Maker::Pointwise(n, round % 2 == 0, Values::Random),
        3 => Maker::Scale(n, form, values),
        4 => Maker::Spmv(n, 7, values),
        _ => Maker::Msm(group, n, form, values, Bases::Gaps, round % 3 == 2),
    }
}

fn proofs(plan: &Plan) -> Vec<Maker> {
    let sizes = [1, 2, 7, 62, 63, 200].into_iter();
    let large = (9..=plan.max_log).step_by(2).map(|log| (1 << log) - 2);
    sizes
        .chain(large)
        .flat_map(|constraints| [false, true].map(|coefficients| Maker::Proof(constraints, coefficients)))
        .collect()
}

impl Maker {
    fn make<E: ProvingCurve>(self, rng: &mut ChaCha20Rng) -> Operation {
        let wire = |values: &[Fr<E>], form: ScalarForm| Hex(to_wire::<E>(values, form.into()));
        let montgomery = |value: &Fr<E>| Hex(E::scalar_to_montgomery(value).to_vec());
        match self {
            Self::Transfer(n, form, values) => {
                Operation::Transfer { form, scalars: wire(&values.make::<E>(n, rng), form) }
            }
            Self::Ntt(log_size, transform, form, family, values) => {
                // Both curves have far larger domains.
                let generator = root_of_unity::<E>(log_size, family).unwrap_or_else(Fr::<E>::one);
                Operation::Ntt {
                    transform,
                    log_size,
                    generator: montgomery(&generator),
                    shift: montgomery(&scalar(rng)),
                    form,
                    data: wire(&values.make::<E>(1 << log_size, rng), form),
                }
            }
            Self::Pointwise(n, subtracts, values) => {
                let mut make = || wire(&values.make::<E>(n, rng), ScalarForm::Montgomery);
                let (a, b) = (make(), make());
                Operation::Pointwise { dst: subtracts.then(make), a, b }
            }
            Self::Scale(n, form, values) => Operation::Scale {
                form,
                data: wire(&values.make::<E>(n, rng), form),
                factor: montgomery(&scalar(rng)),
            },
            Self::Spmv(rows, most, values) => spmv::<E>(rows, most, values, rng),
            Self::Msm(group, n, form, values, bases, indexed) => {
                msm::<E>(group, n, form, values, bases, indexed, rng)
            }
            Self::Proof(constraints, coefficients) => {
                Operation::Proof { constraints, coefficients, seed: rng.next_u64() >> 12 }
            }
        }
    }
}

fn spmv<E: ProvingCurve>(rows: usize, most: u32, values: Values, rng: &mut ChaCha20Rng) -> Operation {
    let cols = rows.max(1) + 3;
    let (mut row_offsets, mut columns) = (vec![0], Vec::new());
    for row in 0..rows {
        // The longest is the last one, and every fourth is empty.
        let entries = match row % 4 {
            3 => 0,
            _ if row + 1 == rows => most,
            _ => 1 + rng.next_u32() % 5,
        };
        columns.extend((0..entries).map(|_| rng.next_u32() % cols as u32));
        row_offsets.push(columns.len() as u64);
    }
    let coefficients: Vec<Fr<E>> = vector(columns.len(), rng);
    let x = values.make::<E>(cols, rng);
    Operation::Spmv {
        row_offsets,
        columns,
        // Any value below r is some coefficient times R².
        values: Hex(to_wire::<E>(&coefficients, ScalarForm::Montgomery.into())),
        x: Hex(to_wire::<E>(&x, ScalarForm::Canonical.into())),
    }
}

fn msm<E: ProvingCurve>(
    group: GroupName,
    n: usize,
    form: ScalarForm,
    values: Values,
    bases: Bases,
    indexed: bool,
    rng: &mut ChaCha20Rng,
) -> Operation {
    let chain = Points::<E>::chain(n.max(1));
    let points = chain.pick((0..n).map(|i| match bases {
        Bases::Distinct => Some((i, false)),
        Bases::Gaps => (i % 3 != 2).then_some((i, false)),
        Bases::Opposites => Some((0, i % 2 == 1)),
        Bases::Infinities => None,
    }));
    let points = match group {
        GroupName::G1 => points.g1_wire(),
        GroupName::G2 => points.g2_wire(),
    };
    // With an index, every second scalar has no point.
    let (count, index) = match indexed {
        true => (2 * n, Some((0..n as u32).map(|i| 2 * i + 1).collect())),
        false => (n, None),
    };
    let scalars = Hex(to_wire::<E>(&values.make::<E>(count, rng), form.into()));
    Operation::Msm { group, form, points: Hex(points), index, scalars }
}
