//! As a vendor has it: the program, a checkout for the SDK, and cargo.

use std::path::Path;
use std::process::Command;

use interlock_curves::Curve;
use interlock_tests::places::{build, fixture, repository};
use interlock_tests::program::call;
use interlock_tests::shell::private;

/// Builds a copy with the versions that the workspace has, which are on this machine already.
fn cargo_build(folder: &Path, target: &Path) {
    std::fs::copy(repository().join("Cargo.lock"), folder.join("Cargo.lock")).unwrap();
    let mut command = Command::new(env!("CARGO"));
    command.current_dir(folder).args(["build", "--offline", "--target-dir"]).arg(target);
    // Two small proofs are soon computed; arkworks is not soon optimised.
    let output = command.env("CARGO_PROFILE_DEV_OPT_LEVEL", "0").output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
}

#[test]
fn a_new_backend_is_built_installed_found_and_proves() {
    let home = tempfile::tempdir().unwrap();
    let sdk = repository().join("plugins/sdk").display().to_string();
    let words = ["plugin", "new", "Acme's", "--name", "acme-two", "--language", "rust", "--sdk", &sdk];
    let (code, stdout, stderr) = call(home.path(), words);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    // Kept from one run to the next: what it depends on takes longest.
    let target = build().with_file_name("template-rust-copy");
    cargo_build(&home.path().join("Acme's"), &target);
    let library = target.join("debug/libinterlock_acme_two.so");
    private(&library);

    // It shows nothing but its two doors.
    let symbols = Command::new("nm").args(["-D", "--defined-only"]).arg(&library).output().unwrap();
    let symbols = String::from_utf8(symbols.stdout).unwrap();
    let doors = [" T interlock_get_api", " D _1as_0lib_1header_0root_bmodule_bloader"];
    let shown = symbols.lines().filter(|line| doors.iter().any(|door| line.ends_with(door)));
    assert!(shown.count() == 2 && symbols.lines().count() == 2, "{symbols}");

    let (code, stdout, stderr) =
        call(home.path(), ["plugin".into(), "install".into(), library.display().to_string()]);
    assert_eq!(code, 0, "{stdout}{stderr}");
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let fixture = fixture(curve, "multiplier");
        let flags = ["prove", "-q", "--backend", "acme-two", "--check-against", "embedded"].map(Into::into);
        let files =
            [fixture.file("circuit.zkey"), fixture.file("witness.wtns"), "p.json".into(), "u.json".into()];
        let (code, _, stderr) = call(home.path(), flags.into_iter().chain(files));
        assert_eq!(code, 0, "{curve}: {stderr}");
    }
}
