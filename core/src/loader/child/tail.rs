//! The end of what a process printed.

/// Bytes that are kept.
const KEPT: usize = 4096;

/// Collects what a process prints and keeps the last 4 KiB of it.
#[derive(Clone, Debug, Default)]
pub struct Tail {
    bytes: Vec<u8>,
    cut: bool,
}

impl Tail {
    /// Adds what came.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.extend_from_slice(bytes);
        if self.bytes.len() > 2 * KEPT {
            self.shorten();
        }
    }

    fn shorten(&mut self) {
        if let Some(more @ 1..) = self.bytes.len().checked_sub(KEPT) {
            self.bytes.drain(..more);
            self.cut = true;
        }
    }

    /// The last whole lines, as they are: what a terminal would obey is still in them.
    pub fn text(&self) -> String {
        let mut own = self.clone();
        own.shorten();
        let text = String::from_utf8_lossy(&own.bytes);
        match text.split_once('\n') {
            // Its begin is lost.
            Some((_, rest)) if own.cut => rest.to_owned(),
            _ => text.into_owned(),
        }
    }

    /// The last lines that are not empty, at most so many, joined to one of at most so many characters: for a message.
    /// Control characters, and what turns the direction of text, become spaces. `None` when nothing was printed.
    pub fn last(&self, lines: usize, chars: usize) -> Option<String> {
        let text = self.text();
        let plain = |line: &str| -> String {
            let line: String = line.chars().map(|c| if obeyed(c) { ' ' } else { c }).collect();
            line.trim().to_owned()
        };
        let all: Vec<String> = text.lines().map(plain).filter(|line| !line.is_empty()).collect();
        let joined = all[all.len().saturating_sub(lines)..].join(" | ");
        let length = joined.chars().count();
        match length {
            0 => None,
            _ if length <= chars => Some(joined),
            // The end says more of what ended a process than the begin.
            _ => Some(format!("…{}", joined.chars().skip(length - chars).collect::<String>())),
        }
    }
}

/// Whether a terminal would obey this character instead of showing it.
fn obeyed(c: char) -> bool {
    c.is_control() || matches!(c, '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tail(pieces: &[&[u8]]) -> Tail {
        let mut tail = Tail::default();
        pieces.iter().for_each(|piece| tail.push(piece));
        tail
    }

    #[test]
    fn the_last_lines_are_kept() {
        assert_eq!(tail(&[b"one\nt", b"wo\n"]).text(), "one\ntwo\n");
        let long = "x".repeat(10_000);
        assert_eq!(tail(&[long.as_bytes(), b"\nlast\n"]).text(), "last\n");
        let mut endless = Tail::default();
        for _ in 0..10_000 {
            endless.push(b"line\n");
            assert!(endless.bytes.len() <= 2 * KEPT);
        }
        assert!(endless.text().len() <= KEPT && endless.text().starts_with("line\n"));
    }

    #[test]
    fn a_message_gets_one_short_line_that_no_terminal_obeys() {
        assert_eq!(tail(&[]).last(3, 100), None);
        assert_eq!(tail(&[b"\n \x07\n"]).last(3, 100), None);
        let evil = "one\n\ntwo\x1b[2J\u{9b}31m\n\u{202e}three\r\nfour\n";
        assert_eq!(tail(&[evil.as_bytes()]).last(3, 100).unwrap(), "two [2J 31m | three | four");
        assert_eq!(tail(&[evil.as_bytes()]).last(3, 5).unwrap(), "… four");
        assert_eq!(tail(&[b"\xff\xfe"]).last(1, 9).unwrap(), "\u{fffd}\u{fffd}");
    }
}
