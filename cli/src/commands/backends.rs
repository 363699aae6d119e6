//! `interlock backends`.

use std::fmt::Write as _;

use interlock_core::backend::{DeviceDescription, Plugin};
use interlock_core::engine::strategies;
use interlock_core::loader::registry::FolderState;
use interlock_core::loader::{Candidate, Registry, Selection, Status, Trust};
use serde::Serialize;
use serde_json::json;

use super::Context;
use crate::args::BackendsArgs;
use crate::backends::{Identity, discover, embedded};
use crate::exit::Exit;
use crate::output::clean::value;
use crate::output::{json, print, text};
use crate::trust::Signer;

/// Something that could be a backend.
#[derive(Debug, Serialize)]
struct Entry {
    /// `usable`, `unusable` (it cannot work here), `shadowed` or `refused`.
    state: &'static str,
    name: Option<String>,
    /// The file, or `embedded`.
    place: String,
    /// On whose word it was looked at.
    found_by: &'static str,
    /// Why it is in this state.
    reason: String,
    /// What loaded ones say of themselves.
    #[serde(flatten)]
    details: Option<Details>,
}

#[derive(Debug, Serialize)]
struct Details {
    version: String,
    description: String,
    license: String,
    curves: Vec<&'static str>,
    sha256: Option<String>,
    signature: Option<Signer>,
    score: u32,
    devices: Vec<Device>,
    /// The default first.
    interlocks: Vec<Interlock>,
}

/// An interlock strategy.
#[derive(Debug, Serialize)]
struct Interlock {
    name: String,
    summary: String,
    memory: &'static str,
    default: bool,
}

#[derive(Debug, Serialize)]
struct Device {
    name: String,
    uuid: String,
    memory_bytes: u64,
    compute_units: u32,
}

/// Lists backends.
pub(crate) fn run(args: &BackendsArgs, context: &Context) -> anyhow::Result<Exit> {
    let embedded = embedded()?;
    let search = context.config.search(&args.search);
    let mut registry = discover(context.config.loader(), &search, &embedded);
    let best = registry.select(&Selection::AUTO, Trust::Manifest).ok();
    let best = best.and_then(|(usable, _)| usable.into_iter().next());
    let auto = best.map(|best| Identity::of(&best.plugin));
    // Folders that were not looked at; also in the list, where they are easily missed.
    for notice in registry.notices() {
        print::warning(&notice);
    }
    let entries: Vec<Entry> = registry.candidates().iter().map(describe).collect();
    if args.json {
        let folders: Vec<_> = folders(&registry)
            .map(|(path, origin, state, reason)| {
                json!({ "path": path, "origin": origin, "state": state, "reason": reason })
            })
            .collect();
        let body = json!({ "folders": folders, "backends": entries, "auto": auto });
        print::data(&json::done("backends", body))?;
    } else {
        print::data(&show(&registry, &entries, auto.as_ref()))?;
    }
    Ok(Exit::Ok)
}

/// Path, origin, state and reason of each folder.
fn folders(
    registry: &Registry,
) -> impl Iterator<Item = (String, &'static str, &'static str, Option<String>)> + '_ {
    registry.folders().iter().map(|(folder, state)| {
        let (state, reason) = match state {
            FolderState::Read => ("searched", None),
            FolderState::Absent => ("absent", None),
            FolderState::Refused(error) => ("refused", Some(error.to_string())),
        };
        (folder.path.display().to_string(), folder.origin, state, reason)
    })
}

fn describe(candidate: &Candidate) -> Entry {
    let entry = |state, reason, details| Entry {
        state,
        name: candidate.name.clone(),
        place: candidate.place(),
        found_by: candidate.origin,
        reason,
        details,
    };
    match &candidate.status {
        Status::Loaded(plugin) => match plugin.probe() {
            Ok(probe) => {
                let usable = probe.score > 0 && !probe.devices.is_empty();
                let details = details(plugin, candidate, probe.score, probe.devices);
                entry(if usable { "usable" } else { "unusable" }, probe.reason, Some(details))
            }
            Err(error) => {
                let details = details(plugin, candidate, 0, Vec::new());
                entry("unusable", format!("its probe failed: {error}"), Some(details))
            }
        },
        Status::Shadowed { by, .. } => {
            entry("shadowed", format!("{by} has the same name and comes first"), None)
        }
        Status::Refused(error) => entry("refused", error.to_string(), None),
        Status::Found(_) => entry("refused", "it was not loaded".into(), None),
    }
}

