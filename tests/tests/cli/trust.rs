//! What the command line loads: signatures, policies, and backends that would take the program with them.

use std::path::{Path, PathBuf};

use interlock_core::loader::manifest::hex;
use interlock_core::loader::{InstallOptions, Loader, Manifest};
use interlock_curves::Curve;
use interlock_tests::places::fixture;
use interlock_tests::program::{call, interlock, run};
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Home;
use crate::vendor::Vendor;
use interlock_tests::shell::{misbehaving, private};

/// A home folder, private whatever the umask, with a library in `source`.
fn home(name: &str, definitions: &[&str]) -> (Home, PathBuf) {
    let home = Home::new();
    private(home.path());
    let source = home.at("source");
    std::fs::create_dir(&source).unwrap();
    let name_definition = format!("NAME=\"{name}\"");
    let definitions: Vec<&str> = definitions.iter().copied().chain([&*name_definition]).collect();
    let library = misbehaving(&source, &format!("lib{name}.so"), &definitions);
    (home, library)
}

fn install(home: &Home, library: &Path, flags: &[&str]) -> (i32, String, String) {
    let words = ["plugin", "install"].iter().chain(flags).map(PathBuf::from);
    call(home.path(), words.chain([library.to_owned()]))
}

fn configure(home: &Home, text: &str) {
    let folder = home.at("config/interlock");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("config.toml"), text).unwrap();
}

/// What `backends --json` says of a library.
fn listed(home: &Home, file: &str) -> Value {
    let (code, stdout, stderr) = call(home.path(), ["backends", "--json"]);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    let entries = report["backends"].as_array().unwrap();
    assert!(entries.iter().any(|entry| entry["place"] == "embedded"), "{stdout}");
    let found = entries.iter().find(|entry| entry["place"].as_str().unwrap().ends_with(file));
    found.unwrap_or_else(|| panic!("{file} is not listed: {stdout}")).clone()
}

#[test]
fn a_signed_backend_from_install_to_list() {
    let vendor = Vendor::new();
    let (home, library) = home("signed", &[]);
    let (code, _, stderr) = install(&home, &library, &["--require-signature"]);
    assert_eq!(code, 5, "{stderr}");
    assert!(stderr.contains("no signature") && stderr.contains("--require-signature"), "{stderr}");

    // Nobody trusts the vendor yet: a word about it, and no more.
    let minisig = vendor.sign_file(&library);
    let id = vendor.key().id().to_string();
    let (code, stdout, stderr) = install(&home, &library, &[]);
    assert_eq!(code, 0, "{stderr}");
    assert!(stdout.contains("sha256") && stdout.contains(&format!("ID {id}")), "{stdout}");
    assert_eq!(listed(&home, "libsigned.so")["signature"]["trusted"], false);
    let (_, stdout, _) = call(home.path(), ["backends"]);
    assert!(
        stdout.contains(&format!("signed by the key with the ID {id}, which is not in `keys`")),
        "{stdout}"
    );

    configure(&home, &format!("[plugins]\nrequire = \"signature\"\nkeys = [\"{}\"]\n", vendor.line()));
    let (code, stdout, stderr) = install(&home, &library, &["--json", "--require-signature"]);
    assert_eq!(code, 0, "{stderr}");
    let report: Value = serde_json::from_str(&stdout).unwrap();
    assert_eq!(
        (&report["signature"]["key"], &report["signature"]["trusted"]),
        (&vendor.line().into(), &true.into())
    );
    assert_eq!(report["sha256"], hex(&Sha256::digest(std::fs::read(&library).unwrap())));
    let entry = listed(&home, "libsigned.so");
    assert_eq!((&entry["state"], &entry["signature"]["key_id"]), (&"usable".into(), &id.as_str().into()));
    let (_, stdout, _) = call(home.path(), ["inspect".into(), library.clone()]);
    assert!(stdout.contains(&format!("by the trusted key {}", vendor.line())), "{stdout}");

    // Somebody else's signature, one of another file, and none.
    for (text, says) in [
        (Vendor::new().sign(&std::fs::read(&library).unwrap()), "unknown key"),
        (vendor.sign(b"another file"), "not a signature of this library"),
        ("garbage".into(), "damaged"),
    ] {
        let file = home.write("other.minisig", text.as_bytes());
        let (code, stdout, stderr) = install(&home, &library, &["--signature", file.to_str().unwrap()]);
        assert_eq!((code, stdout.as_str()), (5, ""), "{stderr}");
        assert!(stderr.contains(says), "{says}: {stderr}");
        std::fs::copy(&file, &minisig).unwrap();
        let (_, stdout, _) = call(home.path(), ["inspect".into(), "--json".into(), library.clone()]);
        assert!(stdout.contains(says), "{says}: {stdout}");
    }
    std::fs::remove_file(minisig).unwrap();
    let (code, _, stderr) = install(&home, &library, &[]);
    assert!(code == 5 && stderr.contains("no signature"), "{stderr}");
}

