//! What is to be run.

use std::time::Duration;

use interlock_core::backend::DeviceOptions;
use serde::{Deserialize, Serialize};

use crate::group::Group;

/// How much is run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Seconds: sizes up to 2^10.
    Quick,
    /// Minutes: sizes up to 2^16.
    Full,
    /// Rows of the quick level at random, with a new seed each, until the time is over.
    Soak,
}

impl Level {
    /// log2 of the largest size.
    pub(crate) fn largest_log(self) -> u32 {
        match self {
            Self::Quick | Self::Soak => 10,
            Self::Full => 16,
        }
    }

    /// The name on the command line and in reports.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Quick => "quick",
            Self::Full => "full",
            Self::Soak => "soak",
        }
    }
}

/// What is to be run, and how the device is opened.
#[derive(Clone, Debug)]
pub struct Options {
    /// How much.
    pub level: Level,
    /// Which groups; each runs at most once, in the order of [`Group::ALL`].
    pub groups: Vec<Group>,
    /// What random inputs are made from. A row depends on the seed and on its own name, not on the rows before it.
    pub seed: u64,
    /// How the device is opened, for rows that say nothing else.
    pub device: DeviceOptions,
    /// How long [`Level::Soak`] goes on.
    pub soak: Duration,
}

impl Default for Options {
    /// All groups of the quick level, with seed 1, on the first device.
    fn default() -> Self {
        Self {
            level: Level::Quick,
            groups: Group::ALL.to_vec(),
            seed: 1,
            device: DeviceOptions::default(),
            soak: Duration::from_secs(600),
        }
    }
}
