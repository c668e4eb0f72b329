//! Follows a chunked body to its end, in order to know where the next head begins.

/// The position in a chunked body.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Chunks {
    Size(u64),
    /// After the size: an extension up to the end of the line.
    Extension(u64),
    Bytes(u64),
    /// The line end after the bytes of a chunk.
    End,
    /// After the last chunk: trailer lines up to an empty one. Counts the bytes of the present line.
    Trailer(usize),
}

/// The result of a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Step {
    /// All bytes belong to the body, which continues.
    More,
    /// The body ends after this many bytes.
    Done(usize),
    /// The chunked encoding is invalid; the HTTP implementation will refuse it.
    Lost,
}

impl Chunks {
    pub(super) const START: Self = Self::Size(0);

    pub(super) fn advance(&mut self, bytes: &[u8]) -> Step {
        let mut at = 0;
        while at < bytes.len() {
            if let Self::Bytes(left) = *self {
                let taken = usize::try_from(left).unwrap_or(usize::MAX).min(bytes.len() - at);
                at += taken;
                let left = left - taken as u64;
                *self = if left == 0 { Self::End } else { Self::Bytes(left) };
                continue;
            }
            let byte = bytes[at];
            at += 1;
            match self.step(byte) {
                Some(next) => *self = next,
                None if *self == Self::Trailer(0) => return Step::Done(at),
                None => return Step::Lost,
            }
        }
        Step::More
    }

    /// The state after one more byte; `None` at the end of the body or if the byte is invalid.
    fn step(self, byte: u8) -> Option<Self> {
        match (self, byte) {
            (Self::Size(size), digit) if digit.is_ascii_hexdigit() => {
                let value = char::from(digit).to_digit(16).map(u64::from)?;
                Some(Self::Size(size.checked_mul(16)?.checked_add(value)?))
            }
            (Self::Size(0) | Self::Extension(0), b'\n') => Some(Self::Trailer(0)),
            (Self::Size(size) | Self::Extension(size), b'\n') => Some(Self::Bytes(size)),
            (Self::Size(size), b'\r' | b';' | b' ' | b'\t') | (Self::Extension(size), _) => Some(Self::Extension(size)),
            (Self::End | Self::Trailer(0), b'\r') => Some(self),
            (Self::End, b'\n') => Some(Self::START),
            (Self::Trailer(0), b'\n') | (Self::Size(_) | Self::End, _) => None,
            (Self::Trailer(_), b'\n') => Some(Self::Trailer(0)),
            (Self::Trailer(length), _) => Some(Self::Trailer(length + 1)),
            (Self::Bytes(left), _) => Some(Self::Bytes(left)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_body_ends_behind_its_last_chunk_however_it_is_cut() {
        for body in [
            "0\r\n\r\n",
            "5\r\nhello\r\n0\r\n\r\n",
            "A;name=value\r\n0123456789\r\n0\r\n\r\n",
            "3\r\nabc\r\n2\r\n\r\n\r\n0\r\nTrailer: x\r\nOther: y\r\n\r\n",
        ] {
            let whole = format!("{body}GET / HTTP/1.1");
            for cut in 0..body.len() {
                let mut chunks = Chunks::START;
                assert_eq!(chunks.advance(&whole.as_bytes()[..cut]), Step::More, "{body} cut at {cut}");
                assert_eq!(
                    chunks.advance(&whole.as_bytes()[cut..]),
                    Step::Done(body.len() - cut),
                    "{body} cut at {cut}"
                );
            }
        }
    }

    #[test]
    fn malformed_chunks_are_lost() {
        for body in ["x\r\n", "5\r\nhelloX", "11111111111111111\r\n"] {
            assert_eq!(Chunks::START.clone().advance(body.as_bytes()), Step::Lost, "{body}");
        }
    }
}
