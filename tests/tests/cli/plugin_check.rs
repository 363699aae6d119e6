//! `interlock plugin check`.

use std::path::Path;
use std::time::Instant;

use interlock_tests::places::cpu_library;
use interlock_tests::program::call;
use interlock_tests::shell::build;
use serde_json::Value;
use sha2::{Digest as _, Sha256};

use crate::Home;

fn check(home: &Home, backend: &Path, flags: &[&str]) -> (i32, String, String) {
    let words = ["plugin", "check"].iter().chain(flags).map(std::ffi::OsStr::new);
    call(home.path(), words.chain([backend.as_os_str()]))
}

fn json(home: &Home, backend: &Path, flags: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = check(home, backend, &[flags, &["--json"]].concat());
    let object: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{code} {stdout}\n{stderr}"));
    assert_eq!((&object["interlock"], &object["command"]), (&1.into(), &"plugin check".into()));
    assert_eq!(object["ok"], code == 0, "{object}");
    (code, object)
}

#[test]
fn the_cpu_library_conforms() {
    let home = Home::new();
    let library = cpu_library();
    let (code, report) = json(&home, &library, &["--allow-unsigned", "--threads", "2", "--seed", "3"]);
    assert_eq!((code, &report["conforms"], &report["level"]), (0, &true.into(), &"quick".into()), "{report}");
    let hash: String =
        Sha256::digest(std::fs::read(&library).unwrap()).iter().map(|byte| format!("{byte:02x}")).collect();
    assert_eq!((&report["subject"]["sha256"], &report["file"][1]), (&hash.clone().into(), &hash.into()));
    assert_eq!((&report["subject"]["name"], &report["seed"]), (&"cpu".into(), &3.into()));
    assert!(report["counts"]["passed"].as_u64().unwrap() > 300, "{}", report["counts"]);
    assert_eq!(report["counts"]["failed"], 0);
}

#[test]
fn an_embedded_backend_by_name_and_some_groups() {
    let home = Home::new();
    let (code, stdout, stderr) =
        check(&home, Path::new("embedded"), &["--group", "load,memory", "--group", "abi"]);
    assert_eq!((code, stderr.as_str()), (0, ""), "{stdout}");
    assert!(stdout.starts_with("backend  cpu 0.1.0, ABI 0.2 (embedded)\n"), "{stdout}");
    assert!(stdout.ends_with("It conforms, as far as these rows go.\n"), "{stdout}");
    let (code, report) = json(&home, Path::new("cpu"), &["--soak", "--timeout", "2", "--group", "memory"]);
    assert_eq!((code, &report["level"]), (0, &"soak".into()), "{report}");
}

#[test]
fn what_cannot_be_loaded_is_bad_input() {
    let home = Home::new();
    let text = home.write("notes.so", b"this is no library");
    for (file, says) in [(text.as_path(), "not a loadable library"), (&home.at("absent.so"), "cannot find")] {
        let (code, report) = json(&home, file, &["--allow-unsigned"]);
        assert_eq!((code, &report["error"]["code"]), (3, &3.into()));
        assert!(report["refused"].as_str().unwrap().contains(says), "{report}");
    }
    // As for `prove`: a bare file needs the flag.
    let (code, report) = json(&home, &cpu_library(), &[]);
    assert_eq!(code, 3);
    assert!(report["refused"].as_str().unwrap().contains("there is no manifest"), "{report}");
    let (code, report) = json(&home, Path::new("nobodys"), &[]);
    assert_eq!(code, 5);
    assert!(report["refused"].as_str().unwrap().contains("there is no backend \"nobodys\""), "{report}");
    for (word, flags) in [
        ("auto", &[][..]),
        ("cpu,embedded", &[]),
        ("cpu", &["--group", "speed"]),
        ("cpu", &["--quick", "--full"]),
    ] {
        assert_eq!(check(&home, Path::new(word), flags).0, 2, "{word} {flags:?}");
    }
    let table = home.write("known.toml", b"[[expected]]\nbackend = \"cpu\"\n");
    let (code, _, stderr) = check(&home, Path::new("cpu"), &["--expected", table.to_str().unwrap()]);
    assert!(code == 3 && stderr.contains("known.toml"), "{stderr}");
}

