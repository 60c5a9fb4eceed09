//! Works on the items of a slow source on several threads and returns the results in order.
//!
//! One thread draws chunks from the source. For each it makes a place for the result,
//! queues the place and hands the chunk to the workers; the iterator takes the places
//! from the queue and waits for each to be filled.
//!
//! Cost: two messages for a chunk. The queue is bounded, so the source is not drawn from
//! faster than results are taken: at most [`AHEAD`] chunks for every worker are waiting,
//! in work or done.
//!
//! Policy: dropping the iterator ends every thread after its current chunk, without
//! waiting. If a thread panics, its missing result becomes an error, and nobody waits for
//! it.

use std::io;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, Mutex};
use std::thread;

/// Chunks under way for every worker: one in work; the others keep all workers busy while
/// a costly chunk holds up the results behind it.
const AHEAD: usize = 4;

/// What comes next.
enum Next<T> {
    /// The result that will be here.
    Result(Receiver<T>),
    /// The source failed.
    Failed(io::Error),
    /// The source has ended; if this never arrives, its thread has failed.
    End,
}

/// What ends the results before the end of the source.
#[derive(Debug)]
pub(super) enum Stop {
    /// The source failed.
    Source(io::Error),
    /// A thread failed.
    Thread(&'static str),
}

/// The results, in the order of the chunks they were made of.
pub(super) struct InOrder<T> {
    queue: Receiver<Next<T>>,
    ended: bool,
}

impl<T: Send + 'static> InOrder<T> {
    /// Starts the threads; at least one works.
    pub(super) fn start(
        source: impl Iterator<Item = io::Result<Vec<u8>>> + Send + 'static,
        workers: usize,
        work: impl Fn(&[u8]) -> T + Copy + Send + 'static,
    ) -> io::Result<InOrder<T>> {
        let workers = workers.max(1);
        let (places, queue) = sync_channel(AHEAD * workers);
        let (hand_out, chunks) = sync_channel(AHEAD * workers);
        let chunks = Arc::new(Mutex::new(chunks));
        for _ in 0..workers {
            let chunks = Arc::clone(&chunks);
            thread::Builder::new().name("answers".into()).spawn(move || serve(&chunks, work))?;
        }
        let reader = thread::Builder::new().name("input".into());
        reader.spawn(move || feed(source, &places, &hand_out))?;
        Ok(InOrder { queue, ended: false })
    }
}

type Task<T> = (Vec<u8>, SyncSender<T>);

/// Hands out the chunks of the source until it ends or nobody takes results any more.
fn feed<T>(
    source: impl Iterator<Item = io::Result<Vec<u8>>>,
    places: &SyncSender<Next<T>>,
    hand_out: &SyncSender<Task<T>>,
) {
    for chunk in source {
        let sent = match chunk {
            Ok(chunk) => {
                let (fill, place) = sync_channel(1);
                places.send(Next::Result(place)).is_ok() && hand_out.send((chunk, fill)).is_ok()
            }
            Err(error) => places.send(Next::Failed(error)).is_ok(),
        };
        if !sent {
            return;
        }
    }
    // If this fails, nobody is listening.
    let _ = places.send(Next::End);
}

/// Works on chunks until there are no more or nobody takes results any more.
fn serve<T>(chunks: &Mutex<Receiver<Task<T>>>, work: impl Fn(&[u8]) -> T) {
    loop {
        // The lock is held only while taking a chunk, not during the work.
        let task = match chunks.lock() {
            Ok(chunks) => chunks.recv(),
            Err(_) => return,
        };
        let Ok((chunk, fill)) = task else { return };
        if fill.send(work(&chunk)).is_err() {
            return;
        }
    }
}

impl<T> Iterator for InOrder<T> {
    type Item = Result<T, Stop>;

    fn next(&mut self) -> Option<Result<T, Stop>> {
        if self.ended {
            return None;
        }
        let result = match self.queue.recv() {
            Ok(Next::Result(place)) => {
                place.recv().map_err(|_| Stop::Thread("a thread that answers has panicked"))
            }
            Ok(Next::Failed(error)) => Err(Stop::Source(error)),
            Ok(Next::End) => {
                self.ended = true;
                return None;
            }
            Err(_) => Err(Stop::Thread("the thread that reads has panicked")),
        };
        self.ended = result.is_err();
        Some(result)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::time::Duration;

    fn chunk(number: usize) -> io::Result<Vec<u8>> {
        Ok(number.to_le_bytes().to_vec())
    }

    /// The number in a chunk; every seventh is slow.
    fn number(chunk: &[u8]) -> usize {
        let number = usize::from_le_bytes(chunk.try_into().expect("a number"));
        if number.is_multiple_of(7) {
            thread::sleep(Duration::from_millis(1));
        }
        number
    }

    #[test]
    fn results_come_in_order() {
        for workers in [0, 1, 2, 5] {
            let results = InOrder::start((0..300).map(chunk), workers, number).expect("starts");
            let results: Vec<usize> = results.map(|n| n.expect("no failure")).collect();
            assert_eq!(results, (0..300).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_source_is_not_drawn_from_faster_than_results_are_taken() {
        static DRAWN: AtomicUsize = AtomicUsize::new(0);
        let source = (0..10_000).map(|number| {
            DRAWN.fetch_add(1, Ordering::SeqCst);
            chunk(number)
        });
        let mut results = InOrder::start(source, 2, number).expect("starts");
        for taken in 1..50 {
            results.next().expect("a result").expect("no failure");
            // The feeding thread holds one more.
            assert!(DRAWN.load(Ordering::SeqCst) <= taken + 2 * AHEAD + 1);
        }
    }

    #[test]
    fn a_failure_of_the_source_comes_after_the_results_before_it() {
        let source = (0..9).map(|n| if n < 8 { chunk(n) } else { Err(io::Error::other("gone")) });
        let results: Vec<_> = InOrder::start(source, 2, number).expect("starts").collect();
        assert_eq!(results.len(), 9);
        assert!(results[..8].iter().all(Result::is_ok) && results[8].is_err());
    }

    #[test]
    fn a_panic_is_an_error_and_nobody_waits() {
        fn work(chunk: &[u8]) -> usize {
            match number(chunk) {
                20 => std::panic::resume_unwind(Box::new("on purpose")),
                other => other,
            }
        }
        for workers in [1, 2] {
            let results: Vec<_> =
                InOrder::start((0..1000).map(chunk), workers, work).expect("starts").collect();
            assert_eq!(results.len(), 21);
            assert!(results[..20].iter().all(Result::is_ok) && results[20].is_err());
        }
        let source = (0..9).map(|n| match n {
            5 => std::panic::resume_unwind(Box::new("on purpose")),
            n => chunk(n),
        });
        let results: Vec<_> = InOrder::start(source, 2, number).expect("starts").collect();
        assert_eq!(results.len(), 6);
        assert!(results[5].is_err());
    }

    #[test]
    fn dropping_does_not_wait_for_the_source() {
        let (keep_open, never) = std::sync::mpsc::channel::<io::Result<Vec<u8>>>();
        let source = std::iter::once(chunk(1)).chain(never);
        let mut results = InOrder::start(source, 2, number).expect("starts");
        assert_eq!(results.next().expect("a result").expect("no failure"), 1);
        drop(results);
        drop(keep_open);
    }
}
