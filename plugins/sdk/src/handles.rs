//! The handle table: what the host holds is a number, not an address.
//!
//! A handle freed twice, of another kind, or made up is then an error instead of memory corruption. Slot numbers carry
//! a generation, so a freed handle does not come back to life when its slot is reused.

use std::any::Any;
use std::sync::{Arc, PoisonError, RwLock};

use crate::error::{BackendError, ErrorKind};

struct Slot {
    generation: u32,
    value: Option<Arc<dyn Any + Send + Sync>>,
}

struct Table {
    slots: Vec<Slot>,
    free: Vec<u32>,
}

static TABLE: RwLock<Table> = RwLock::new(Table { slots: Vec::new(), free: Vec::new() });

/// Stores an object and gives its handle.
pub(crate) fn insert<T: Any + Send + Sync, H>(value: T) -> *mut H {
    let value: Arc<dyn Any + Send + Sync> = Arc::new(value);
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let slot = match table.free.pop() {
        Some(slot) => slot,
        None => {
            table.slots.push(Slot { generation: 0, value: None });
            table.slots.len() as u32 - 1
        }
    };
    let entry = &mut table.slots[slot as usize];
    entry.value = Some(value);
    // The slot number is stored plus one, so that no handle is NULL.
    let bits = (u64::from(entry.generation) << 32) | (u64::from(slot) + 1);
    std::ptr::without_provenance_mut(bits as usize)
}

/// The object of a handle.
///
/// # Errors
/// The handle is not alive or of another kind.
pub(crate) fn get<T: Any + Send + Sync, H>(
    handle: *const H,
    what: &'static str,
) -> Result<Arc<T>, BackendError> {
    let table = TABLE.read().unwrap_or_else(PoisonError::into_inner);
    let value = locate(handle)
        .and_then(|(slot, generation)| {
            let entry = table.slots.get(slot)?;
            if entry.generation == generation { entry.value.clone() } else { None }
        })
        .ok_or_else(|| dead(what))?;
    drop(table);
    value.downcast().map_err(|_| dead(what))
}

/// Takes an object out: its handle is dead from now on. The object itself lives until its last user is done.
///
/// # Errors
/// As [`get`].
pub(crate) fn remove<T: Any + Send + Sync, H>(
    handle: *const H,
    what: &'static str,
) -> Result<Arc<T>, BackendError> {
    let mut table = TABLE.write().unwrap_or_else(PoisonError::into_inner);
    let (slot, generation) = locate(handle).ok_or_else(|| dead(what))?;
    let entry = table.slots.get_mut(slot).ok_or_else(|| dead(what))?;
    let right = entry.generation == generation && entry.value.as_ref().is_some_and(|value| value.is::<T>());
    if !right {
        return Err(dead(what));
    }
    let value = entry.value.take().ok_or_else(|| dead(what))?;
    entry.generation = entry.generation.wrapping_add(1);
    table.free.push(slot as u32);
    drop(table);
    value.downcast().map_err(|_| dead(what))
}

/// Drops an object that was taken out of the table, once no call uses it any more. The host gives a key's memory back
/// when this returns, so no call may still read it: one that is under way on another thread is waited for.
pub(crate) fn last<T>(mut object: Arc<T>) {
    while let Err(shared) = Arc::try_unwrap(object) {
        object = shared;
        std::thread::yield_now();
    }
}

fn locate<H>(handle: *const H) -> Option<(usize, u32)> {
    let bits = handle.addr() as u64;
    let slot = (bits & 0xffff_ffff).checked_sub(1)?;
    Some((slot as usize, (bits >> 32) as u32))
}

fn dead(what: &'static str) -> BackendError {
    BackendError::new(
        ErrorKind::InvalidHandle,
        format!("the {what} handle is not alive, or is of another kind"),
    )
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Opaque;

    #[test]
    fn dead_foreign_and_wrong_handles_are_refused() {
        let handle: *mut Opaque = insert(7_u32);
        assert_eq!(*get::<u32, _>(handle, "number").unwrap(), 7);
        assert_eq!(get::<u64, _>(handle, "number").unwrap_err().kind, ErrorKind::InvalidHandle);
        assert_eq!(remove::<u64, _>(handle, "number").unwrap_err().kind, ErrorKind::InvalidHandle);
        assert_eq!(*remove::<u32, _>(handle, "number").unwrap(), 7);
        assert!(get::<u32, _>(handle, "number").is_err());
        assert!(remove::<u32, _>(handle, "number").is_err());
        let reused: *mut Opaque = insert(8_u32);
        assert_ne!(handle, reused);
        assert!(get::<u32, _>(handle, "number").is_err());
        assert!(get::<u32, Opaque>(std::ptr::null(), "number").is_err());
        assert!(get::<u32, Opaque>(std::ptr::without_provenance(usize::MAX), "number").is_err());
        let _ = remove::<u32, _>(reused, "number");
    }
}
