//! From `Result` and panics to error objects.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

use interlock_abi::{
    INTERLOCK_ERROR_CONTEXT_LOST, INTERLOCK_ERROR_RETRYABLE, InterlockError, InterlockErrorInfo,
    InterlockStr, transfer,
};

use crate::error::{BackendError, ErrorKind};
use crate::handles;

/// Runs a call: NULL for success, an error object otherwise. A panic becomes [`ErrorKind::Internal`].
pub(crate) fn guard(call: impl FnOnce() -> Result<(), BackendError>) -> *mut InterlockError {
    // Unwind safety: whatever a panicking call held in a lock is poisoned, and the next user of it is told.
    match catch_unwind(AssertUnwindSafe(call)) {
        Ok(Ok(())) => std::ptr::null_mut(),
        Ok(Err(error)) => handles::insert(error),
        Err(payload) => {
            let message = format!("the backend panicked: {}", panic_text(payload.as_ref()));
            // A payload's own destructor may panic as well.
            let _ = catch_unwind(AssertUnwindSafe(move || drop(payload)));
            handles::insert(BackendError::new(ErrorKind::Internal, message))
        }
    }
}

/// A lock that a panicking call left behind: its object is no longer trusted.
pub(crate) fn poisoned(what: &str) -> BackendError {
    let mut error =
        BackendError::new(ErrorKind::Internal, format!("an earlier call panicked while it used this {what}"));
    error.context_lost = true;
    error
}

fn panic_text(payload: &(dyn Any + Send)) -> &str {
    payload
        .downcast_ref::<&'static str>()
        .copied()
        .or_else(|| payload.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message")
}

/// `error_get`
///
/// # Safety
/// `out` is NULL or an `InterlockErrorInfo` with its `struct_size` filled.
pub(crate) unsafe extern "C" fn error_get(error: *const InterlockError, out: *mut InterlockErrorInfo) {
    let _ = catch_unwind(|| {
        let unknown;
        let record = match handles::get::<BackendError, _>(error, "error") {
            Ok(record) => record,
            Err(dead) => {
                unknown = dead;
                std::sync::Arc::new(BackendError { message: String::new(), ..unknown })
            }
        };
        let mut info: InterlockErrorInfo = transfer::empty();
        info.code = record.kind.code();
        info.flags = (if record.retryable { INTERLOCK_ERROR_RETRYABLE } else { 0 })
            | (if record.context_lost { INTERLOCK_ERROR_CONTEXT_LOST } else { 0 });
        info.device = u32::MAX;
        info.native_code = record.native_code;
        // The table keeps the record alive until `error_destroy`; a dead handle's text is empty.
        info.message = InterlockStr::new(&record.message);
        if record.message.is_empty() {
            info.message = InterlockStr::EMPTY;
        }
        // SAFETY: the caller's struct carries its size.
        let _ = unsafe { transfer::write(out, &info) };
    });
}

/// `error_destroy`
pub(crate) unsafe extern "C" fn error_destroy(error: *mut InterlockError) {
    let _ = catch_unwind(|| {
        if !error.is_null() {
            let _ = handles::remove::<BackendError, _>(error, "error");
        }
    });
}
