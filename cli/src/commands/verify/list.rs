//! Lists of proofs.

use std::fs::File;
use std::io::{Read, stdin};
use std::path::{Path, PathBuf};

use super::Pair;
use crate::errors::BadList;
use crate::output::text;

/// Longer lists are none: a million lines of usual paths take less.
const MOST_BYTES: u64 = 256 << 20;

/// So many proofs are better verified in several lists.
const MOST_PAIRS: usize = 1 << 20;

/// Reads a list; `-` is standard input.
///
/// # Errors
/// It cannot be read, a line is no pair of paths, or there is none.
pub(super) fn read(path: &Path) -> Result<Vec<Pair>, BadList> {
    let bad = |line, problem: String| BadList { list: path.to_owned(), line, problem };
    let mut text = String::new();
    let outcome = if path == Path::new("-") {
        stdin().lock().take(MOST_BYTES + 1).read_to_string(&mut text)
    } else {
        File::open(path).and_then(|file| file.take(MOST_BYTES + 1).read_to_string(&mut text))
    };
    outcome.map_err(|error| bad(None, format!("cannot read: {error}")))?;
    if text.len() as u64 > MOST_BYTES {
        return Err(bad(None, format!("more than {MOST_BYTES} bytes are no list of proofs")));
    }
    let mut pairs = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        if pairs.len() == MOST_PAIRS {
            return Err(bad(Some(number), format!("more than {MOST_PAIRS} proofs: split the list")));
        }
        let [public, proof] = parse(line).map_err(|problem| bad(Some(number), problem))?;
        pairs.push(Pair { public, proof, line: Some(number) });
    }
    // Nothing is not valid.
    if pairs.is_empty() { Err(bad(None, "names no proofs".into())) } else { Ok(pairs) }
}

/// The two paths of a line: a JSON list, or separated by one tab, or by white space.
fn parse(line: &str) -> Result<[PathBuf; 2], String> {
    if line.starts_with('[') {
        let words: Vec<String> =
            serde_json::from_str(line).map_err(|error| format!("not a JSON list of two paths: {error}"))?;
        return two(words.iter().map(String::as_str));
    }
    if line.contains('\t') { two(line.split('\t').map(str::trim)) } else { two(line.split_whitespace()) }
}

fn two<'a>(words: impl Iterator<Item = &'a str>) -> Result<[PathBuf; 2], String> {
    let words: Vec<&str> = words.collect();
    match words.as_slice() {
        [public, proof] if !public.is_empty() && !proof.is_empty() => Ok([public.into(), proof.into()]),
        [_, _] => Err("a path is empty".into()),
        _ => Err(format!("holds {} instead of two", text::plural(words.len() as u64, "path"))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn three_ways_to_write_a_line() {
        let wanted = ["a b.json", "p.json"].map(PathBuf::from);
        assert_eq!(parse("a b.json\tp.json").unwrap(), wanted);
        assert_eq!(parse(r#"["a b.json", "p.json"]"#).unwrap(), wanted);
        assert_eq!(parse("a.json   p.json").unwrap(), ["a.json", "p.json"].map(PathBuf::from));
        for bad in
            ["a.json", "a b c", "a\tb\tc", "a\t", "[\"a\"]", "[1, 2]", "[\"a\", \"b\"", "[\"\", \"b\"]"]
        {
            parse(bad).unwrap_err();
        }
    }

    #[test]
    fn comments_are_skipped_and_lines_counted() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("list");
        std::fs::write(&path, "# proofs\n\na b\r\n  # more\nc d\n").unwrap();
        let pairs = read(&path).unwrap();
        assert_eq!(pairs.iter().map(|pair| pair.line).collect::<Vec<_>>(), [Some(3), Some(5)]);
        assert_eq!(pairs[0].proof, Path::new("b"));
        std::fs::write(&path, "a b\nc\n").unwrap();
        assert_eq!(read(&path).unwrap_err().line, Some(2));
        for nothing in ["", "# nothing\n"] {
            std::fs::write(&path, nothing).unwrap();
            assert!(read(&path).unwrap_err().to_string().contains("names no proofs"));
        }
        std::fs::write(&path, [0xff, 0xfe]).unwrap();
        read(&path).unwrap_err();
        assert!(read(&folder.path().join("absent")).unwrap_err().to_string().contains("cannot read"));
    }
}
