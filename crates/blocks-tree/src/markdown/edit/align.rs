//! Aligns two lists: finds which elements correspond to each other, in order.

use std::collections::BTreeMap;

/// Larger tables are not computed; equal elements are then matched greedily.
const MOST_CELLS: usize = 250_000;

/// Pairs of indices with equal values, both ascending. Values that occur once in each list are matched first, because
/// they are the most reliable.
pub(super) fn align(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    within(old, new, (0, 0), &mut pairs);
    pairs
}

fn within(old: &[u64], new: &[u64], base: (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    let head = old.iter().zip(new).take_while(|(one, other)| one == other).count();
    pairs.extend((0..head).map(|at| (base.0 + at, base.1 + at)));
    let (old, new, base) = (&old[head..], &new[head..], (base.0 + head, base.1 + head));
    let tail = old.iter().rev().zip(new.iter().rev()).take_while(|(one, other)| one == other).count();
    let (middle_old, middle_new) = (&old[..old.len() - tail], &new[..new.len() - tail]);
    between(middle_old, middle_new, base, pairs);
    let ends = (base.0 + middle_old.len(), base.1 + middle_new.len());
    pairs.extend((0..tail).map(|at| (ends.0 + at, ends.1 + at)));
}

fn between(old: &[u64], new: &[u64], base: (usize, usize), pairs: &mut Vec<(usize, usize)>) {
    if old.is_empty() || new.is_empty() {
        return;
    }
    let anchors = anchors(old, new);
    if anchors.is_empty() {
        let found = if old.len().saturating_mul(new.len()) > MOST_CELLS { greedy(old, new) } else { longest(old, new) };
        pairs.extend(found.into_iter().map(|(one, other)| (base.0 + one, base.1 + other)));
        return;
    }
    let mut from = (0, 0);
    for (one, other) in anchors {
        within(&old[from.0..one], &new[from.1..other], (base.0 + from.0, base.1 + from.1), pairs);
        pairs.push((base.0 + one, base.1 + other));
        from = (one + 1, other + 1);
    }
    within(&old[from.0..], &new[from.1..], (base.0 + from.0, base.1 + from.1), pairs);
}

/// The longest common subsequence of values that occur once in each list.
fn anchors(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let mut seen: BTreeMap<u64, ([usize; 2], [usize; 2])> = BTreeMap::new();
    for (side, list) in [old, new].into_iter().enumerate() {
        for (at, value) in list.iter().enumerate() {
            let (counts, places) = seen.entry(*value).or_default();
            counts[side] += 1;
            places[side] = at;
        }
    }
    let mut unique = seen
        .into_values()
        .filter(|(counts, _)| *counts == [1, 1])
        .map(|(_, [one, other])| (one, other))
        .collect::<Vec<_>>();
    unique.sort_unstable();
    ascending(&unique)
}

/// The longest subsequence of the pairs in which the second index grows with the first.
fn ascending(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // For each length, the pair that ends the best subsequence; for each pair, its predecessor in its subsequence.
    let mut ends: Vec<usize> = Vec::new();
    let mut before = vec![None; pairs.len()];
    for (at, (_, other)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *other);
        before[at] = length.checked_sub(1).map(|shorter| ends[shorter]);
        if length == ends.len() {
            ends.push(at);
        } else {
            ends[length] = at;
        }
    }
    let mut row = std::iter::successors(ends.last().copied(), |at| before[*at]).map(|at| pairs[at]).collect::<Vec<_>>();
    row.reverse();
    row
}

/// The longest common subsequence.
fn longest(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let score = |one: usize, other: usize| u32::from(old[one] == new[other]);
    best(old.len(), new.len(), score)
}

/// The ascending pairs with the highest total score. Pairs with the score 0 are left out.
pub(super) fn best(old: usize, new: usize, score: impl Fn(usize, usize) -> u32) -> Vec<(usize, usize)> {
    let width = new + 1;
    let mut table = vec![0u32; (old + 1) * width];
    let mut scores = vec![0u32; old * new];
    for one in (0..old).rev() {
        for other in (0..new).rev() {
            let worth = score(one, other);
            scores[one * new + other] = worth;
            let both = if worth > 0 { worth + table[(one + 1) * width + other + 1] } else { 0 };
            table[one * width + other] = both.max(table[(one + 1) * width + other]).max(table[one * width + other + 1]);
        }
    }
    let (mut one, mut other) = (0, 0);
    let mut pairs = Vec::new();
    while one < old && other < new {
        let (here, worth) = (table[one * width + other], scores[one * new + other]);
        if worth > 0 && here == worth + table[(one + 1) * width + other + 1] {
            pairs.push((one, other));
            one += 1;
            other += 1;
        } else if here == table[(one + 1) * width + other] {
            one += 1;
        } else {
            other += 1;
        }
    }
    pairs
}

/// Matches equal elements in order, without looking for the optimum.
fn greedy(old: &[u64], new: &[u64]) -> Vec<(usize, usize)> {
    let mut places: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
    for (at, value) in old.iter().enumerate() {
        places.entry(*value).or_default().push(at);
    }
    let mut from = 0;
    let mut pairs = Vec::new();
    for (other, value) in new.iter().enumerate() {
        let Some(places) = places.get(value) else { continue };
        if let Some(one) = places.get(places.partition_point(|at| *at < from)) {
            pairs.push((*one, other));
            from = one + 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_equal_is_found_in_order() {
        assert_eq!(align(&[1, 2, 3], &[1, 3]), [(0, 0), (2, 1)]);
        assert_eq!(align(&[1, 2, 3], &[0, 1, 9, 2, 3]), [(0, 1), (1, 3), (2, 4)]);
        assert_eq!(align(&[1, 1, 2, 1], &[2, 1, 1]), [(2, 0), (3, 2)]);
        assert_eq!(align(&[1, 2], &[2, 1]).len(), 1);
        assert_eq!(align(&[], &[1]), []);
    }

    #[test]
    fn long_lists_without_anything_unique_are_matched_too() {
        let old = (0..2_000).map(|at| at % 7).collect::<Vec<_>>();
        let mut new = old.clone();
        new.insert(0, 5);
        new.push(4);
        let pairs = align(&old, &new);
        assert!(pairs.len() > 1_900 && pairs.windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 < pair[1].1));
    }
}
