//! SHA-256 as constraints, as much of it as fits a given number of them: a bit-heavy circuit of any size.
//!
//! The gadgets are the usual ones, one constraint for each product of bits: three-way exclusive or and majority take two
//! constraints per bit, choice one; a sum modulo 2^32 takes one constraint that joins all bits, and one for each bit of its
//! result, which is shown to be a bit. So a block takes about 31,000 constraints, as in circomlib, with as many terms, and as many
//! wires in A, B and C (`ours-inputs --profile yes` counts them). Blocks follow each other as
//! the standard's (FIPS 180-4, section 6.2.2) until no constraint is left; the last one may end anywhere.

use interlock_core::format::r1cs::R1csBuilder;
use interlock_core::format::{R1cs, Witness};
use interlock_curves::{ProvingCurve, with_curve};

mod constants;
use constants::{INITIAL, ROUND};

/// The public signals: the bits of the first word of the message.
pub const PUBLIC: usize = 32;

/// Wires times coefficients, wire 0 being the constant one, and the value.
#[derive(Clone, Debug)]
struct Bit {
    terms: Vec<(u32, i64)>,
    value: bool,
}

/// 32 bits, the lowest first.
type Word = Vec<Bit>;

/// A circuit with its witness.
#[derive(Debug)]
pub struct Sha256 {
    /// The circuit; its wires are all bits.
    pub r1cs: R1cs,
    /// The witness.
    pub witness: Witness,
    /// The hash value after each block that is complete.
    pub states: Vec<[u32; 8]>,
}

/// The circuit of exactly `constraints` constraints that hashes `message`, whose words are asked for one by one.
///
/// # Panics
/// There are too few constraints for the public word's bits.
pub fn circuit<E: ProvingCurve>(constraints: usize, message: impl FnMut(usize) -> u32) -> Sha256 {
    assert!(constraints >= PUBLIC, "at least {PUBLIC} constraints");
    let builder = R1cs::builder(E::CURVE, 0, PUBLIC as u32, 0);
    let mut maker = Maker { builder, values: vec![true], left: constraints, next_word: 0, message };
    let mut states = Vec::new();
    let mut state: Vec<Word> = INITIAL.iter().map(|&word| constant(word)).collect();
    while let Some(next) = maker.block(&state) {
        states.push(std::array::from_fn(|i| number(&next[i])));
        state = next;
    }
    let values: Vec<E::ScalarField> = maker.values.iter().map(|&bit| u64::from(bit).into()).collect();
    let witness = Witness::from_scalars::<E>(&values);
    let r1cs = maker.builder.build().expect("wires exist, coefficients are small");
    Sha256 { r1cs, witness, states }
}

/// The largest circuit for a domain of 2^k: the constant one and each public signal take a row of the domain, too.
pub fn of_domain(curve: interlock_curves::Curve, k: u32, message: impl FnMut(usize) -> u32) -> Sha256 {
    let constraints = (1 << k) - PUBLIC - 1;
    with_curve!(curve, E => circuit::<E>(constraints, message))
}

struct Maker<M> {
    builder: R1csBuilder,
    values: Vec<bool>,
    /// Constraints that may still be made. Whoever finds none left returns `None`, and all is over.
    left: usize,
    next_word: usize,
    message: M,
}

impl<M: FnMut(usize) -> u32> Maker<M> {
    /// The state after another block.
    fn block(&mut self, state: &[Word]) -> Option<Vec<Word>> {
        let mut schedule: Vec<Word> = Vec::with_capacity(64);
        let mut now = state.to_vec();
        for round in 0..64 {
            let word = match round {
                0..16 => self.input()?,
                _ => {
                    let low = self.xor_of(&schedule[round - 15], [7, 18], Turn::Shift(3))?;
                    let high = self.xor_of(&schedule[round - 2], [17, 19], Turn::Shift(10))?;
                    self.sum(&[&high, &schedule[round - 7], &low, &schedule[round - 16]])?
                }
            };
            let [a, b, c, d, e, f, g, h] = now.as_slice() else { unreachable!("eight words") };
            let big1 = self.xor_of(e, [6, 11], Turn::Rotate(25))?;
            let choice = self.choice(e, f, g)?;
            let t1 = self.sum(&[h, &big1, &choice, &constant(ROUND[round]), &word])?;
            let big0 = self.xor_of(a, [2, 13], Turn::Rotate(22))?;
            let majority = self.majority(a, b, c)?;
            let t2 = self.sum(&[&big0, &majority])?;
            let next_e = self.sum(&[d, &t1])?;
            let next_a = self.sum(&[&t1, &t2])?;
            now.pop();
            now.insert(0, next_a);
            now[4] = next_e;
            schedule.push(word);
        }
        state.iter().zip(&now).map(|(before, after)| self.sum(&[before, after])).collect()
    }

