//! Conversions between the sizes of integers that indexes are kept in.

/// An index that is kept in four bytes. Chunks are far smaller than the largest one.
pub(crate) fn narrow(index: usize) -> u32 {
    u32::try_from(index).unwrap_or(u32::MAX)
}

/// An index that was kept in four bytes.
pub(crate) const fn wide(index: u32) -> usize {
    index as usize
}

/// A count as a number.
#[expect(clippy::cast_precision_loss, reason = "no count comes near 2^53")]
pub(crate) const fn count(count: u64) -> f64 {
    count as f64
}

/// A number as bits that are in the order of the numbers.
pub(crate) const fn ordered(number: f64) -> u64 {
    let bits = number.to_bits();
    if bits >> 63 == 0 { bits | 1 << 63 } else { !bits }
}

/// A signed number as bits that are in the order of the numbers.
pub(crate) const fn ordered_millis(millis: i64) -> u64 {
    millis.cast_unsigned() ^ (1 << 63)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn bits_are_in_the_order_of_numbers(a in -1e300..1e300_f64, b in -1e300..1e300_f64, x: i64, y: i64) {
            prop_assert_eq!(ordered(a).cmp(&ordered(b)), a.total_cmp(&b));
            prop_assert_eq!(ordered_millis(x).cmp(&ordered_millis(y)), x.cmp(&y));
        }
    }
}