fn details(plugin: &Plugin, candidate: &Candidate, score: u32, devices: Vec<DeviceDescription>) -> Details {
    let info = plugin.info();
    let device = |device: DeviceDescription| Device {
        name: device.name,
        uuid: device.uuid,
        memory_bytes: device.memory_bytes,
        compute_units: device.compute_units,
    };
    Details {
        version: info.version.clone(),
        description: info.description.clone(),
        license: info.license.clone(),
        curves: info.curves.iter().map(|curve| curve.name()).collect(),
        sha256: Identity::of(plugin).sha256,
        signature: Signer::of(&candidate.signed),
        score,
        devices: devices.into_iter().map(device).collect(),
        interlocks: interlocks(plugin),
    }
}

/// What `--interlock` can select; none when the backend fails to say.
fn interlocks(plugin: &Plugin) -> Vec<Interlock> {
    let offered = strategies(plugin).unwrap_or_default();
    let described = offered.into_iter().enumerate().map(|(index, description)| Interlock {
        name: description.name,
        summary: description.summary,
        memory: description.memory.name(),
        default: index == 0,
    });
    described.collect()
}

fn show(registry: &Registry, entries: &[Entry], auto: Option<&Identity>) -> String {
    let mut out = String::from("Folders, in the order in which they are searched:\n");
    for (path, origin, state, reason) in folders(registry) {
        let reason = reason.map(|reason| format!(": {reason}")).unwrap_or_default();
        let _ = writeln!(out, "  {} ({origin}): {state}{}", value(&path), value(&reason));
    }
    out.push_str("\nBackends, in the order in which a name is looked up:\n");
    for entry in entries {
        let name = value(entry.name.as_deref().unwrap_or("?"));
        let (place, reason) = (value(&entry.place), value(&entry.reason));
        let Some(details) = &entry.details else {
            let _ = writeln!(out, "  {name}  {place}\n    {}: {reason}", entry.state);
            continue;
        };
        let _ = writeln!(out, "  {name} {}  {place}", value(&details.version));
        let _ = writeln!(out, "    {}, score {}: {reason}", entry.state, details.score);
        let _ = writeln!(out, "    {}", value(&details.description));
        let licence = value(&details.license);
        let _ = writeln!(out, "    curves {} · licence {licence}", details.curves.join(", "));
        if let Some(sha256) = &details.sha256 {
            let _ = writeln!(out, "    sha256 {sha256}");
        }
        if let Some(signer) = &details.signature {
            let _ = writeln!(out, "    signed {signer}");
        }
        for (index, device) in details.devices.iter().enumerate() {
            let memory = match device.memory_bytes {
                0 => "memory unknown".to_owned(),
                bytes => text::bytes(bytes),
            };
            let (name, units) = (value(&device.name), device.compute_units);
            let uuid =
                if device.uuid.is_empty() { String::new() } else { format!(" · {}", value(&device.uuid)) };
            let _ = writeln!(out, "    device {index}: {name} · {memory} · {units} units{uuid}");
        }
        for interlock in &details.interlocks {
            let default = if interlock.default { ", the default" } else { "" };
            let (name, summary) = (value(&interlock.name), value(&interlock.summary));
            let _ = writeln!(out, "    interlock {name} ({}{default}): {summary}", interlock.memory);
        }
    }
    let _ = match auto {
        Some(best) => {
            writeln!(out, "\n--backend auto takes {}", value(&best.to_string()))
        }
        None => writeln!(out, "\n--backend auto finds nothing that works"),
    };
    out
}
