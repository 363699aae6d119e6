//! A loaded or linked plugin.

use std::path::PathBuf;
use std::sync::Arc;

use interlock_abi::{
    InterlockApi, InterlockDeviceInfo, InterlockPluginInfo, InterlockProbe, InterlockStr, transfer,
};
use interlock_curves::Curve;

use super::api::{Api, call};
use super::error::{BackendError, BackendErrorKind};

/// Where a plugin came from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Origin {
    /// Linked into this program.
    Embedded,
    /// Loaded from a file.
    File {
        /// Where the file was.
        path: PathBuf,
        /// SHA-256 of the bytes that were loaded.
        sha256: [u8; 32],
    },
}

impl std::fmt::Display for Origin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::Embedded => f.write_str("embedded"),
            Self::File { path, .. } => write!(f, "{}", path.display()),
        }
    }
}

/// What a plugin says of itself.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PluginInfo {
    /// The name that `--backend` selects.
    pub name: String,
    /// Its version.
    pub version: String,
    /// One line.
    pub description: String,
    /// SPDX expression.
    pub license: String,
    /// Curves that it supports and this program knows.
    pub curves: Vec<Curve>,
}

/// Whether a plugin can work here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Probe {
    /// 0: no.
    pub score: u32,
    /// Why.
    pub reason: String,
    /// Its devices.
    pub devices: Vec<DeviceDescription>,
}

/// One device of a plugin.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DeviceDescription {
    /// Model.
    pub name: String,
    /// Stable identity, or empty.
    pub uuid: String,
    /// Bytes of memory; 0 when unknown.
    pub memory_bytes: u64,
    /// Cores or multiprocessors.
    pub compute_units: u32,
}

