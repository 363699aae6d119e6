//! What a synthesis in the manner of bellman collects, whichever generation of the traits drives it.

use std::marker::PhantomData;
use std::ops::AddAssign;

use interlock_core::format::{R1cs, Witness};
use interlock_curves::Curve;
use zeroize::Zeroize;

use crate::FrontendError;
use crate::rows::{Rows, Wire};
use crate::secret::SecretValues;

/// What a synthesis is for.
pub(crate) trait Mode: Send {
    /// Values are asked for and kept.
    const VALUES: bool;
    /// Linear combinations are built and kept.
    const ROWS: bool;
    /// Namespaces are kept, and constraints named.
    const NAMES: bool;
}

macro_rules! mode {
    ($(#[$doc:meta])* $name:ident: values $values:literal, rows $rows:literal, names $names:literal) => {
        $(#[$doc])*
        #[derive(Debug)]
        pub(crate) struct $name;
        impl Mode for $name {
            const VALUES: bool = $values;
            const ROWS: bool = $rows;
            const NAMES: bool = $names;
        }
    };
}

mode!(
    /// The rows alone.
    Shape: values false, rows true, names false
);
mode!(
    /// Rows and values.
    Whole: values true, rows true, names false
);
mode!(
    /// The values alone.
    Values: values true, rows false, names false
);
mode!(
    /// The name of one constraint. Values are asked for as well, because a circuit may need them to go on.
    Name: values true, rows false, names true
);

/// What a synthesis has collected.
pub(crate) struct Assembly<F, M> {
    public: SecretValues,
    private: SecretValues,
    n_public: usize,
    n_private: usize,
    rows: Rows,
    terms: Vec<(Wire, F)>,
    overflow: bool,
    /// Constraints so far; counted for names.
    constraints: usize,
    wanted: usize,
    path: Vec<String>,
    name: Option<String>,
    mode: PhantomData<fn() -> M>,
}

impl<F: Copy + AddAssign, M: Mode> Assembly<F, M> {
    /// Empty: the constant one is not there yet.
    pub(crate) fn new() -> Self {
        Self {
            public: SecretValues::default(),
            private: SecretValues::default(),
            n_public: 0,
            n_private: 0,
            rows: Rows::default(),
            terms: Vec::new(),
            overflow: false,
            constraints: 0,
            wanted: 0,
            path: Vec::new(),
            name: None,
            mode: PhantomData,
        }
    }

    /// Empty, and looks for the name of a constraint.
    pub(crate) fn naming(constraint: usize) -> Self {
        Self { wanted: constraint, ..Self::new() }
    }

    /// Adds a variable and returns its index; `value` is called if values are wanted.
    pub(crate) fn allocate<X>(
        &mut self,
        public: bool,
        value: impl FnOnce() -> Result<[u8; 32], X>,
    ) -> Result<usize, X> {
        let (values, count) = match public {
            true => (&mut self.public, &mut self.n_public),
            false => (&mut self.private, &mut self.n_private),
        };
        if M::VALUES {
            let mut value = value()?;
            values.push(&value);
            value.zeroize();
        }
        *count += 1;
        Ok(*count - 1)
    }

    /// Adds a term to the linear combination that [`close`](Self::close) will close.
    pub(crate) fn term(&mut self, public: bool, index: usize, coefficient: F) {
        match if public { Wire::public(index) } else { Wire::private(index) } {
            Some(wire) => self.terms.push((wire, coefficient)),
            None => self.overflow = true,
        }
    }

    /// Ends a linear combination; three make a constraint.
    pub(crate) fn close(&mut self, canonical: impl Fn(&F) -> [u8; 32]) {
        self.rows.push(&mut self.terms, canonical);
    }

    /// Begins a namespace.
    pub(crate) fn push(&mut self, name: impl FnOnce() -> String) {
        if M::NAMES && self.name.is_none() {
            self.path.push(name());
        }
    }

    /// Ends a namespace.
    pub(crate) fn pop(&mut self) {
        if M::NAMES && self.name.is_none() {
            self.path.pop();
        }
    }

    /// Counts a constraint, and keeps its name if it is the wanted one.
    pub(crate) fn count(&mut self, name: impl FnOnce() -> String) {
        if M::NAMES && self.name.is_none() {
            if self.constraints == self.wanted {
                self.path.push(name());
                self.name = Some(self.path.join("/"));
            }
            self.constraints += 1;
        }
    }

    /// Takes what was synthesised on its own: its constraints come after these, its public variable 0 is these ones'.
    #[cfg(feature = "bellpepper")]
    pub(crate) fn extend(&mut self, part: &Self) {
        if M::ROWS {
            self.overflow |= part.overflow || !self.rows.append(&part.rows, self.n_public, self.n_private);
        }
        if M::VALUES {
            self.public.extend(part.public.bytes().get(32..).unwrap_or_default());
            self.private.extend(part.private.bytes());
        }
        self.n_public += part.n_public.saturating_sub(1);
        self.n_private += part.n_private;
    }

    /// The circuit.
    pub(crate) fn into_rows(self, curve: Curve) -> Result<R1cs, FrontendError> {
        if self.overflow {
            return Err(FrontendError::TooManyVariables);
        }
        self.rows.finish(curve, self.n_public, self.n_private)
    }

    /// The values.
    pub(crate) fn into_witness(self, curve: Curve) -> Result<Witness, FrontendError> {
        Ok(Witness::from_canonical(curve, self.private.after(&self.public))?)
    }

    /// Both.
    pub(crate) fn into_both(mut self, curve: Curve) -> Result<(R1cs, Witness), FrontendError> {
        let (public, private) = (std::mem::take(&mut self.public), std::mem::take(&mut self.private));
        let witness = Witness::from_canonical(curve, private.after(&public))?;
        Ok((self.into_rows(curve)?, witness))
    }

    /// The name of the wanted constraint, if it came by.
    pub(crate) fn into_name(self) -> Option<String> {
        self.name
    }
}

/// The curve whose scalar field has `minus_one` as the canonical little-endian bytes of its largest element: the check
/// covers modulus and encoding at once.
pub(crate) fn curve_of(minus_one: &[u8], modulus: &str) -> Result<Curve, FrontendError> {
    let mut bytes = minus_one.to_vec();
    if let Some(lowest) = bytes.first_mut() {
        // Moduli are odd, so that adding one to r − 1 touches the lowest bit only.
        *lowest |= 1;
    }
    let even = minus_one.first().is_some_and(|byte| byte % 2 == 0);
    let found = even.then(|| Curve::from_scalar_modulus_le(&bytes)).flatten();
    found.ok_or_else(|| FrontendError::Field { modulus: modulus.to_owned() })
}
