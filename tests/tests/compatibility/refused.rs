//! Tables and structs that no version has: refused in few words, before anything in them is used.

use interlock_core::loader::{Trust, load};
use interlock_tests::shell;

use crate::headers;

/// Builds the shell against a header and loads it.
fn message(header: &str, definitions: &[&str]) -> String {
    let root = tempfile::tempdir().unwrap();
    let include = headers::write(&root.path().join("include"), header);
    let library = shell::build_against(&include, root.path(), "libshell.so", definitions);
    load(&library, Trust::Unsigned).map(|plugin| plugin.name().to_owned()).unwrap_err().to_string()
}

/// Moves the declaration of a field of the table behind that of another.
fn moved(header: &str, field: &str, behind: &str) -> String {
    let table = header.find("typedef struct InterlockApi {").unwrap();
    let line = |name: &str| {
        let name = format!("{name};\n");
        let end = table + header[table..].find(&name).unwrap() + name.len();
        (header[..end - 1].rfind('\n').unwrap() + 1, end)
    };
    let (from, to) = line(field);
    let (_, place) = line(behind);
    assert!(place > to);
    [&header[..from], &header[to..place], &header[from..to], &header[place..]].concat()
}

#[test]
fn reordered_truncated_and_oversized_tables() {
    let today = headers::today();
    let versions_swapped = moved(&today, "abi_major", "abi_minor");
    let head_swapped = moved(&today, "size_t struct_size", "*ext");
    let version_last = moved(&today, "abi_minor", "(*error_destroy)(struct InterlockError *error)");
    let rows = [
        ("versions swapped", versions_swapped, vec![], "ABI 2.0"),
        // Its size is where `ext` should be, so what is read as the size is NULL.
        ("head swapped", head_swapped, vec![], "struct_size is 0, at least"),
        ("a version among the functions", version_last, vec![], "ABI 0."),
        ("truncated", today.clone(), vec!["TABLE_SIZE=sizeof(InterlockApi)-8"], "at least"),
        ("oversized", today, vec!["TABLE_SIZE=65537"], "struct_size is 65537, which no version"),
    ];
    for (what, header, definitions, says) in rows {
        let message = message(&header, &definitions);
        assert!(message.contains(says), "{what}: {message}");
        assert!(message.len() < 300 && message.lines().count() == 1, "{what} is told at length: {message}");
    }
}
