//! How much one part of a removal takes, where the rows that go are too many for one unit.

/// About how many bytes of bodies one part removes: SQLite visits each page of the database that a large body occupies.
const BYTES_AT_ONCE: u64 = 16 << 20;

/// How much the present part may still remove.
#[derive(Clone, Copy, Debug)]
pub struct Remaining {
    pub rows: u32,
    bytes: u64,
}

impl Remaining {
    pub const fn new(limit: u32) -> Self {
        Self { rows: limit, bytes: BYTES_AT_ONCE }
    }

    pub const fn is_used_up(&self) -> bool {
        self.rows == 0 || self.bytes == 0
    }

    /// Counts rows that were removed, and returns how many.
    pub fn count_removed(&mut self, rows: usize) -> u32 {
        let rows = u32::try_from(rows).unwrap_or(u32::MAX);
        self.rows = self.rows.saturating_sub(rows);
        rows
    }

    /// How many of the next rows belong to this part. A row may exceed what is left of the bytes, and is the last one
    /// then: otherwise a very large row would never be removed.
    pub fn count_fitting(&mut self, sizes: &[i32]) -> u32 {
        let mut fitting = 0;
        for size in sizes {
            if self.bytes == 0 {
                break;
            }
            self.bytes = self.bytes.saturating_sub(size.unsigned_abs().into());
            fitting += 1;
        }
        fitting
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_takes_rows_until_its_bytes_are_used_up() {
        let part = |bytes| Remaining { rows: 10, bytes };
        assert_eq!(part(10).count_fitting(&[4, 4, 4, 4]), 3);
        assert_eq!(part(10).count_fitting(&[4, 0, 4]), 3);
        assert_eq!(part(10).count_fitting(&[40, 1]), 1, "a row that is too large for any part");
        assert_eq!(part(0).count_fitting(&[1]), 0);
        assert_eq!(part(10).count_fitting(&[]), 0);
    }
}
