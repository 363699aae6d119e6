//! Libraries with one fault each: refused with a reason, and the program lives on.

use std::path::Path;

use interlock_core::backend::{Device, DeviceOptions, PluginError};
use interlock_core::loader::{LoadError, Trust, load};
use interlock_curves::Curve;
use interlock_tests::places::cpu_library;

use interlock_tests::shell::{build, private};

fn refused(path: &Path) -> LoadError {
    load(path, Trust::Unsigned).map(|plugin| plugin.name().to_owned()).unwrap_err()
}

#[test]
fn a_backend_in_c_loads_and_says_what_it_cannot() {
    let folder = tempfile::tempdir().unwrap();
    let plugin = load(&build(folder.path(), "libshell.so", &[]), Trust::Unsigned).unwrap();
    assert_eq!((plugin.name(), plugin.info().version.as_str()), ("shell", "0.0.1"));
    let probe = plugin.probe().unwrap();
    assert_eq!((probe.score, probe.devices[0].name.as_str()), (1, "nothing"));
    let error = Device::open(&plugin, Curve::Bn254, DeviceOptions::default()).unwrap_err();
    assert_eq!(
        error.to_string(),
        "backend shell: device_open: this backend is a shell: it has no arithmetic"
    );
}

#[test]
fn two_different_backends_do_not_shadow_each_other_and_the_same_bytes_load_once() {
    let folder = tempfile::tempdir().unwrap();
    let one = load(&build(folder.path(), "libone.so", &["NAME=\"one\""]), Trust::Unsigned).unwrap();
    let two = load(&build(folder.path(), "libtwo.so", &["NAME=\"two\""]), Trust::Unsigned).unwrap();
    assert_eq!((one.name(), two.name()), ("one", "two"));
    let copy = folder.path().join("libcopy.so");
    std::fs::copy(folder.path().join("libone.so"), &copy).unwrap();
    let again = load(&copy, Trust::Unsigned).unwrap();
    assert!(std::sync::Arc::ptr_eq(&one, &again));
}

#[test]
fn tables_and_entries_with_a_fault() {
    let folder = tempfile::tempdir().unwrap();
    let rows: [(&str, &str); 6] = [
        ("FAULT_NULL", "refuses this host"),
        ("FAULT_VERSION", "ABI 0.3"),
        ("TABLE_SIZE=64", "struct_size is 64"),
        ("FAULT_MISSING_FUNCTION", "mandatory function msm"),
        ("NAME=\"No Such/Name\"", "lower-case letters"),
        ("FAULT_UNDEFINED_SYMBOL", "interlock_no_such_function"),
    ];
    for (i, (fault, says)) in rows.into_iter().enumerate() {
        let error = refused(&build(folder.path(), &format!("lib{i}.so"), &[fault])).to_string();
        assert!(error.contains(says), "{fault}: {error}");
    }
}

#[test]
fn a_probe_with_absurd_numbers() {
    let folder = tempfile::tempdir().unwrap();
    let library = build(folder.path(), "libmany.so", &["FAULT_MANY_DEVICES"]);
    let error = load(&library, Trust::Unsigned).unwrap().probe().unwrap_err();
    assert!(matches!(&error, PluginError::Call(call) if call.message.contains("4000000000")), "{error}");
}

#[test]
fn a_library_without_a_door_is_refused_before_its_code_runs() {
    let folder = tempfile::tempdir().unwrap();
    let library = build(folder.path(), "libnodoor.so", &["FAULT_NO_SYMBOL"]);
    assert!(matches!(refused(&library), LoadError::NoDoor));
    assert!(std::env::var_os("INTERLOCK_SHELL_RAN").is_none(), "its constructor has run");
}

#[test]
fn files_that_are_no_library() {
    let folder = tempfile::tempdir().unwrap();
    private(folder.path());
    let good = std::fs::read(cpu_library()).unwrap();
    let write = |name: &str, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).unwrap();
        private(&path);
        path
    };
    let elf = |path: &Path| match refused(path) {
        LoadError::Elf(problem) => problem,
        other => panic!("{}: {other}", path.display()),
    };
    assert!(elf(&write("empty.so", b"")).contains("does not begin"));
    assert!(elf(&write("text.so", b"not a library\n")).contains("does not begin"));
    // Cut anywhere, a library is refused instead of killing the program when a missing page is touched.
    for part in [good.len() / 20, good.len() / 3, good.len() * 9 / 10] {
        elf(&write("cut.so", &good[..part]));
    }
    let mut foreign = good.clone();
    foreign[18..20].copy_from_slice(&[0xf3, 0x00]); // RISC-V
    assert!(elf(&write("foreign.so", &foreign)).contains("machine 243"));
    assert!(matches!(refused(&folder.path().join("absent.so")), LoadError::Io { .. }));
    let inner = folder.path().join("folder.so");
    std::fs::create_dir(&inner).unwrap();
    private(&inner);
    assert!(elf(&inner).contains("regular file"));
}
