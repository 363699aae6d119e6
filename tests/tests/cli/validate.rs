//! `interlock validate`.

use std::path::Path;

use interlock_curves::Curve;
use interlock_tests::places::{cpu_library, fixture, library};
use interlock_tests::program::call;
use interlock_tests::template_c::with_fault;
use serde_json::Value;

use crate::Home;

fn validate(home: &Home, backend: &Path, flags: &[&str]) -> (i32, String, String) {
    let words =
        ["validate", "--allow-unsigned", "--threads", "2"].iter().chain(flags).map(std::ffi::OsStr::new);
    call(home.path(), words.chain(["--backend".as_ref(), backend.as_os_str()]))
}

fn json(home: &Home, backend: &Path, flags: &[&str]) -> (i32, Value) {
    let (code, stdout, stderr) = validate(home, backend, &[flags, &["--json"]].concat());
    let object: Value = serde_json::from_str(&stdout).unwrap_or_else(|_| panic!("{code} {stdout}\n{stderr}"));
    assert_eq!((&object["command"], &object["ok"]), (&"validate".into(), &(code == 0).into()), "{object}");
    (code, object)
}

#[test]
fn backends_that_are_right_agree() {
    let home = Home::new();
    for backend in [cpu_library(), library("interlock_template_rust")] {
        let (code, report) = json(&home, &backend, &["--max-log", "7", "--random", "2", "--seed", "5"]);
        assert_eq!((code, &report["differences"]), (0, &Value::Array(Vec::new())), "{report}");
        assert!(report["cases"].as_u64().unwrap() > 400 && report["seed"] == 5, "{report}");
        assert_eq!(report["against"]["origin"], "embedded");
    }
    assert!(home.files().is_empty(), "nothing differs, so nothing is written");
}

#[test]
fn proofs_of_the_users_keys_are_compared() {
    let home = Home::new();
    for curve in [Curve::Bn254, Curve::Bls12_381] {
        let fixture = fixture(curve, "membership");
        let [key, witness] =
            ["circuit.zkey", "witness.wtns"].map(|name| fixture.file(name).display().to_string());
        let few = ["--max-log", "3", "--random", "0", "--curve", curve.name()];
        let (code, stdout, stderr) = validate(&home, &cpu_library(), &[&few[..], &[&key, &witness]].concat());
        assert!(code == 0 && stdout.contains("all the same"), "{stdout}{stderr}");
        // One without the other.
        assert_eq!(validate(&home, &cpu_library(), &[&few[..], &[&key]].concat()).0, 2);
    }
    let (code, _, stderr) = validate(&home, &cpu_library(), &["absent.zkey", "absent.wtns"]);
    assert!(code == 3 && stderr.contains("absent.zkey"), "{stderr}");
}

/// A fault in one operation: it is named, made small, written, and found again in the file.
#[test]
fn a_difference_is_named_made_small_and_run_again() {
    let home = Home::new();
    let rows = [
        (
            "scale",
            "cpu/device_cpu.c",
            "field_mul(data->scalars[i].limb, data->scalars[i].limb, by, f);",
            "if (i != 40) field_mul(data->scalars[i].limb, data->scalars[i].limb, by, f);",
        ),
        (
            "pointwise",
            "cpu/device_cpu.c",
            "if (op == INTERLOCK_POINTWISE_MUL_SUB) field_sub(product, product, out, f);",
            "(void)op;",
        ),
        (
            "ntt",
            "cpu/ntt_cpu.c",
            "for (size_t i = 1; i < size - i; i++)",
            "for (size_t i = 2; i < size - i; i++)",
        ),
    ];
    for (operation, file, from, to) in rows {
        let folder = tempfile::tempdir().unwrap();
        let wrong = with_fault(folder.path(), file, from, to);
        let out = home.at(&format!("{operation}.json"));
        let out = out.to_str().unwrap();
        let flags = ["--max-log", "6", "--random", "1", "--curve", "bn254", "--out", out];
        let (code, report) = json(&home, &wrong, &flags);
        assert_eq!((code, &report["error"]["code"]), (7, &7.into()), "{report}");
        let differences = report["differences"].as_array().unwrap();
        assert_eq!(differences[0]["operation"], operation, "{report}");
        // Of whole proofs, the step is named as the prover calls it.
        assert!(report["written"]["size"].as_u64().unwrap() <= 82, "{report}");

        let (code, stdout, _) = validate(&home, &wrong, &["--replay", out]);
        assert!(code == 7 && stdout.contains(&format!("DIFFERS  {operation}")), "{stdout}");
        let (code, stdout, _) = validate(&home, &cpu_library(), &["--replay", out]);
        assert!(code == 0 && stdout.contains("1 cases compared, all the same"), "{stdout}");
        // The file names the backend.
        let words = ["validate", "--allow-unsigned", "--replay", out];
        let (code, stdout, _) = call(home.path(), words);
        assert!(code == 7 && stdout.contains(operation), "{stdout}");
    }
    let scale = std::fs::read_to_string(home.at("scale.json")).unwrap();
    let scale: Value = serde_json::from_str(&scale).unwrap();
    assert_eq!(scale["case"]["data"].as_str().unwrap().len() / 64, 41, "one more than the first wrong one");
}

