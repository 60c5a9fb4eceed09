//! Cuts an input into chunks of whole lines as they arrive.
//!
//! A chunk is what one read returned, up to its last line end; the rest begins the next
//! chunk. So no complete line of a pipe waits for another read. A file comes in chunks of
//! [`FIRST`] bytes, then twice as many and so on up to [`CHUNK`].
//!
//! Cost: a byte is copied once when it belongs to a line that a read cut in
//! two, and a line longer than a chunk is searched once.

use std::io::{self, ErrorKind, Read};

/// How much is read at first: a few lines, so that a short file of costly
/// questions is shared among the cores.
const FIRST: usize = 4 * 1024;

/// How much is read at once in a long input: enough to make handing a chunk to
/// another thread cheap.
const CHUNK: usize = 64 * 1024;

/// The chunks of a reader. Only the last one may end without a line end.
pub(super) struct Chunks<R> {
    source: R,
    /// The beginning of a line whose end has not been read.
    begun: Vec<u8>,
    /// How much to read next.
    size: usize,
    ended: bool,
}

impl<R: Read> Chunks<R> {
    pub(super) fn new(source: R) -> Chunks<R> {
        Chunks { source, begun: Vec::new(), size: FIRST, ended: false }
    }

    /// The whole lines that one more read completes, if any.
    fn read(&mut self) -> io::Result<Option<Vec<u8>>> {
        let known = self.begun.len();
        self.begun.resize(known + self.size, 0);
        let read = self.source.read(&mut self.begun[known..]);
        self.begun.truncate(known + *read.as_ref().unwrap_or(&0));
        match read {
            Ok(0) => {
                self.ended = true;
                let last = std::mem::take(&mut self.begun);
                Ok((!last.is_empty()).then_some(last))
            }
            Ok(count) => {
                if count == self.size {
                    self.size = (2 * self.size).min(CHUNK);
                }
                let line_end = self.begun[known..].iter().rposition(|&byte| byte == b'\n');
                Ok(line_end.map(|at| self.split(known + at + 1)))
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => Ok(None),
            Err(error) => {
                self.ended = true;
                Err(error)
            }
        }
    }

    /// Takes the first `length` bytes.
    fn split(&mut self, length: usize) -> Vec<u8> {
        let after = self.begun.len() - length;
        let mut begun = Vec::with_capacity(after + self.size);
        begun.extend_from_slice(&self.begun[length..]);
        self.begun.truncate(length);
        std::mem::replace(&mut self.begun, begun)
    }
}

impl<R: Read> Iterator for Chunks<R> {
    type Item = io::Result<Vec<u8>>;

    fn next(&mut self) -> Option<io::Result<Vec<u8>>> {
        while !self.ended {
            if let Some(chunk) = self.read().transpose() {
                return Some(chunk);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunks(input: &[u8]) -> Vec<Vec<u8>> {
        Chunks::new(input).map(|chunk| chunk.expect("memory can be read")).collect()
    }

    #[test]
    fn chunks_end_at_line_ends() {
        let rows: [(&[u8], &[&[u8]]); 5] = [
            (b"", &[]),
            (b"\n", &[b"\n"]),
            (b"one", &[b"one"]),
            (b"one\ntwo\n", &[b"one\ntwo\n"]),
            (b"one\ntwo", &[b"one\n", b"two"]),
        ];
        for (input, expected) in rows {
            assert_eq!(chunks(input), expected);
        }
    }

    #[test]
    fn long_inputs_come_whole() {
        for length in [1, 80, CHUNK - 1, CHUNK, 3 * CHUNK + 1] {
            let mut input = Vec::new();
            for number in 0..5u8 {
                input.extend(std::iter::repeat_n(b'a' + number, length));
                input.push(b'\n');
            }
            let found = chunks(&input);
            assert_eq!(found.concat(), input);
            for chunk in found {
                assert_eq!(chunk.last(), Some(&b'\n'));
                assert!(chunk.len() <= length + 1 + CHUNK);
            }
        }
    }

    #[test]
    fn a_short_file_comes_in_several_chunks() {
        let input = "a line of text\n".repeat(2000);
        assert!(chunks(input.as_bytes()).len() >= 3);
    }

    #[test]
    fn an_interrupted_read_is_tried_again_and_a_failed_one_ends_the_input() {
        struct Script(Vec<io::Result<&'static [u8]>>);
        impl Read for Script {
            fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
                let bytes = self.0.remove(0)?;
                buffer[..bytes.len()].copy_from_slice(bytes);
                Ok(bytes.len())
            }
        }
        let script: Vec<io::Result<&[u8]>> = vec![
            Ok(b"on"),
            Err(ErrorKind::Interrupted.into()),
            Ok(b"e\ntw"),
            Err(ErrorKind::TimedOut.into()),
        ];
        let mut chunks = Chunks::new(Script(script));
        assert_eq!(chunks.next().and_then(Result::ok).as_deref(), Some(&b"one\n"[..]));
        let failure = chunks.next().and_then(Result::err).map(|error| error.kind());
        assert_eq!(failure, Some(ErrorKind::TimedOut));
        assert!(chunks.next().is_none());
    }
}
