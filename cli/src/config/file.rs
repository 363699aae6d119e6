//! The configuration file's text.
//!
//! ```toml
//! backend = "cuda,cpu"
//! backend_dirs = ["/opt/interlock/backends"]
//! device = 0
//! memory_limit = "20GiB"
//! threads = 8
//! self_check = true
//! check_key = "once"
//! allow_unsigned = false
//! progress = "auto"
//! interlock = "ledger"
//! workers_per_device = 2
//! partition_workers = 1
//! max_staged = 1
//!
//! [plugins]
//! require = "signature"
//! keys = ["RW…"]
//! allow = ["sha256:…", "key:RW…"]
//! ```

use std::path::PathBuf;

use clap::ValueEnum as _;
use toml::{Table, Value};

use super::{Config, plugins};
use crate::args::{BackendList, CheckKey, MemorySize, ProgressMode, thread_count, worker_count};

/// The table of a file.
pub(super) fn table(text: &str) -> Result<Table, String> {
    text.parse().map_err(|error: toml::de::Error| format!("not TOML: {}", error.message()))
}

/// Parses a file; the error names the key.
pub(super) fn parse(text: &str) -> Result<Config, String> {
    let table = table(text)?;
    if table.contains_key("workers_per_device") && table.contains_key("gpu_workers_per_device") {
        return Err(
            "workers_per_device: gpu_workers_per_device is another name of it: keep one of them".into()
        );
    }
    let mut config = Config::default();
    for (key, value) in &table {
        apply(&mut config, key, value).map_err(|problem| format!("{key}: {problem}"))?;
    }
    Ok(config)
}

fn apply(config: &mut Config, key: &str, value: &Value) -> Result<(), String> {
    match key {
        "backend" => {
            let list: BackendList = string(value)?.parse()?;
            list.only_absolute_files()?;
            config.backend = Some(list);
        }
        "backend_dirs" => config.backend_dirs = Some(folders(value)?),
        "device" => {
            let index = value.as_integer().and_then(|n| u32::try_from(n).ok());
            config.device = Some(index.ok_or("must be a device's number, from 0")?);
        }
        "memory_limit" => {
            let text = match value {
                Value::Integer(bytes) => bytes.to_string(),
                value => string(value)?.to_owned(),
            };
            config.memory_limit = Some(text.parse::<MemorySize>()?);
        }
        "threads" => {
            let number = value.as_integer().ok_or("must be a whole number")?;
            config.threads = Some(thread_count(&number.to_string())?);
        }
        "self_check" => config.self_check = Some(boolean(value)?),
        "check_key" => config.check_key = Some(CheckKey::from_str(string(value)?, false)?),
        "allow_unsigned" => config.allow_unsigned = Some(boolean(value)?),
        "progress" => config.progress = Some(ProgressMode::from_str(string(value)?, false)?),
        "interlock" => config.interlock = Some(string(value)?.to_owned()),
        "workers_per_device" | "gpu_workers_per_device" => config.workers_per_device = Some(workers(value)?),
        "partition_workers" => config.partition_workers = Some(workers(value)?),
        "max_staged" => config.max_staged = Some(workers(value)?),
        "plugins" => config.policies.push(plugins::policy(value)?),
        _ => {
            return Err("unknown key; the keys are backend, backend_dirs, device, memory_limit, threads, \
                        self_check, check_key, allow_unsigned, progress, interlock, workers_per_device, \
                        partition_workers, max_staged, plugins"
                .into());
        }
    }
    Ok(())
}

fn workers(value: &Value) -> Result<u32, String> {
    let number = value.as_integer().ok_or("must be a whole number")?;
    worker_count(&number.to_string())
}

fn string(value: &Value) -> Result<&str, String> {
    value.as_str().ok_or_else(|| "must be a string".into())
}

fn boolean(value: &Value) -> Result<bool, String> {
    value.as_bool().ok_or_else(|| "must be true or false".into())
}

fn folders(value: &Value) -> Result<Vec<PathBuf>, String> {
    let list = value.as_array().ok_or("must be a list of folders")?;
    list.iter()
        .map(|folder| {
            let path = PathBuf::from(string(folder)?);
            // A relative one would mean another folder each time, and code is loaded from there.
            if path.is_absolute() { Ok(path) } else { Err(format!("{path:?} is not an absolute path")) }
        })
        .collect()
}
