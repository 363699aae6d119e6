//! Section numbers and sizes of a Groth16 `.zkey`.

use crate::format::sections::Container;

/// The container of `.zkey` files.
pub const CONTAINER: Container = Container { magic: *b"zkey", name: "zkey", version: 1, section_name };

/// The protocol number of Groth16 in section [`PROTOCOL`].
pub const GROTH16: u32 = 1;

/// Protocol number, u32.
pub const PROTOCOL: u32 = 1;
/// Moduli, counts and the six header points.
pub const HEADER: u32 = 2;
/// `n_public + 1` G1 points.
pub const IC: u32 = 3;
/// Count, then entries of [`COEFFICIENT_BYTES`].
pub const COEFFICIENTS: u32 = 4;
/// `n_vars` G1 points.
pub const A: u32 = 5;
/// `n_vars` G1 points.
pub const B1: u32 = 6;
/// `n_vars` G2 points.
pub const B2: u32 = 7;
/// `n_vars − n_public − 1` G1 points.
pub const L: u32 = 8;
/// `domain_size` G1 points.
pub const H: u32 = 9;
/// Circuit hash (64 bytes), count (u32), then the ceremony's contributions.
pub const CONTRIBUTIONS: u32 = 10;
/// Text by which Interlock marks keys whose secrets one party knew; other readers ignore it. Reads "ILK1".
pub const INSECURE_MARKER: u32 = 0x494c_4b31;

/// Bytes of the circuit hash that opens section [`CONTRIBUTIONS`].
pub const CIRCUIT_HASH_BYTES: usize = 64;
/// Bytes of a coefficient: matrix u32, constraint u32, signal u32, value 32 bytes.
pub const COEFFICIENT_BYTES: usize = 44;

fn section_name(id: u32) -> &'static str {
    match id {
        PROTOCOL => "protocol",
        HEADER => "header",
        IC => "public input points",
        COEFFICIENTS => "coefficients",
        A => "A points",
        B1 => "B points in G1",
        B2 => "B points in G2",
        L => "private input points",
        H => "quotient points",
        CONTRIBUTIONS => "contributions",
        INSECURE_MARKER => "insecure marker",
        _ => "unknown",
    }
}
