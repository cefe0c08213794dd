//! The graph of module calls inside an upload.

use std::collections::BTreeSet;

use overfold_base::account::{self, ChargedIterator};

/// Lists of numbers, all in one piece of memory.
#[derive(Default, Debug)]
pub struct Lists {
    items: Vec<usize>,
    /// Where each list ends.
    ends: Vec<usize>,
}

impl Lists {
    /// Returns no lists, with room for this many, each of one or two numbers.
    pub fn with_capacity(count: usize) -> Self {
        Self { items: Vec::with_capacity(2 * count), ends: Vec::with_capacity(count) }
    }

    /// Adds a list.
    pub fn push(&mut self, list: impl IntoIterator<Item = usize>) {
        self.items.extend(list);
        self.ends.push(self.items.len());
    }

    /// Returns the list at a position (from 0), which is empty if there is none.
    pub(crate) fn get(&self, at: usize) -> &[usize] {
        let start = at.checked_sub(1).map_or(0, |before| get(&self.ends, before));
        self.items.get(start..get(&self.ends, at)).unwrap_or_default()
    }

    /// Returns the number of lists.
    pub(crate) const fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the lists in order.
    pub fn iter(&self) -> impl Iterator<Item = &[usize]> {
        (0..self.len()).map(|at| self.get(at))
    }

    /// Returns the numbers of all lists in order.
    pub fn flatten(&self) -> &[usize] {
        &self.items
    }
}

impl<L: IntoIterator<Item = usize>> FromIterator<L> for Lists {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Self {
        let mut made = Self::default();
        for list in lists {
            made.push(list);
        }
        made
    }
}

/// The directories by number, each with those that it calls.
#[derive(Debug)]
pub struct Graph {
    edges: Lists,
    /// The number of the group to which each directory belongs; the members of a group reach each other. A group's
    /// number is greater than the numbers of the groups that it calls.
    group: Vec<usize>,
    /// The members of each group.
    members: Lists,
}

/// A directory during the search.
struct Visit {
    node: usize,
    next_edge: usize,
}

const UNSEEN: usize = usize::MAX;

impl Graph {
    /// Builds a graph from these edges, which refer to each other by index. An index that is out of range leads nowhere.
    pub fn new(edges: Lists) -> Self {
        let count = edges.len();
        let mut graph = Self { edges, group: vec![UNSEEN; count], members: Lists::with_capacity(count) };
        graph.find_groups();
        graph
    }

    /// Tarjan's algorithm, with an explicit stack instead of recursion.
    fn find_groups(&mut self) {
        let count = self.edges.len();
        let (mut order, mut low) = (vec![UNSEEN; count], vec![UNSEEN; count]);
        let (mut next, mut open, mut visits) = (0, Vec::new(), Vec::new());
        for start in 0..count {
            if order.get(start) != Some(&UNSEEN) {
                continue;
            }
            visits.push(Visit { node: start, next_edge: 0 });
            while let Some(Visit { node, next_edge }) = visits.last_mut() {
                account::work(2);
                let node = *node;
                if *next_edge == 0 {
                    set(&mut order, node, next);
                    set(&mut low, node, next);
                    next += 1;
                    open.push(node);
                }
                let edge = self.edges.get(node).get(*next_edge).copied();
                *next_edge += 1;
                if let Some(to) = edge {
                    if to >= count {
                        continue;
                    }
                    if get(&order, to) == UNSEEN {
                        visits.push(Visit { node: to, next_edge: 0 });
                    } else if get(&self.group, to) == UNSEEN {
                        let least = get(&low, node).min(get(&order, to));
                        set(&mut low, node, least);
                    }
                    continue;
                }
                visits.pop();
                if let Some(above) = visits.last() {
                    let least = get(&low, above.node).min(get(&low, node));
                    set(&mut low, above.node, least);
                }
                if get(&low, node) == get(&order, node) {
                    let first = open.iter().rposition(|&member| member == node).unwrap_or(0);
                    for &member in open.iter().skip(first) {
                        set(&mut self.group, member, self.members.len());
                    }
                    self.members.push(open.drain(first..).rev());
                }
            }
        }
    }

    /// Whether a call from `from` to `to` is part of a cycle.
    pub fn is_cyclic(&self, from: usize, to: usize) -> bool {
        get(&self.group, from) == get(&self.group, to) && get(&self.group, from) != UNSEEN
    }

    /// Returns the number of nodes.
    pub const fn count(&self) -> usize {
        self.edges.len()
    }

    /// The groups; each comes after those that it calls.
    pub const fn groups(&self) -> &Lists {
        &self.members
    }

    /// The directories that a directory calls.
    pub fn called_by(&self, node: usize) -> &[usize] {
        self.edges.get(node)
    }

    /// Returns these directories and all that call them, directly or through others.
    pub fn with_callers(&self, start: impl IntoIterator<Item = usize>) -> BTreeSet<usize> {
        let mut callers: Vec<Vec<usize>> = vec![Vec::new(); self.edges.len()];
        for (from, edges) in self.edges.iter().enumerate().charged_by(|(_, edges)| 1 + edges.len() as u64) {
            for &to in edges {
                if let Some(list) = callers.get_mut(to) {
                    list.push(from);
                }
            }
        }
        let mut found: BTreeSet<usize> = BTreeSet::new();
        let mut todo: Vec<usize> = start.into_iter().collect();
        while let Some(node) = todo.pop() {
            account::work(1);
            if found.insert(node) {
                todo.extend(callers.get(node).into_iter().flatten().copied());
            }
        }
        found
    }
}

fn get(list: &[usize], at: usize) -> usize {
    list.get(at).copied().unwrap_or(UNSEEN)
}

fn set(list: &mut [usize], at: usize, value: usize) {
    if let Some(place) = list.get_mut(at) {
        *place = value;
    }
}

#[cfg(test)]
mod tests {
    use super::Graph;

    fn graph(edges: Vec<Vec<usize>>) -> Graph {
        Graph::new(edges.into_iter().collect())
    }

    #[test]
    fn cycles_are_found_and_called_ones_come_first() {
        // 0 calls 1, 1 calls 2 and 3, 2 calls 1; 4 calls itself.
        let graph = graph(vec![vec![1], vec![2, 3], vec![1], vec![], vec![4, 3]]);
        for (from, to, cyclic) in
            [(0, 1, false), (1, 2, true), (2, 1, true), (1, 3, false), (4, 4, true), (4, 3, false)]
        {
            assert_eq!(graph.is_cyclic(from, to), cyclic, "{from} {to}");
        }
        let order = graph.groups().flatten();
        let place = |node: usize| order.iter().position(|&found| found == node).unwrap();
        assert!(place(3) < place(1) && place(1) < place(0) && place(2) < place(0) && place(3) < place(4));
        assert_eq!(order.len(), 5);
    }

    #[test]
    fn callers_are_found_through_others_and_cycles() {
        let graph = graph(vec![vec![1], vec![2, 3], vec![1], vec![], vec![4, 3]]);
        let with_callers = |start| graph.with_callers([start]).into_iter().collect::<Vec<_>>();
        assert_eq!(with_callers(0), [0]);
        assert_eq!(with_callers(2), [0, 1, 2]);
        assert_eq!(with_callers(3), [0, 1, 2, 3, 4]);
    }

    #[test]
    fn a_long_chain_needs_no_stack() {
        let count = 200_000;
        let graph = graph((0..count).map(|node| vec![node + 1]).collect());
        assert_eq!(graph.groups().get(0), [count - 1]);
        assert_eq!(graph.with_callers([count - 1]).len(), count);
    }
}
