//! The C header of the wire ABI, generated from `plugins/abi` with cbindgen.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail, ensure};
use cbindgen::{Builder, Config};

use crate::cmd::Cmd;
use crate::{paths, system};

/// Writes the header.
pub(crate) fn write() -> Result<()> {
    let file = file();
    fs::create_dir_all(file.parent().expect("the header lies in a folder"))?;
    fs::write(&file, generate()?)?;
    println!("wrote {}", paths::shown(&file));
    Ok(())
}

/// Fails when the committed header is not what would be written, or is not good C and C++.
pub(crate) fn check() -> Result<()> {
    let file = file();
    let wanted = generate()?;
    let found = fs::read_to_string(&file).with_context(|| format!("cannot read {}", paths::shown(&file)))?;
    if let Some(line) = first_difference(&found, &wanted) {
        bail!("{}:{line} differs from plugins/abi; run `cargo xtask header`", paths::shown(&file));
    }
    for (compiler, language, standard) in [("cc", "c", "-std=c11"), ("c++", "c++", "-std=c++17")] {
        if system::find(compiler).is_none() {
            eprintln!("    no {compiler}: the header was not compiled as {language}");
            continue;
        }
        Cmd::new(compiler)
            .args([
                "-x",
                language,
                standard,
                "-Wall",
                "-Wextra",
                "-Werror",
                "-pedantic",
                "-fsyntax-only",
                "-include",
            ])
            .args([file.as_path(), Path::new("/dev/null")])
            .quiet()?;
    }
    Ok(())
}

fn file() -> PathBuf {
    paths::at("plugins/abi/include/interlock_backend.h")
}

fn generate() -> Result<String> {
    let krate = paths::at("plugins/abi");
    let mut config = Config::from_file(krate.join("cbindgen.toml")).map_err(anyhow::Error::msg)?;
    config.export.include = public_types(&krate.join("src"))?;
    let mut header = Vec::new();
    Builder::new().with_crate(&krate).with_config(config.clone()).generate()?.write(&mut header);
    let header = without_links(&String::from_utf8(header)?);
    for name in config.export.include.iter().filter(|name| !config.export.exclude.contains(name)) {
        ensure!(header.contains(name.as_str()), "cbindgen left {name} out");
    }
    Ok(header)
}

/// The names of the ABI's types. Cbindgen leaves out what no exported function leads to, and here that is everything:
/// each type has to be asked for.
fn public_types(dir: &Path) -> Result<Vec<String>> {
    let mut names = Vec::new();
    for entry in fs::read_dir(dir)? {
        for line in fs::read_to_string(entry?.path())?.lines() {
            let Some(rest) = line.strip_prefix("pub struct ").or_else(|| line.strip_prefix("pub type "))
            else {
                continue;
            };
            names.push(rest.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect());
        }
    }
    names.sort();
    Ok(names)
}

/// Turns links of rustdoc, to a name with or without a path, into the name alone: a header has no links.
fn without_links(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("[`") {
        out.push_str(before);
        let Some((name, tail)) = after.split_once("`]") else {
            out.push_str("[`");
            rest = after;
            continue;
        };
        out.extend(["`", name, "`"]);
        rest = tail.strip_prefix('(').and_then(|tail| tail.split_once(')')).map_or(tail, |(_, tail)| tail);
    }
    out + rest
}

/// The first line, counted from 1, that differs.
fn first_difference(found: &str, wanted: &str) -> Option<usize> {
    if found == wanted {
        return None;
    }
    let same = found.lines().zip(wanted.lines()).take_while(|(found, wanted)| found == wanted).count();
    Some(same + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_become_names() {
        assert_eq!(without_links("a [`B`](crate::B) and [`C`], (d) [`e"), "a `B` and `C`, (d) [`e");
    }

    #[test]
    fn the_first_difference_is_named() {
        assert_eq!(first_difference("a\nb\n", "a\nb\n"), None);
        assert_eq!(first_difference("a\nx\n", "a\nb\n"), Some(2));
        assert_eq!(first_difference("a\n", "a\nb\n"), Some(2));
    }
}