/// Why a table is not accepted.
#[derive(Clone, Debug, thiserror::Error)]
pub enum PluginError {
    /// The entry returned NULL.
    #[error(
        "the plugin refuses this host (its entry returned NULL); it was probably built for another ABI version than {}.{}",
        interlock_abi::INTERLOCK_ABI_MAJOR,
        interlock_abi::INTERLOCK_ABI_MINOR
    )]
    RefusedHost,
    /// The table is malformed.
    #[error("the plugin's function table is malformed: {0}")]
    Table(transfer::TransferError),
    /// Another ABI version.
    #[error(
        "the plugin speaks ABI {}.{}, this program speaks {}.{}; before 1.0 they must be equal: rebuild the plugin",
        plugin.0, plugin.1, interlock_abi::INTERLOCK_ABI_MAJOR, interlock_abi::INTERLOCK_ABI_MINOR
    )]
    Version {
        /// The plugin's major and minor version.
        plugin: (u32, u32),
    },
    /// A mandatory slot is NULL.
    #[error("the plugin lacks the mandatory function {0}")]
    MissingFunction(&'static str),
    /// A name that cannot be selected or shown.
    #[error("the plugin's name {0:?} is not 1 to 32 lower-case letters, digits and '-', or is reserved")]
    Name(String),
    /// A string of the plugin's is not UTF-8.
    #[error("the plugin's {0} is not UTF-8")]
    Text(&'static str),
    /// One of the first calls failed.
    #[error(transparent)]
    Call(#[from] BackendError),
}

/// More devices than any host has; a plugin that claims more is broken.
const MAX_DEVICES: u32 = 1024;

/// A plugin whose table was checked. Never unloaded: its threads may run on.
#[derive(Debug)]
pub struct Plugin {
    api: Api,
    info: PluginInfo,
    origin: Origin,
}

impl Plugin {
    /// Takes a plugin that is linked into this program.
    ///
    /// # Errors
    /// The table is not acceptable.
    pub fn linked(table: &'static InterlockApi) -> Result<Arc<Self>, PluginError> {
        // SAFETY: a reference is a valid table that carries its size; a linked backend was built with this ABI crate.
        unsafe { Self::new(table, Origin::Embedded) }
    }

    /// # Safety
    /// `table` is NULL or a table whose functions keep the contract of the ABI, for as long as the process lives.
    pub(crate) unsafe fn new(table: *const InterlockApi, origin: Origin) -> Result<Arc<Self>, PluginError> {
        // SAFETY: passed on.
        let api = unsafe { Api::check(table) }?;
        let info = PluginInfo {
            name: String::from("unnamed"),
            version: String::new(),
            description: String::new(),
            license: String::new(),
            curves: Vec::new(),
        };
        let mut plugin = Self { api, info, origin };
        plugin.info = plugin.read_info()?;
        if !valid_plugin_name(&plugin.info.name) {
            return Err(PluginError::Name(plugin.info.name));
        }
        Ok(Arc::new(plugin))
    }

    fn read_info(&self) -> Result<PluginInfo, PluginError> {
        let mut info: InterlockPluginInfo = transfer::empty();
        call!(self, plugin_info(&raw mut info))?;
        let curves = [Curve::Bn254, Curve::Bls12_381];
        Ok(PluginInfo {
            name: text(info.name, "name")?,
            version: text(info.version, "version")?,
            description: text(info.description, "description")?,
            license: text(info.license, "licence")?,
            curves: curves.into_iter().filter(|&curve| info.curves >> curve_code(curve) & 1 == 1).collect(),
        })
    }

    /// Asks the plugin whether it can work on this machine.
    ///
    /// # Errors
    /// A call failed or answered nonsense.
    pub fn probe(&self) -> Result<Probe, PluginError> {
        self.probe_telling(&mut || ())
    }

    /// As [`Plugin::probe`]; `devices` is called before the devices are asked for.
    pub(crate) fn probe_telling(&self, devices: &mut dyn FnMut()) -> Result<Probe, PluginError> {
        let mut probe: InterlockProbe = transfer::empty();
        call!(self, plugin_probe(&raw mut probe))?;
        if probe.device_count > MAX_DEVICES {
            let message = format!("it claims {} devices", probe.device_count);
            return Err(
                BackendError::host(BackendErrorKind::Internal, self.name(), "plugin_probe", message).into()
            );
        }
        // Copied before the next call, which may reuse the string.
        let reason = text(probe.reason, "probe reason")?;
        devices();
        let devices =
            (0..probe.device_count).map(|index| self.device_description(index)).collect::<Result<_, _>>()?;
        Ok(Probe { score: probe.score, reason, devices })
    }

    fn device_description(&self, index: u32) -> Result<DeviceDescription, PluginError> {
        let mut info: InterlockDeviceInfo = transfer::empty();
        call!(self, device_info(index, &raw mut info))?;
        Ok(DeviceDescription {
            name: text(info.name, "device name")?,
            uuid: text(info.uuid, "device UUID")?,
            memory_bytes: info.memory_bytes,
            compute_units: info.compute_units,
        })
    }

    /// The name that `--backend` selects.
    pub fn name(&self) -> &str {
        &self.info.name
    }

    /// What it says of itself.
    pub fn info(&self) -> &PluginInfo {
        &self.info
    }

    /// Where it came from.
    pub fn origin(&self) -> &Origin {
        &self.origin
    }

    /// The checked copy of its table, for tools that look at what the wrappers of this module hide: dead handles, wrong
    /// sizes, NULL. Fields that an older plugin does not have are `None`.
    pub fn table(&self) -> &InterlockApi {
        &self.api.0
    }

    pub(super) fn api(&self) -> &Api {
        &self.api
    }
}

/// The curve's number on the wire.
pub(super) fn curve_code(curve: Curve) -> u32 {
    match curve {
        Curve::Bn254 => interlock_abi::INTERLOCK_CURVE_BN254,
        Curve::Bls12_381 => interlock_abi::INTERLOCK_CURVE_BLS12_381,
    }
}

/// Whether a plugin may be called this: 1 to 32 of `a`–`z`, `0`–`9` and `-`. Two words have a meaning of their own where a name is expected.
pub fn valid_plugin_name(name: &str) -> bool {
    !matches!(name, "auto" | "embedded")
        && (1..=32).contains(&name.len())
        && name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
}

pub(super) fn text(s: InterlockStr, what: &'static str) -> Result<String, PluginError> {
    // SAFETY: the plugin's strings live until its next call of the same function; this one is copied at once.
    let text = unsafe { transfer::text(s) }.ok_or(PluginError::Text(what))?;
    // A terminal must not obey a plugin's strings.
    Ok(text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect())
}