/// One whose code ends its process, or does not come back, is told with the operation that it was in.
#[test]
fn backends_that_crash_and_hang() {
    let home = Home::new();
    let place = "field_mul(data->scalars[i].limb, data->scalars[i].limb, by, f);";
    for (fault, says, patience) in [
        ("if (data->count == 33) { __builtin_trap(); }", "signal 4 (SIGILL)", "60"),
        ("while (data->count == 33) { (void)by; }", "did not answer within 2 s", "2"),
    ] {
        let folder = tempfile::tempdir().unwrap();
        let wrong =
            with_fault(folder.path(), "cpu/device_cpu.c", place, &format!("{fault}\n        {place}"));
        let flags = ["--max-log", "4", "--random", "0", "--curve", "bn254", "--patience", patience];
        let (code, report) = json(&home, &wrong, &flags);
        let first = &report["differences"][0];
        assert_eq!((code, &first["operation"]), (7, &"scale".into()), "{report}");
        assert!(first["mismatch"]["got"].as_str().unwrap().contains(says), "{report}");
        // The others were run all the same.
        assert!(report["cases"].as_u64().unwrap() > 200, "{report}");
    }
}

#[test]
fn what_cannot_be_compared() {
    let home = Home::new();
    let (code, _, stderr) = validate(&home, Path::new("nobodys"), &[]);
    assert!(code == 5 && stderr.contains("nobodys"), "{stderr}");
    let text = home.write("notes.so", b"this is no library");
    let (code, _, stderr) = validate(&home, &text, &[]);
    assert!(code == 3 && stderr.contains("not a loadable library"), "{stderr}");
    assert_eq!(call(home.path(), ["validate"]).0, 2);
    assert_eq!(validate(&home, Path::new("cpu,embedded"), &[]).0, 2);
    // The policies are those of `plugin check`.
    let words = ["validate", "--backend", cpu_library().to_str().unwrap()].map(str::to_owned);
    let (code, _, stderr) = call(home.path(), words);
    assert!(code == 3 && stderr.contains("there is no manifest"), "{stderr}");

    let sound = r#"{"interlock_difference":1,"case":{"curve":"bn254","operation":"scale","form":"canonical","data":"DATA","factor":"FACTOR"},"backend":{"backend":"embedded","sha256":null,"answer":{"answer":"ended","how":"x"}},"against":{"backend":"embedded","sha256":null,"answer":{"answer":"ended","how":"x"}}}"#
        .replace("FACTOR", &"01".repeat(32))
        .replace("DATA", &"02".repeat(32));
    home.write("sound.json", sound.as_bytes());
    assert_eq!(call(home.path(), ["validate", "--replay", "sound.json"]).0, 0);
    for (from, to, says) in [
        ("_difference\":1", "_difference\":2", "version 2"),
        ("\"scale\"", "\"shave\"", "unknown variant"),
        ("0202\"", "02\"", "no whole number"),
        ("0202\"", "zz02\"", "hexadecimal"),
        ("0101\"", "01\"", "a scalar has 32"),
        ("\"bn254\"", "\"curve9\"", "curve9"),
        ("\"sha256\":null,", "\"sha256\":null,\"more\":1,", "unknown field"),
        ("}}}", "", "EOF"),
    ] {
        assert!(sound.contains(from), "{from}");
        home.write("broken.json", sound.replacen(from, to, 1).as_bytes());
        let (code, _, stderr) = call(home.path(), ["validate", "--replay", "broken.json"]);
        assert!(
            code == 3 && stderr.contains(says) && stderr.contains("broken.json"),
            "{to}: {code} {stderr}"
        );
    }
    let (code, _, stderr) = call(home.path(), ["validate", "--replay", "/dev/zero"]);
    assert!(code == 3 && stderr.contains("/dev/zero"), "{stderr}");

    // A domain of 2^60 is refused before anything is sized by it; files of another machine are not read.
    for (case, says) in [
        (
            r#"{"curve":"bn254","operation":"ntt","transform":"forward","log_size":60,"generator":"","shift":"","form":"canonical","data":""}"#,
            "generator: 0 bytes",
        ),
        (
            r#"{"curve":"bn254","operation":"proof","constraints":4294967295,"coefficients":false,"seed":1}"#,
            "constraints: 4294967295",
        ),
        (
            r#"{"curve":"bn254","operation":"files","key":"/etc/passwd","witness":"/etc/passwd"}"#,
            "another machine",
        ),
    ] {
        let start = sound.find("\"case\":").unwrap() + 7;
        let end = sound.find(",\"backend\":{").unwrap();
        home.write("broken.json", format!("{}{case}{}", &sound[..start], &sound[end..]).as_bytes());
        let (code, _, stderr) = call(home.path(), ["validate", "--replay", "broken.json"]);
        assert!(code == 3 && stderr.contains(says), "{case}: {code} {stderr}");
    }
}
