//! `--check`: all bases of a key.

use std::path::Path;

use interlock_core::files::KeyFile;
use interlock_core::format::FormatError;
use interlock_core::format::arkworks::PointList;
use interlock_core::key::ProvingKey;

use crate::args::CheckKey;
use crate::commands::Context;
use crate::commands::description::Description;
use crate::commands::key_check::{self, Told, Voice};
use crate::output::{print, text};

/// Checks the bases of a key, with its circuit or without, and remembers that they are good.
pub(super) fn bases(path: &Path, context: &Context, about: &mut Description) -> anyhow::Result<()> {
    let voice = Voice { note: &|text| context.note(text), warn: &print::warning };
    let key = KeyFile::open(path)?;
    let bases = match &key {
        KeyFile::Zkey(zkey) => {
            let key = ProvingKey::from_zkey(zkey)?;
            key_check::check(zkey.file(), &key, CheckKey::Always, None, Told::ByContents, &voice)?;
            key.n_bases()
        }
        KeyFile::Arkworks(key) => lists([key.a(), key.b_g1(), key.b_g2(), key.h(), key.l()], |list| {
            list.to_wire_checked().map(drop)
        })?,
        KeyFile::Bellman(key) => lists([key.a(), key.b_g1(), key.b_g2(), key.h(), key.l()], |list| {
            // These have no infinities.
            list.to_wire_checked().and_then(|_| list.to_wire_finite()).map(drop)
        })?,
        _ => return Ok(()),
    };
    key_check::remember_good(key.file(), &voice);
    let bases = bases as u64;
    about.row("check", format!("{} on the curve and in the subgroup", text::plural(bases, "base")));
    about.field("bases_ok", true);
    about.field("bases_checked", bases);
    Ok(())
}

fn lists(
    lists: [&PointList; 5],
    check: impl Fn(&PointList) -> Result<(), FormatError>,
) -> Result<usize, FormatError> {
    lists.into_iter().try_fold(0, |sum, list| {
        check(list)?;
        Ok(sum + list.len())
    })
}
