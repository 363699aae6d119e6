//! Unknown libraries are opened in a child process: whatever they do there, this process says what it was.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::time::{Duration, Instant};

use interlock_core::loader::sealed::Image;
use interlock_core::loader::{LoadError, Loader, Prober, Trust};
use interlock_tests::places::{cpu_library, program};

use interlock_tests::shell::{build, misbehaving, private, throwing};

fn prober() -> Prober {
    Prober::new(program(), ["probe-backend-from-stdin"])
}

/// One that waits long enough for a library that does not hang, on a busy machine.
fn patient() -> Loader {
    Loader::default().with_prober(prober().within(Duration::from_secs(60)))
}

fn refused(loader: &Loader, library: &Path) -> LoadError {
    loader.load(library, Trust::Unsigned).map(|loaded| loaded.plugin.name().to_owned()).unwrap_err()
}

#[test]
fn code_that_ends_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let rows: [(&[&str], &str); 11] = [
        (&["AT_OPEN", "DO=exit(0)"], "ended the process (exit code 0) while the library was being opened"),
        (&["AT_OPEN", "DO=_exit(3)"], "ended the process (exit code 3) while the library was being opened"),
        (&["AT_OPEN", "DO=crash()"], "was killed by signal 11 (SIGSEGV) while the library was being opened"),
        (&["AT_ENTRY", "DO=abort()"], "was killed by signal 6 (SIGABRT) in its entry, interlock_get_api"),
        (&["AT_ENTRY", "DO=raise(SIGKILL)"], "was killed by signal 9 (SIGKILL) in its entry"),
        (&["AT_INFO", "DO=exit(7)"], "ended the process (exit code 7) in plugin_info"),
        (&["AT_PROBE", "DO=crash()"], "was killed by signal 11 (SIGSEGV) in plugin_probe"),
        (&["AT_DEVICES", "DO=__builtin_trap()"], "in device_info"),
        (&["AT_STRATEGIES", "DO=_exit(1)"], "ended the process (exit code 1) in strategy_count"),
        (&["AT_EXIT", "DO=crash()"], "was killed by signal 11 (SIGSEGV) while the process was ending"),
        (&["AT_EXIT", "DO=_exit(4)"], "ended the process (exit code 4) while the process was ending"),
    ];
    for (i, (definitions, says)) in rows.into_iter().enumerate() {
        let library = misbehaving(folder.path(), &format!("lib{i}.so"), definitions);
        let error = refused(&patient(), &library);
        assert!(matches!(error, LoadError::Misbehaved { printed: None, .. }), "{definitions:?}: {error}");
        let said = error.to_string();
        assert!(said.starts_with("its code ") && said.contains(says), "{definitions:?}: {said}");
    }
}

#[test]
fn an_exception_that_leaves_its_language() {
    let folder = tempfile::tempdir().unwrap();
    for (place, says) in
        [("AT_OPEN", "was being opened"), ("AT_ENTRY", "in its entry"), ("AT_PROBE", "in plugin_probe")]
    {
        let library = throwing(folder.path(), &format!("lib{place}.so"), &[place, "DO=throw_something()"]);
        let error = refused(&patient(), &library).to_string();
        assert!(error.contains("signal 6 (SIGABRT)") && error.contains(says), "{place}: {error}");
        // Of the exception, or of the frame that it did not pass.
        assert!(error.contains("; it printed: "), "{place}: {error}");
    }
}

#[test]
fn code_that_does_not_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let short = Loader::default().with_prober(prober().within(Duration::from_millis(1500)));
    for (place, says) in [
        ("AT_OPEN", "while the library was being opened"),
        ("AT_PROBE", "in plugin_probe"),
        ("AT_EXIT", "while the process was ending"),
    ] {
        let library = misbehaving(folder.path(), &format!("lib{place}.so"), &[place, "DO=hang()"]);
        let error = refused(&short, &library).to_string();
        assert_eq!(error, format!("its code did not answer within 1.5 s {says}"));
    }
    let library = misbehaving(folder.path(), "libflood.so", &["AT_ENTRY", "DO=flood()"]);
    let error = refused(&short, &library).to_string();
    let says =
        "did not answer within 1.5 s in its entry, interlock_get_api; it printed: water | water | water";
    assert!(error.ends_with(says), "{error}");
}

