//! The headers of versions that were given away. A plugin that was built against one stays a plugin: of today's version it loads,
//! of another one it is refused with both numbers.

use interlock_abi::{INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR};
use interlock_core::loader::{Trust, load};
use interlock_tests::places::repository;
use interlock_tests::shell;

use crate::headers;

#[test]
fn plugins_of_released_headers_load_or_are_refused_with_both_versions() {
    let folder = repository().join("tests/plugins/headers");
    let mut of_today = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let stem = path.file_stem().unwrap().to_str().unwrap();
        let version = stem.strip_prefix("interlock_backend-").unwrap();
        let header = std::fs::read_to_string(&path).unwrap();
        let root = tempfile::tempdir().unwrap();
        let include = headers::write(&root.path().join("include"), &header);
        let library = shell::build_against(&include, root.path(), "libshell.so", &[]);
        let loaded = load(&library, Trust::Unsigned);
        let today = format!("{INTERLOCK_ABI_MAJOR}.{INTERLOCK_ABI_MINOR}");
        if version == today {
            of_today += 1;
            assert_eq!(loaded.unwrap().name(), "shell");
            // What was given away under a number stays as it was under it.
            let now = headers::today();
            for number in headers::numbers(&header) {
                assert!(headers::numbers(&now).contains(&number), "{version} had {number}");
            }
            let structs = headers::structs(&now);
            for (name, fields) in headers::structs(&header) {
                let (_, now) = structs.iter().find(|(other, _)| *other == name).unwrap();
                assert_eq!(now.get(..fields.len()), Some(&*fields), "{name} of {version} has changed");
            }
        } else {
            let message = loaded.map(|plugin| plugin.name().to_owned()).unwrap_err().to_string();
            assert!(message.contains(version) && message.contains(&today), "{message}");
        }
    }
    assert_eq!(
        of_today, 1,
        "today's header is kept as tests/plugins/headers/interlock_backend-{{version}}.h"
    );
}