#[test]
fn nothing_outweighs_an_allow_list() {
    let (home, library) = home("listed", &[]);
    assert_eq!(install(&home, &library, &[]).0, 0);
    configure(&home, "[plugins]\nallow = []\n");
    let entry = listed(&home, "liblisted.so");
    assert_eq!(entry["state"], "refused");
    let reason = entry["reason"].as_str().unwrap();
    assert!(reason.contains("config.toml"), "{reason}");

    let proving = fixture(Curve::Bn254, "multiplier");
    let files = [proving.file("circuit.zkey"), proving.file("witness.wtns"), home.at("p"), home.at("q")];
    let prove = |variables: &[(&str, &str)], flags: &[&str]| {
        let mut command = interlock(home.path());
        command.envs(variables.iter().copied()).arg("prove").args(flags).args(&files);
        run(&mut command)
    };
    let file = library.to_str().unwrap();
    let own = home.write("own.toml", b"allow_unsigned = true\n[plugins]\nrequire = \"manifest\"\n");
    let own = own.to_str().unwrap();
    for (variables, flags) in [
        (&[][..], &["--backend", "listed"][..]),
        (&[], &["--backend", file, "--allow-unsigned"]),
        (&[("INTERLOCK_ALLOW_UNSIGNED", "1"), ("INTERLOCK_BACKEND", file)], &[]),
        (&[("INTERLOCK_CONFIG", "/dev/null")], &["--backend", "listed"]),
        (&[("INTERLOCK_CONFIG", own)], &["--backend", file]),
        (&[], &["--config", own, "--backend", file, "--allow-unsigned"]),
        (&[("INTERLOCK_BACKEND_PATH", home.at("source").to_str().unwrap())], &["--backend", "listed"]),
    ] {
        let (code, _, stderr) = prove(variables, flags);
        assert!(code == 5 && stderr.contains("allow-list"), "{variables:?} {flags:?}: {stderr}");
    }
    let (code, _, stderr) = install(&home, &library, &[]);
    assert!(code == 5 && stderr.contains("allow-list"), "{stderr}");
    // The embedded backend is part of the program.
    let (code, _, stderr) = prove(&[], &["--backend", "embedded"]);
    assert_eq!(code, 0, "{stderr}");

    // What the refusal says is to be added is what allows it.
    let line = reason.rsplit(": ").next().unwrap();
    configure(&home, &format!("[plugins]\nallow = [\n  {line}\n]\n"));
    assert_eq!(listed(&home, "liblisted.so")["state"], "usable");
    // And a damaged configuration allows nothing.
    configure(&home, "[plugins]\nallow = [\"sha256:12\"]\n");
    for words in [&["backends"][..], &["backends", "--config", "/dev/null"]] {
        let (code, _, stderr) = call(home.path(), words);
        assert!(code == 2 && stderr.contains("plugins: allow: \"sha256:12\""), "{stderr}");
    }
}

#[test]
fn a_backend_that_ends_programs_does_not_end_this_one() {
    let say = r#"DO=say(1,"{\"evil\": true}\n\033[2J");exit(0)"#;
    let (home, library) = home("quitter", &["AT_OPEN", say]);
    let (code, stdout, stderr) = install(&home, &library, &["--json"]);
    assert_eq!(code, 5, "{stdout}{stderr}");
    // Standard output is the report's alone.
    let report: Value = serde_json::from_str(&stdout).unwrap_or_else(|error| panic!("{error}: {stdout}"));
    let message = report["error"]["message"].as_str().unwrap();
    let says = "libquitter.so: its code ended the process (exit code 0) while the library was being opened; it printed: ";
    assert!(message.contains(says) && message.contains("evil"), "{message}");
    assert!(!stderr.contains('\x1b'), "{stderr:?}");
    assert!(!home.at("data").exists(), "nothing was installed");
}

