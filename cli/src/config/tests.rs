use clap::Parser as _;

use super::*;
use crate::args::{Cli, Command};

fn args(words: &[&str]) -> crate::args::ProveArgs {
    let files = ["interlock", "prove", "k", "w", "p", "q"];
    match Cli::try_parse_from(files.iter().chain(words)).unwrap().command {
        Command::Prove(args) => args,
        other => panic!("{other:?}"),
    }
}

const FULL: &str = r#"
    backend = "cuda,cpu"
    backend_dirs = ["/opt/a", "/opt/b"]
    device = 3
    memory_limit = "2GiB"
    threads = 4
    self_check = false
    check_key = "never"
    allow_unsigned = true
    progress = "ndjson"
    interlock = "narrow"
    gpu_workers_per_device = 3
    partition_workers = 5
    max_staged = 2
"#;

#[test]
fn defaults_then_file_then_flags() {
    let (none, file) = (Config::default(), file::parse(FULL).unwrap());
    let plain = args(&[]);

    let settings = none.backend(&plain.backend, &plain.threads);
    assert_eq!(settings.list, BackendList::auto());
    assert_eq!(settings.trust, Trust::Manifest);
    assert_eq!(
        (settings.device.index, settings.device.memory_limit, settings.device.threads),
        (0, None, None)
    );
    assert_eq!(none.check_key(&plain.check), CheckKey::Once);
    assert!(none.self_check(None) && settings.search.extra.is_empty());
    assert_eq!(none.progress(None), ProgressMode::Auto);

    let settings = file.backend(&plain.backend, &plain.threads);
    assert_eq!(settings.list, "cuda,cpu".parse().unwrap());
    assert_eq!(settings.trust, Trust::Unsigned);
    let device = settings.device;
    assert_eq!((device.index, device.memory_limit, device.threads), (3, Some(2 << 30), Some(4)));
    assert_eq!(settings.search.extra, ["/opt/a", "/opt/b"].map(PathBuf::from));
    assert!(!file.self_check(None));
    assert_eq!(file.check_key(&plain.check), CheckKey::Never);
    assert_eq!(file.progress(None), ProgressMode::Ndjson);

    let words = [
        "--backend=cpu",
        "--backend-dir=/x",
        "--device=1",
        "--memory-limit=1GiB",
        "--threads=2",
        "--no-self-check=false",
        "--check-key=always",
        "--allow-unsigned=false",
        "--progress=none",
    ];
    let said = args(&words);
    let settings = file.backend(&said.backend, &said.threads);
    assert_eq!(settings.list, "cpu".parse().unwrap());
    assert_eq!(settings.trust, Trust::Manifest);
    let device = settings.device;
    assert_eq!((device.index, device.memory_limit, device.threads), (1, Some(1 << 30), Some(2)));
    assert_eq!(settings.search.extra, [PathBuf::from("/x")]);
    assert!(file.self_check(said.proving.no_self_check));
    assert_eq!(file.check_key(&said.check), CheckKey::Always);
    assert_eq!(file.progress(said.progress), ProgressMode::None);
}

#[test]
fn unknown_keys_and_bad_values_are_named() {
    for (text, says) in [
        ("bakend = \"cpu\"", "bakend: unknown key"),
        ("[backend]\nname = \"cpu\"", "backend: must be a string"),
        ("backend = \"cpu,\"", "backend: \"cpu,\" has an empty entry"),
        ("backend = \"cpu, evil.so\"", "backend: \"evil.so\" is not an absolute path"),
        ("backend = \"./evil\"", "backend: \"./evil\" is not an absolute path"),
        ("backend_dirs = \"/x\"", "backend_dirs: must be a list"),
        ("backend_dirs = [\"x\"]", "backend_dirs: \"x\" is not an absolute path"),
        ("device = -1", "device: must be"),
        ("memory_limit = \"lots\"", "memory_limit: \"lots\" is not a size"),
        ("memory_limit = 0", "memory_limit: a limit of 0"),
        ("threads = 0", "threads: \"0\" is not"),
        ("threads = \"4\"", "threads: must be a whole number"),
        ("self_check = 1", "self_check: must be true or false"),
        ("check_key = \"sometimes\"", "check_key: "),
        ("progress = \"loud\"", "progress: "),
        ("self_check = ", "not TOML"),
    ] {
        let problem = file::parse(text).unwrap_err();
        assert!(problem.starts_with(says), "{text}: {problem}");
    }
    assert_eq!(file::parse("").unwrap(), Config::default());
}

#[test]
fn a_named_file_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.toml");
    let common = CommonArgs { config: Some(path.clone()), quiet: false, verbose: 0, help: None };
    let error = Config::load(&common).unwrap_err();
    assert!(error.to_string().contains("c.toml"), "{error}");
    std::fs::write(&path, "thread = 1").unwrap();
    let text = Config::load(&common).unwrap_err().to_string();
    assert!(text.contains("c.toml") && text.contains("thread: unknown key"), "{text}");
    std::fs::write(&path, vec![b'#'; 1 << 20]).unwrap();
    let named = |path: &Path| Config { path: Some(path.to_owned()), ..Config::default() };
    assert_eq!(Config::load(&common).unwrap(), named(&path));
    std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    let text = Config::load(&common).unwrap_err().to_string();
    assert!(text.contains("1048577 bytes are too many"), "{text}");
    std::fs::write(&path, "threads = 1").unwrap();
    assert_eq!(Config::load(&common).unwrap().threads, Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_regular_file_or_dev_null_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let load = |path: &Path| {
        Config::load(&CommonArgs { config: Some(path.into()), quiet: false, verbose: 0, help: None })
    };
    for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
        let text = load(path).unwrap_err().to_string();
        assert!(text.ends_with("it is not a regular file"), "{text}");
    }
    let nothing = Path::new("/dev/null");
    assert_eq!(load(nothing).unwrap(), Config { path: Some(nothing.to_owned()), ..Config::default() });
}
