//! `interlock plugin new` and `plugin header`: from the program alone to a backend that proves.

use std::path::Path;

use interlock_curves::Curve;
use interlock_tests::places::{fixture, repository};
use interlock_tests::program::call;
use serde_json::Value;

use crate::Home;

/// `plugin new …` in a home, which must do it.
fn new(home: &Home, words: &[&str]) -> String {
    let (code, stdout, stderr) = call(home.path(), [&["plugin", "new"], words].concat());
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    stdout
}

/// `plugin new …`, which must refuse it with an exit code, say so, and leave the home as it was.
fn refused(home: &Home, words: &[&str], wanted: i32, says: &[&str]) {
    let before = home.files();
    let (code, stdout, stderr) = call(home.path(), [&["plugin", "new"], words].concat());
    assert_eq!((code, stdout.as_str()), (wanted, ""), "{words:?}: {stderr}");
    for part in says {
        assert!(stderr.contains(part), "{words:?}: {part:?} is not said: {stderr}");
    }
    assert_eq!(home.files(), before, "{words:?}");
}

/// With a C compiler and nothing else: built in its folder, self-tested, installed, found, and it proves.
#[test]
#[cfg(target_os = "linux")]
fn a_new_backend_in_c_is_built_checked_installed_and_proves() {
    use interlock_tests::shell::private;
    use interlock_tests::template_c::make;

    let home = Home::new();
    let said = new(&home, &["acme-one"]);
    assert!(said.contains("acme-one in C") && said.contains("build/libinterlock_acme_one.so"), "{said}");
    let folder = home.at("acme-one");
    make(&folder, &[]);
    // The sanitizers look at the same sources in `template_c`.
    make(&folder, &["check".into(), "SANITIZE=".into()]);

    let library = folder.join("build/libinterlock_acme_one.so");
    private(&library);
    let (code, stdout, stderr) =
        call(home.path(), ["plugin".into(), "install".into(), library.display().to_string()]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    let (code, stdout, stderr) = call(home.path(), ["backends", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    let installed = home.at("data/interlock/backends/libinterlock_acme_one.so").display().to_string();
    assert!(stdout.contains("acme-one") && stdout.contains(&installed) && report["ok"] == true, "{stdout}");

    let fixture = fixture(Curve::Bls12_381, "multiplier");
    let flags = ["--json", "-q", "--backend", "acme-one", "--check-against", "embedded"];
    let (code, stdout, stderr) =
        home.prove(&fixture.file("circuit.zkey"), &fixture.file("witness.wtns"), &flags);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&report["backend"]["name"], &report["check_against"]["agrees"]),
        (&"acme-one".into(), &true.into())
    );
}

/// The folder's name is the backend's, unless another one is given; both languages tell what they wrote.
#[test]
fn the_report_names_what_was_written() {
    let home = Home::new();
    let sdk = repository().join("plugins/sdk").display().to_string();
    for (language, words, files) in [
        ("C", &["one", "--json"][..], &["Makefile", "include/interlock_backend.h", "keep/plugin.c"][..]),
        (
            "Rust",
            &["two", "--json", "--language", "rust", "--sdk", &sdk],
            &["Cargo.toml", "README.md", "src/lib.rs"],
        ),
        ("C", &["Three Words", "--json", "--name", "-3-"], &["Makefile"]),
    ] {
        let report: Value = serde_json::from_str(&new(&home, words)).unwrap();
        let name = if words[0] == "Three Words" { "-3-" } else { words[0] };
        assert_eq!(
            (&report["command"], &report["ok"], &report["name"], &report["language"], &report["folder"]),
            (&"plugin new".into(), &true.into(), &name.into(), &language.into(), &words[0].into())
        );
        let library = format!("libinterlock_{}.so", name.replace('-', "_"));
        assert!(report["library"].as_str().unwrap().ends_with(&library), "{report}");
        let told: Vec<&str> = report["files"].as_array().unwrap().iter().filter_map(Value::as_str).collect();
        assert!(files.iter().all(|file| told.contains(file)), "{told:?}");
        assert!(told.iter().all(|file| home.at(words[0]).join(file).is_file()), "{told:?}");
    }
    std::fs::create_dir(home.at("here")).unwrap();
    let mut command = interlock_tests::program::interlock(home.path());
    let command = command.current_dir(home.at("here")).args(["plugin", "new", "."]);
    let (code, stdout, stderr) = interlock_tests::program::run(command);
    assert!(code == 0 && stdout.contains("the backend here in C"), "{stdout}{stderr}");
    assert!(std::fs::read_to_string(home.at("here/Makefile")).unwrap().contains("\nNAME = here\n"));
}

#[test]
fn odd_names_are_refused() {
    let home = Home::new();
    let long = "a".repeat(33);
    for name in ["", "Acme", "acme one", "a_b", "a.b", "a/b", "a\"b", "$(id)", "é", "auto", "embedded", &long]
    {
        refused(&home, &["new", "--name", name], 2, &["no name for a backend", "lower case letters"]);
    }
    for folder in ["Acme", "a_b", "auto", "é"] {
        refused(&home, &[folder], 2, &["give one, --name NAME", folder]);
    }
    refused(&home, &["a\u{1b}[2J"], 2, &["give one, --name NAME"]);
}

#[test]
fn folders_that_hold_something_are_left_alone() {
    let home = Home::new();
    std::fs::create_dir(home.at("full")).unwrap();
    home.write("full/mine.c", b"int x;\n");
    home.write("file", b"x");
    refused(&home, &["full"], 3, &["full", "cannot write", "not empty"]);
    refused(&home, &["file"], 3, &["file", "cannot write"]);
    refused(&home, &["file/below"], 3, &["file/below", "cannot write"]);
    assert_eq!(std::fs::read_dir(home.at("full")).unwrap().count(), 1);
    // Twice is once too often.
    new(&home, &["one"]);
    refused(&home, &["one"], 3, &["not empty"]);
}

#[test]
fn the_sdk_is_looked_at() {
    let home = Home::new();
    let rust = |words: &[&'static str]| [&["new", "--language", "rust"], words].concat();
    refused(&home, &rust(&[]), 2, &["--sdk PATH", "not published yet"]);
    refused(&home, &["new", "--sdk", "."], 2, &["--language rust"]);
    refused(&home, &rust(&["--sdk", "absent"]), 3, &["absent", "plugins/sdk"]);
    std::fs::create_dir(home.at("other")).unwrap();
    refused(&home, &rust(&["--sdk", "other"]), 3, &["other", "Cargo.toml cannot be read"]);
    home.write("other/Cargo.toml", b"[package]\nname = \"interlock-abi\"\n");
    refused(&home, &rust(&["--sdk", "other"]), 3, &["other", "not the folder of the crate interlock-sdk"]);
}

#[test]
fn the_header_is_the_committed_one() {
    let committed = repository().join("plugins/abi/include/interlock_backend.h");
    let committed = std::fs::read_to_string(committed).unwrap();
    let home = Home::new();
    let (code, stdout, stderr) = call(home.path(), ["plugin", "header"]);
    assert_eq!((code, stderr.as_str()), (0, ""));
    assert!(stdout == committed);
    let (code, stdout, stderr) = call(home.path(), ["plugin", "header", "mine.h"]);
    assert_eq!((code, stdout.as_str()), (0, ""), "{stderr}");
    assert!(stderr.contains("mine.h"));
    let read = |file: &Path| std::fs::read_to_string(file).unwrap();
    assert!(read(&home.at("mine.h")) == committed);
    new(&home, &["one"]);
    assert!(read(&home.at("one/include/interlock_backend.h")) == committed);
    let (code, _, stderr) = call(home.path(), ["plugin", "header", "absent/mine.h"]);
    assert!(code == 3 && stderr.contains("absent/mine.h"), "{code} {stderr}");
}
