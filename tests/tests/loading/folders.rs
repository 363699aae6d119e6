//! The search, manifests, installation and selection.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use interlock_core::loader::{LoadError, Registry, SearchOptions, Status, Trust, install, load};
use interlock_tests::linked;
use interlock_tests::places::cpu_library;

use interlock_tests::shell::{build, private};

/// A search that looks at these folders and nothing of this machine's.
fn search(folders: &[&Path]) -> SearchOptions {
    SearchOptions {
        extra: folders.iter().map(|folder| folder.to_path_buf()).collect(),
        ..SearchOptions::default()
    }
}

fn reason(registry: &Registry, file: &str) -> String {
    let candidate = registry
        .candidates()
        .iter()
        .find(|candidate| candidate.path.as_ref().is_some_and(|path| path.ends_with(file)))
        .unwrap_or_else(|| panic!("{file} was not looked at"));
    match &candidate.status {
        Status::Refused(error) => error.to_string(),
        other => panic!("{file}: {other:?}"),
    }
}

#[test]
fn an_installed_backend_is_found_by_name_and_comes_before_the_embedded_one() {
    let (source, folder) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    private(folder.path());
    let shell = build(source.path(), "libshell.so", &["NAME=\"installed-shell\""]);
    install(&shell, folder.path()).unwrap();
    install(&cpu_library(), folder.path()).unwrap();

    let mut registry = Registry::discover(&search(&[folder.path()]), &[linked()]);
    let found = |registry: &Registry| {
        registry.candidates().iter().filter(|c| matches!(c.status, Status::Found(_))).count()
    };
    assert_eq!(found(&registry), 2, "a search reads manifests and loads nothing");

    let (selected, skipped) = registry.select(&"installed-shell".parse().unwrap(), Trust::Manifest).unwrap();
    assert_eq!((selected.len(), selected[0].plugin.name(), skipped.len()), (1, "installed-shell", 0));
    assert_eq!(found(&registry), 1, "only the named one was loaded");

    let (selected, _) = registry.select(&"cpu".parse().unwrap(), Trust::Manifest).unwrap();
    assert!(selected[0].plugin.origin().to_string().ends_with("libinterlock_cpu.so"));
    let (selected, _) = registry.select(&"embedded".parse().unwrap(), Trust::Manifest).unwrap();
    assert_eq!(
        selected[0].plugin.origin().to_string(),
        "embedded",
        "hidden from its name, not from this one"
    );
    let embedded = registry.candidates().last().unwrap();
    assert!(matches!(&embedded.status, Status::Shadowed { .. }) && embedded.name.as_deref() == Some("cpu"));

    let (selected, _) = registry.select(&"auto".parse().unwrap(), Trust::Manifest).unwrap();
    let names: Vec<_> = selected.iter().map(|selected| selected.plugin.name()).collect();
    assert_eq!(names, ["cpu", "installed-shell"], "the better score first");
}

#[test]
fn a_damaged_backend_hides_the_embedded_one_from_its_name_but_not_from_auto() {
    let folder = tempfile::tempdir().unwrap();
    private(folder.path());
    let installed = install(&cpu_library(), folder.path()).unwrap();
    let mut bytes = std::fs::read(&installed.library).unwrap();
    bytes.push(0);
    std::fs::write(&installed.library, bytes).unwrap();
    let mut registry = Registry::discover(&search(&[folder.path()]), &[linked()]);
    for _ in 0..2 {
        let error = registry.select(&"cpu".parse().unwrap(), Trust::Manifest).unwrap_err().to_string();
        assert!(error.contains("cpu: the library's SHA-256"), "{error}");
    }
    let (selected, skipped) = registry.select(&"auto".parse().unwrap(), Trust::Manifest).unwrap();
    assert_eq!(selected[0].plugin.origin().to_string(), "embedded");
    assert!(skipped.len() == 1 && skipped[0].contains("replaced or damaged"), "{skipped:?}");
}

