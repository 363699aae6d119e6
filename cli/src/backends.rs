//! The embedded backend, the search, and `--backend`.

use std::sync::Arc;

use interlock_core::backend::{LogLevel, Origin, Plugin, PluginError, set_log_sink};
use interlock_core::loader::registry::EMBEDDED;
use interlock_core::loader::{Loader, Registry, SearchOptions, SelectError, Selected, Selection, Trust};
use serde::Serialize;

use crate::args::BackendList;
use crate::config::BackendSettings;
use crate::errors::Usage;
use crate::output::{clean, json, print};
use crate::similar::closest;

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
    let mut registry = discover(settings.loader.clone(), &settings.search, &reference);
    let (usable, skipped) = select(&mut registry, &settings.list, settings.trust)?;
    let check_against = match check_against {
        Some(name) => {
            let other = single(&mut registry, name, settings.trust)?;
            if let Some(first) = usable.first().filter(|first| same(first, &other)) {
                return Err(Usage(compared_with_itself(name, &first.plugin)).into());
            }
            Some(other)
        }
        None => None,
    };
    Ok(Chosen { usable, skipped, check_against, reference })
}

/// Looks through the folders.
pub(crate) fn discover(loader: Loader, search: &SearchOptions, embedded: &Arc<Plugin>) -> Registry {
    Registry::discover_with(loader, search, std::slice::from_ref(embedded))
}

/// Whether two selections are of one backend, which would only repeat itself.
pub(crate) fn same(a: &Selected, b: &Selected) -> bool {
    Arc::ptr_eq(&a.plugin, &b.plugin) || a.plugin.origin() == b.plugin.origin()
}

fn compared_with_itself(name: &str, plugin: &Plugin) -> String {
    let other = match plugin.origin() {
        Origin::Embedded => "name another, or prove with another",
        Origin::File { .. } => "name another, such as embedded",
    };
    format!("--check-against {name}: {} is the backend that proves; {other}", Identity::of(plugin))
}

/// Selects, and says first of all when a name is nobody's.
///
/// # Errors
/// None can be used.
pub(crate) fn select(
    registry: &mut Registry,
    list: &BackendList,
    trust: Trust,
) -> anyhow::Result<(Vec<Selected>, Vec<String>)> {
    registry.select(&list.selection, trust).map_err(|error| {
        let found: Vec<&str> =
            registry.candidates().iter().filter_map(|candidate| candidate.name.as_deref()).collect();
        let unknown: Vec<&str> =
            list.names().filter(|name| *name != EMBEDDED && !found.contains(name)).collect();
        match nobodys(&unknown, &found, &error) {
            Some(message) => anyhow::Error::new(error).context(message),
            None => error.into(),
        }
    })
}

/// The names that no backend has, those that one has, and what else was tried.
fn nobodys(unknown: &[&str], found: &[&str], error: &SelectError) -> Option<String> {
    let quoted: Vec<_> = unknown.iter().map(|name| format!("{name:?}")).collect();
    let mut message = match quoted.as_slice() {
        [] => return None,
        [name] => format!("there is no backend {name}"),
        names => format!("there are no backends {}", names.join(", ")),
    };
    let mut listed = found.to_vec();
    listed.dedup();
    message
        .push_str(&format!("; found: {}", if listed.is_empty() { "none".into() } else { listed.join(", ") }));
    let known = || found.iter().copied().chain([EMBEDDED, "auto"]);
    let meant: Vec<_> = unknown.iter().filter_map(|name| closest(name, known())).collect();
    if !meant.is_empty() {
        message.push_str(&format!("; did you mean {}?", meant.join(", ")));
    }
    let tried = error.to_string();
    // Its first line says only that nothing can be used.
    let lines = tried.split_once('\n').map_or(tried.as_str(), |(_, lines)| lines);
    Some(format!("{message}\n{lines}"))
}

fn single(registry: &mut Registry, name: &str, trust: Trust) -> anyhow::Result<Selected> {
    let list: BackendList =
        name.parse().map_err(|problem| Usage(format!("--check-against {name}: {problem}")))?;
    if list.selection == Selection::AUTO || name.contains(',') {
        return Err(Usage(format!("--check-against {name}: name one backend, such as embedded")).into());
    }
    let (mut found, _) = select(registry, &list, trust)?;
    // One word selects one backend or fails.
    found.pop().ok_or_else(|| Usage(format!("--check-against {name}: no such backend")).into())
}

/// A backend as a result names it; shown as `cpu 0.1.0 (embedded)`.
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

impl std::fmt::Display for Identity {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} {} ({})", self.name, self.version, self.origin)
    }
}

/// A backend's device as a result names it.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct DeviceIdentity {
    /// Its number.
    index: u32,
    /// Its name, if the backend says one.
    pub(crate) name: Option<String>,
}

impl DeviceIdentity {
    /// Of a backend's device.
    pub(crate) fn of(backend: &Selected, index: u32) -> Self {
        let device = backend.probe.devices.get(index as usize);
        Self { index, name: device.map(|device| device.name.clone()) }
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
            let level = format!("{level:?}").to_lowercase();
            print::note(&format!("backend {level}: {}", clean::value(text)));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn registry() -> Registry {
        discover(Loader::default(), &SearchOptions::default(), &embedded().unwrap())
    }

    #[test]
    fn a_name_of_nobodys_comes_first_with_what_was_meant() {
        let said = |list: &str| {
            let list: BackendList = list.parse().unwrap();
            let error = select(&mut registry(), &list, Trust::Manifest).unwrap_err();
            assert_eq!(crate::errors::failure(&error).exit, crate::exit::Exit::Backend);
            error.to_string()
        };
        let text = said("cpx");
        assert!(text.starts_with("there is no backend \"cpx\"; found: cpu; did you mean cpu?\n"), "{text}");
        assert!(text.contains("\n  embedded: "), "{text}");
        let text = said("vulkan, cuda");
        assert!(text.starts_with("there are no backends \"vulkan\", \"cuda\"; found: cpu\n"), "{text}");
        let text = said("/absent/libx.so");
        assert!(text.starts_with("no backend can be used\n"), "{text}");
    }

    #[test]
    fn a_backend_is_not_compared_with_itself() {
        let mut registry = registry();
        let mut one = |name: &str| single(&mut registry, name, Trust::Manifest).unwrap();
        let (cpu, embedded) = (one("cpu"), one("embedded"));
        assert!(same(&cpu, &embedded));
        let text = compared_with_itself("cpu", &cpu.plugin);
        assert!(text.starts_with(
            "--check-against cpu: cpu 0.1.0 (embedded) is the backend that proves; name another"
        ));
    }
}
