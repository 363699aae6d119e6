//! What an engine did and when: recorded, read again, summed up, drawn, and replayed.
//!
//! A timeline is NDJSON: a header, then what the scheduler was told and what it answered, with the spans and the bytes
//! that workers measured (`docs/timeline.md`). A simulator writes the same lines as an engine, so that whatever reads
//! them serves both.
//!
//! ```text
//! Writer ─► lines ─► Reader ─► Model ─┬─► Summary ─► numbers, a text table
//!                      │              ├─► batch::Report, numbers, the text of `bench batch`
//!                      │              ├─► html::page, one file that needs nothing else
//!                      │              └─► perfetto::write, for ui.perfetto.dev
//!                      └─► replay: a fresh scheduler must decide the same
//! ```
//!
//! | module | holds |
//! |---|---|
//! | [`format`](mod@format) | header and records, their limits |
//! | [`reader`], [`writer`] | from and to lines |
//! | [`model`] | what each worker did at any time, and what became of jobs and partitions |
//! | [`row`], [`cause`] | its intervals; why somebody waited |
//! | `follow` | how it is made from records |
//! | [`summary`] | shares, peaks, counts; `table` prints them |
//! | [`batch`] | the report of a batch of jobs |
//! | [`html`], [`perfetto`] | pictures |
//! | [`mod@replay`] | recorded events fed to a fresh scheduler |

#![forbid(unsafe_code)]

pub mod batch;
pub mod cause;
mod error;
mod follow;
pub mod format;
pub mod html;
pub mod model;
mod page_data;
pub mod perfetto;
pub mod reader;
pub mod replay;
pub mod row;
pub mod summary;
mod table;
pub mod units;
pub mod writer;

pub use error::{Error, Fault, WriteError};
pub use format::{DeviceInfo, Header, Memory, Record, Source, Span, What};
pub use model::Model;
pub use reader::Reader;
pub use replay::{Divergence, replay};
pub use summary::Summary;
pub use writer::Writer;