    /// The next word of the message, each wire of it shown to be a bit.
    fn input(&mut self) -> Option<Word> {
        let word = (self.message)(self.next_word);
        let public = self.next_word == 0;
        self.next_word += 1;
        (0..32)
            .map(|i| {
                self.left.checked_sub(1)?;
                let value = word >> i & 1 == 1;
                let wire = if public { self.public(i, value) } else { self.wire(value) };
                self.bit(wire)
            })
            .collect()
    }

    fn public(&mut self, i: u32, value: bool) -> u32 {
        self.values.push(value);
        1 + i
    }

    fn wire(&mut self, value: bool) -> u32 {
        self.values.push(value);
        self.builder.wire()
    }

    /// (wire − 1) · wire = 0.
    fn bit(&mut self, wire: u32) -> Option<Bit> {
        self.constraint(&[(0, -1), (wire, 1)], &[(wire, 1)], &[])?;
        Some(Bit { terms: vec![(wire, 1)], value: self.values[wire as usize] })
    }

    fn constraint(&mut self, a: &[(u32, i64)], b: &[(u32, i64)], c: &[(u32, i64)]) -> Option<()> {
        self.left = self.left.checked_sub(1)?;
        self.builder.constraint(a, b, c);
        Some(())
    }

    /// A new wire for `a · b + rest`; nothing new when a factor is constant.
    fn product(
        &mut self,
        a: &[(u32, i64)],
        b: &[(u32, i64)],
        rest: &[(u32, i64)],
        value: bool,
    ) -> Option<Bit> {
        for (one, other) in [(a, b), (b, a)] {
            if let Some(factor) = constant_of(one) {
                return Some(Bit { terms: combine(&[(factor, other), (1, rest)]), value });
            }
        }
        // As everywhere, the wire is made after a constraint was found to have room: no wire may be without one.
        self.left.checked_sub(1)?;
        let wire = self.wire(value);
        // The longer factor is A's, as circom has it: a wire of B costs a point of G2.
        self.constraint(b, a, &combine(&[(1, &[(wire, 1)]), (-1, rest)]))?;
        Some(Bit { terms: vec![(wire, 1)], value })
    }

    /// x ⊕ y ⊕ z = x·(1 − 2y − 2z + 4yz) + y + z − 2yz.
    fn xor(&mut self, x: &Bit, y: &Bit, z: &Bit) -> Option<Bit> {
        let both = self.product(&y.terms, &z.terms, &[], y.value & z.value)?;
        let (y_terms, z_terms, both) = (&y.terms, &z.terms, &both.terms);
        let factor = combine(&[(1, &[(0, 1)]), (-2, y_terms), (-2, z_terms), (4, both)]);
        let rest = combine(&[(1, y_terms), (1, z_terms), (-2, both)]);
        self.product(&x.terms, &factor, &rest, x.value ^ y.value ^ z.value)
    }

    /// The exclusive or of a word turned in three ways.
    fn xor_of(&mut self, word: &Word, rotations: [usize; 2], last: Turn) -> Option<Word> {
        let rotated = |by: usize, i: usize| &word[(i + by) % 32];
        let zero = Bit { terms: Vec::new(), value: false };
        (0..32)
            .map(|i| {
                let third = match last {
                    Turn::Rotate(by) => rotated(by, i),
                    Turn::Shift(by) => word.get(i + by).unwrap_or(&zero),
                };
                self.xor(rotated(rotations[0], i), rotated(rotations[1], i), third)
            })
            .collect()
    }

    /// x·(y − z) + z.
    fn choice(&mut self, x: &Word, y: &Word, z: &Word) -> Option<Word> {
        x.iter()
            .zip(y.iter().zip(z))
            .map(|(x, (y, z))| {
                let difference = combine(&[(1, &y.terms), (-1, &z.terms)]);
                self.product(&x.terms, &difference, &z.terms, if x.value { y.value } else { z.value })
            })
            .collect()
    }

    /// x·(y + z − 2yz) + yz.
    fn majority(&mut self, x: &Word, y: &Word, z: &Word) -> Option<Word> {
        x.iter()
            .zip(y.iter().zip(z))
            .map(|(x, (y, z))| {
                let both = self.product(&y.terms, &z.terms, &[], y.value & z.value)?;
                let factor = combine(&[(1, &y.terms), (1, &z.terms), (-2, &both.terms)]);
                let value = x.value & y.value | x.value & z.value | y.value & z.value;
                self.product(&x.terms, &factor, &both.terms, value)
            })
            .collect()
    }

