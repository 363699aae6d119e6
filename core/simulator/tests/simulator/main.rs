//! The simulator: hand-computed cases, the published rows, the bounds, files, replays.

mod bounds;
mod files;
mod ledger;
mod replays;
mod rows;
mod tiny;
mod vendors;
