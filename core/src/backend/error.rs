//! What a backend call can answer.

use interlock_abi as abi;

/// What kind of failure a backend reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BackendErrorKind {
    /// An argument is out of range, of the wrong length or form.
    InvalidArgument,
    /// A handle is dead or belongs to another device.
    InvalidHandle,
    /// The backend does not offer this.
    Unsupported,
    /// More memory than the device could ever give.
    NeverFits,
    /// More memory than the device has at the moment.
    NotNow,
    /// The device, its driver or its runtime failed.
    Device,
    /// The work was cancelled.
    Cancelled,
    /// The backend broke an invariant of its own, or answered something that makes no sense.
    Internal,
    /// The two sides do not speak the same ABI.
    AbiMismatch,
}

impl BackendErrorKind {
    fn from_code(code: u32) -> Self {
        match code {
            abi::INTERLOCK_INVALID_ARGUMENT => Self::InvalidArgument,
            abi::INTERLOCK_INVALID_HANDLE => Self::InvalidHandle,
            abi::INTERLOCK_UNSUPPORTED => Self::Unsupported,
            abi::INTERLOCK_OUT_OF_MEMORY_NEVER => Self::NeverFits,
            abi::INTERLOCK_OUT_OF_MEMORY_NOW => Self::NotNow,
            abi::INTERLOCK_DEVICE_FAILED => Self::Device,
            abi::INTERLOCK_CANCELLED => Self::Cancelled,
            abi::INTERLOCK_ABI_MISMATCH => Self::AbiMismatch,
            _ => Self::Internal,
        }
    }

    /// Whether this is either kind of out-of-memory.
    pub fn is_out_of_memory(self) -> bool {
        matches!(self, Self::NeverFits | Self::NotNow)
    }
}

/// A failed backend call.
#[derive(Clone, Debug, thiserror::Error)]
#[error("backend {backend}: {operation}: {message}{}", NativeCode(*.native_code))]
pub struct BackendError {
    /// What kind of failure.
    pub kind: BackendErrorKind,
    /// The backend's name.
    pub backend: String,
    /// The operation, as the table calls it.
    pub operation: &'static str,
    /// The backend's own words.
    pub message: String,
    /// The driver's code, or 0.
    pub native_code: i64,
    /// The same call may succeed when repeated.
    pub retryable: bool,
    /// The device has to be opened anew.
    pub context_lost: bool,
}

/// Appends a driver's code to a message when there is one.
struct NativeCode(i64);

impl std::fmt::Display for NativeCode {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.0 == 0 { Ok(()) } else { write!(f, " (native code {})", self.0) }
    }
}

impl BackendError {
    pub(super) fn from_info(
        backend: &str,
        operation: &'static str,
        info: &abi::InterlockErrorInfo,
        message: String,
    ) -> Self {
        Self {
            kind: BackendErrorKind::from_code(info.code),
            backend: backend.to_owned(),
            operation,
            message,
            native_code: info.native_code,
            retryable: info.flags & abi::INTERLOCK_ERROR_RETRYABLE != 0,
            context_lost: info.flags & abi::INTERLOCK_ERROR_CONTEXT_LOST != 0,
        }
    }

    pub(crate) fn host(
        kind: BackendErrorKind,
        backend: &str,
        operation: &'static str,
        message: impl Into<String>,
    ) -> Self {
        Self {
            kind,
            backend: backend.to_owned(),
            operation,
            message: message.into(),
            native_code: 0,
            retryable: false,
            context_lost: false,
        }
    }
}