#[test]
fn what_it_prints_is_shown_short_and_harmless() {
    let folder = tempfile::tempdir().unwrap();
    let say = r#"DO=say(1,"to\tout\n");say(2,"\033[2J\033]0;evil\007error:\r\n\n\302\233x\n");_exit(2)"#;
    let error = refused(&patient(), &misbehaving(folder.path(), "libevil.so", &["AT_OPEN", say])).to_string();
    let says = "; it printed: to out | [2J ]0;evil error: | x";
    assert!(error.ends_with(says) && !error.contains(char::is_control), "{error:?}");
    let long = "DO=count_digits()";
    let error =
        refused(&patient(), &misbehaving(folder.path(), "liblong.so", &["AT_OPEN", long])).to_string();
    assert!(error.len() < 500 && error.contains("…") && error.ends_with("0123456789"), "{error}");
}

#[test]
fn the_child_has_limits_and_leaves_nobody_behind() {
    let folder = tempfile::tempdir().unwrap();
    let library = misbehaving(folder.path(), "liblimits.so", &["AT_OPEN", "DO=tell_limits()"]);
    let LoadError::Misbehaved { printed: Some(told), .. } = refused(&patient(), &library) else {
        panic!("it prints its limits")
    };
    let words: Vec<&str> = told.split(' ').collect();
    assert!(matches!(words.as_slice(), ["core", "0", "data", _, "group", "1"]), "{told}");
    assert!(words[3].parse::<u64>().unwrap() < 1 << 50, "no limit: {told}");

    let library = misbehaving(folder.path(), "libleave.so", &["AT_PROBE", "DO=leave_one_behind()"]);
    let error = refused(&patient(), &library);
    let LoadError::Misbehaved { printed: Some(told), .. } = &error else { panic!("{error}") };
    let pid = told.strip_prefix("left ").unwrap();
    // Killed with its group, which takes the system a moment; nobody may have taken its status yet.
    let lives = || {
        let left = std::fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        !left.is_empty() && !left.contains(") Z ")
    };
    let begin = Instant::now();
    while lives() {
        assert!(begin.elapsed() < Duration::from_secs(60), "{pid} is still there");
        std::thread::sleep(Duration::from_millis(5));
    }
}

#[test]
fn what_says_itself_that_it_does_not_fit_is_refused_with_its_reason() {
    let folder = tempfile::tempdir().unwrap();
    for (i, (fault, says)) in [
        ("FAULT_NULL", "refuses this host (its entry returned NULL)"),
        ("FAULT_VERSION", "ABI 0.3"),
        ("TABLE_SIZE=64", "struct_size is 64"),
        ("FAULT_MISSING_FUNCTION", "mandatory function msm"),
        ("NAME=\"No\\nSuch\"", "lower-case letters"),
        ("FAULT_UNDEFINED_SYMBOL", "interlock_no_such_function"),
    ]
    .into_iter()
    .enumerate()
    {
        let error = refused(&patient(), &build(folder.path(), &format!("lib{i}.so"), &[fault]));
        let said = error.to_string();
        assert!(matches!(error, LoadError::Unacceptable(_)) && said.contains(says), "{fault}: {said}");
        assert!(!said.contains(char::is_control), "{said:?}");
    }
}

#[test]
fn good_libraries_load_through_either_door() {
    let folder = tempfile::tempdir().unwrap();
    let loaded =
        patient().load(&misbehaving(folder.path(), "libgood.so", &["NAME=\"good\""]), Trust::Unsigned);
    assert_eq!(loaded.unwrap().plugin.name(), "good");
    assert_eq!(patient().load(&cpu_library(), Trust::Unsigned).unwrap().plugin.name(), "cpu");
}

