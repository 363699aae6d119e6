//! What flag, environment, configuration file and default add up to, in this order of precedence.
//!
//! `clap` resolves the first two; the methods of [`Config`] add the file and the default.

mod file;
mod plugins;
mod variables;

use std::fs::{Metadata, OpenOptions};
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::time::Duration;

use interlock_core::backend::DeviceOptions;
use interlock_core::loader::{Loader, Policy, SearchOptions, Trust};

use crate::args::{
    BackendArgs, BackendList, CheckKey, CheckKeyArgs, CommonArgs, EngineArgs, MemorySize, ProgressMode,
    SearchArgs, ThreadArgs, WorkersArgs,
};
use crate::errors::BadConfig;

pub(crate) use variables::unknown as unknown_variables;

/// Larger files are no configuration.
const MOST_BYTES: u64 = 1 << 20;

/// A configuration file's values; `None` where it says nothing.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Config {
    /// The file that was read.
    path: Option<PathBuf>,
    backend: Option<BackendList>,
    backend_dirs: Option<Vec<PathBuf>>,
    device: Option<u32>,
    memory_limit: Option<MemorySize>,
    threads: Option<u32>,
    self_check: Option<bool>,
    check_key: Option<CheckKey>,
    allow_unsigned: Option<bool>,
    progress: Option<ProgressMode>,
    interlock: Option<String>,
    workers_per_device: Option<u32>,
    partition_workers: Option<u32>,
    max_staged: Option<u32>,
    /// What each of the files says of backends.
    policies: Vec<Policy>,
    /// `--probe-timeout`.
    probe_timeout: Option<Duration>,
}

/// Where configurations are.
#[derive(Clone, Debug, Default)]
struct Places {
    /// The machine's.
    system: Option<PathBuf>,
    /// The user's.
    own: Option<PathBuf>,
}

/// Which backend, and how it is opened.
#[derive(Clone, Debug)]
pub(crate) struct BackendSettings {
    /// Which.
    pub(crate) list: BackendList,
    /// Whether files without a manifest are accepted.
    pub(crate) trust: Trust,
    /// Where backends are looked for.
    pub(crate) search: SearchOptions,
    /// What loads them.
    pub(crate) loader: Loader,
    /// How devices are opened.
    pub(crate) device: DeviceOptions,
}

/// How many proofs are at work at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Workers {
    /// On a device, in any of the four phases.
    pub(crate) per_device: u32,
    /// Whose witnesses are being made.
    pub(crate) partition: u32,
    /// Staged ahead of the one that computes.
    pub(crate) max_staged: u32,
}

impl Default for Workers {
    fn default() -> Self {
        Self { per_device: 2, partition: 1, max_staged: 1 }
    }
}

impl Config {
    /// Reads the file that was named, else the default one if it is there. What the machine's file and the default one say
    /// of backends holds in any case.
    ///
    /// # Errors
    /// It cannot be read, has an unknown key or a bad value, or the named one does not exist.
    pub(crate) fn load(common: &CommonArgs) -> Result<Self, BadConfig> {
        let places = Places { system: Some(plugins::SYSTEM.into()), own: default_path() };
        Self::load_from(common, &places)
    }

    fn load_from(common: &CommonArgs, places: &Places) -> Result<Self, BadConfig> {
        let own = places.own.as_deref();
        let mut config = match (&common.config, own) {
            (Some(path), _) => Self::read(path)?,
            (None, Some(path)) if path.exists() => Self::read(path)?,
            _ => Self::default(),
        };
        if let Some(path) = places.system.as_deref() {
            config.policies.extend(plugins::of_system(path)?);
        }
        if let Some(path) = own.filter(|_| common.config.is_some()) {
            config.policies.extend(plugins::of_own_file(path)?);
        }
        Ok(Self { probe_timeout: common.probe_timeout, ..config })
    }

    fn read(path: &Path) -> Result<Self, BadConfig> {
        let mut config = read_text(path)
            .and_then(|text| file::parse(&text))
            .map_err(|problem| BadConfig { path: path.to_owned(), problem })?;
        for policy in &mut config.policies {
            policy.place = Some(path.to_owned());
        }
        Ok(Self { path: Some(path.to_owned()), ..config })
    }

    /// The file that was read.
    pub(crate) fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// `--threads`; `None` leaves it to each pool's default, one per physical core.
    pub(crate) fn threads(&self, args: &ThreadArgs) -> Option<u32> {
        args.threads.or(self.threads)
    }

    /// Where backends are looked for. Folders on the command line replace the file's.
    pub(crate) fn search(&self, args: &SearchArgs) -> SearchOptions {
        let folders = if args.backend_dir.is_empty() {
            self.backend_dirs.clone().unwrap_or_default()
        } else {
            args.backend_dir.clone()
        };
        SearchOptions::from_environment(folders)
    }

