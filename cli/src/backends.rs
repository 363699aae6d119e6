//! The embedded backend, the search, and `--backend`.

use std::sync::Arc;

use interlock_core::backend::{LogLevel, Origin, Plugin, PluginError, set_log_sink};
use interlock_core::loader::{Registry, SearchOptions, Selected, Selection, Trust};
use serde::Serialize;

use crate::config::BackendSettings;
use crate::errors::Usage;
use crate::output::{json, print};

/// The backend that is linked into this program: the default, and the reference for the others.
///
/// # Errors
/// Its table is not acceptable, which a build of this workspace cannot bring about.
pub(crate) fn embedded() -> Result<Arc<Plugin>, PluginError> {
    Plugin::linked(interlock_cpu::interlock_api())
}

/// The backends of a command.
#[derive(Debug)]
pub(crate) struct Chosen {
    /// In fallback order; at least one.
    pub(crate) usable: Vec<Selected>,
    /// What was wanted or found, and cannot be used: one line each.
    pub(crate) skipped: Vec<String>,
    /// What `--check-against` names.
    pub(crate) check_against: Option<Selected>,
    /// The embedded backend.
    pub(crate) reference: Arc<Plugin>,
}

impl Chosen {
    /// The names, in fallback order.
    pub(crate) fn order(&self) -> Vec<&str> {
        self.usable.iter().map(|selected| selected.plugin.name()).collect()
    }
}

/// Finds the backends of `--backend` and `--check-against`.
///
/// # Errors
/// None of the former can be used, or the latter cannot.
pub(crate) fn choose(settings: &BackendSettings, check_against: Option<&str>) -> anyhow::Result<Chosen> {
    let reference = embedded()?;
    let mut registry = discover(&settings.search, &reference);
    let (usable, skipped) = registry.select(&settings.selection, settings.trust)?;
    let check_against = match check_against {
        Some(name) => Some(single(&mut registry, name, settings.trust)?),
        None => None,
    };
    Ok(Chosen { usable, skipped, check_against, reference })
}

/// Looks through the folders.
pub(crate) fn discover(search: &SearchOptions, embedded: &Arc<Plugin>) -> Registry {
    Registry::discover(search, std::slice::from_ref(embedded))
}

fn single(registry: &mut Registry, name: &str, trust: Trust) -> anyhow::Result<Selected> {
    let selection: Selection =
        name.parse().map_err(|problem| Usage(format!("--check-against {name}: {problem}")))?;
    if selection == Selection::AUTO || name.contains(',') {
        return Err(Usage(format!("--check-against {name}: name one backend, such as cpu")).into());
    }
    let (mut found, _) = registry.select(&selection, trust)?;
    // One word selects one backend or fails.
    found.pop().ok_or_else(|| Usage(format!("--check-against {name}: no such backend")).into())
}

/// A backend as a result names it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Identity {
    /// Its name.
    pub(crate) name: String,
    /// Its version.
    pub(crate) version: String,
    /// `embedded`, or the file.
    pub(crate) origin: String,
    /// SHA-256 of the file that was loaded.
    pub(crate) sha256: Option<String>,
}

impl Identity {
    /// Of a plugin.
    pub(crate) fn of(plugin: &Plugin) -> Self {
        Self {
            name: plugin.name().to_owned(),
            version: plugin.info().version.clone(),
            origin: plugin.origin().to_string(),
            sha256: match plugin.origin() {
                Origin::Embedded => None,
                Origin::File { sha256, .. } => Some(json::hex(sha256)),
            },
        }
    }
}

/// Shows backends' messages, the developers' ones from the second `-v` on.
pub(crate) fn show_messages(verbose: u8) {
    let most = match verbose {
        0 => return,
        1 => LogLevel::Info,
        _ => LogLevel::Debug,
    };
    set_log_sink(move |level, text| {
        if level <= most {
            // A terminal must not obey a plugin's strings.
            let text: String = text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
            print::note(&format!("backend {}: {text}", format!("{level:?}").to_lowercase()));
        }
    });
}
