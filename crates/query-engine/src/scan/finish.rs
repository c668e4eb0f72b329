//! The answer of a scan that has read everything.

use super::{
    Answer, Found, Group, Place, Scan, digest,
    ranking::{Candidate, Path, Ranking},
};
use crate::{
    aggregate::{AggregateValue, Measure, Total},
    context::Context,
    group::{Level, NO_GROUP, Tree},
};
use octavo_core_model::id::RecordId;
use octavo_databases::query::AggregateFunction;
use std::collections::BTreeMap;

impl Scan<'_> {
    /// The answer, when all chunks were read.
    pub fn finish(self) -> Answer {
        let (query, size) = (self.prepared.request.query, self.prepared.request.most());
        let ranking = Ranking { levels: &self.levels, sort: &self.prepared.sort };
        let first = self.best.finish(&ranking);
        let page = first.get(self.skipped..).unwrap_or_default();
        let (page, rest) = page.split_at(size.min(page.len()));
        let before = self.place.map_or(0, |place| place.offset);
        let next = page.last().filter(|_| !rest.is_empty()).map(|last| Place {
            anchor: last.id,
            offset: before.saturating_add(page.len() as u64),
            key: ranking.digest(&last.path, &last.keys, last.position),
            digest: digest(&self.prepared.request),
        });
        let shown = Shown {
            levels: &self.levels,
            tree: &self.tree,
            context: &self.prepared.context,
            aggregates: if query.per_group { &self.prepared.aggregates } else { &[] },
            functions: &self.prepared.functions(),
            records: by_path(page),
        };
        let found = if self.levels.is_empty() {
            Found::Records(page.iter().map(|candidate| candidate.id).collect())
        } else {
            Found::Groups(shown.groups(None, [NO_GROUP; 3], 0))
        };
        let aggregates = values(&self.prepared.aggregates, &self.prepared.functions(), &self.totals);
        Answer { found, aggregates, total: self.is_complete.then_some(self.count), next }
    }
}

/// The records of a page by their groups, in their order.
fn by_path(page: &[Candidate]) -> BTreeMap<Path, Vec<RecordId>> {
    let mut records: BTreeMap<_, Vec<_>> = BTreeMap::new();
    for candidate in page {
        records.entry(candidate.path).or_default().push(candidate.id);
    }
    records
}

struct Shown<'s> {
    levels: &'s [Level<'s>],
    tree: &'s Tree,
    context: &'s Context<'s>,
    aggregates: &'s [Option<usize>],
    functions: &'s [AggregateFunction],
    records: BTreeMap<Path, Vec<RecordId>>,
}

impl Shown<'_> {
    /// The groups below a node in their order.
    fn groups(&self, above: Option<u32>, path: Path, depth: usize) -> Vec<Group> {
        let Some(level) = self.levels.get(depth) else { return Vec::new() };
        let mut nodes = self.tree.children(above);
        nodes.sort_unstable_by(|a, b| level.compare(self.tree.get(*a).group, self.tree.get(*b).group));
        let show = |id: u32| {
            let node = self.tree.get(id);
            let mut path = path;
            path[depth] = node.group;
            Group {
                key: level.show(node.group, self.context),
                count: node.count,
                aggregates: values(self.aggregates, self.functions, &node.totals),
                groups: self.groups(Some(id), path, depth + 1),
                records: self.records.get(&path).cloned().unwrap_or_default(),
            }
        };
        nodes.into_iter().map(show).collect()
    }
}

/// The values of aggregates. One whose property no longer exists has found no values.
fn values(aggregates: &[Option<usize>], functions: &[AggregateFunction], totals: &[Total]) -> Vec<AggregateValue> {
    let of = |(measure, function): (&Option<usize>, &AggregateFunction)| match measure {
        Some(measure) => totals[*measure].clone().finish(),
        None => Measure { function: *function, field: None }.start().finish(),
    };
    aggregates.iter().zip(functions).map(of).collect()
}
