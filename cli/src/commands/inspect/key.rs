//! Proving keys.

use interlock_core::files::KeyFile;
use interlock_core::format::zkey::layout::{CONTAINER, INSECURE_MARKER};
use interlock_core::format::{FormatError, Zkey};
use serde_json::{Value, json};

use crate::commands::NO_CONTRIBUTION;
use crate::commands::description::Description;
use crate::commands::rows::constraints;
use crate::output::{json, text};

/// What the file's head says: a short answer.
pub(super) fn head(key: &KeyFile, about: &mut Description) {
    about.curve(key.curve());
    about.count("signals", key.n_vars() as u64);
    about.count("public", key.n_public() as u64);
    let marker = key.insecure_marker();
    if let Some(marker) = &marker {
        about.warning(marker);
    }
    about.field("insecure_marker", marker);
    let points = key.head();
    if points.gamma_g2 == points.delta_g2 {
        about.warning(NO_CONTRIBUTION);
    }
}

pub(super) fn describe(key: Zkey, about: &mut Description) -> Result<(), FormatError> {
    let curve = key.curve();
    let file = KeyFile::Zkey(key);
    head(&file, about);
    let KeyFile::Zkey(key) = file else { return Ok(()) };
    about.row("domain", format!("{} = 2^{}", text::count(key.domain_size().into()), key.log_domain()));
    about.field("domain", key.domain_size());

    let (a, b) = key.matrices()?;
    let constraints = constraints(&a, &b, key.n_public() as usize);
    about.row("constraints", constraints.map_or_else(|| "unknown".to_owned(), text::count));
    about.field("constraints", constraints);
    let used = |offsets: &[u64]| offsets.windows(2).filter(|pair| pair[0] != pair[1]).count() as u64;
    for (name, matrix) in [("A", &a), ("B", &b)] {
        let (nnz, rows) = (matrix.nnz() as u64, used(&matrix.row_offsets));
        about.row(
            &format!("matrix {name}"),
            format!("{} entries in {} rows", text::count(nnz), text::count(rows)),
        );
        about.field(&format!("matrix_{}", name.to_lowercase()), json!({ "entries": nnz, "rows": rows }));
    }

    let (g1, g2) = (curve.g1_bytes(), curve.g2_bytes());
    for (name, section, size) in [("A", key.a(), g1), ("B1", key.b1(), g1), ("B2", key.b2(), g2)] {
        let infinite = section.chunks_exact(size).filter(|point| point.iter().all(|&byte| byte == 0));
        let (infinite, all) = (infinite.count() as u64, (section.len() / size) as u64);
        about.row(
            &format!("infinity in {name}"),
            format!("{} of {} ({})", text::count(infinite), text::count(all), text::share(infinite, all)),
        );
        about.field(&format!("infinity_{}", name.to_lowercase()), infinite);
    }

    match key.contribution_count() {
        Some(count) => about.count("contributions", count.into()),
        None => {
            about.row("contributions", "no list");
            about.field("contributions", Value::Null);
        }
    }
    let sha256 = json::hex(&key.content_hash());
    about.text("sha256", &sha256);

    let mut sections = Vec::new();
    for (id, range) in key.sections().iter() {
        let (name, bytes) = (CONTAINER.section(id).name, range.len() as u64);
        let number = match id {
            INSECURE_MARKER => String::new(),
            id => format!("{id}: "),
        };
        about.row("section", format!("{number}{name}, {}", text::bytes(bytes)));
        sections.push(json!({ "id": id, "name": name, "bytes": bytes }));
    }
    about.field("sections", sections);
    Ok(())
}
