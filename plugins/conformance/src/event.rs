//! What a run tells while it goes on. In a child process, each is a line of JSON.

use interlock_core::backend::{DeviceOptions, Origin, Plugin, PluginError};
use interlock_core::loader::manifest::hex;
use interlock_curves::Curve;
use serde::{Deserialize, Serialize};

use crate::group::Group;
use crate::outcome::Failure;

/// Which row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RowId {
    /// Its group.
    pub group: Group,
    /// Its name.
    pub row: String,
    /// The curve, where it is about one.
    pub curve: Option<Curve>,
    /// The seed by which it runs again as it did.
    pub seed: u64,
}

impl std::fmt::Display for RowId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{} / {}", self.group, self.row)?;
        self.curve.map_or(Ok(()), |curve| write!(f, " / {curve}"))
    }
}

/// What is checked: a report holds for these bytes on this device.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Subject {
    /// The plugin's name.
    pub name: String,
    /// Its version.
    pub version: String,
    /// The ABI version that its table carries.
    pub abi: String,
    /// `embedded`, or the file.
    pub origin: String,
    /// SHA-256 of the file's bytes that were loaded.
    pub sha256: Option<String>,
    /// Its curves.
    pub curves: Vec<Curve>,
    /// The device's index.
    pub device_index: u32,
    /// The device's model.
    pub device: String,
    /// The device's identity, or empty.
    pub uuid: String,
    /// What the plugin's probe says of this machine; a driver's version is told here.
    pub driver: String,
    /// Optional operations that it does not have.
    pub not_offered: Vec<String>,
}

impl Subject {
    /// Of an opened plugin.
    ///
    /// # Errors
    /// Its probe fails, or describes no device of this index.
    pub fn of(plugin: &Plugin, device: DeviceOptions) -> Result<Self, PluginError> {
        let probe = plugin.probe()?;
        let table = plugin.table();
        let found = probe.devices.get(device.index as usize);
        let slots = [
            ("lane_cancel", table.lane_cancel.is_some()),
            ("spmv", table.spmv.is_some()),
            ("pointwise", table.pointwise.is_some()),
            ("scale", table.scale.is_some()),
            ("strategies", table.strategy_count.is_some()),
        ];
        Ok(Self {
            name: plugin.name().to_owned(),
            version: plugin.info().version.clone(),
            abi: format!("{}.{}", table.abi_major, table.abi_minor),
            origin: plugin.origin().to_string(),
            sha256: match plugin.origin() {
                Origin::Embedded => None,
                Origin::File { sha256, .. } => Some(hex(sha256)),
            },
            curves: plugin.info().curves.clone(),
            device_index: device.index,
            device: found.map(|found| found.name.clone()).unwrap_or_default(),
            uuid: found.map(|found| found.uuid.clone()).unwrap_or_default(),
            driver: probe.reason,
            not_offered: slots
                .into_iter()
                .filter(|(_, present)| !present)
                .map(|(name, _)| name.to_owned())
                .collect(),
        })
    }
}

/// What happens in a run.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "kebab-case")]
pub enum Event {
    /// The library is going to be opened: from here on its code runs.
    Opening {
        /// The file.
        path: String,
        /// SHA-256 of its bytes, in hex.
        sha256: String,
    },
    /// It cannot be loaded.
    Refused {
        /// Why not.
        message: String,
    },
    /// It is loaded.
    Loaded(Subject),
    /// A row begins.
    Begins(RowId),
    /// It holds.
    Passed(RowId),
    /// It is about something that the backend need not have, and has not.
    NotOffered {
        /// The row.
        #[serde(flatten)]
        id: RowId,
        /// What the backend has not.
        what: String,
    },
    /// It does not hold.
    Failed {
        /// The row.
        #[serde(flatten)]
        id: RowId,
        /// In what.
        #[serde(flatten)]
        failure: Failure,
    },
    /// All rows have run.
    Done,
}