/// Libraries whose code ends the process that runs it, or never comes back: this one lives, and says what happened where.
#[test]
fn libraries_that_crash_exit_and_hang() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let crash = "*(volatile int *)8 = 1";
    let rows = [
        ("ON_LOAD=exit(0)".to_owned(), "exit code 0", None),
        (format!("ON_LOAD={crash}"), "signal 11 (SIGSEGV)", None),
        ("ON_LOAD=abort()".to_owned(), "signal 6 (SIGABRT)", None),
        ("ON_LOAD=for (;;) pause()".to_owned(), "still running", None),
        ("ON_DEVICE_OPEN=_exit(0)".to_owned(), "exit code 0", Some("every device opens")),
        (format!("ON_DEVICE_OPEN={crash}"), "signal 11 (SIGSEGV)", Some("every device opens")),
        ("ON_DEVICE_OPEN=for (;;) pause()".to_owned(), "still running", Some("every device opens")),
    ];
    for (i, (what, how, row)) in rows.iter().enumerate() {
        let library = build(folder.path(), &format!("lib{i}.so"), &[what]);
        let begin = Instant::now();
        let flags = ["--allow-unsigned", "--group", "load", "--timeout", "3"];
        let (code, report) = json(&home, &library, &flags);
        assert!(begin.elapsed().as_secs() < 60);
        assert_eq!((code, &report["conforms"]), (5, &false.into()), "{what}: {report}");
        let ended = &report["ended"][0];
        assert!(ended["how"].as_str().unwrap().contains(how), "{what}: {report}");
        assert_eq!(ended["row"]["row"], row.map_or(Value::Null, Value::from), "{what}: {report}");
        assert_eq!(report["file"][1].as_str().unwrap().len(), 64, "{what}");
        assert!(report["error"]["message"].as_str().unwrap().contains(how), "{what}: {report}");
    }
}

/// A group that ends the process does not keep the others from running; what the library prints is kept apart from what
/// the rows say.
#[test]
fn a_crash_costs_its_group_only() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    // The shell copies without a look at the size of the caller's struct.
    let library =
        build(folder.path(), "libshell.so", &["ON_LOAD=(puts(\"{}\"), fputs(\"a word\\n\", stderr))"]);
    let (code, report) = json(&home, &library, &["--allow-unsigned", "--group", "load,abi,msm"]);
    assert_eq!(code, 5);
    let ended = report["ended"].as_array().unwrap();
    assert_eq!((ended.len(), &ended[0]["row"]["group"]), (1, &"abi".into()), "{report}");
    assert_eq!(ended[0]["how"], "signal 11 (SIGSEGV)");
    assert!(ended[0]["stderr"].as_str().unwrap().contains("a word"), "{report}");
    let failed = report["failed"].as_array().unwrap();
    let of_group = |group: &str| failed.iter().filter(|row| row["group"] == group).count();
    assert!(of_group("load") == 2 && of_group("abi") == 1 && of_group("msm") > 20, "{report}");
    let first = failed.iter().find(|row| row["group"] == "msm").unwrap();
    assert_eq!((&first["input"], &first["curve"]), (&"device_open".into(), &"bn254".into()), "{report}");
    assert!(first["got"].as_str().unwrap().contains("it has no arithmetic"), "{report}");
}

/// A function of the library's that the system has under the same name: which of the two is called is not the library's
/// choice.
#[test]
fn an_export_that_takes_the_name_of_a_system_function() {
    let home = Home::new();
    let folder = tempfile::tempdir().unwrap();
    let library = build(folder.path(), "libshell.so", &["EXPORTS=memfrob"]);
    let (code, report) = json(&home, &library, &["--allow-unsigned", "--group", "load"]);
    let failed = report["failed"].as_array().unwrap();
    let row = failed.iter().find(|row| row["row"] == "exported functions").unwrap();
    assert!(code == 5 && row["got"].as_str().unwrap().contains("memfrob"), "{report}");
    let library = build(folder.path(), "libshell.so", &["EXPORTS=memfrob_of_ours"]);
    let (_, report) = json(&home, &library, &["--allow-unsigned", "--group", "load"]);
    let failed = report["failed"].as_array().unwrap();
    assert!(failed.iter().all(|row| row["row"] != "exported functions"), "{report}");
}
