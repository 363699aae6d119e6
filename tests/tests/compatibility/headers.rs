//! The header, today's and made-up ones.

use std::path::{Path, PathBuf};

use interlock_tests::places::repository;

pub(crate) const FILE: &str = "interlock_backend.h";

/// The folder of today's header.
pub(crate) fn folder() -> PathBuf {
    repository().join("plugins/abi/include")
}

/// Today's header.
pub(crate) fn today() -> String {
    std::fs::read_to_string(folder().join(FILE)).unwrap()
}

/// Writes a header into a folder of its own, which is given.
pub(crate) fn write(folder: &Path, header: &str) -> PathBuf {
    std::fs::create_dir_all(folder).unwrap();
    std::fs::write(folder.join(FILE), header).unwrap();
    folder.to_path_buf()
}

/// The structs that carry their size: name, and where the closing brace is.
fn sized(header: &str) -> Vec<(&str, usize)> {
    let mut found = Vec::new();
    let mut from = 0;
    while let Some(start) = header[from..].find("typedef struct ").map(|at| from + at) {
        let open = header[start..].find(['{', ';']).map(|at| start + at).unwrap();
        from = open + 1;
        if header.as_bytes()[open] == b';' {
            continue; // An opaque handle.
        }
        let close = header[open..].find("\n}").map(|at| open + at + 1).unwrap();
        let name = header[start..open].split_whitespace().nth(2).unwrap();
        let fields = &header[open..close];
        // The head of an extension is the one that has no `ext` itself, and its size is that of the whole extension.
        if fields.contains("size_t struct_size;") && fields.contains(" *ext;") {
            found.push((name, close));
        }
    }
    found
}

/// A header of a later version: each struct has two more fields, the table one more function.
pub(crate) fn grown() -> String {
    let today = today();
    let mut header = today.clone();
    for (name, close) in sized(&today).into_iter().rev() {
        let fields = match name {
            "InterlockApi" => "    struct InterlockError *(*appended_call)(void);\n",
            _ => "    uint32_t appended_small;\n    uint64_t appended_large;\n",
        };
        header.insert_str(close, fields);
    }
    header
}

/// The structs that carry their size, each with its lines, without comments.
pub(crate) fn structs(header: &str) -> Vec<(String, Vec<String>)> {
    let lines = |from: usize, to: usize| {
        let lines = header[from..to].lines().map(|line| line.split("//").next().unwrap_or_default().trim());
        lines.filter(|line| !line.is_empty()).map(str::to_owned).collect()
    };
    let open = |name: &str| header.find(&format!("typedef struct {name} {{")).unwrap();
    sized(header).into_iter().map(|(name, close)| (name.to_owned(), lines(open(name), close))).collect()
}

/// The numbers that have a name.
pub(crate) fn numbers(header: &str) -> Vec<&str> {
    header.lines().filter(|line| line.starts_with("#define INTERLOCK_")).collect()
}

#[test]
fn every_struct_of_the_abi_grows() {
    let today = today();
    let names: Vec<&str> = sized(&today).into_iter().map(|(name, _)| name).collect();
    // As many as `plugins/abi/src/sizes.rs` lists.
    let sizes = std::fs::read_to_string(repository().join("plugins/abi/src/sizes.rs")).unwrap();
    let list = sizes.split("sized! {\n").nth(1).unwrap().split('}').next().unwrap();
    let listed: Vec<&str> =
        list.lines().filter_map(|line| line.trim().split(':').next()).filter(|s| !s.is_empty()).collect();
    let mut sorted = (names.clone(), listed.clone());
    sorted.0.sort_unstable();
    sorted.1.sort_unstable();
    assert_eq!(sorted.0, sorted.1);
    assert_eq!(grown().matches("appended_small").count(), names.len() - 1);
}
