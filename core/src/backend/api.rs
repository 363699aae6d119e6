//! A table that was checked: versions agree and every mandatory slot is filled.

use interlock_abi::{
    INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR, InterlockApi, InterlockError, InterlockErrorInfo, transfer,
};

use super::error::{BackendError, BackendErrorKind};
use super::plugin::PluginError;

/// The host's copy of a plugin's table. Fields that an older plugin does not have are `None`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Api(pub(super) InterlockApi);

macro_rules! mandatory {
    ($table:expr, $($slot:ident),* $(,)?) => {
        [$((stringify!($slot), $table.$slot.is_some())),*]
    };
}

impl Api {
    /// Checks a table.
    ///
    /// # Errors
    /// It is NULL, malformed, of another ABI version, or lacks a mandatory function.
    ///
    /// # Safety
    /// `table` is NULL or an `InterlockApi` that carries its size and whose functions keep the ABI's contract.
    pub(super) unsafe fn check(table: *const InterlockApi) -> Result<Self, PluginError> {
        if table.is_null() {
            return Err(PluginError::RefusedHost);
        }
        // SAFETY: not NULL; by contract the struct carries its size.
        let table = unsafe { transfer::read(table) }.map_err(PluginError::Table)?;
        if (table.abi_major, table.abi_minor) != (INTERLOCK_ABI_MAJOR, INTERLOCK_ABI_MINOR) {
            return Err(PluginError::Version { plugin: (table.abi_major, table.abi_minor) });
        }
        let slots = mandatory!(
            table,
            error_get,
            error_destroy,
            plugin_info,
            plugin_probe,
            device_info,
            device_open,
            device_memory,
            device_close,
            lane_create,
            lane_sync,
            lane_destroy,
            scalars_alloc,
            scalars_upload,
            scalars_download,
            scalars_free,
            bases_create,
            bases_free,
            domain_create,
            domain_free,
            ntt,
            msm,
        );
        match slots.iter().find(|(_, present)| !present) {
            Some((slot, _)) => Err(PluginError::MissingFunction(slot)),
            None => Ok(Self(table)),
        }
    }

    /// Turns a call's answer into a `Result`, taking the error object apart and destroying it.
    pub(super) fn answer(
        &self,
        backend: &str,
        operation: &'static str,
        error: *mut InterlockError,
    ) -> Result<(), BackendError> {
        if error.is_null() {
            return Ok(());
        }
        let mut info: InterlockErrorInfo = transfer::empty();
        let (Some(get), Some(destroy)) = (self.0.error_get, self.0.error_destroy) else {
            return Err(missing(backend, operation));
        };
        // SAFETY: the plugin gave us this error; it is destroyed once, after its message was copied.
        let message = unsafe {
            get(error, &raw mut info);
            let message = transfer::text(info.message).unwrap_or("the message is not UTF-8");
            // A terminal must not obey a plugin.
            let message = message.chars().take(1024).map(|c| if c.is_control() { ' ' } else { c }).collect();
            destroy(error);
            message
        };
        Err(BackendError::from_info(backend, operation, &info, message))
    }
}

/// A slot that the backend does not have.
pub(super) fn missing(backend: &str, operation: &'static str) -> BackendError {
    BackendError::host(
        BackendErrorKind::Unsupported,
        backend,
        operation,
        "the backend does not have this function",
    )
}

/// Calls a slot of a table: `call!(plugin, slot(args…))`, a `Result<(), BackendError>`.
macro_rules! call {
    ($plugin:expr, $slot:ident($($arg:expr),* $(,)?)) => {{
        let plugin: &$crate::backend::Plugin = $plugin;
        match plugin.api().0.$slot {
            None => Err($crate::backend::api::missing(plugin.name(), stringify!($slot))),
            Some(function) => {
                // SAFETY: the table was checked; handles come from this plugin and are alive (their wrappers own them);
                // pointers are to memory that is valid for as long as the ABI asks, because the wrappers wait for the
                // lane or keep the memory's owner.
                let error = unsafe { function($($arg),*) };
                plugin.api().answer(plugin.name(), stringify!($slot), error)
            }
        }
    }};
}
pub(super) use call;
