//! A bar on a terminal.

use std::time::Duration;

use indicatif::{ProgressBar, ProgressStyle};

use crate::output::clean;

/// The bar.
#[derive(Debug)]
pub(super) struct Bar {
    bar: ProgressBar,
    begun: u64,
}

impl Bar {
    pub(super) fn begin(steps: u64) -> Self {
        let bar = ProgressBar::new(steps);
        // The template is a constant; were it wrong, the library's default bar would be shown.
        if let Ok(style) = ProgressStyle::with_template("{spinner} {bar:20} {msg} {elapsed}") {
            bar.set_style(style.progress_chars("=> "));
        }
        bar.enable_steady_tick(Duration::from_millis(120));
        Self { bar, begun: 0 }
    }

    pub(super) fn step(&mut self, name: &str, backend: Option<&str>) {
        // Retries and comparisons go through phases again: the bar stays where it is then.
        self.bar.set_position(self.begun.min(self.bar.length().unwrap_or(u64::MAX)));
        self.begun += 1;
        let name = name.replace('_', " ");
        self.bar.set_message(match backend {
            Some(backend) => format!("{name} ({})", clean::value(backend)),
            None => name,
        });
    }

    pub(super) fn suspended(&self, print: impl FnOnce()) {
        self.bar.suspend(print);
    }

    pub(super) fn end(&self) {
        self.bar.finish_and_clear();
    }
}
