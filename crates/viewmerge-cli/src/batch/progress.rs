//! Shows on standard error how far a run through a file is.
//!
//! Policy: drawn only for a file, only if standard error is a terminal, and not if the
//! answers go to a terminal too, where the two would mix. It leaves nothing on the
//! screen.

use std::fs::Metadata;
use std::io::{IsTerminal, stderr, stdout};
use std::time::{Duration, Instant};

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

const TEMPLATE: &str = "{bytes} of {total_bytes} [{wide_bar}] {msg}, {eta} left";

/// How often it is drawn.
const EVERY: Duration = Duration::from_millis(100);

/// The progress of a run, drawn or not; dropping it clears it.
pub(super) struct Progress {
    bar: Option<ProgressBar>,
    start: Instant,
    drawn: Instant,
    bytes: u64,
    lines: u64,
}

impl Progress {
    /// Not drawn.
    pub(super) fn hidden() -> Progress {
        let now = Instant::now();
        Progress { bar: None, start: now, drawn: now, bytes: 0, lines: 0 }
    }

    /// Drawn if the input is a file and there is a terminal for it.
    pub(super) fn of(input: &Metadata) -> Progress {
        let wanted = input.is_file() && stderr().is_terminal() && !stdout().is_terminal();
        let bar = wanted.then(|| {
            let bar =
                ProgressBar::with_draw_target(Some(input.len()), ProgressDrawTarget::stderr());
            // If the template cannot be parsed, the default one stays.
            match ProgressStyle::with_template(TEMPLATE) {
                Ok(style) => bar.with_style(style),
                Err(_) => bar,
            }
        });
        Progress { bar, ..Progress::hidden() }
    }

    /// Adds what was done.
    pub(super) fn add(&mut self, bytes: u64, lines: u64) {
        let Some(bar) = &self.bar else { return };
        self.bytes += bytes;
        self.lines += lines;
        if self.drawn.elapsed() >= EVERY {
            self.drawn = Instant::now();
            let rate = self.lines as f64 / self.start.elapsed().as_secs_f64();
            bar.set_position(self.bytes);
            bar.set_message(format!("{rate:.0} lines/s"));
        }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_template_can_be_read() {
        ProgressStyle::with_template(TEMPLATE).expect("is well formed");
    }
}