#[test]
fn lists_fall_back_aloud_and_single_names_do_not() {
    let mut registry = Registry::discover(&search(&[]), &[linked()]);
    let (selected, skipped) = registry.select(&"cuda,cpu".parse().unwrap(), Trust::Manifest).unwrap();
    assert_eq!(selected[0].plugin.name(), "cpu");
    assert_eq!(skipped, ["cuda: no backend of this name was found"]);

    let folder = tempfile::tempdir().unwrap();
    let absent = folder.path().join("absent");
    let mut registry = Registry::discover(&search(&[&absent]), &[linked()]);
    let (_, skipped) = registry.select(&"cpu".parse().unwrap(), Trust::Manifest).unwrap();
    assert!(skipped[0].contains("does not exist"), "a folder that the user named is missed: {skipped:?}");
    let error = registry.select(&"cuda".parse().unwrap(), Trust::Manifest).unwrap_err().to_string();
    for part in
        ["cuda: no backend of this name", "absent (--backend-dir): does not exist", "embedded: backend cpu"]
    {
        assert!(error.contains(part), "{part} is not in: {error}");
    }
}

#[test]
fn what_has_no_good_manifest_is_refused_with_the_reason() {
    let folder = tempfile::tempdir().unwrap();
    private(folder.path());
    let library = build(folder.path(), "libbare.so", &[]);
    assert!(matches!(load(&library, Trust::Manifest), Err(LoadError::Unsigned { .. })));
    for name in ["libtampered.so", "libother.so", "libabi.so", "libnewer.so", "libbroken.so"] {
        let source = tempfile::tempdir().unwrap();
        let library = build(source.path(), name, &[&format!("NAME=\"{}\"", &name[3..name.len() - 3])]);
        install(&library, folder.path()).unwrap();
    }
    let edit = |name: &str, from: &str, to: &str| {
        let path = folder.path().join(name);
        let text = std::fs::read_to_string(&path).unwrap();
        assert!(text.contains(from), "{text}");
        std::fs::write(&path, text.replace(from, to)).unwrap();
    };
    let tampered = folder.path().join("libtampered.so");
    let mut bytes = std::fs::read(&tampered).unwrap();
    bytes.push(0);
    std::fs::write(&tampered, bytes).unwrap();
    edit("libother.toml", "\"other\"", "\"somebody-else\"");
    edit("libabi.toml", "abi_max = \"0.2\"", "abi_max = \"0.0\"");
    edit("libnewer.toml", "manifest = 1", "manifest = 2");
    edit("libbroken.toml", "sha256", "sha265");

    let mut registry = Registry::discover(&search(&[folder.path()]), &[]);
    registry.load_all();
    let rows = [
        ("libbare.so", "there is no manifest"),
        ("libtampered.so", "was replaced or damaged"),
        ("libother.so", "somebody-else"),
        ("libabi.so", "for ABI 0.2 to 0.0"),
        ("libnewer.so", "format 2"),
        ("libbroken.so", "sha265"),
    ];
    for (file, says) in rows {
        let error = reason(&registry, file);
        assert!(error.contains(says), "{file}: {error}");
    }
}

#[test]
fn what_others_may_write_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    private(folder.path());
    let source = tempfile::tempdir().unwrap();
    for name in ["libfile.so", "libtext.so"] {
        install(&build(source.path(), name, &[&format!("NAME=\"{}\"", &name[3..7])]), folder.path()).unwrap();
    }
    let mode = |path: &Path, mode| std::fs::set_permissions(path, Permissions::from_mode(mode)).unwrap();
    mode(&folder.path().join("libfile.so"), 0o757);
    mode(&folder.path().join("libtext.toml"), 0o666);
    let registry = Registry::discover(&search(&[folder.path()]), &[]);
    assert!(reason(&registry, "libfile.so").contains("everybody"));
    assert!(reason(&registry, "libtext.so").contains("libtext.toml"));

    let relative = SearchOptions { path_variable: Some("here".into()), ..SearchOptions::default() };
    let (_, skipped) =
        Registry::discover(&relative, &[linked()]).select(&"cpu".parse().unwrap(), Trust::Manifest).unwrap();
    assert!(skipped[0].contains("not absolute"), "{skipped:?}");

    mode(folder.path(), 0o777);
    let mut registry = Registry::discover(&search(&[folder.path()]), &[]);
    assert!(registry.candidates().is_empty(), "nothing in such a folder is looked at");
    let error = registry.select(&"file".parse().unwrap(), Trust::Manifest).unwrap_err().to_string();
    assert!(error.contains("refused") && error.contains("everybody"), "{error}");
}
