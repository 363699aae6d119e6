//! Are all bases of a key points of their groups? Asked once for each key, if the user does not want it otherwise.

use std::path::Path;
use std::time::Duration;

use interlock_core::format::MappedFile;
use interlock_core::key::{ProvingKey, Verdicts};
use interlock_core::loader::permissions;
use interlock_curves::{Curve, with_curve};
use serde::Serialize;

use crate::args::CheckKey;
use crate::cache;
use crate::errors::BadKey;
use crate::output::text;
use crate::threads;

/// What came of it; what is not good is an error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum KeyCheck {
    /// A key with these contents was found good before.
    Remembered,
    /// All bases were looked at.
    Done,
    /// It was not wanted.
    Skipped,
}

impl KeyCheck {
    /// For people.
    pub(super) fn say(self) -> &'static str {
        match self {
            Self::Remembered => "passed, some time ago",
            Self::Done => "passed",
            Self::Skipped => "NOT DONE",
        }
    }
}

/// How a file's contents are told from others'.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// By its identity, when it was hashed before: for work whose result is checked.
    ByIdentity,
    /// By a hash that is computed now.
    ByContents,
}

/// Who is told what happens.
pub(super) struct Voice<'a> {
    /// Something pleasant to know.
    pub(super) note: &'a dyn Fn(&str),
    /// Something else.
    pub(super) warn: &'a dyn Fn(&str),
}

/// Checks a key that was read from `file`, on a pool of this many threads.
///
/// # Errors
/// A base is no point of its group, or there are no threads.
pub(super) fn check(
    file: &MappedFile,
    key: &ProvingKey,
    when: CheckKey,
    threads: Option<u32>,
    told: Told,
    voice: &Voice<'_>,
) -> anyhow::Result<KeyCheck> {
    let verdicts = match when {
        CheckKey::Never => return Ok(KeyCheck::Skipped),
        CheckKey::Always => None,
        CheckKey::Once => match memory() {
            Ok(verdicts) => Some(verdicts),
            Err(problem) => {
                (voice.note)(&format!("key checks are not remembered: {problem}"));
                None
            }
        },
    };
    let hash = |verdicts: &Verdicts| match told {
        Told::ByIdentity => verdicts.content_hash(file),
        Told::ByContents => Verdicts::hashed(file),
    };
    let known = verdicts.map(|verdicts| (hash(&verdicts), verdicts));
    if known.as_ref().is_some_and(|(hash, verdicts)| verdicts.bases_are_good(hash)) {
        return Ok(KeyCheck::Remembered);
    }
    (voice.note)(&announcement(file.path(), key, threads, known.is_some()));
    let outcome = with_curve!(key.curve, E => threads::within(threads, || key.check_bases::<E>()))?;
    outcome.map_err(|base| BadKey { key: file.path().to_owned(), base })?;
    if let Some((hash, verdicts)) = known {
        remember(&verdicts, &hash, file.path(), voice);
    }
    Ok(KeyCheck::Done)
}

/// Remembers that the bases of a file's key are good, if there is a place for that.
pub(super) fn remember_good(file: &MappedFile, voice: &Voice<'_>) {
    if let Ok(verdicts) = memory() {
        let hash = Verdicts::hashed(file);
        remember(&verdicts, &hash, file.path(), voice);
    }
}

fn remember(verdicts: &Verdicts, hash: &[u8; 32], key: &Path, voice: &Voice<'_>) {
    if let Err(error) = verdicts.remember_good_bases(hash) {
        let (key, folder) = (key.display(), verdicts.folder().display());
        (voice.warn)(&format!("the check of {key} cannot be remembered in {folder}: {error}"));
    }
}

fn announcement(path: &Path, key: &ProvingKey, threads: Option<u32>, once: bool) -> String {
    let once = if once { ", once" } else { "" };
    let bases = text::plural(key.n_bases() as u64, "base");
    let mut said = format!("checking {bases} of {}{once}", path.display());
    let time = estimate(key) / threads::effective(threads) as u32;
    if time >= Duration::from_secs(1) {
        said.push_str(&format!("; takes about {:.0} s", time.as_secs_f64()));
    }
    said
}

/// What the check takes on one thread, roughly.
fn estimate(key: &ProvingKey) -> Duration {
    let in_g2 = key.b_g2.points.len() / key.curve.g2_bytes();
    let in_g1 = key.n_bases() - in_g2;
    // On BN254 all points of the curve over the base field are in the group.
    let (g1, g2) = match key.curve {
        Curve::Bn254 => (Duration::from_nanos(500), Duration::from_micros(6)),
        _ => (Duration::from_micros(3), Duration::from_micros(10)),
    };
    g1 * u32::try_from(in_g1).unwrap_or(u32::MAX) + g2 * u32::try_from(in_g2).unwrap_or(u32::MAX)
}

/// Where verdicts are kept. Whoever may write there can vouch for bad keys, so that it is used only when nobody else may.
fn memory() -> Result<Verdicts, String> {
    let folder = cache::folder("keys")?;
    // What is not there yet is made by us, for us.
    let existing = folder.ancestors().find_map(|path| path.canonicalize().ok());
    let existing = existing.ok_or_else(|| format!("{} cannot be reached", folder.display()))?;
    permissions::check_folder(&existing).map_err(|error| error.to_string())?;
    Ok(Verdicts::at(folder))
}
