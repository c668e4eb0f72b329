//! Bytes that a job made, in pieces.

use serde::{Deserialize, Serialize};

/// Bytes that can be downloaded. The blob store keeps them as consecutive pieces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredBytes {
    /// The sizes of the pieces.
    pub pieces: Pieces,
    /// The SHA-256 of all bytes, as hex.
    pub sha256: String,
    /// The name of the file.
    pub name: String,
    /// The media type.
    pub media: String,
}

/// The sizes of the pieces, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pieces(pub Vec<u64>);

impl Pieces {
    /// How many bytes there are.
    pub fn size(&self) -> u64 {
        self.0.iter().sum()
    }

    /// The piece that contains the byte at this position, and the position within the piece.
    pub fn locate(&self, place: u64) -> Option<(usize, u64)> {
        let mut begins = 0;
        for (number, size) in self.0.iter().enumerate() {
            if place < begins + size {
                return Some((number, place - begins));
            }
            begins += size;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_byte_is_found_in_its_piece() {
        let pieces = Pieces(vec![3, 0, 2]);
        let found: Vec<_> = (0..6).map(|place| pieces.locate(place)).collect();
        assert_eq!(found, [Some((0, 0)), Some((0, 1)), Some((0, 2)), Some((2, 0)), Some((2, 1)), None]);
        assert_eq!(pieces.size(), 5);
    }
}
