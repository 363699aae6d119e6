//! A growing list of witness values that leaves no copies behind.

use zeroize::Zeroizing;

/// Values as 32 canonical little-endian bytes each, zeroised on drop and whenever the list moves.
#[derive(Default)]
pub(crate) struct SecretValues(Zeroizing<Vec<u8>>);

impl SecretValues {
    #[cfg(any(feature = "bellman", feature = "bellpepper"))]
    pub(crate) fn push(&mut self, value: &[u8; 32]) {
        self.extend(value);
    }

    pub(crate) fn extend(&mut self, values: &[u8]) {
        self.make_room(values.len());
        self.0.extend_from_slice(values);
    }

    /// The bytes of the other list.
    #[cfg(any(feature = "bellman", feature = "bellpepper"))]
    pub(crate) fn bytes(&self) -> &[u8] {
        &self.0
    }

    /// One list: `first`, then these.
    #[cfg(any(feature = "bellman", feature = "bellpepper"))]
    pub(crate) fn after(mut self, first: &Self) -> Zeroizing<Vec<u8>> {
        let (length, added) = (self.0.len(), first.0.len());
        self.make_room(added);
        self.0.resize(length + added, 0);
        self.0.copy_within(0..length, added);
        self.0[..added].copy_from_slice(&first.0);
        self.0
    }

    #[cfg(feature = "arkworks")]
    pub(crate) fn into_bytes(self) -> Zeroizing<Vec<u8>> {
        self.0
    }

    /// A `Vec` that grows by itself frees its old memory as it is.
    pub(crate) fn make_room(&mut self, more: usize) {
        let needed = self.0.len() + more;
        if needed > self.0.capacity() {
            let mut larger = Zeroizing::new(Vec::with_capacity(needed.max(2 * self.0.capacity()).max(4096)));
            larger.extend_from_slice(&self.0);
            self.0 = larger;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(any(feature = "bellman", feature = "bellpepper"))]
    fn values_keep_their_order() {
        let (mut public, mut private) = (SecretValues::default(), SecretValues::default());
        for value in 0..200_u8 {
            private.push(&[value; 32]);
        }
        public.push(&[0xaa; 32]);
        public.push(&[0xbb; 32]);
        let all = private.after(&public);
        let firsts: Vec<u8> = all.as_chunks::<32>().0.iter().map(|value| value[0]).collect();
        assert_eq!(firsts, [vec![0xaa, 0xbb], (0..200).collect()].concat());
    }
}
