//! What a library's code is asked to do before it is trusted to do it in this process.

use std::fmt;

/// A step in the opening of a plugin, in order. Shown as the place in a sentence: `in plugin_probe`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// The dynamic linker maps it and its constructors run.
    Open,
    /// Its abi_stable root module is made and its layout looked at.
    Door,
    /// The entry gives the table.
    Entry,
    /// `plugin_info`.
    Info,
    /// `plugin_probe`.
    Probe,
    /// `device_info` of each device.
    Devices,
    /// `strategy_count` and `strategy_info`.
    Strategies,
    /// Destructors run, threads end.
    Exit,
}

impl Step {
    const ALL: [Self; 8] = [
        Self::Open,
        Self::Door,
        Self::Entry,
        Self::Info,
        Self::Probe,
        Self::Devices,
        Self::Strategies,
        Self::Exit,
    ];

    /// The word by which a child tells it.
    pub(super) fn word(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Door => "door",
            Self::Entry => "entry",
            Self::Info => "info",
            Self::Probe => "probe",
            Self::Devices => "devices",
            Self::Strategies => "strategies",
            Self::Exit => "exit",
        }
    }

    /// The step of such a word.
    pub(super) fn of(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|step| step.word() == word)
    }
}

impl fmt::Display for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Open => "while the library was being opened",
            Self::Door => "while its abi_stable root module was being read",
            Self::Entry => "in its entry, interlock_get_api",
            Self::Info => "in plugin_info",
            Self::Probe => "in plugin_probe",
            Self::Devices => "in device_info",
            Self::Strategies => "in strategy_count or strategy_info",
            Self::Exit => "while the process was ending",
        })
    }
}
