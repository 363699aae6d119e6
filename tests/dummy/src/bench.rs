//! A plugin with its devices.

use std::sync::{Arc, Mutex, Weak};
use std::thread::sleep;
use std::time::{Duration, Instant};

use interlock_abi::InterlockApi;

use crate::door;
use crate::lock;
use crate::script::Script;

/// Benches that there can be at once in a process: tables are made when this crate is compiled.
pub const BENCHES: usize = 32;

/// Devices that a bench can have.
pub const MOST_DEVICES: usize = 16;

/// How long a new bench waits for another one's end.
const PATIENCE: Duration = Duration::from_secs(60);

/// A plugin that is linked into the test, with devices that nobody else has.
///
/// When it is dropped, nothing that its scripts said holds any more: calls that hang go on, so that a test that failed
/// ends. Its table may then become another bench's, once the devices that were opened through it are closed.
#[derive(Debug)]
pub struct Bench(Arc<Shelf>);

/// A bench's devices. Kept by their openings as well.
#[derive(Debug)]
pub(crate) struct Shelf {
    slot: usize,
    scripts: Vec<Script>,
}

struct Registry {
    shelves: [Weak<Shelf>; BENCHES],
    /// The slot after the one that was taken last: one that was left comes last again.
    next: usize,
}

static REGISTRY: Mutex<Registry> =
    Mutex::new(Registry { shelves: [const { Weak::new() }; BENCHES], next: 0 });

impl Bench {
    /// With one device.
    ///
    /// # Panics
    /// As [`with_devices`](Self::with_devices).
    pub fn new() -> Self {
        Self::with_devices(1)
    }

    /// With so many devices.
    ///
    /// # Panics
    /// They are more than [`MOST_DEVICES`]; or [`BENCHES`] others go on existing for a minute.
    pub fn with_devices(count: usize) -> Self {
        assert!(count <= MOST_DEVICES, "a bench has at most {MOST_DEVICES} devices");
        let scripts: Vec<Script> = (0..count).map(|_| Script::new()).collect();
        let begin = Instant::now();
        loop {
            if let Some(shelf) = lock(&REGISTRY).take_slot(&scripts) {
                return Self(shelf);
            }
            assert!(begin.elapsed() < PATIENCE, "there are {BENCHES} benches, and none of them ends");
            sleep(Duration::from_millis(1));
        }
    }

    /// The table, for `Plugin::linked`.
    pub fn api(&self) -> &'static InterlockApi {
        door::table_of(self.0.slot)
    }

    /// The script of the first device.
    ///
    /// # Panics
    /// The bench was made without devices.
    pub fn script(&self) -> &Script {
        &self.0.scripts[0]
    }

    /// The scripts, in the order of the devices' indices.
    pub fn scripts(&self) -> &[Script] {
        &self.0.scripts
    }
}

impl Default for Bench {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        self.scripts().iter().for_each(Script::close);
    }
}

impl Registry {
    fn take_slot(&mut self, scripts: &[Script]) -> Option<Arc<Shelf>> {
        let slot = (0..BENCHES)
            .map(|i| (self.next + i) % BENCHES)
            .find(|&slot| self.shelves[slot].strong_count() == 0)?;
        let shelf = Arc::new(Shelf { slot, scripts: scripts.to_vec() });
        self.shelves[slot] = Arc::downgrade(&shelf);
        self.next = (slot + 1) % BENCHES;
        Some(shelf)
    }
}

impl Shelf {
    /// What belongs to a table at the moment.
    pub(crate) fn at(slot: usize) -> Option<Arc<Self>> {
        lock(&REGISTRY).shelves[slot].upgrade()
    }

    pub(crate) fn scripts(&self) -> &[Script] {
        &self.scripts
    }
}
