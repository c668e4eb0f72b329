//! A long page, and operations that are valid on it.

use octavo_blocks_tree::{
    Block, Body, Kind, RichText,
    batch::{Anchor, BatchInputs, Insertion, Known, Neighbours, Operation, Patch, Stamp, Target, apply},
};
use octavo_core_model::{
    Timestamp,
    id::{BlockId, PageId, UserId, WorkspaceId},
    position::Position,
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) struct Page {
    blocks: BTreeMap<BlockId, Block>,
    siblings: BTreeMap<Option<BlockId>, Vec<BlockId>>,
}

impl Page {
    /// Places each block at the top level or inside an earlier one, with few children per block, as deep as that
    /// gets.
    pub(crate) fn random(length: usize) -> Self {
        let mut random = Random(7);
        let mut page = Self { blocks: BTreeMap::new(), siblings: BTreeMap::new() };
        let mut parents = vec![(None, 0)];
        for number in 0..length {
            let (parent, depth) = parents[random.below(parents.len())];
            let id = id(0, number);
            let siblings = page.siblings.entry(parent).or_default();
            let last = siblings.last().map(|last| page.blocks[last].position.clone());
            siblings.push(id);
            page.blocks.insert(id, block(id, parent, Position::after(last.as_ref())));
            if depth < 20 && random.below(3) == 0 {
                parents.push((Some(id), depth + 1));
            }
        }
        page
    }

    /// Everything about the page.
    pub(crate) fn known(&self) -> Known {
        let all = self.blocks.keys().copied().collect::<BTreeSet<_>>();
        self.loaded(&BatchInputs { blocks: all, ..BatchInputs::default() })
    }

    /// What these operations need.
    pub(crate) fn loaded(&self, asked: &BatchInputs) -> Known {
        let mut nodes = BTreeMap::new();
        let mut known = Known { last: self.last(None), ..Known::default() };
        for named in asked.blocks.iter().filter_map(|id| self.blocks.get(id)) {
            let siblings = &self.siblings[&named.parent];
            let at = siblings.iter().position(|id| *id == named.id).unwrap();
            let place = |at: Option<usize>| Some(self.blocks[siblings.get(at?)?].position.clone());
            let neighbours = Neighbours {
                previous: place(at.checked_sub(1)),
                next: place(Some(at + 1)),
                last_child: self.last(Some(named.id)),
            };
            known.named.insert(named.id, named.clone());
            known.neighbours.insert(named.id, neighbours);
            let mut above = Some(named);
            while let Some(block) = above {
                nodes.insert(block.id, block.node());
                above = block.parent.map(|id| &self.blocks[&id]);
            }
        }
        let mut open = asked.subtrees.iter().copied().collect::<Vec<_>>();
        while let Some(id) = open.pop() {
            let children = self.siblings.get(&Some(id)).into_iter().flatten();
            open.extend(children.clone());
            nodes.extend(children.map(|id| (*id, self.blocks[id].node())));
        }
        known.nodes = nodes.into_values().collect();
        known
    }

    fn last(&self, parent: Option<BlockId>) -> Option<Position> {
        self.siblings.get(&parent)?.last().map(|last| self.blocks[last].position.clone())
    }

    /// Random operations of all four sorts, half of them insertions and moves. Impossible ones are drawn again.
    pub(crate) fn batch(&self, length: usize, seed: u64) -> Vec<Operation> {
        let mut random = Random(seed);
        let ids = self.blocks.keys().copied().collect::<Vec<_>>();
        let mut operations = Vec::new();
        while operations.len() < length {
            operations.push(operation(&mut random, &ids, seed, operations.len()));
            let known = self.loaded(&BatchInputs::by(&operations));
            if apply(&known, &operations, &stamp(), &mut draw()).is_err() {
                operations.pop();
            }
        }
        operations
    }
}

fn operation(random: &mut Random, ids: &[BlockId], seed: u64, number: usize) -> Operation {
    let any = ids[random.below(ids.len())];
    let other = ids[random.below(ids.len())];
    let anchor = match random.below(3) {
        0 => Target { parent: Some(Some(other)), anchor: Anchor::Last },
        1 => Target { parent: None, anchor: Anchor::After(other) },
        _ => Target { parent: None, anchor: Anchor::Before(other) },
    };
    match random.below(4) {
        0 => Operation::Insert(Insertion { id: Some(id(seed, number)), body: paragraph("new"), target: anchor }),
        1 => {
            let patch = Patch { content: Some("changed".into()), ..Patch::default() };
            Operation::Update { block: any, version: Some(1), patch }
        }
        2 => Operation::Move { block: any, version: None, target: anchor },
        _ => Operation::Delete { block: any, version: None },
    }
}

pub(crate) fn stamp() -> Stamp {
    Stamp {
        workspace: WorkspaceId::LOWEST,
        page: PageId::LOWEST,
        by: UserId::LOWEST,
        now: Timestamp::from_millis(1_790_000_000_000),
        page_version: 2,
    }
}

pub(crate) fn draw() -> impl FnMut() -> BlockId {
    let mut drawn = 0;
    move || {
        drawn += 1;
        id(u64::MAX, drawn)
    }
}

fn block(id: BlockId, parent: Option<BlockId>, position: Position) -> Block {
    let Stamp { workspace, page, by, now, .. } = stamp();
    Block {
        id,
        workspace,
        page,
        parent,
        position,
        body: paragraph("A paragraph of some length, as they stand on pages."),
        version: 1,
        since: 1,
        created_by: Some(by),
        updated_by: Some(by),
        created_at: now,
        updated_at: now,
        deletion: None,
    }
}

fn paragraph(text: &str) -> Body {
    Body::with_text(Kind::Paragraph, RichText::plain(text))
}

/// Ids in random order, like ids made in the same moment.
fn id(seed: u64, number: usize) -> BlockId {
    let mut random = Random(seed << 32 | number as u64);
    let mut bytes = [0; 10];
    bytes[..8].copy_from_slice(&random.next().to_be_bytes());
    BlockId::new(1_790_000_000_000, bytes)
}

/// The same numbers in every run (splitmix64).
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut bits = self.0;
        bits = (bits ^ (bits >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn below(&mut self, bound: usize) -> usize {
        usize::try_from(self.next() % bound as u64).unwrap()
    }
}
