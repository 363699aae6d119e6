//! Writing a `.r1cs`.

use std::io;

use super::{
    R1cs,
    parse::{CONSTRAINTS, CONTAINER, HEADER, LABELS},
};

impl R1cs {
    /// Writes the circuit in circom's section order (constraints, header, labels), every wire labelled by its number.
    ///
    /// # Errors
    /// When `out` fails, or a count does not fit the format.
    pub fn write(&self, out: &mut dyn io::Write) -> io::Result<()> {
        let count =
            |n: usize| u32::try_from(n).map_err(|_| io::Error::other("too many constraints or terms"));
        let mut header = Vec::new();
        header.extend_from_slice(&32u32.to_le_bytes());
        header.extend_from_slice(self.curve.scalar_modulus_le());
        for n in [self.n_wires, self.n_pub_out, self.n_pub_in, self.n_prv_in] {
            header.extend_from_slice(&n.to_le_bytes());
        }
        header.extend_from_slice(&u64::from(self.n_wires).to_le_bytes());
        header.extend_from_slice(&count(self.n_constraints())?.to_le_bytes());

        let mut constraints = Vec::with_capacity(12 * self.n_constraints() + 36 * self.n_terms());
        for combination in self.constraints().flatten() {
            constraints.extend_from_slice(&count(combination.len())?.to_le_bytes());
            for (wire, value) in combination.terms() {
                constraints.extend_from_slice(&wire.to_le_bytes());
                constraints.extend_from_slice(value);
            }
        }
        let labels: Vec<u8> = (0..u64::from(self.n_wires)).flat_map(u64::to_le_bytes).collect();
        CONTAINER.write(
            out,
            &[(CONSTRAINTS, vec![&constraints]), (HEADER, vec![&header]), (LABELS, vec![&labels])],
        )
    }
}
