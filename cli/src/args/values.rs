//! Values that flags and the configuration file share.

use std::error::Error;
use std::ffi::{OsStr, OsString};
use std::marker::PhantomData;
use std::path::Path;
use std::str::FromStr;
use std::time::Duration;

use clap::ValueEnum;
use clap::builder::{OsStringValueParser, PossibleValue, TypedValueParser};
use interlock_core::loader::Selection;

use crate::errors::Usage;

/// A number of bytes: `1073741824`, `512MiB`, `2 GiB`, `1.5G`.
///
/// `K`, `M`, `G`, `T` and `KiB` … `TiB` are powers of 1024, `kB` and `KB` … `TB` are powers of 1000.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct MemorySize(pub(crate) u64);

impl FromStr for MemorySize {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let bad = || format!("{text:?} is not a size such as 512MiB, 2GiB or 1073741824");
        let text = text.trim();
        let end = text.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(text.len());
        let (number, unit) = text.split_at(end);
        let unit = unit.trim().to_ascii_lowercase();
        let scale: u64 = match unit.as_str() {
            "" | "b" => 1,
            "k" | "kib" => 1 << 10,
            "m" | "mib" => 1 << 20,
            "g" | "gib" => 1 << 30,
            "t" | "tib" => 1 << 40,
            "kb" => 1_000,
            "mb" => 1_000_000,
            "gb" => 1_000_000_000,
            "tb" => 1_000_000_000_000,
            _ => return Err(bad()),
        };
        let bytes = if number.contains('.') {
            let value: f64 = number.parse().map_err(|_| bad())?;
            let bytes = value * scale as f64;
            // Beyond 2^53 a float is no longer exact, and no machine has that much.
            if scale == 1 || !(0.0..9e15).contains(&bytes) {
                return Err(bad());
            }
            bytes as u64
        } else {
            number.parse::<u64>().ok().and_then(|n| n.checked_mul(scale)).ok_or_else(bad)?
        };
        if bytes == 0 { Err("a limit of 0 bytes leaves no memory at all".into()) } else { Ok(Self(bytes)) }
    }
}

/// `--backend`: as it was written, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BackendList {
    text: String,
    /// What it means.
    pub(crate) selection: Selection,
}

impl BackendList {
    /// The best that works.
    pub(crate) fn auto() -> Self {
        Self { text: "auto".into(), selection: Selection::AUTO }
    }

    /// That a relative file is not among its entries: one that does not come from the command line would mean another file
    /// in every folder, and code is loaded from it.
    ///
    /// # Errors
    /// One is.
    pub(crate) fn only_absolute_files(&self) -> Result<(), String> {
        match self.files().find(|file| file.is_relative()) {
            Some(file) => {
                Err(format!("{file:?} is not an absolute path, which only the command line may have"))
            }
            None => Ok(()),
        }
    }

    /// Its entries that are files, rather than names.
    pub(crate) fn files(&self) -> impl Iterator<Item = &Path> {
        self.words().filter(|word| is_file(word)).map(Path::new)
    }

    /// Its entries that are names, rather than files.
    pub(crate) fn names(&self) -> impl Iterator<Item = &str> {
        self.words().filter(|word| *word != "auto" && !is_file(word))
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.text.split(',').map(str::trim)
    }
}

/// Whether an entry means a file rather than a name.
fn is_file(word: &str) -> bool {
    word.contains('/') || word.ends_with(".so")
}

impl FromStr for BackendList {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        Ok(Self { text: text.to_owned(), selection: text.parse()? })
    }
}

/// Parses with [`FromStr`]; completions offer these words, others are accepted as well.
#[derive(Clone, Debug)]
pub(crate) struct Suggesting<T> {
    words: &'static [&'static str],
    value: PhantomData<fn() -> T>,
}

impl<T> Suggesting<T> {
    pub(crate) const fn new(words: &'static [&'static str]) -> Self {
        Self { words, value: PhantomData }
    }
}