/// Puts a bad library into the place of an installed one, as an update of a driver package might.
fn plant(home: &Home, good: &Path, bad: &Path) {
    let folder = home.at("data/interlock/backends");
    let installed = Loader::default().install(good, &folder, &InstallOptions::default()).unwrap();
    let bytes = std::fs::read(bad).unwrap();
    std::fs::write(&installed.library, &bytes).unwrap();
    let mut contents = Manifest::parse(&std::fs::read_to_string(&installed.manifest).unwrap()).unwrap();
    contents.sha256 = hex(&Sha256::digest(bytes));
    std::fs::write(&installed.manifest, toml::to_string(&contents).unwrap()).unwrap();
}

#[test]
fn backends_that_hang_or_crash_are_listed_with_what_they_did() {
    for (name, definitions, flags, says) in [
        ("crasher", ["AT_PROBE", "DO=crash()"], &[][..], "was killed by signal 11 (SIGSEGV) in plugin_probe"),
        ("sleeper", ["AT_OPEN", "DO=hang()"], &["--probe-timeout", "1.5"], "did not answer within 1.5 s"),
    ] {
        let (home, bad) = home(name, &definitions);
        let good = home.at("good");
        std::fs::create_dir(&good).unwrap();
        let good =
            misbehaving(&good, bad.file_name().unwrap().to_str().unwrap(), &[&format!("NAME=\"{name}\"")]);
        plant(&home, &good, &bad);
        let (code, stdout, stderr) = call(home.path(), ["backends"].iter().chain(flags));
        assert_eq!(code, 0, "{stderr}");
        assert!(stdout.contains(says) && stdout.contains("--backend auto takes cpu"), "{stdout}");
        assert!(!home.at("cache/interlock/plugins").exists(), "bad news is not remembered");
        let proving = fixture(Curve::Bn254, "multiplier");
        let (key, witness) = (proving.file("circuit.zkey"), proving.file("witness.wtns"));
        let (code, _, stderr) = home.prove(&key, &witness, flags);
        assert!(code == 0 && stderr.contains(says), "auto goes on with the next one: {stderr}");
        let named = [flags, &["--backend", name]].concat();
        let (code, _, stderr) = home.prove(&key, &witness, &named);
        assert!(code == 5 && stderr.contains(says), "{stderr}");
    }
}

#[test]
fn a_known_backend_is_opened_once_and_an_unknown_one_twice() {
    let trace = tempfile::NamedTempFile::new().unwrap();
    let definition = format!("TRACE=\"{}\"", trace.path().display());
    let (home, library) = home("traced", &[&definition]);
    let openings = || std::fs::read_to_string(trace.path()).unwrap().lines().count();
    assert_eq!(install(&home, &library, &[]).0, 0);
    assert_eq!(openings(), 2, "in a child process, and in the program");
    assert_eq!(listed(&home, "libtraced.so")["state"], "usable");
    assert_eq!(openings(), 3);
    let known = home.at("cache/interlock/plugins");
    assert_eq!(std::fs::read_dir(&known).unwrap().count(), 1);
    std::fs::remove_dir_all(&known).unwrap();
    assert_eq!(listed(&home, "libtraced.so")["state"], "usable");
    assert_eq!(openings(), 5);
}

#[test]
fn the_time_is_checked_and_the_variable_is_known() {
    let home = Home::new();
    let (code, _, stderr) = call(home.path(), ["backends", "--probe-timeout", "soon"]);
    assert!(code == 2 && stderr.contains("--probe-timeout"), "{stderr}");
    let mut command = interlock(home.path());
    let (code, _, stderr) = run(command.arg("backends").env("INTERLOCK_PROBE_TIMEOUT", "30"));
    assert_eq!((code, stderr.as_str()), (0, ""));
    let mut command = interlock(home.path());
    assert_eq!(run(command.arg("backends").env("INTERLOCK_PROBE_TIMEOUT", "-1")).0, 2);
}
