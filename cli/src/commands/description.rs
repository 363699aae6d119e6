//! What is told about a file, as it is gathered.

use interlock_curves::Curve;
use serde_json::{Map, Value};

use crate::output::text;

/// What is told about a file, for people and for programs.
#[derive(Debug, Default)]
pub(super) struct Description {
    /// For people.
    pub(super) rows: Vec<(String, String)>,
    /// For programs.
    pub(super) fields: Map<String, Value>,
    /// What a user should know before using the file.
    pub(super) warnings: Vec<String>,
}

impl Description {
    /// A row for people.
    pub(super) fn row(&mut self, label: &str, value: impl Into<String>) {
        self.rows.push((label.to_owned(), value.into()));
    }

    /// A field for programs.
    pub(super) fn field(&mut self, name: &str, value: impl Into<Value>) {
        self.fields.insert(name.to_owned(), value.into());
    }

    /// A count for both.
    pub(super) fn count(&mut self, label: &str, value: u64) {
        self.row(label, text::count(value));
        self.field(&label.replace([' ', '-'], "_"), value);
    }

    /// The curve, for programs by both of its names.
    pub(super) fn curve(&mut self, curve: Curve) {
        self.text("curve", curve.name());
        self.field("snarkjs_curve", curve.snarkjs_name());
    }

    /// Something a user should know before using the file.
    pub(super) fn warning(&mut self, text: &str) {
        self.row("WARNING", text);
        self.warnings.push(text.to_owned());
    }

    /// A text for both.
    pub(super) fn text(&mut self, label: &str, value: &str) {
        self.row(label, value);
        self.field(&label.replace([' ', '-'], "_"), value);
    }
}
