//! As a vendor has it: a copy of the folder, the header, a C compiler, and nothing else of this repository.

use std::process::Command;

use interlock_core::loader::{Registry, SearchOptions, Trust};
use interlock_tests::places::{fixture, repository};
use interlock_tests::program::call;
use interlock_tests::template_c::{copy, make};

#[test]
fn a_renamed_copy_is_built_installed_found_and_proves() {
    let root = tempfile::tempdir().unwrap();
    let (source, include) = (root.path().join("acme"), root.path().join("include"));
    copy(&source);
    std::fs::create_dir(&include).unwrap();
    let header = "interlock_backend.h";
    std::fs::copy(repository().join("plugins/abi/include").join(header), include.join(header)).unwrap();
    let variables = ["NAME=acme-one".into(), format!("HEADER={}", include.display())];
    let staged = root.path().join("staged");
    let install = ["install".into(), format!("DESTDIR={}", staged.display()), "PREFIX=/usr".into()];
    make(&source, &[install.as_slice(), variables.as_slice()].concat());

    // It needs nothing but the C library and shows nothing but its entry.
    let backends = staged.join("usr/lib/interlock/backends");
    let library = backends.join("libinterlock_acme_one.so");
    let symbols = Command::new("nm").args(["-D", "--defined-only"]).arg(&library).output().unwrap();
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    assert!(symbols.trim().ends_with(" T interlock_get_api") && symbols.lines().count() == 1, "{symbols}");

    let search = SearchOptions { extra: vec![backends.clone()], ..SearchOptions::default() };
    let mut registry = Registry::discover(&search, &[interlock_tests::linked()]);
    let (selected, _) = registry.select(&"acme-one".parse().unwrap(), Trust::Manifest).unwrap();
    assert_eq!((selected.len(), selected[0].plugin.info().version.as_str()), (1, "0.1.0"));
    let (selected, _) = registry.select(&"auto".parse().unwrap(), Trust::Manifest).unwrap();
    assert_eq!(selected[0].plugin.name(), "cpu", "the template does not put itself first");

    let fixture = fixture(interlock_curves::Curve::Bn254, "multiplier");
    let folder = backends.display().to_string();
    let flags =
        ["prove", "-q", "--backend-dir", &folder, "--backend", "acme-one", "--check-against", "embedded"];
    let files =
        [fixture.file("circuit.zkey"), fixture.file("witness.wtns"), "p.json".into(), "u.json".into()];
    let (code, _, stderr) = call(root.path(), flags.iter().map(Into::into).chain(files));
    assert_eq!(code, 0, "{stderr}");
}
