//! The encodings that files are read in.

use encoding_rs::{Decoder, UTF_16BE, UTF_16LE, WINDOWS_1252};
use serde::{Deserialize, Serialize};
use std::{fmt, str::from_utf8};

/// How the characters of a file are encoded.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Encoding {
    /// UTF-8, with or without a byte order mark.
    #[serde(rename = "utf-8")]
    Utf8,
    /// UTF-16, low byte first; the file begins with a byte order mark.
    #[serde(rename = "utf-16le")]
    Utf16Le,
    /// UTF-16, high byte first; the file begins with a byte order mark.
    #[serde(rename = "utf-16be")]
    Utf16Be,
    /// The western encoding of Windows, which contains all letters of Latin-1.
    #[serde(rename = "windows-1252")]
    Windows1252,
}

impl Encoding {
    /// The name that MIME uses.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Utf8 => "utf-8",
            Self::Utf16Le => "utf-16le",
            Self::Utf16Be => "utf-16be",
            Self::Windows1252 => "windows-1252",
        }
    }

    /// The encoding that a byte order mark at the beginning stands for, and the length of the mark.
    pub(super) fn marked(head: &[u8]) -> Option<(Self, usize)> {
        match head {
            [0xEF, 0xBB, 0xBF, ..] => Some((Self::Utf8, 3)),
            [0xFF, 0xFE, ..] => Some((Self::Utf16Le, 2)),
            [0xFE, 0xFF, ..] => Some((Self::Utf16Be, 2)),
            _ => None,
        }
    }

    /// A decoder to UTF-8 if rows can only be found in decoded text. In the other encodings delimiters and line breaks
    /// are single bytes that are part of no other character.
    pub(super) fn decoder(self) -> Option<Decoder> {
        match self {
            Self::Utf8 | Self::Windows1252 => None,
            Self::Utf16Le => Some(UTF_16LE.new_decoder_without_bom_handling()),
            Self::Utf16Be => Some(UTF_16BE.new_decoder_without_bom_handling()),
        }
    }

    /// How many bytes of the file became these bytes. One that cannot be decoded becomes U+FFFD, which
    /// is as long in UTF-16 as what it stands for.
    pub(super) fn source_length(self, bytes: &[u8]) -> u64 {
        match self {
            Self::Utf8 | Self::Windows1252 => bytes.len() as u64,
            Self::Utf16Le | Self::Utf16Be => {
                let units = bytes.iter().map(|byte| match byte {
                    0x80..=0xBF => 0,
                    0xF0.. => 2,
                    _ => 1,
                });
                units.sum::<u64>() * 2
            }
        }
    }

    /// The text of a cell. What cannot be decoded becomes U+FFFD.
    pub(super) fn decode_cell(self, bytes: &[u8], text: &mut String) {
        if self == Self::Windows1252 {
            let (decoded, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            text.push_str(&decoded);
        } else {
            text.push_str(&String::from_utf8_lossy(bytes));
        }
    }
}

impl fmt::Display for Encoding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// Decodes a piece and appends it.
pub(super) fn transcode(decoder: &mut Decoder, piece: &[u8], last: bool, text: &mut Vec<u8>) {
    let mut rest = piece;
    loop {
        let filled = text.len();
        // Two bytes become three at most; what the decoder kept of the piece before is included.
        text.resize(filled + rest.len() * 2 + 16, 0);
        let (result, read, written, _) = decoder.decode_to_utf8(rest, &mut text[filled..], last);
        text.truncate(filled + written);
        rest = &rest[read..];
        if result == encoding_rs::CoderResult::InputEmpty {
            return;
        }
    }
}

/// Checks whether pieces of bytes are UTF-8 together.
#[derive(Debug, Default)]
pub(super) struct Utf8Check {
    /// The beginning of a character whose other bytes are in the next piece.
    begun: Vec<u8>,
    refuted: bool,
}

impl Utf8Check {
    pub(super) fn push(&mut self, mut piece: &[u8]) {
        while !self.begun.is_empty() && !self.refuted {
            let Some((first, rest)) = piece.split_first() else { return };
            self.begun.push(*first);
            piece = rest;
            match from_utf8(&self.begun) {
                Ok(_) => self.begun.clear(),
                Err(error) => self.refuted = error.error_len().is_some(),
            }
        }
        if self.refuted {
            return;
        }
        match from_utf8(piece) {
            Ok(_) => {}
            Err(error) if error.error_len().is_some() => self.refuted = true,
            Err(error) => self.begun.extend_from_slice(&piece[error.valid_up_to()..]),
        }
    }

    pub(super) fn holds(&self) -> bool {
        !self.refuted && self.begun.is_empty()
    }
}
