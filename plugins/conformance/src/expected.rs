//! Failures that are known.

use serde::{Deserialize, Serialize};

use crate::event::{RowId, Subject};

/// A failure that is known: the backend is not at its end yet, or a device cannot do better.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFailure {
    /// The plugin's name.
    pub backend: String,
    /// The device's model; `*` stands for anything, here and in `row`.
    pub device: String,
    /// `group / row`, or `group / row / curve`, as reports name rows.
    pub row: String,
    /// Why it fails, for whoever reads the report.
    pub reason: String,
}

/// All that are known.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ExpectedFailures {
    /// In no particular order.
    #[serde(default)]
    pub expected: Vec<ExpectedFailure>,
}

impl ExpectedFailures {
    /// The first entry that a row falls under.
    pub(crate) fn entry(&self, subject: &Subject, id: &RowId) -> Option<&ExpectedFailure> {
        let (with_curve, without) = (id.to_string(), format!("{} / {}", id.group, id.row));
        self.expected.iter().find(|entry| {
            entry.backend == subject.name
                && matches(&entry.device, &subject.device)
                && (matches(&entry.row, &with_curve) || matches(&entry.row, &without))
        })
    }
}

/// Whether a text is what a pattern says, in which `*` stands for any text.
fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('*') {
        None => pattern == text,
        Some((before, after)) => text.strip_prefix(before).is_some_and(|rest| {
            rest.char_indices().map(|(at, _)| at).chain([rest.len()]).any(|at| matches(after, &rest[at..]))
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::matches;

    #[test]
    fn patterns() {
        for (pattern, text) in
            [("*", ""), ("*", "x"), ("msm / *", "msm / length 1"), ("a*c*e", "abcde"), ("é*", "éü")]
        {
            assert!(matches(pattern, text), "{pattern} {text}");
        }
        for (pattern, text) in [("", "x"), ("msm", "msm / length 1"), ("a*c", "ab"), ("*b", "ba")] {
            assert!(!matches(pattern, text), "{pattern} {text}");
        }
    }
}
