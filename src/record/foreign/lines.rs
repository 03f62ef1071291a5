//! Lines of a stream within limits: LF, CR LF and CR all end one, and none may be longer than [`LIMIT`].

use std::io::BufRead;

use super::ReadError;

/// The longest line that is held, in bytes; the rest of a longer one is passed over unread.
pub const LIMIT: usize = 16 << 20;

/// The lines of a stream.
#[derive(Debug)]
pub struct Lines<R> {
    stream: R,
    bytes: Vec<u8>,
    number: u64,
    /// Whether the last line ended with CR, so that an LF right after it belongs to it.
    after_cr: bool,
    /// Whether the last line has its end.
    whole: bool,
}

impl<R: BufRead> Lines<R> {
    /// The lines of this stream.
    pub fn new(stream: R) -> Lines<R> {
        Lines { stream, bytes: Vec::new(), number: 0, after_cr: false, whole: false }
    }

    /// The number of the line that is held, from 1.
    pub fn number(&self) -> u64 {
        self.number
    }

    /// Whether the last line has its end, or the stream broke off within it.
    pub fn is_whole(&self) -> bool {
        self.whole
    }

    /// The next line without its end, or none at the end of the stream.
    ///
    /// # Errors
    /// A line that is too long or no UTF-8; fatal where the stream cannot be read.
    pub fn next_line(&mut self) -> Option<Result<&str, ReadError>> {
        if let Err(error) = self.fill()? {
            return Some(Err(error));
        }
        // A byte order mark belongs to no line.
        let bytes = match self.number {
            1 => self.bytes.strip_prefix(b"\xef\xbb\xbf").unwrap_or(&self.bytes),
            _ => &self.bytes,
        };
        let number = self.number;
        Some(str::from_utf8(bytes).map_err(|e| {
            let at = e.valid_up_to() + 1;
            ReadError::at(number, format!("its byte {at} is no UTF-8: save the file as UTF-8"))
        }))
    }

    fn fill(&mut self) -> Option<Result<(), ReadError>> {
        self.bytes.clear();
        if self.bytes.capacity() > 1 << 20 {
            self.bytes.shrink_to(1 << 16);
        }
        let (mut any, mut long) = (false, false);
        loop {
            let chunk = match self.stream.fill_buf() {
                Ok(chunk) => chunk,
                Err(error) if error.kind() == std::io::ErrorKind::Interrupted => continue,
                Err(error) => {
                    let error = ReadError::at(self.number + 1, format!("it cannot be read: {error}"));
                    return Some(Err(error.fatal()));
                }
            };
            if chunk.is_empty() {
                break;
            }
            if std::mem::take(&mut self.after_cr) && chunk[0] == b'\n' {
                self.stream.consume(1);
                continue;
            }
            any = true;
            let end = memchr::memchr2(b'\n', b'\r', chunk);
            let text = &chunk[..end.unwrap_or(chunk.len())];
            if self.bytes.len() + text.len() <= LIMIT {
                self.bytes.extend_from_slice(text);
            } else {
                long = true;
            }
            self.whole = end.is_some();
            self.after_cr = end.is_some_and(|at| chunk[at] == b'\r');
            let taken = end.map_or(chunk.len(), |at| at + 1);
            self.stream.consume(taken);
            if self.whole {
                break;
            }
        }
        if !any {
            return None;
        }
        self.number += 1;
        if long {
            self.bytes.clear();
            let reason = format!("it is longer than {} MiB: no game is that long", LIMIT >> 20);
            return Some(Err(ReadError::at(self.number, reason)));
        }
        Some(Ok(()))
    }
}
