//! What the handles stand for.
//!
//! Fields are dropped in order, so each entry's device comes last: it outlives what was made from it, even when the host
//! closes it first.

use std::sync::{Arc, Mutex, MutexGuard, RwLock, RwLockReadGuard, RwLockWriteGuard, TryLockError};

use crate::backend::Device;
use crate::cancel::CancelToken;
use crate::error::{BackendError, ErrorKind};
use crate::thunks::guard::poisoned;
use crate::types::{CurveId, Form, Group};

pub(crate) struct DeviceEntry<D> {
    pub(crate) device: D,
    pub(crate) curve: CurveId,
}

pub(crate) struct LaneEntry<D: Device> {
    pub(crate) lane: Mutex<D::Lane>,
    pub(crate) cancel: CancelToken,
    pub(crate) device: Arc<DeviceEntry<D>>,
}

impl<D: Device> LaneEntry<D> {
    /// The lane, for one call. A second thread gets an error instead of waiting: the contract forbids it.
    pub(crate) fn lock(&self) -> Result<MutexGuard<'_, D::Lane>, BackendError> {
        self.lane.try_lock().map_err(|error| match error {
            TryLockError::Poisoned(_) => poisoned("lane"),
            TryLockError::WouldBlock => BackendError::argument("the lane is in use by another thread"),
        })
    }

    /// Refuses objects of another device.
    pub(crate) fn owns(&self, device: &Arc<DeviceEntry<D>>, what: &str) -> Result<(), BackendError> {
        if Arc::ptr_eq(&self.device, device) {
            return Ok(());
        }
        Err(BackendError::new(
            ErrorKind::InvalidHandle,
            format!("the {what} handle belongs to another device"),
        ))
    }
}

pub(crate) struct Buffer<S> {
    pub(crate) scalars: S,
    pub(crate) form: Form,
}

pub(crate) struct ScalarsEntry<D: Device> {
    pub(crate) count: usize,
    pub(crate) buffer: RwLock<Buffer<D::Scalars>>,
    pub(crate) device: Arc<DeviceEntry<D>>,
}

impl<D: Device> ScalarsEntry<D> {
    pub(crate) fn read(&self) -> Result<RwLockReadGuard<'_, Buffer<D::Scalars>>, BackendError> {
        self.buffer.try_read().map_err(|error| busy(&error))
    }

    pub(crate) fn write(&self) -> Result<RwLockWriteGuard<'_, Buffer<D::Scalars>>, BackendError> {
        self.buffer.try_write().map_err(|error| busy(&error))
    }
}

fn busy<T>(error: &TryLockError<T>) -> BackendError {
    match error {
        TryLockError::Poisoned(_) => poisoned("scalar buffer"),
        TryLockError::WouldBlock => {
            BackendError::argument("an output aliases another argument, or another lane uses the buffer")
        }
    }
}

pub(crate) struct BasesEntry<D: Device> {
    pub(crate) bases: D::Bases,
    pub(crate) group: Group,
    /// One more than the largest scalar position that the bases refer to.
    pub(crate) span: usize,
    pub(crate) device: Arc<DeviceEntry<D>>,
}

pub(crate) struct MatrixEntry<D: Device> {
    pub(crate) matrix: D::Matrix,
    pub(crate) rows: usize,
    pub(crate) cols: usize,
    pub(crate) device: Arc<DeviceEntry<D>>,
}

pub(crate) struct DomainEntry<D: Device> {
    pub(crate) domain: D::Domain,
    pub(crate) log_size: u32,
    pub(crate) device: Arc<DeviceEntry<D>>,
}
