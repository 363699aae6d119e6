//! The templates, as they are in this program.

use std::path::Path;

/// A file of a new backend's folder.
#[derive(Clone, Debug)]
pub(super) struct File {
    /// Where it is in the folder.
    pub(super) path: &'static str,
    /// What it holds.
    pub(super) text: String,
}

/// A file that is part of this program.
#[derive(Clone, Copy, Debug)]
pub(super) struct Embedded {
    /// Where it is in its folder.
    pub(super) path: &'static str,
    /// What it holds.
    pub(super) text: &'static str,
}

/// The header, where the C template's Makefile looks for it.
pub(super) const HEADER: Embedded = Embedded {
    path: "include/interlock_backend.h",
    text: include_str!("../../../../plugins/abi/include/interlock_backend.h"),
};

macro_rules! embedded {
    ($folder:literal: $($path:literal)*) => {
        &[$(Embedded {
            path: $path,
            text: include_str!(concat!("../../../../plugins/", $folder, "/", $path)),
        }),*]
    };
}

/// Every file of the template in C.
const C: &[Embedded] = embedded!["template-c":
    ".gitignore" "Makefile" "README.md" "device.h"
    "check/check.h" "check/contract.c" "check/known.c" "check/main.c" "check/sums.c" "check/threads.c"
    "check/vectors.c" "check/vectors.h" "check/vectors.py" "check/vectors_bls12_381.h" "check/vectors_bn254.h"
    "check/versions.c"
    "cpu/cpu.h" "cpu/curves.c" "cpu/device_cpu.c" "cpu/field.c" "cpu/field.h" "cpu/keys_cpu.c" "cpu/msm_cpu.c"
    "cpu/ntt_cpu.c" "cpu/points.c" "cpu/points.h"
    "keep/account.c" "keep/account.h" "keep/call.c" "keep/call.h" "keep/cancel.h" "keep/errors.c" "keep/errors.h"
    "keep/failure.c" "keep/failure.h" "keep/handles.c" "keep/handles.h" "keep/log.c" "keep/log.h" "keep/plugin.c"
    "keep/sizes.c" "keep/sizes.h" "keep/slots.h" "keep/slots_device.c" "keep/slots_keys.c" "keep/slots_math.c"
    "keep/slots_scalars.c"
];

/// Every file of the template in Rust.
const RUST: &[Embedded] = embedded!["template-rust":
    ".gitignore" "Cargo.toml" "README.md" "rustfmt.toml"
    "src/bases.rs" "src/curve.rs" "src/device.rs" "src/domain.rs" "src/element.rs" "src/lib.rs" "src/matrix.rs"
    "src/operations.rs"
    "src/device/found.rs" "src/device/kernels.rs" "src/device/queue.rs" "src/device/region.rs"
    "src/device/kernels/elementwise.rs" "src/device/kernels/msm.rs" "src/device/kernels/ntt.rs"
    "src/device/kernels/sparse.rs"
];

/// A backend in C, with the header.
pub(super) fn in_c(name: &str) -> Vec<File> {
    let header = File { path: HEADER.path, text: HEADER.text.to_owned() };
    C.iter().map(|file| renamed(file, "template-c", name)).chain([header]).collect()
}

/// A backend in Rust that depends on the SDK at a path.
pub(super) fn in_rust(name: &str, sdk: &str) -> Vec<File> {
    let mut files: Vec<File> = RUST.iter().map(|file| renamed(file, "template-rust", name)).collect();
    for file in files.iter_mut().filter(|file| Path::new(file.path) == "Cargo.toml") {
        file.text = manifest(&file.text, sdk);
    }
    files
}

/// The file of another backend: the template's name stands in it only where the backend's own belongs.
fn renamed(file: &Embedded, template: &str, name: &str) -> File {
    let in_words = file.text.replace(template, name);
    File { path: file.path, text: in_words.replace(&template.replace('-', "_"), &name.replace('-', "_")) }
}

/// Where the template's `Cargo.toml` says what is different in a copy.
const ONLY_IN_A_COPY: &str = "# Only in a copy";

/// The `Cargo.toml` of a copy: the SDK's path, and what a workspace gave before.
fn manifest(template: &str, sdk: &str) -> String {
    let quoted = toml::Value::String(sdk.to_owned()).to_string();
    let (common, rest) = template.split_once(ONLY_IN_A_COPY).unwrap_or((template, ""));
    let mut text = common.replace(r#"path = "../sdk""#, &format!("path = {quoted}"));
    // Behind the note's paragraph; a sign with a space behind it is a comment of the copy as well.
    for line in rest.lines().skip_while(|line| !line.starts_with("#[")) {
        text.push_str(line.strip_prefix('#').filter(|bare| !bare.starts_with(' ')).unwrap_or(line));
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    fn plugins() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../plugins")
    }

    /// What a folder holds, but for what was built there.
    fn below(folder: &Path, at: &Path, found: &mut Vec<String>) {
        for entry in std::fs::read_dir(folder.join(at)).unwrap() {
            let name = at.join(entry.unwrap().file_name());
            let built = ["build", "target", "Cargo.lock"].iter().any(|built| name == Path::new(built));
            if folder.join(&name).is_dir() && !built {
                below(folder, &name, found);
            } else if !built {
                found.push(name.to_str().unwrap().to_owned());
            }
        }
    }

    #[test]
    fn no_file_of_a_template_is_forgotten() {
        for (folder, files) in [("template-c", C), ("template-rust", RUST)] {
            let mut wanted = Vec::new();
            below(&plugins().join(folder), Path::new(""), &mut wanted);
            wanted.sort();
            let mut found: Vec<&str> = files.iter().map(|file| file.path).collect();
            found.sort_unstable();
            assert_eq!(found, wanted, "{folder}");
        }
    }

    #[test]
    fn a_new_backend_has_its_own_name_everywhere() {
        for files in [in_c("acme-2"), in_rust("acme-2", "/opt/a \"b\"/sdk")] {
            let count = |word: &str| files.iter().filter(|file| file.text.contains(word)).count();
            assert!(count("acme-2") >= 2 && count("acme_2") >= 1);
            for template in ["template-c", "template_c", "template-rust", "template_rust"] {
                assert_eq!(count(template), 0, "{template}");
            }
        }
    }

    #[test]
    fn the_manifest_of_a_copy_stands_alone() {
        let sdk = r#"/opt/a "b"\c/sdk"#;
        let files = in_rust("acme", sdk);
        let file = files.iter().find(|file| file.path == "Cargo.toml").unwrap();
        let table: toml::Table = file.text.parse().unwrap();
        assert_eq!(table["package"]["name"].as_str(), Some("interlock-acme"));
        assert_eq!(table["dependencies"]["interlock-sdk"]["path"].as_str(), Some(sdk));
        assert_eq!(table["profile"]["release"]["panic"].as_str(), Some("unwind"));
        assert!(table["workspace"].as_table().unwrap().is_empty());
        assert!(
            !file.text.contains(ONLY_IN_A_COPY) && file.text.contains("\n# Field arithmetic"),
            "{}",
            file.text
        );
    }
}
