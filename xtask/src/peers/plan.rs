//! Which comparisons there are.

use anyhow::Result;
use serde::{Deserialize, Serialize};

use super::options::Options;
use crate::fixtures::Curve;

/// Whom we are compared with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Peer {
    Snarkjs,
    Arkworks,
    Bellperson,
    Blst,
}

impl Peer {
    /// Provers.
    pub(super) const PROVERS: [Self; 3] = [Self::Snarkjs, Self::Arkworks, Self::Bellperson];

    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Snarkjs => "snarkjs",
            Self::Arkworks => "arkworks",
            Self::Bellperson => "bellperson",
            Self::Blst => "blst",
        }
    }

    /// Whether it has the curve. bellperson and blst have BLS12-381 only.
    fn has(self, curve: Curve) -> bool {
        matches!(self, Self::Snarkjs | Self::Arkworks) || curve == Curve::Bls12_381
    }
}

/// What both sides do.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Kind {
    /// A process reads files, proves, and ends.
    Files,
    /// A process has read everything, and proves again and again.
    Memory,
    /// A process has points and scalars, and sums.
    Sum,
    /// As `Files`, over a series of sizes.
    Sizes,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Self::Files => "files",
            Self::Memory => "memory",
            Self::Sum => "sum",
            Self::Sizes => "sizes",
        }
    }
}

/// One of our programs and one of a peer's, on the same input.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Comparison {
    pub(super) kind: Kind,
    pub(super) peer: Peer,
    pub(super) curve: Curve,
    /// A circuit, or a group.
    pub(super) input: String,
    /// The domain of the circuit, or the number of points, is 2 to this power.
    pub(super) log_size: u32,
    pub(super) pairs: usize,
}

impl Comparison {
    /// As `--only` finds it: `files/sha256_512/bn254/snarkjs`.
    pub(super) fn name(&self) -> String {
        let (kind, curve, peer) = (self.kind.name(), self.curve.name(), self.peer.name());
        format!("{kind}/{}/{curve}/{peer}", self.input)
    }
}

/// circomlib's SHA-256 of 512 and of 4,000 bits.
pub(super) const CIRCUITS: [(&str, u32); 2] = [("sha256_512", 16), ("sha256_4000", 18)];

/// The comparisons that are asked for, in their order.
pub(super) fn all(options: &Options) -> Result<Vec<Comparison>> {
    let mut found = Vec::new();
    let mut add = |kind, peer: Peer, curve, input: &str, log_size, pairs| {
        let comparison = Comparison { kind, peer, curve, input: input.to_owned(), log_size, pairs };
        let name = comparison.name();
        let wanted = options.only.is_empty() || options.only.iter().any(|part| name.contains(part.as_str()));
        if wanted && peer.has(curve) && options.curve.is_none_or(|only| only == curve) {
            found.push(comparison);
        }
    };
    for kind in [Kind::Files, Kind::Memory] {
        for (circuit, log_size) in CIRCUITS {
            for curve in Curve::ALL {
                // snarkjs is a program, not a library that keeps a key.
                for peer in Peer::PROVERS.into_iter().filter(|&p| kind == Kind::Files || p != Peer::Snarkjs) {
                    add(kind, peer, curve, circuit, log_size, options.pairs);
                }
            }
        }
    }
    for log_size in [16, 18] {
        for group in ["g1", "g2"] {
            let input = format!("{group}_{log_size}");
            add(Kind::Sum, Peer::Blst, Curve::Bls12_381, &input, log_size, options.pairs);
        }
    }
    let step = if options.all_sizes { 1 } else { 2 };
    for log_size in options.sizes.clone().step_by(step) {
        for curve in Curve::ALL {
            for peer in Peer::PROVERS {
                add(Kind::Sizes, peer, curve, &size_name(log_size), log_size, pairs(options.pairs, log_size));
            }
        }
    }
    Ok(found)
}

/// The series' circuit for a domain of 2^k.
pub(super) fn size_name(log_size: u32) -> String {
    format!("sha256_2_{log_size}")
}

/// Fewer for the largest sizes: a peer takes a minute for one proof.
fn pairs(wanted: usize, log_size: u32) -> usize {
    match log_size {
        ..=16 => wanted,
        17 | 18 => wanted.min(5),
        _ => wanted.min(3),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_select() {
        let named = |args: &[&str]| -> Vec<String> {
            all(&Options::parse(args).unwrap()).unwrap().iter().map(Comparison::name).collect()
        };
        assert_eq!(
            named(&["--only", "files/sha256_512"]),
            [
                "files/sha256_512/bn254/snarkjs",
                "files/sha256_512/bn254/arkworks",
                "files/sha256_512/bls12-381/snarkjs",
                "files/sha256_512/bls12-381/arkworks",
                "files/sha256_512/bls12-381/bellperson",
            ]
        );
        assert_eq!(named(&["--only", "sum", "--curve", "bn254"]), [""; 0]);
        assert_eq!(named(&["--only", "sizes", "--curve", "bn254", "--sizes", "10..13"]).len(), 4);
        assert!(named(&[]).iter().all(|name| !name.contains("memory") || !name.contains("snarkjs")));
    }

    #[test]
    fn the_largest_have_fewer_pairs() {
        assert_eq!([10, 16, 18, 20].map(|k| pairs(11, k)), [11, 11, 5, 3]);
        assert_eq!(pairs(1, 20), 1);
    }
}
