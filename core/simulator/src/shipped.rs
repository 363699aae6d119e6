//! Machines and scenarios that come with the library: the files of `core/simulator/machines` and `scenarios`, to be used by
//! their names or copied and changed.

use std::fs::File;
use std::io::Read as _;
use std::path::{Path, PathBuf};

use crate::error::Error;
use crate::machine::Machine;
use crate::quantity::MAX_FILE;
use crate::scenario::{Scenario, Setting};

/// A file that comes with the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shipped {
    /// Its name: that of the file, without `.toml`.
    pub name: &'static str,
    /// What it holds.
    pub text: &'static str,
}

/// The machines.
pub const MACHINES: [Shipped; 2] = [
    Shipped { name: "rtx-5070-ti", text: include_str!("../machines/rtx-5070-ti.toml") },
    Shipped { name: "h200", text: include_str!("../machines/h200.toml") },
];

/// The scenarios. (`published` is made of rows, see [`crate::published`].)
pub const SCENARIOS: [Shipped; 3] = [
    Shipped { name: "porep", text: include_str!("../scenarios/porep.toml") },
    Shipped { name: "porep-h200", text: include_str!("../scenarios/porep-h200.toml") },
    Shipped { name: "circom-h200", text: include_str!("../scenarios/circom-h200.toml") },
];

fn find(list: &[Shipped], name: &str) -> Option<Shipped> {
    list.iter().find(|shipped| shipped.name == name).copied()
}

/// A shipped machine.
pub fn machine(name: &str) -> Option<Result<Machine, Error>> {
    find(&MACHINES, name).map(|shipped| Machine::parse(shipped.name, shipped.text))
}

/// A shipped file, machine or scenario, by its name.
pub fn text(name: &str) -> Option<&'static str> {
    let published = Shipped { name: crate::published::NAME, text: crate::published::TEXT };
    find(&MACHINES, name)
        .or_else(|| find(&SCENARIOS, name))
        .or_else(|| (published.name == name).then_some(published))
        .map(|shipped| shipped.text)
}

/// A shipped scenario by its name, or one of a file, with its machine.
///
/// # Errors
/// A file cannot be read, or does not hold what it should.
pub fn open(name: &str) -> Result<(Scenario, Setting), Error> {
    open_on(name, None)
}

/// As [`open`], on another machine than the scenario's, which is then not looked at; a path is relative to the working
/// directory.
///
/// # Errors
/// As there; or neither names a machine.
pub fn open_on(name: &str, machine: Option<&str>) -> Result<(Scenario, Setting), Error> {
    let scenario = match find(&SCENARIOS, name) {
        Some(shipped) => Scenario::parse(shipped.name, shipped.text)?,
        None => Scenario::parse(name, &read(Path::new(name))?)?,
    };
    let machine = match (machine, &scenario.machine) {
        (Some(machine), _) => open_machine(machine, None)?,
        (None, Some(machine)) => open_machine(machine, folder(name)).map_err(|error| match error {
            Error::Read { path, source } => {
                let problem = format!("cannot read {}: {source}", path.display());
                Error::value(name, "machine", problem)
            }
            error => error,
        })?,
        (None, None) => {
            let problem = "is missing: name a shipped machine or a file, here or with --machine";
            return Err(Error::value(name, "machine", problem));
        }
    };
    let setting = Setting::new(machine, scenario.load.clone());
    Ok((scenario, setting))
}

/// The files that [`open_on`] reads.
pub fn files(name: &str, scenario: &Scenario, other: Option<&str>) -> Vec<PathBuf> {
    let mut files = Vec::new();
    if find(&SCENARIOS, name).is_none() {
        files.push(PathBuf::from(name));
    }
    let named = other.map(|machine| (machine, None));
    if let Some((machine, folder)) = named.or(scenario.machine.as_deref().map(|own| (own, folder(name))))
        && find(&MACHINES, machine).is_none()
    {
        files.push(folder.map_or_else(|| PathBuf::from(machine), |folder| folder.join(machine)));
    }
    files
}

/// What a scenario's paths are relative to.
fn folder(scenario: &str) -> Option<&Path> {
    if find(&SCENARIOS, scenario).is_some() { None } else { Path::new(scenario).parent() }
}

/// A shipped machine by its name, or one of a file; a path is relative to `folder`, if there is one.
///
/// # Errors
/// The file cannot be read, or holds no machine.
pub fn open_machine(name: &str, folder: Option<&Path>) -> Result<Machine, Error> {
    if let Some(machine) = machine(name) {
        return machine;
    }
    let path = folder.map_or_else(|| Path::new(name).to_owned(), |folder| folder.join(name));
    Machine::parse(&path.display().to_string(), &read(&path)?)
}

/// A file's text; it is regular and not too long.
fn read(path: &Path) -> Result<String, Error> {
    let cannot = |source| Error::Read { path: path.to_owned(), source };
    // A pipe would make the program wait.
    if !std::fs::metadata(path).map_err(cannot)?.is_file() {
        return Err(cannot(std::io::Error::other("it is not a regular file")));
    }
    let mut text = String::new();
    File::open(path).map_err(cannot)?.take(MAX_FILE + 1).read_to_string(&mut text).map_err(cannot)?;
    if text.len() as u64 > MAX_FILE {
        return Err(cannot(std::io::Error::other(format!("it is longer than {MAX_FILE} bytes"))));
    }
    Ok(text)
}