    /// What loads backends.
    pub(crate) fn loader(&self) -> Loader {
        crate::trust::loader(&self.policies, self.probe_timeout)
    }

    /// The same for a process that is itself the child in which an unknown backend's code runs.
    pub(crate) fn loader_in_child(&self) -> Loader {
        self.policies.iter().cloned().fold(Loader::default(), Loader::with_policy)
    }

    /// Which backend, and how it is opened.
    pub(crate) fn backend(&self, args: &BackendArgs, threads: &ThreadArgs) -> BackendSettings {
        BackendSettings {
            list: args.backend.clone().or_else(|| self.backend.clone()).unwrap_or_else(BackendList::auto),
            trust: self.trust(args.opening.allow_unsigned),
            search: self.search(&args.opening.search),
            loader: self.loader(),
            device: DeviceOptions {
                index: args.opening.device.or(self.device).unwrap_or(0),
                memory_limit: args.memory_limit.or(self.memory_limit).map(|limit| limit.0),
                threads: self.threads(threads),
            },
        }
    }

    /// Whether files without a manifest are accepted.
    pub(crate) fn trust(&self, allow_unsigned: Option<bool>) -> Trust {
        let unsigned = allow_unsigned.or(self.allow_unsigned).unwrap_or(false);
        if unsigned { Trust::Unsigned } else { Trust::Manifest }
    }

    /// Which device, as the file has it.
    pub(crate) fn device(&self) -> Option<u32> {
        self.device
    }

    /// Whether proofs are verified before they are written.
    pub(crate) fn self_check(&self, no_self_check: Option<bool>) -> bool {
        no_self_check.map(|no| !no).or(self.self_check).unwrap_or(true)
    }

    /// When a key's bases are checked.
    pub(crate) fn check_key(&self, args: &CheckKeyArgs) -> CheckKey {
        args.check_key.or(self.check_key).unwrap_or(CheckKey::Once)
    }

    /// The interlock strategy; none leaves it to the backend.
    pub(crate) fn interlock(&self, args: &EngineArgs) -> Option<String> {
        args.interlock.clone().or_else(|| self.interlock.clone())
    }

    /// How many proofs are at work at once.
    pub(crate) fn workers(&self, args: &WorkersArgs) -> Workers {
        let fallback = Workers::default();
        Workers {
            per_device: args.workers_per_device.or(self.workers_per_device).unwrap_or(fallback.per_device),
            partition: args.partition_workers.or(self.partition_workers).unwrap_or(fallback.partition),
            max_staged: args.max_staged.or(self.max_staged).unwrap_or(fallback.max_staged),
        }
    }

    /// How progress is shown.
    pub(crate) fn progress(&self, flag: Option<ProgressMode>) -> ProgressMode {
        flag.or(self.progress).unwrap_or(ProgressMode::Auto)
    }
}

/// The text of a file that is not too large, or none for `/dev/null`. Other things are not even opened: a pipe would make
/// the program wait, and a device may have no end.
fn read_text(path: &Path) -> Result<String, String> {
    let said = |error: std::io::Error| error.to_string();
    let check = |metadata: &Metadata| match metadata.len() {
        _ if !metadata.is_file() => Err("it is not a regular file".to_owned()),
        bytes if bytes > MOST_BYTES => {
            Err(format!("{bytes} bytes are too many: at most {MOST_BYTES} are read"))
        }
        _ => Ok(()),
    };
    if path == Path::new("/dev/null") {
        return Ok(String::new());
    }
    check(&std::fs::metadata(path).map_err(said)?)?;
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt;
        // It may be another thing by now, for which opening must not wait either.
        options.custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    }
    let file = options.open(path).map_err(said)?;
    check(&file.metadata().map_err(said)?)?;
    let mut text = String::new();
    // It may grow, too.
    file.take(MOST_BYTES).read_to_string(&mut text).map_err(said)?;
    Ok(text)
}

/// `$XDG_CONFIG_HOME/interlock/config.toml`, else `~/.config/interlock/config.toml`. Relative folders are ignored, as the
/// XDG specification says; so are both when the program has more rights than its caller, who would choose them.
fn default_path() -> Option<PathBuf> {
    if SearchOptions::from_environment(Vec::new()).elevated {
        return None;
    }
    let absolute = |name: &str| std::env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
    let folder = absolute("XDG_CONFIG_HOME").or_else(|| Some(absolute("HOME")?.join(".config")))?;
    Some(folder.join("interlock/config.toml"))
}

#[cfg(test)]
mod tests;