    /// The sum modulo 2^32; the bits above are made, too, and left alone.
    fn sum(&mut self, words: &[&Word]) -> Option<Word> {
        let total: u64 = words.iter().map(|word| u64::from(number(word))).sum();
        let most = words.len() as u64 * u64::from(u32::MAX);
        let bits: Word = (0..64 - most.leading_zeros())
            .map(|i| {
                self.left.checked_sub(1)?;
                let wire = self.wire(total >> i & 1 == 1);
                self.bit(wire)
            })
            .collect::<Option<_>>()?;
        let weighted = |word: &Word, sign: i64| -> Vec<(u32, i64)> {
            let weighted = word.iter().enumerate();
            weighted.flat_map(|(i, bit)| bit.terms.iter().map(move |(w, c)| (*w, (sign * c) << i))).collect()
        };
        let sides = words.iter().map(|word| weighted(word, 1)).chain([weighted(&bits, -1)]);
        let all: Vec<(u32, i64)> = sides.flatten().collect();
        self.constraint(&[], &[], &combine(&[(1, &all)]))?;
        Some(bits.into_iter().take(32).collect())
    }
}

#[derive(Clone, Copy)]
enum Turn {
    Rotate(usize),
    Shift(usize),
}

fn constant(word: u32) -> Word {
    (0..32)
        .map(|i| {
            let value = word >> i & 1 == 1;
            Bit { terms: if value { vec![(0, 1)] } else { Vec::new() }, value }
        })
        .collect()
}

fn number(word: &Word) -> u32 {
    word.iter().enumerate().map(|(i, bit)| u32::from(bit.value) << i).sum()
}

/// The value of a combination that has no wire but the constant one.
fn constant_of(terms: &[(u32, i64)]) -> Option<i64> {
    match terms {
        [] => Some(0),
        [(0, value)] => Some(*value),
        _ => None,
    }
}

/// A sum of multiples, every wire once, ascending.
fn combine(parts: &[(i64, &[(u32, i64)])]) -> Vec<(u32, i64)> {
    let mut terms: Vec<(u32, i64)> =
        parts.iter().flat_map(|(factor, terms)| terms.iter().map(move |(w, c)| (*w, factor * c))).collect();
    terms.sort_unstable_by_key(|(wire, _)| *wire);
    terms.dedup_by(|later, earlier| {
        let same = later.0 == earlier.0;
        if same {
            earlier.1 += later.1;
        }
        same
    });
    terms.retain(|(_, coefficient)| *coefficient != 0);
    terms
}

#[cfg(test)]
mod tests {
    use interlock_curves::{Bls12_381, Bn254};

    use super::*;

    /// "abc", padded to a block, then nothing but zeros.
    fn abc(word: usize) -> u32 {
        match word {
            0 => 0x6162_6380,
            15 => 24,
            _ => 0,
        }
    }

    /// FIPS 180-4's example: the hash value of "abc".
    const DIGEST: [u32; 8] = [
        0xba78_16bf,
        0x8f01_cfea,
        0x4141_40de,
        0x5dae_2223,
        0xb003_61a3,
        0x9617_7a9c,
        0xb410_ff61,
        0xf200_15ad,
    ];

    #[test]
    fn the_published_hash_value() {
        let made = circuit::<Bn254>(32_000, abc);
        assert_eq!(made.states, [DIGEST]);
        assert_eq!(made.r1cs.first_unsatisfied(&made.witness).unwrap(), None);
    }

    #[test]
    fn any_size_is_exact_and_satisfied() {
        for constraints in [32, 33, 64, 200, 991, 2015, 40_000] {
            let made = circuit::<Bls12_381>(constraints, |i| (i as u32 + 1).wrapping_mul(0x9e37_79b9));
            assert_eq!(made.r1cs.n_constraints(), constraints);
            assert_eq!(made.r1cs.first_unsatisfied(&made.witness).unwrap(), None);
            let mut used = vec![false; made.r1cs.n_wires() as usize];
            for (wire, _) in made.r1cs.constraints().flatten().flat_map(|sum| sum.terms().collect::<Vec<_>>())
            {
                used[wire as usize] = true;
            }
            assert!(used.iter().all(|&used| used), "every wire is in a constraint");
        }
        let made = of_domain(interlock_curves::Curve::Bn254, 10, |_| 7);
        assert_eq!(made.r1cs.n_constraints() + PUBLIC + 1, 1024);
    }

    #[test]
    fn a_wrong_bit_is_noticed() {
        let made = circuit::<Bn254>(5_000, abc);
        let mut values = made.witness.scalars::<Bn254>().unwrap().to_vec();
        let last = values.len() - 1;
        values[last] = <Bn254 as ark_ec::pairing::Pairing>::ScalarField::from(1_u64) - values[last];
        let wrong = Witness::from_scalars::<Bn254>(&values);
        assert!(made.r1cs.first_unsatisfied(&wrong).unwrap().is_some());
    }
}
