//! Aligns two lists of unnamed blocks: which block of the first list corresponds to which of the second.

use foldhash::HashMap;
use std::cmp::Ordering;

use overfold_base::account;

/// A pair of indexes, or an index on one side only.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Aligned {
    Both(usize, usize),
    First(usize),
    Second(usize),
}

/// Pairs as many equal items as possible without changing their order; items between two such pairs are paired by
/// position, and the remaining ones stay alone. If finding the most pairs would take more than [`MAX`] steps, all
/// items except the equal ones at both ends are paired by position. Swapping the lists mirrors the result.
pub(crate) fn align(first: &[&[u8]], second: &[&[u8]]) -> Vec<Aligned> {
    let bytes: usize = first.iter().chain(second).map(|text| text.len()).sum();
    account::touch(bytes);
    if first.cmp(second) == Ordering::Greater {
        return align_ordered(second, first)
            .into_iter()
            .map(|pair| match pair {
                Aligned::Both(a, b) => Aligned::Both(b, a),
                Aligned::First(a) => Aligned::Second(a),
                Aligned::Second(b) => Aligned::First(b),
            })
            .collect();
    }
    align_ordered(first, second)
}

/// The maximum number of comparisons for one pair of lists.
const MAX: usize = 1 << 20;

fn align_ordered(first: &[&[u8]], second: &[&[u8]]) -> Vec<Aligned> {
    let mut numbers: HashMap<&[u8], usize> = HashMap::default();
    let mut numbered = Vec::with_capacity(first.len() + second.len());
    for text in first.iter().chain(second) {
        let next = numbers.len();
        numbered.push(*numbers.entry(text).or_insert(next));
    }
    let (a, b) = numbered.split_at(first.len());
    let head = a.iter().zip(b).take_while(|(x, y)| x == y).count();
    let rest = a.len().min(b.len()) - head;
    let tail = a.iter().rev().zip(b.iter().rev()).take(rest).take_while(|(x, y)| x == y).count();
    let (a_end, b_end) = (a.len() - tail, b.len() - tail);
    let inner_a = a.split_at(a_end).0.split_at(head).1;
    let inner_b = b.split_at(b_end).0.split_at(head).1;
    let mut pairs: Vec<Aligned> = (0..head).map(|at| Aligned::Both(at, at)).collect();
    let mut from = (head, head);
    for (x, y) in equal_pairs(inner_a, inner_b) {
        let (x, y) = (x + head, y + head);
        between(from, (x, y), &mut pairs);
        pairs.push(Aligned::Both(x, y));
        from = (x + 1, y + 1);
    }
    between(from, (a_end, b_end), &mut pairs);
    pairs.extend((0..tail).map(|at| Aligned::Both(a_end + at, b_end + at)));
    pairs
}

/// Pairs the items between two equal pairs by position.
fn between(from: (usize, usize), to: (usize, usize), pairs: &mut Vec<Aligned>) {
    let both = (to.0 - from.0).min(to.1 - from.1);
    pairs.extend((0..both).map(|at| Aligned::Both(from.0 + at, from.1 + at)));
    pairs.extend((from.0 + both..to.0).map(Aligned::First));
    pairs.extend((from.1 + both..to.1).map(Aligned::Second));
}

/// Returns the indexes of a longest common subsequence.
fn equal_pairs(a: &[usize], b: &[usize]) -> Vec<(usize, usize)> {
    let width = b.len() + 1;
    let cells = (a.len() + 1).saturating_mul(width);
    if cells > MAX || a.is_empty() || b.is_empty() {
        return Vec::new();
    }
    // A cell takes a few nanoseconds.
    account::build(cells as u64 / 8, 4 * cells as u64);
    // The length of the longest common subsequence of the remainders from each pair of indexes on.
    let mut lengths = vec![0_u32; cells];
    let at = |lengths: &[u32], i: usize, j: usize| lengths.get(i * width + j).copied().unwrap_or_default();
    for (i, x) in a.iter().enumerate().rev() {
        for (j, y) in b.iter().enumerate().rev() {
            let length = if x == y {
                at(&lengths, i + 1, j + 1) + 1
            } else {
                at(&lengths, i + 1, j).max(at(&lengths, i, j + 1))
            };
            if let Some(cell) = lengths.get_mut(i * width + j) {
                *cell = length;
            }
        }
    }
    let (mut i, mut j) = (0, 0);
    let mut pairs = Vec::new();
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        if x == y {
            pairs.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if at(&lengths, i + 1, j) >= at(&lengths, i, j + 1) {
            i += 1;
        } else {
            j += 1;
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::Aligned::{Both, First, Second};
    use super::align;

    fn aligned(a: &str, b: &str) -> Vec<super::Aligned> {
        let letters = |text: &'static str| text.as_bytes().chunks(1).collect::<Vec<_>>();
        align(&letters(Box::leak(a.into())), &letters(Box::leak(b.into())))
    }

    #[test]
    fn equals_are_paired_and_what_is_left_by_place() {
        assert_eq!(aligned("abc", "abc"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(aligned("abc", "ac"), [Both(0, 0), First(1), Both(2, 1)]);
        assert_eq!(aligned("ac", "abc"), [Both(0, 0), Second(1), Both(1, 2)]);
        assert_eq!(aligned("axc", "ayc"), [Both(0, 0), Both(1, 1), Both(2, 2)]);
        assert_eq!(aligned("", "ab"), [Second(0), Second(1)]);
    }

    #[test]
    fn exchanging_the_lists_mirrors_the_pairs() {
        for (a, b) in [("ab", "ba"), ("abcab", "bcaac"), ("xay", "ya"), ("aab", "aba"), ("", "x")] {
            let mut mirrored: Vec<_> = aligned(b, a)
                .into_iter()
                .map(|pair| match pair {
                    Both(x, y) => Both(y, x),
                    First(x) => Second(x),
                    Second(y) => First(y),
                })
                .collect();
            let mut straight = aligned(a, b);
            let key = |pair: &super::Aligned| format!("{pair:?}");
            mirrored.sort_by_key(key);
            straight.sort_by_key(key);
            assert_eq!(straight, mirrored, "{a} {b}");
        }
    }
}
