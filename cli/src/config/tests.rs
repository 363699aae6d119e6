use clap::Parser as _;
use interlock_core::loader::{Allowed, Require, VendorKey};

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
        ("memory_limit = -1", "memory_limit: "),
        (
            "workers_per_device = 2\ngpu_workers_per_device = 2",
            "workers_per_device: gpu_workers_per_device is another name",
        ),
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

fn common(config: &Path) -> CommonArgs {
    CommonArgs { config: Some(config.into()), probe_timeout: None, quiet: false, verbose: 0, help: None }
}

const KEY: &str = "RWQf6LRCGA9i53mlYecO4IzT51TGPpvWucNSCh1CBM0QTaLn73Y7GFO3";

#[test]
fn what_the_table_of_plugins_says() {
    let policy = |text: &str| {
        let mut config = file::parse(text)?;
        Ok::<_, String>(config.policies.pop())
    };
    assert_eq!(policy("").unwrap(), None);
    assert_eq!(policy("[plugins]").unwrap(), Some(Policy::default()));
    let text = format!(
        "[plugins]\nrequire = \"signature\"\nkeys = [\"{KEY}\"]\nallow = [\"sha256:{}\", \"key:{KEY}\"]",
        "0f".repeat(32)
    );
    let found = policy(&text).unwrap().unwrap();
    let key: VendorKey = KEY.parse().unwrap();
    assert_eq!((found.require, &found.keys), (Require::Signature, &vec![key.clone()]));
    assert_eq!(found.allow, Some(vec![Allowed::Sha256([0x0f; 32]), Allowed::Key(key)]));
    for (text, says) in [
        ("plugins = 1", "plugins: must be a table"),
        ("[plugins]\nallowed = []", "plugins: allowed: unknown key; the keys are"),
        ("[plugins]\nrequire = 1", "plugins: require: must be a string"),
        ("[plugins]\nrequire = \"both\"", "plugins: require: \"both\" is neither"),
        ("[plugins]\nrequire = \"signature\"", "plugins: require: \"signature\" without `keys`"),
        ("[plugins]\nkeys = \"RW\"", "plugins: keys: must be a list"),
        ("[plugins]\nkeys = [\"RW\"]", "plugins: keys: \"RW\" is not a minisign public key"),
        ("[plugins]\nallow = [1]", "plugins: allow: must be a list of strings"),
        ("[plugins]\nallow = [\"*\"]", "plugins: allow: \"*\" is neither"),
        ("[plugins]\nallow = [\"sha256:12\"]", "plugins: allow: \"sha256:12\" is not sha256: and 64"),
    ] {
        let problem = policy(text).unwrap_err();
        assert!(problem.starts_with(says), "{text}: {problem}");
    }
}

#[test]
fn the_policies_of_all_files_hold_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let at = |name: &str, text: &str| {
        let path = folder.path().join(name);
        std::fs::write(&path, text).unwrap();
        Some(path)
    };
    let absent = Some(folder.path().join("absent"));
    let own = at("own.toml", "threads = 1\n[plugins]\nallow = []");
    let system = at("system.toml", &format!("[plugins]\nkeys = [\"{KEY}\"]"));
    let named = at("named.toml", "threads = 2\n[plugins]\nrequire = \"manifest\"").unwrap();
    let places =
        |system: &Option<PathBuf>, own: &Option<PathBuf>| Places { system: system.clone(), own: own.clone() };
    let load = |named: Option<&Path>, places: &Places| {
        let config = CommonArgs { config: named.map(Path::to_owned), ..common("".as_ref()) };
        Config::load_from(&config, places).map(|config| {
            let places =
                config.policies.iter().map(|policy| policy.place.clone().unwrap()).collect::<Vec<_>>();
            (config.threads, places)
        })
    };
    let both = places(&system, &own);
    let [own_path, system_path] = [&own, &system].map(|path| path.clone().unwrap());
    assert_eq!(load(None, &both).unwrap(), (Some(1), vec![own_path.clone(), system_path.clone()]));
    // Whichever file is named, the other two hold.
    let all = vec![named.clone(), system_path.clone(), own_path.clone()];
    assert_eq!(load(Some(&named), &both).unwrap(), (Some(2), all));
    let nothing = Path::new("/dev/null");
    assert_eq!(load(Some(nothing), &both).unwrap(), (None, vec![system_path, own_path]));
    assert_eq!(load(Some(nothing), &places(&absent, &absent)).unwrap(), (None, vec![]));

    // Of the user's other file nothing else is read; and what cannot be read might restrict something.
    let odd = at("odd.toml", "no_such_key = 1");
    assert!(load(Some(nothing), &places(&absent, &odd)).is_ok());
    let text = load(None, &places(&odd, &absent)).unwrap_err().to_string();
    assert!(text.contains("odd.toml: no_such_key: only [plugins]"), "{text}");
    let broken = at("broken.toml", "[plugins]\nallow = 1");
    for places in [places(&broken, &absent), places(&absent, &broken)] {
        let text = load(Some(nothing), &places).unwrap_err().to_string();
        assert!(text.contains("broken.toml: plugins: allow: must be a list"), "{text}");
    }
}

#[test]
fn a_named_file_must_exist() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("c.toml");
    let common = common(&path);
    let load = |common: &CommonArgs| Config::load_from(common, &Places::default());
    let error = load(&common).unwrap_err();
    assert!(error.to_string().contains("c.toml"), "{error}");
    std::fs::write(&path, "thread = 1").unwrap();
    let text = load(&common).unwrap_err().to_string();
    assert!(text.contains("c.toml") && text.contains("thread: unknown key"), "{text}");
    std::fs::write(&path, vec![b'#'; 1 << 20]).unwrap();
    let named = |path: &Path| Config { path: Some(path.to_owned()), ..Config::default() };
    assert_eq!(load(&common).unwrap(), named(&path));
    std::fs::write(&path, vec![b'#'; (1 << 20) + 1]).unwrap();
    let text = load(&common).unwrap_err().to_string();
    assert!(text.contains("1048577 bytes are too many"), "{text}");
    std::fs::write(&path, "threads = 1").unwrap();
    assert_eq!(load(&common).unwrap().threads, Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn only_a_regular_file_or_dev_null_is_a_configuration() {
    let folder = tempfile::tempdir().unwrap();
    let pipe = folder.path().join("pipe");
    let mode = rustix::fs::Mode::RUSR | rustix::fs::Mode::WUSR;
    rustix::fs::mknodat(rustix::fs::CWD, &pipe, rustix::fs::FileType::Fifo, mode, 0).unwrap();
    let load = |path: &Path| Config::load_from(&common(path), &Places::default());
    for path in [pipe.as_path(), Path::new("/dev/zero"), folder.path()] {
        let text = load(path).unwrap_err().to_string();
        assert!(text.ends_with("it is not a regular file"), "{text}");
    }
    let nothing = Path::new("/dev/null");
    assert_eq!(load(nothing).unwrap(), Config { path: Some(nothing.to_owned()), ..Config::default() });
}
