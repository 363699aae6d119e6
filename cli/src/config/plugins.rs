//! The table `[plugins]`: which backends are loaded.
//!
//! It holds whatever flags and variables say, and from three files at once: the system's, the user's, and the one that is
//! named instead of the user's. Each restricts; none loosens what another one says.

use std::path::{Path, PathBuf};
use std::str::FromStr;

use interlock_core::loader::{Policy, Require};
use toml::Value;

use super::{file, read_text};
use crate::errors::BadConfig;

/// The file of the machine's administrator, of which `[plugins]` alone is read.
pub(super) const SYSTEM: &str = "/etc/interlock/config.toml";

/// Reads the value of `plugins`; the error names the key in it.
pub(super) fn policy(value: &Value) -> Result<Policy, String> {
    let table = value.as_table().ok_or("must be a table: [plugins]")?;
    let mut policy = Policy::default();
    for (key, value) in table {
        let outcome = match key.as_str() {
            "require" => value
                .as_str()
                .ok_or_else(|| "must be a string".to_owned())
                .and_then(str::parse)
                .map(|require| policy.require = require),
            "keys" => list(value).map(|keys| policy.keys = keys),
            "allow" => list(value).map(|allow| policy.allow = Some(allow)),
            _ => Err("unknown key; the keys are require, keys, allow".into()),
        };
        outcome.map_err(|problem| format!("{key}: {problem}"))?;
    }
    if policy.require == Require::Signature && policy.trusted().next().is_none() {
        return Err("require: \"signature\" without `keys` would refuse every backend".into());
    }
    Ok(policy)
}

fn list<T: FromStr<Err = String>>(value: &Value) -> Result<Vec<T>, String> {
    let list = value.as_array().ok_or("must be a list of strings")?;
    list.iter().map(|entry| entry.as_str().ok_or("must be a list of strings")?.parse()).collect()
}

/// The policy of the user's file when another one is named: its other keys are not looked at.
pub(super) fn of_own_file(path: &Path) -> Result<Option<Policy>, BadConfig> {
    read(path, true)
}

/// The policy of the system's file, which has nothing else in it.
pub(super) fn of_system(path: &Path) -> Result<Option<Policy>, BadConfig> {
    read(path, false)
}

fn read(path: &Path, others: bool) -> Result<Option<Policy>, BadConfig> {
    let bad = |problem: String| BadConfig { path: path.to_owned(), problem };
    // One that cannot be looked at might restrict something.
    if !path.try_exists().map_err(|error| bad(error.to_string()))? {
        return Ok(None);
    }
    let table = read_text(path).and_then(|text| file::table(&text)).map_err(bad)?;
    if let Some(key) = table.keys().find(|key| !others && *key != "plugins") {
        return Err(bad(format!("{key}: only [plugins] has a meaning in this file")));
    }
    let policy = table.get("plugins").map(policy).transpose();
    let policy = policy.map_err(|problem| bad(format!("plugins: {problem}")))?;
    Ok(policy.map(|policy| Policy { place: Some(PathBuf::from(path)), ..policy }))
}
