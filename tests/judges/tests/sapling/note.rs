//! A note that is spent and one that is received, with values from fixed keys: everything that the circuits want as a
//! witness, and what the world sees of it.

use incrementalmerkletree::Position;
use jubjub::{ExtendedPoint, Fr};
use rand_chacha::ChaCha20Rng;
use rand_chacha::rand_core::SeedableRng;
use redjubjub::{Signature, SpendAuth, VerificationKey};
use sapling_crypto::circuit::{Output, Spend, SpendParameters, ValueCommitmentOpening};
use sapling_crypto::keys::ExpandedSpendingKey;
use sapling_crypto::note::ExtractedNoteCommitment;
use sapling_crypto::prover::SpendProver;
use sapling_crypto::value::{NoteValue, ValueCommitTrapdoor, ValueCommitment};
use sapling_crypto::{Diversifier, MerklePath, Node, Note, PaymentAddress, Rseed};

/// The value of the note that is received.
pub(crate) const RECEIVED: u64 = 77_000_000;

/// What the spender signs: in a transaction, its hash.
pub(crate) const SIGHASH: [u8; 32] = [0xe5; 32];

const SPENT: u64 = 123_456_789;

/// Where the spent note stands in the tree: left and right turns on the way up.
const POSITION: u64 = 0b1011_0110_0101;

/// A number below jubjub's order.
fn number(seed: u64) -> Fr {
    let [a, b, c] = [1, 2, 3].map(|i| Fr::from(0x9e37_79b9_7f4a_7c15_u64.wrapping_mul(seed * 8 + i)));
    a * b + c
}

fn trapdoor(seed: u64) -> ValueCommitTrapdoor {
    ValueCommitTrapdoor::from_bytes(number(seed).to_bytes()).unwrap()
}

/// The first diversifier, by its first byte, that is valid.
fn diversifier() -> Diversifier {
    (0..).map(|first| Diversifier([first, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7])).find(|d| d.g_d().is_some()).unwrap()
}

fn address(keys: &ExpandedSpendingKey) -> PaymentAddress {
    keys.proof_generation_key().to_viewing_key().to_payment_address(diversifier()).unwrap()
}

/// A note in the tree, its owner's keys, and a randomised signature.
pub(crate) struct Spent {
    keys: ExpandedSpendingKey,
    note: Note,
    path: MerklePath,
    alpha: Fr,
}

impl Spent {
    pub(crate) fn new() -> Self {
        let keys = ExpandedSpendingKey::from_spending_key(&[0x11; 32]).unwrap();
        let note =
            Note::from_parts(address(&keys), NoteValue::from_raw(SPENT), Rseed::AfterZip212([0x42; 32]));
        let siblings = (0..32).map(|level| Node::from_scalar(bls12_381::Scalar::from(1_000 + level)));
        let path = MerklePath::from_parts(siblings.collect(), Position::from(POSITION)).unwrap();
        Self { keys, note, path, alpha: number(1) }
    }

    pub(crate) fn circuit(&self) -> Spend {
        SpendParameters::prepare_circuit(
            self.keys.proof_generation_key(),
            diversifier(),
            *self.note.rseed(),
            self.note.value(),
            self.alpha,
            trapdoor(2),
            self.anchor(),
            self.path.clone(),
        )
        .unwrap()
    }

    /// The root of the tree.
    pub(crate) fn anchor(&self) -> bls12_381::Scalar {
        self.path.root(Node::from_cmu(&self.note.cmu())).into()
    }

    pub(crate) fn value_commitment(&self) -> ValueCommitment {
        ValueCommitment::derive(self.note.value(), trapdoor(2))
    }

    pub(crate) fn nullifier(&self) -> [u8; 32] {
        let viewing = self.keys.proof_generation_key().to_viewing_key();
        self.note.nf(viewing.nk(), POSITION).0
    }

    pub(crate) fn randomised_key(&self) -> VerificationKey<SpendAuth> {
        self.keys.proof_generation_key().ak().randomize(&self.alpha)
    }

    pub(crate) fn signature(&self) -> Signature<SpendAuth> {
        let signer = self.keys.ask().randomize(&self.alpha);
        signer.sign(ChaCha20Rng::seed_from_u64(3), &SIGHASH)
    }
}

/// A note for somebody, and the ephemeral key that its ciphertext would be made with.
pub(crate) struct Received {
    note: Note,
    esk: Fr,
}

impl Received {
    pub(crate) fn new() -> Self {
        let keys = ExpandedSpendingKey::from_spending_key(&[0x22; 32]).unwrap();
        let rseed = Rseed::BeforeZip212(number(4));
        Self { note: Note::from_parts(address(&keys), NoteValue::from_raw(RECEIVED), rseed), esk: number(5) }
    }

    pub(crate) fn circuit(&self) -> Output {
        let opening = ValueCommitmentOpening { value: self.note.value(), randomness: trapdoor(6).inner() };
        Output {
            value_commitment_opening: Some(opening),
            payment_address: Some(self.note.recipient()),
            commitment_randomness: Some(self.note.rcm()),
            esk: Some(self.esk),
        }
    }

    /// With another value, the commitment to that.
    pub(crate) fn value_commitment(&self, value: u64) -> ValueCommitment {
        ValueCommitment::derive(NoteValue::from_raw(value), trapdoor(6))
    }

    pub(crate) fn note_commitment(&self) -> ExtractedNoteCommitment {
        self.note.cmu()
    }

    pub(crate) fn ephemeral_key(&self) -> ExtendedPoint {
        (diversifier().g_d().unwrap() * self.esk).into()
    }
}
