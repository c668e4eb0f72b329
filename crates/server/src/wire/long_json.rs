//! Writing JSON that is so long that writing it can be cancelled.

use octavo_core_model::cancellation::Cancellation;
use serde::Serialize;
use std::io::{self, Write};

/// Writes a value as JSON; `None` if that is cancelled, which is checked at each token. The maps in the value must have
/// keys that are texts, because others cannot be written.
pub fn write_json(value: &impl Serialize, cancellation: &Cancellation) -> Option<String> {
    let mut buffer = CancellableBuffer { written: Vec::new(), cancellation };
    serde_json::to_writer(&mut buffer, value).ok()?;
    String::from_utf8(buffer.written).ok()
}

struct CancellableBuffer<'a> {
    written: Vec<u8>,
    cancellation: &'a Cancellation,
}

impl Write for CancellableBuffer<'_> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.cancellation.is_cancelled() {
            return Err(io::ErrorKind::TimedOut.into());
        }
        self.written.extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde::Serializer;
    use std::cell::Cell;

    /// Cancels the writing once it is reached.
    struct Cancelling<'a> {
        cancellation: &'a Cancellation,
        reached: &'a Cell<u32>,
    }

    impl Serialize for Cancelling<'_> {
        fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
            self.reached.set(self.reached.get() + 1);
            self.cancellation.cancel();
            serializer.serialize_str("text")
        }
    }

    #[test]
    fn what_nobody_cancels_is_written_whole() {
        let value = serde_json::json!({ "a": [1, "\u{e9}", null], "b": {} });
        assert_eq!(write_json(&value, &Cancellation::default()), Some(value.to_string()));
    }

    #[test]
    fn writing_stops_at_the_value_at_which_it_is_cancelled() {
        let (cancellation, reached) = (Cancellation::default(), Cell::new(0));
        let value = || Cancelling { cancellation: &cancellation, reached: &reached };
        assert_eq!(write_json(&[value(), value(), value()], &cancellation), None);
        assert_eq!(reached.get(), 1);
    }
}
