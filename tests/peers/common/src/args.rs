//! `--name value` pairs.

use std::collections::BTreeMap;

use anyhow::{Context, Result, bail};
use interlock_curves::Curve;

/// The arguments of a program.
#[derive(Debug)]
pub struct Args(BTreeMap<String, String>);

impl Args {
    /// Takes the program's arguments, which must be pairs.
    ///
    /// # Errors
    /// A name without `--`, or without a value.
    pub fn from_env() -> Result<Self> {
        let mut pairs = BTreeMap::new();
        let mut words = std::env::args().skip(1);
        while let Some(word) = words.next() {
            let Some(name) = word.strip_prefix("--") else { bail!("{word:?} is not a --name") };
            let value = words.next().with_context(|| format!("--{name} has no value"))?;
            pairs.insert(name.to_owned(), value);
        }
        Ok(Self(pairs))
    }

    /// A value that must be there.
    ///
    /// # Errors
    /// It is not.
    pub fn get(&self, name: &str) -> Result<&str> {
        self.optional(name).with_context(|| format!("--{name} VALUE is missing"))
    }

    /// A value that may be there.
    pub fn optional(&self, name: &str) -> Option<&str> {
        self.0.get(name).map(String::as_str)
    }

    /// A number.
    ///
    /// # Errors
    /// It is missing or no number.
    pub fn number(&self, name: &str) -> Result<u32> {
        self.get(name)?.parse().with_context(|| format!("--{name} is no number"))
    }

    /// `--curve`.
    ///
    /// # Errors
    /// It is missing or unknown.
    pub fn curve(&self) -> Result<Curve> {
        Ok(self.get("curve")?.parse()?)
    }
}
