//! Text of files, plugins and command lines, made fit for a terminal.
//!
//! A terminal obeys control characters, and shows text in another order where a directional override says so. Such
//! characters become spaces, and nobody's text is longer than [`MOST`] characters.

use std::borrow::Cow;

/// Characters of a message or value that are shown; a path can be as long.
pub(crate) const MOST: usize = 4096;

/// What stands for the rest of a text.
const REST: char = '…';

/// Whether a terminal would obey this character instead of showing it: control characters, C1 included, directional
/// embeddings, overrides and isolates, and Unicode's own ends of lines.
fn obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

/// One value, on one line.
pub(crate) fn value(text: &str) -> Cow<'_, str> {
    if text.len() <= MOST && !text.contains(obeyed) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(short(text, obeyed))
}

/// Lines of ours with values in them, however long.
pub(crate) fn lines(text: &str) -> Cow<'_, str> {
    let bad = |c| c != '\n' && obeyed(c);
    if !text.contains(bad) {
        return Cow::Borrowed(text);
    }
    Cow::Owned(text.chars().map(|c| if bad(c) { ' ' } else { c }).collect())
}

/// A message. All lines but the first are indented, so that none of them can pass for another message.
pub(crate) fn message(text: &str) -> String {
    let mut out = String::new();
    for (i, line) in short(text, |c| c != '\n' && obeyed(c)).lines().enumerate() {
        if i > 0 {
            out.push_str(if line.is_empty() || line.starts_with("  ") { "\n" } else { "\n  " });
        }
        out.push_str(line);
    }
    out
}

/// A JSON text with its strings shortened, and escapes for what JSON alone would let pass. The meaning of a string that is
/// not too long does not change.
pub(crate) fn json(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars();
    // Inside a string: how many characters it had so far.
    let mut string: Option<usize> = None;
    while let Some(c) = chars.next() {
        match (c, &mut string) {
            ('"', Some(n)) => {
                if *n > MOST {
                    out.push(REST);
                }
                string = None;
                out.push(c);
            }
            ('"', None) => {
                string = Some(0);
                out.push(c);
            }
            (c, None) => out.push(c),
            (c, Some(n)) => {
                let mut escape = String::new();
                if c == '\\' {
                    let kind = chars.next();
                    escape.extend([c].into_iter().chain(kind));
                    if kind == Some('u') {
                        escape.extend(chars.by_ref().take(4));
                    }
                } else if obeyed(c) {
                    // All of them are in the first plane.
                    escape = format!("\\u{:04x}", u32::from(c));
                } else {
                    escape.push(c);
                }
                *n += 1;
                if *n <= MOST {
                    out.push_str(&escape);
                }
            }
        }
    }
    out
}

fn short(text: &str, bad: impl Fn(char) -> bool) -> String {
    let mut chars = text.chars();
    let mut out: String = chars.by_ref().take(MOST).map(|c| if bad(c) { ' ' } else { c }).collect();
    if chars.next().is_some() {
        out.push(REST);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    const EVIL: &str = "a\x1b[2J\u{9b}31m\r\u{202e}b\u{2066}c\u{2069}\x7f\nOK é";

    #[test]
    fn a_terminal_gets_nothing_that_it_obeys() {
        assert_eq!(value(EVIL), "a [2J 31m  b c   OK é");
        assert_eq!(lines(EVIL), "a [2J 31m  b c  \nOK é");
        assert_eq!(message(EVIL), "a [2J 31m  b c  \n  OK é");
        assert!(matches!(value("plain"), Cow::Borrowed("plain")));
    }

    #[test]
    fn lines_of_a_message_stay_and_none_begins_at_the_margin() {
        assert_eq!(message("no\n  one\n\terror: two"), "no\n  one\n   error: two");
        assert_eq!(message("no\nerror: {}\n\n"), "no\n  error: {}\n");
    }

    #[test]
    fn texts_are_capped() {
        let long = "é".repeat(MOST + 1);
        for short in [value(&long).into_owned(), message(&long)] {
            assert_eq!(short, format!("{}…", "é".repeat(MOST)));
        }
        let fits = "é".repeat(MOST);
        assert_eq!((value(&fits).as_ref(), message(&fits)), (fits.as_str(), fits.clone()));
    }

    #[test]
    fn json_keeps_its_meaning_and_is_capped() {
        let plain = serde_json::json!({ "a\"\\": [EVIL, "\u{1f600}\\", 1.5], "b": null });
        let text = json(&plain.to_string());
        assert!(!text.contains(obeyed), "{text}");
        assert_eq!(serde_json::from_str::<serde_json::Value>(&text).unwrap(), plain);

        for unit in ["x", "\"", "\x1b", "\u{9b}", "\\"] {
            let object =
                serde_json::json!({ "long": unit.repeat(2 * MOST), "fits": unit.repeat(MOST), "n": 1 });
            let short: serde_json::Value = serde_json::from_str(&json(&object.to_string())).unwrap();
            assert_eq!(short["long"], format!("{}…", unit.repeat(MOST)));
            assert_eq!((&short["fits"], &short["n"]), (&object["fits"], &object["n"]));
        }
    }
}
