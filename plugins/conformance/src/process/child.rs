//! The child's side.

use std::io;

use interlock_core::loader::child;

use crate::event::Event;

/// Where the child tells of events: [`child::Channel`], with an event as JSON on each line.
#[derive(Debug)]
pub struct Channel(child::Channel);

impl Channel {
    /// Takes the standard output over: [`child::Channel::open`].
    ///
    /// # Errors
    /// The system does not give another descriptor.
    pub fn open() -> io::Result<Self> {
        child::Channel::open().map(Self)
    }

    /// Tells of an event, at once.
    ///
    /// # Errors
    /// The parent is gone.
    pub fn send(&mut self, event: &Event) -> io::Result<()> {
        self.0.tell(&serde_json::to_string(event)?)
    }
}
