//! The heaviest subsequence that keeps its order.

/// Given things in their old order, each with its place in the new order and a weight: which ones to leave in place
/// so that all others can be moved around them. Their new places are ascending, and no other such subsequence has a
/// higher weight.
pub(crate) fn heaviest_row(things: &[(usize, u64)]) -> Vec<bool> {
    let mut best = Best::new(things.len());
    let mut before = vec![None; things.len()];
    for (index, (place, weight)) in things.iter().enumerate() {
        let (so_far, last) = best.up_to(*place);
        before[index] = last;
        best.raise(*place, so_far + weight, index);
    }
    let mut stays = vec![false; things.len()];
    let (_, mut last) = best.up_to(things.len());
    while let Some(index) = last {
        stays[index] = true;
        last = before[index];
    }
    stays
}

/// For each place the heaviest subsequence that ends before it, in a binary indexed tree.
struct Best(Vec<(u64, Option<usize>)>);

impl Best {
    fn new(places: usize) -> Self {
        Self(vec![(0, None); places + 1])
    }

    /// The heaviest subsequence that ends at a place below this one.
    fn up_to(&self, place: usize) -> (u64, Option<usize>) {
        let (mut found, mut node) = ((0, None), place);
        while node > 0 {
            if self.0[node].0 > found.0 {
                found = self.0[node];
            }
            node &= node - 1;
        }
        found
    }

    fn raise(&mut self, place: usize, weight: u64, last: usize) {
        let mut node = place + 1;
        while let Some(slot) = self.0.get_mut(node) {
            if weight > slot.0 {
                *slot = (weight, Some(last));
            }
            node += node & node.wrapping_neg();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::heaviest_row;

    #[test]
    fn one_moved_item_leaves_the_others_in_place() {
        let row = |places: &[usize]| heaviest_row(&places.iter().map(|place| (*place, 1)).collect::<Vec<_>>());
        assert_eq!(row(&[0, 1, 2]), [true; 3]);
        assert_eq!(row(&[2, 0, 1]), [false, true, true]);
        assert_eq!(row(&[1, 2, 0]), [true, true, false]);
        assert_eq!(row(&[]), [false; 0]);
    }

    #[test]
    fn weight_decides_between_rows() {
        assert_eq!(heaviest_row(&[(1, 5), (0, 1)]), [true, false]);
        assert_eq!(heaviest_row(&[(1, 1), (0, 5)]), [false, true]);
    }
}