#[test]
fn a_program_that_is_no_prober_is_not_taken_for_one() {
    let folder = tempfile::tempdir().unwrap();
    let library = misbehaving(folder.path(), "libany.so", &["NAME=\"any\""]);
    for (program, arguments, says) in [
        ("/absent/program", &[][..], "/absent/program: No such file"),
        ("/bin/true", &[], "exit code 0 before it began"),
        ("/bin/sh", &["-c", "echo too bad >&2; exit 4"], "exit code 4 before it began: too bad"),
        ("/bin/echo", &["well"], "exit code 0 before it began"),
        ("/bin/echo", &["all is well"], "does not speak as a prober"),
    ] {
        let loader = Loader::default().with_prober(Prober::new(program, arguments));
        let error = refused(&loader, &library);
        assert!(matches!(error, LoadError::Prober { .. }) && error.to_string().contains(says), "{error}");
    }
}

/// How often a library that was built with `TRACE` was opened.
fn openings(trace: &Path) -> usize {
    std::fs::read_to_string(trace).map_or(0, |text| text.lines().count())
}

#[test]
fn what_went_well_is_remembered_and_nothing_else() {
    let folder = tempfile::tempdir().unwrap();
    let cache = folder.path().join("cache/plugins");
    let prober = prober().within(Duration::from_secs(60)).remembering_in(&cache);
    let build = |name: &str, definitions: &[&str]| {
        let trace = folder.path().join(format!("{name}.trace"));
        let definition = format!("TRACE=\"{}\"", trace.display());
        let definitions: Vec<&str> = definitions.iter().copied().chain([&*definition]).collect();
        (misbehaving(folder.path(), &format!("lib{name}.so"), &definitions), trace)
    };
    let (library, trace) = build("well", &[]);
    let image = Image::copy(&library).unwrap();
    // The sealed bytes are opened, not what lies in their place by now.
    std::fs::write(&library, "no library any more").unwrap();
    for _ in 0..3 {
        prober.probe(&image).unwrap();
    }
    assert_eq!(openings(&trace), 1);
    let files: Vec<_> = std::fs::read_dir(&cache).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert_eq!(files.len(), 1, "{files:?}");
    let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!((mode(&cache), mode(&files[0])), (0o700, 0o600));
    // Who else may write there may have said so.
    for (i, (path, bad)) in [(&cache, 0o770), (&files[0], 0o620), (&cache, 0o707)].into_iter().enumerate() {
        std::fs::set_permissions(path, Permissions::from_mode(bad)).unwrap();
        prober.probe(&image).unwrap();
        assert_eq!(openings(&trace), 2 + i, "{} with mode {bad:o}", path.display());
        // The file was written again, the folder is as it was.
        std::fs::set_permissions(&cache, Permissions::from_mode(0o700)).unwrap();
    }
    prober.probe(&image).unwrap();
    assert_eq!(openings(&trace), 4);

    for (name, definitions) in [
        ("bad", &["AT_PROBE", "DO=_exit(0)"][..]),
        ("null", &["FAULT_NULL"]),
        ("many", &["FAULT_MANY_DEVICES"]),
    ] {
        let (library, trace) = build(name, definitions);
        let image = Image::copy(&library).unwrap();
        for _ in 0..2 {
            // Devices beyond counting are this machine's matter, so the plugin itself may say so again.
            assert_eq!(prober.probe(&image).is_ok(), name == "many");
        }
        assert_eq!(openings(&trace), 2, "{name}");
    }
    assert_eq!(std::fs::read_dir(&cache).unwrap().count(), 1);

    // A cache that cannot be written costs time alone.
    let file = folder.path().join("file");
    std::fs::write(&file, "").unwrap();
    private(&file);
    prober.clone().remembering_in(file.join("plugins")).probe(&image).unwrap();
    assert_eq!(openings(&trace), 5);
}

#[test]
fn many_at_once_agree() {
    let folder = tempfile::tempdir().unwrap();
    let library = misbehaving(folder.path(), "libmany.so", &["NAME=\"many-at-once\""]);
    let prober = prober().within(Duration::from_secs(60)).remembering_in(folder.path().join("cache"));
    let loader = Loader::default().with_prober(prober);
    let plugins: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> =
            (0..8).map(|_| scope.spawn(|| loader.load(&library, Trust::Unsigned))).collect();
        threads.into_iter().map(|thread| thread.join().unwrap().unwrap().plugin).collect()
    });
    assert!(plugins.iter().all(|plugin| std::sync::Arc::ptr_eq(plugin, &plugins[0])));
}
