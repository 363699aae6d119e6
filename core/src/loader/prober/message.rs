//! What the child tells its parent, a line each.

use super::step::Step;

/// A line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// A step begins.
    Step(Step),
    /// All steps were taken, and nothing is odd.
    Well,
    /// All steps were taken, and a call failed that says what the plugin finds here: it is asked again next time.
    Unwell,
    /// It is no acceptable plugin, for this reason.
    Refused(String),
}

impl Message {
    pub(super) fn line(&self) -> String {
        match self {
            Self::Step(step) => format!("step {}", step.word()),
            Self::Well => "well".into(),
            Self::Unwell => "unwell".into(),
            Self::Refused(reason) => {
                // One line, and a short one, whatever a plugin puts into its names.
                let reason: String =
                    reason.chars().take(2000).map(|c| if c.is_control() { ' ' } else { c }).collect();
                format!("refused {reason}")
            }
        }
    }

    pub(super) fn parse(line: &[u8]) -> Option<Self> {
        let line = std::str::from_utf8(line).ok()?;
        Some(match line.split_once(' ') {
            None if line == "well" => Self::Well,
            None if line == "unwell" => Self::Unwell,
            Some(("step", word)) => Self::Step(Step::of(word)?),
            Some(("refused", reason)) => Self::Refused(reason.to_owned()),
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_are_written() {
        for message in [
            Message::Step(Step::Open),
            Message::Step(Step::Exit),
            Message::Well,
            Message::Unwell,
            Message::Refused("it has no door".into()),
        ] {
            assert_eq!(Message::parse(message.line().as_bytes()), Some(message));
        }
        assert_eq!(Message::Refused("a\nwell".into()).line(), "refused a well");
        for line in ["", "step", "step dance", "well well", "WELL"] {
            assert_eq!(Message::parse(line.as_bytes()), None, "{line}");
        }
        assert_eq!(Message::parse(b"\xff"), None);
    }
}