impl<T> TypedValueParser for Suggesting<T>
where
    T: FromStr<Err: Into<Box<dyn Error + Send + Sync>>> + Clone + Send + Sync + 'static,
{
    type Value = T;

    fn parse_ref(
        &self,
        command: &clap::Command,
        argument: Option<&clap::Arg>,
        value: &OsStr,
    ) -> Result<T, clap::Error> {
        TypedValueParser::parse_ref(&str::parse::<T>, command, argument, value)
    }

    fn possible_values(&self) -> Option<Box<dyn Iterator<Item = PossibleValue> + '_>> {
        Some(Box::new(self.words.iter().map(PossibleValue::new)))
    }
}

/// A seed: exactly 64 hex digits, with or without `0x` before them. Whoever knows it knows the randomness made from it, so it is never shown.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct Seed(pub(crate) [u8; 32]);

impl FromStr for Seed {
    type Err = String;

    /// The error says what is wrong without saying the text.
    fn from_str(text: &str) -> Result<Self, String> {
        let digits = text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")).unwrap_or(text);
        let count = digits.chars().count();
        if count != 64 {
            return Err(format!("a seed has exactly 64 hex digits, not {count}"));
        }
        let mut seed = [0; 32];
        for (i, c) in digits.chars().enumerate() {
            let digit = c.to_digit(16).ok_or_else(|| {
                format!("a seed has exactly 64 hex digits: the character at position {} is none", i + 1)
            })?;
            seed[i / 2] = seed[i / 2] << 4 | digit as u8;
        }
        Ok(Self(seed))
    }
}

impl std::fmt::Debug for Seed {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Seed(…)")
    }
}

/// What was given to `--seed`. `clap` repeats a value that it refuses, so it gets to see no value that it could refuse.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SeedText(OsString);

impl SeedText {
    /// Takes everything.
    pub(crate) fn parser() -> impl TypedValueParser<Value = Self> {
        OsStringValueParser::new().map(Self)
    }

    /// The seed.
    ///
    /// # Errors
    /// It is none.
    pub(crate) fn seed(&self) -> Result<Seed, Usage> {
        self.0.to_string_lossy().parse().map_err(|problem| Usage(format!("--seed: {problem}")))
    }
}

impl std::fmt::Debug for SeedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SeedText(…)")
    }
}

/// How progress is shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum ProgressMode {
    /// A bar when stderr is a terminal, NDJSON lines otherwise
    Auto,
    /// A bar
    Bar,
    /// One JSON object per line, on stderr
    Ndjson,
    /// Nothing
    None,
}

/// Most threads that can be asked for; more is a typing mistake.
pub(crate) const MAX_THREADS: u32 = 4096;

/// A number of threads.
pub(crate) fn threads(text: &str) -> Result<u32, String> {
    let range = || format!("{text:?} is not a number of threads from 1 to {MAX_THREADS}");
    text.trim().parse().ok().filter(|threads| (1..=MAX_THREADS).contains(threads)).ok_or_else(range)
}

/// More workers than anybody has.
const MAX_WORKERS: u32 = 256;

/// A number of workers.
pub(crate) fn workers(text: &str) -> Result<u32, String> {
    let range = || format!("{text:?} is not a number from 1 to {MAX_WORKERS}");
    text.trim().parse().ok().filter(|number| (1..=MAX_WORKERS).contains(number)).ok_or_else(range)
}

/// A device's index.
pub(crate) fn device(text: &str) -> Result<u32, String> {
    text.trim().parse().map_err(|_| format!("{text:?} is not a device's number; they count from 0"))
}

/// Seconds, whole or with a fraction.
pub(crate) fn seconds(text: &str) -> Result<Duration, String> {
    let seconds = text.trim().parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds < 1e9);
    seconds
        .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
        .ok_or_else(|| format!("{text:?} is not a number of seconds above 0, such as 30 or 0.5"))
}
