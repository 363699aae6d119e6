//! Witnesses: counts only, no values.

use std::path::Path;

use interlock_core::format::{FormatError, Witness};

use crate::commands::description::Description;
use crate::output::text;

pub(super) fn describe(path: &Path, about: &mut Description) -> Result<(), FormatError> {
    let witness = Witness::open(path)?;
    about.curve(witness.curve());
    let all = witness.len() as u64;
    about.count("signals", all);

    let (mut zeros, mut ones, mut small) = (0, 0, 0);
    for value in witness.values().as_chunks::<32>().0 {
        let (low, high) = value.split_at(8);
        if high.iter().all(|&byte| byte == 0) {
            small += 1;
            match low {
                [0, 0, 0, 0, 0, 0, 0, 0] => zeros += 1,
                [1, 0, 0, 0, 0, 0, 0, 0] => ones += 1,
                _ => {}
            }
        }
    }
    for (label, field, n) in
        [("zeros", "zeros", zeros), ("ones", "ones", ones), ("below 2^64", "below_2_64", small)]
    {
        about.row(label, format!("{} ({})", text::count(n), text::share(n, all)));
        about.field(field, n);
    }
    Ok(())
}
