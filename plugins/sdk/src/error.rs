//! The error that a backend returns.

use interlock_abi as abi;

/// What kind of failure it was; each has its code on the wire.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrorKind {
    /// An argument is out of range, of the wrong length or form, or two arguments alias.
    InvalidArgument,
    /// A handle was freed before, is of another kind, or belongs to another device.
    InvalidHandle,
    /// Not offered by this backend.
    Unsupported,
    /// More than the device could ever give: the host goes elsewhere.
    NeverFits,
    /// Does not fit now, beside what is there: the host frees, waits, and tries again.
    NotNow,
    /// The device, its driver or its runtime failed: the host tries once more, then elsewhere.
    Device,
    /// Cancelled by the host.
    Cancelled,
    /// The backend broke an invariant of its own.
    Internal,
    /// The two sides do not speak the same ABI.
    AbiMismatch,
}

impl ErrorKind {
    /// The code on the wire.
    pub const fn code(self) -> u32 {
        match self {
            Self::InvalidArgument => abi::INTERLOCK_INVALID_ARGUMENT,
            Self::InvalidHandle => abi::INTERLOCK_INVALID_HANDLE,
            Self::Unsupported => abi::INTERLOCK_UNSUPPORTED,
            Self::NeverFits => abi::INTERLOCK_OUT_OF_MEMORY_NEVER,
            Self::NotNow => abi::INTERLOCK_OUT_OF_MEMORY_NOW,
            Self::Device => abi::INTERLOCK_DEVICE_FAILED,
            Self::Cancelled => abi::INTERLOCK_CANCELLED,
            Self::Internal => abi::INTERLOCK_INTERNAL,
            Self::AbiMismatch => abi::INTERLOCK_ABI_MISMATCH,
        }
    }
}

/// A failed operation: kind, a line for a person, and what the driver said.
///
/// Messages never hold witness values.
#[derive(Clone, Debug, thiserror::Error)]
#[error("{message}")]
pub struct BackendError {
    /// What kind of failure.
    pub kind: ErrorKind,
    /// One line for a person.
    pub message: String,
    /// The driver's own code, or 0; it is shown beside the message.
    pub native_code: i64,
    /// The same call may succeed when repeated.
    pub retryable: bool,
    /// The device has to be closed and opened again.
    pub context_lost: bool,
}

impl BackendError {
    /// An error of a kind with a message.
    pub fn new(kind: ErrorKind, message: impl Into<String>) -> Self {
        Self { kind, message: message.into(), native_code: 0, retryable: false, context_lost: false }
    }

    /// [`ErrorKind::InvalidArgument`].
    pub fn argument(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::InvalidArgument, message)
    }

    /// [`ErrorKind::Unsupported`].
    pub fn unsupported(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Unsupported, message)
    }

    /// [`ErrorKind::Device`].
    pub fn device(message: impl Into<String>) -> Self {
        Self::new(ErrorKind::Device, message)
    }

    /// [`ErrorKind::Cancelled`].
    pub fn cancelled() -> Self {
        Self::new(ErrorKind::Cancelled, "the work was cancelled")
    }

    /// [`ErrorKind::NeverFits`]: `wanted` bytes where at most `most` could ever be had.
    pub fn never_fits(wanted: u64, most: u64) -> Self {
        Self::new(
            ErrorKind::NeverFits,
            format!("{wanted} bytes are wanted; the device can never give more than {most}"),
        )
    }

    /// [`ErrorKind::NotNow`]: `wanted` bytes where `free` are free at the moment. Retryable.
    pub fn not_now(wanted: u64, free: u64) -> Self {
        let mut error =
            Self::new(ErrorKind::NotNow, format!("{wanted} bytes are wanted; {free} are free at the moment"));
        error.retryable = true;
        error
    }
}

impl From<abi::transfer::TransferError> for BackendError {
    fn from(error: abi::transfer::TransferError) -> Self {
        Self::new(ErrorKind::AbiMismatch, error.to_string())
    }
}
