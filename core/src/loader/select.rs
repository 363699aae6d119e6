//! What `--backend` means.

use std::fmt::Write as _;
use std::path::PathBuf;
use std::str::FromStr;
use std::sync::Arc;

use super::registry::{Candidate, FolderState, Registry, Status};
use super::{LoadError, Trust};
use crate::backend::{Plugin, Probe};

/// One element of a `--backend` list.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Wanted {
    Name(String),
    File(PathBuf),
}

/// A parsed `--backend`: `auto`, or a list of names and library files in fallback order.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Selection(Option<Vec<Wanted>>);

impl Selection {
    /// The best that probes well.
    pub const AUTO: Self = Self(None);
}

impl FromStr for Selection {
    type Err = String;

    /// A word with a `/` or ending in `.so` is a file, everything else a name.
    fn from_str(text: &str) -> Result<Self, String> {
        if text == "auto" {
            return Ok(Self::AUTO);
        }
        let list = text.split(',').map(|word| match word.trim() {
            "" => Err(format!("{text:?} has an empty entry")),
            "auto" => Err("auto stands alone: it already tries every backend".to_owned()),
            word if word.contains('/') || word.ends_with(".so") => Ok(Wanted::File(word.into())),
            word => Ok(Wanted::Name(word.to_owned())),
        });
        list.collect::<Result<Vec<_>, _>>().map(|list| Self(Some(list)))
    }
}

/// A backend that may be used, with its probe.
#[derive(Clone, Debug)]
pub struct Selected {
    /// The backend.
    pub plugin: Arc<Plugin>,
    /// What it says of this machine.
    pub probe: Probe,
}

/// No backend can be used. The message lists what was tried, one line each.
#[derive(Debug, thiserror::Error)]
#[error("{message}")]
pub struct SelectError {
    message: String,
}

impl Registry {
    /// The backends of a selection, in fallback order; at least one.
    ///
    /// With a name, exactly that backend is used. With a list, an entry that cannot be used is skipped, which the
    /// second part of the result tells; `auto` orders by score.
    ///
    /// # Errors
    /// None can be used: each path tried, and why not.
    pub fn select(
        &mut self,
        selection: &Selection,
        trust: Trust,
    ) -> Result<(Vec<Selected>, Vec<String>), SelectError> {
        let (mut usable, mut skipped) = (Vec::new(), self.notices());
        let notices = skipped.len();
        match &selection.0 {
            Some(list) => {
                for wanted in list {
                    match self.find(wanted, trust).and_then(probe) {
                        Ok(selected) => usable.push(selected),
                        Err(reason) => skipped.push(reason),
                    }
                }
            }
            None => {
                self.load_all();
                skipped.extend(self.candidates().iter().filter_map(|candidate| match &candidate.status {
                    Status::Refused(error) => Some(format!("{}: {error}", candidate.place())),
                    _ => None,
                }));
                let loaded = self.candidates().iter().filter_map(|candidate| match &candidate.status {
                    Status::Loaded(plugin) => Some(Arc::clone(plugin)),
                    _ => None,
                });
                for found in loaded.map(probe) {
                    match found {
                        Ok(selected) => usable.push(selected),
                        Err(reason) => skipped.push(reason),
                    }
                }
                // Stable: equal scores keep the search order.
                usable.sort_by_key(|selected| std::cmp::Reverse(selected.probe.score));
            }
        }
        if usable.is_empty() { Err(self.nothing(&skipped[notices..])) } else { Ok((usable, skipped)) }
    }

    fn find(&mut self, wanted: &Wanted, trust: Trust) -> Result<Arc<Plugin>, String> {
        match wanted {
            Wanted::File(path) => {
                self.load_file(path, trust).map_err(|error: LoadError| format!("{}: {error}", path.display()))
            }
            Wanted::Name(name) => match self.load_named(name) {
                Some(found) => found.map_err(|error| format!("{name}: {error}")),
                None => Err(format!("{name}: no backend of this name was found")),
            },
        }
    }

    fn nothing(&self, skipped: &[String]) -> SelectError {
        let mut message = String::from("no backend can be used");
        for reason in skipped {
            let _ = write!(message, "\n  {reason}");
        }
        for (folder, state) in self.folders() {
            let state = match state {
                FolderState::Read => "looked through".to_owned(),
                FolderState::Absent => "does not exist".to_owned(),
                FolderState::Refused(error) => format!("refused: {error}"),
            };
            let _ = write!(message, "\n  folder {} ({}): {state}", folder.path.display(), folder.origin);
        }
        for candidate in self.candidates() {
            let _ = write!(message, "\n  {}: {}", candidate.place(), describe(candidate));
        }
        SelectError { message }
    }
}

fn probe(plugin: Arc<Plugin>) -> Result<Selected, String> {
    let name = plugin.name().to_owned();
    match plugin.probe() {
        Ok(probe) if probe.score > 0 && !probe.devices.is_empty() => Ok(Selected { plugin, probe }),
        Ok(probe) => Err(format!("{name} ({}): cannot work here: {}", plugin.origin(), probe.reason)),
        Err(error) => Err(format!("{name} ({}): its probe failed: {error}", plugin.origin())),
    }
}

fn describe(candidate: &Candidate) -> String {
    match &candidate.status {
        Status::Found(contents) => format!("backend {} {}", contents.name, contents.version),
        Status::Loaded(plugin) => format!("backend {} {}", plugin.name(), plugin.info().version),
        Status::Refused(error) => format!("refused: {error}"),
        Status::Shadowed { by, .. } => {
            format!("backend {}, hidden by {by}", candidate.name.as_deref().unwrap_or("without a name"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_names_files_or_auto() {
        let parse = |text: &str| text.parse::<Selection>();
        assert_eq!(parse("auto").unwrap(), Selection::AUTO);
        let list = Selection(Some(vec![Wanted::Name("cuda".into()), Wanted::File("./libx.so".into())]));
        assert_eq!(parse("cuda, ./libx.so").unwrap(), list);
        assert!(parse("").is_err() && parse("cuda,").is_err() && parse("auto,cpu").is_err());
    }
}
