//! A page that is completely known: what a store would load of it, and the same changes on plain lists.

use crate::{
    batch::{Anchor, ApplyError, BatchInputs, ExistingBlock, Known, Neighbours, Operation, Plan, Stamp, Target, apply},
    block::{Block, BlockNode, Deletion},
    body::Body,
    kind::Kind,
    rich_text::RichText,
};
use octavo_core_model::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    time::Timestamp,
};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) fn block(number: u16) -> BlockId {
    let [high, low] = number.to_be_bytes();
    BlockId::new(1, [0, 0, 0, 0, 0, 0, 0, 0, high, low])
}

pub(crate) fn text(text: &str) -> Body {
    Body::with_text(Kind::Paragraph, RichText::plain(text))
}

#[derive(Default)]
pub(crate) struct Sheet {
    pub(crate) blocks: BTreeMap<BlockId, Block>,
    version: i64,
}

type Lists = BTreeMap<Option<BlockId>, Vec<BlockId>>;

impl Sheet {
    pub(crate) fn stamp(&self) -> Stamp {
        Stamp {
            workspace: WorkspaceId::LOWEST,
            page: PageId::LOWEST,
            by: UserId::LOWEST,
            now: Timestamp::from_millis(self.version),
            page_version: self.version + 1,
        }
    }

    fn live(&self) -> impl Iterator<Item = &Block> {
        self.blocks.values().filter(|block| block.deletion.is_none())
    }

    pub(crate) fn ids(&self) -> Vec<BlockId> {
        self.live().map(|block| block.id).collect()
    }

    fn siblings(&self, parent: Option<BlockId>) -> Vec<BlockNode> {
        let mut found: Vec<_> = self.live().filter(|block| block.parent == parent).map(Block::node).collect();
        found.sort_by(|a, b| a.position.cmp(&b.position));
        found
    }

    /// Exactly what a store loads for a batch.
    fn known(&self, asked: &BatchInputs) -> Known {
        let mut known =
            Known { last: self.siblings(None).last().map(|node| node.position.clone()), ..Known::default() };
        let mut nodes = BTreeMap::new();
        let existing = |id: &BlockId| Some((*id, ExistingBlock::from(self.blocks.get(id)?)));
        let existing: BTreeMap<_, _> = asked.made.iter().chain(&asked.sources).filter_map(existing).collect();
        for id in asked.blocks.iter().chain(existing.keys()) {
            let Some(named) = self.blocks.get(id) else { continue };
            if asked.blocks.contains(id) {
                known.named.insert(*id, named.clone());
            }
            if named.deletion.is_some() {
                continue;
            }
            let siblings = self.siblings(named.parent);
            let at = siblings.iter().position(|node| node.id == *id);
            let place =
                |index: Option<usize>| index.and_then(|index| siblings.get(index)).map(|node| node.position.clone());
            let neighbours = Neighbours {
                previous: place(at.and_then(|at| at.checked_sub(1))),
                next: place(at.map(|at| at + 1)),
                last_child: self.siblings(Some(*id)).last().map(|node| node.position.clone()),
            };
            known.neighbours.insert(*id, neighbours);
            let mut above = Some(*id);
            while let Some(block) = above.and_then(|id| self.blocks.get(&id)) {
                nodes.insert(block.id, block.node());
                above = block.parent;
            }
        }
        let mut open: Vec<_> = asked.subtrees.iter().copied().collect();
        while let Some(id) = open.pop() {
            for node in self.siblings(Some(id)) {
                open.push(node.id);
                nodes.insert(node.id, node);
            }
        }
        let taken = self.live().filter(|block| asked.positions.contains(&block.position)).map(Block::node);
        known.nodes = nodes.into_values().chain(taken).collect();
        known.existing = existing;
        known
    }

    pub(crate) fn run(&self, operations: &[Operation]) -> Result<Plan, ApplyError> {
        let mut known = self.known(&BatchInputs::by(operations));
        loop {
            let mut draw = || panic!("every block of these tests has its id");
            match apply(&known, operations, &self.stamp(), &mut draw) {
                Err(ApplyError::Siblings(parent)) => {
                    assert!(!known.whole.contains(&parent), "it asks for the same siblings twice");
                    known.add_siblings(parent, self.siblings(parent));
                }
                done => return done,
            }
        }
    }

    pub(crate) fn write(&mut self, plan: Plan) {
        self.version += i64::from(!plan.is_empty());
        for block in plan.inserted.into_iter().chain(plan.changed) {
            self.blocks.insert(block.id, block);
        }
        for (id, position) in plan.respread {
            self.blocks.get_mut(&id).unwrap().position = position;
        }
        for removal in plan.removed {
            for id in removal.blocks {
                let deletion = Deletion { at: Timestamp::from_millis(self.version), root: removal.root };
                self.blocks.get_mut(&id).unwrap().deletion = Some(deletion);
            }
        }
    }

    pub(crate) fn lists(&self) -> Lists {
        let parents: BTreeSet<_> = self.live().map(|block| block.parent).collect();
        let ids = |parent| self.siblings(parent).into_iter().map(|node| node.id).collect();
        parents.into_iter().map(|parent| (parent, ids(parent))).collect()
    }

    /// No two siblings have the same position, and every block is connected to the page.
    pub(crate) fn is_sound(&self) -> bool {
        let mut places = BTreeSet::new();
        self.live().all(|block| {
            let mut above = block.parent;
            for _ in 0..=crate::MAX_DEPTH {
                match above {
                    None => return places.insert((block.parent, block.position.clone())),
                    Some(id) => match self.blocks.get(&id) {
                        Some(parent) if parent.deletion.is_none() => above = parent.parent,
                        _ => return false,
                    },
                }
            }
            false
        })
    }

    /// The same operations on plain lists; `None` if one cannot be applied.
    pub(crate) fn by_hand(&self, operations: &[Operation]) -> Option<Lists> {
        let mut lists = self.lists();
        for operation in operations {
            match operation {
                Operation::Insert(insertion) => {
                    let id = insertion.id?;
                    let (parent, index) = place(&lists, &insertion.target, None)?;
                    lists.entry(parent).or_default().insert(index, id);
                }
                Operation::Move { block, target, .. } => {
                    let (old, _) = find(&lists, *block)?;
                    if target.anchor == Anchor::After(*block) || target.anchor == Anchor::Before(*block) {
                        return None;
                    }
                    let (parent, _) = place(&lists, target, Some(old))?;
                    let mut above = parent;
                    while let Some(id) = above {
                        if id == *block {
                            return None;
                        }
                        above = find(&lists, id)?.0;
                    }
                    lists.get_mut(&old)?.retain(|id| id != block);
                    let (parent, index) = place(&lists, target, Some(old))?;
                    lists.entry(parent).or_default().insert(index, *block);
                }
                Operation::Delete { block, .. } => {
                    let (old, _) = find(&lists, *block)?;
                    lists.get_mut(&old)?.retain(|id| id != block);
                    let mut open = vec![*block];
                    while let Some(id) = open.pop() {
                        open.extend(lists.remove(&Some(id)).unwrap_or_default());
                    }
                }
                Operation::Update { block, .. } => {
                    find(&lists, *block)?;
                }
            }
        }
        lists.retain(|_, ids| !ids.is_empty());
        Some(lists)
    }
}

fn find(lists: &Lists, block: BlockId) -> Option<(Option<BlockId>, usize)> {
    lists.iter().find_map(|(parent, ids)| Some((*parent, ids.iter().position(|id| *id == block)?)))
}

#[expect(clippy::option_option, reason = "nothing, the page, or a block of it")]
fn place(lists: &Lists, target: &Target, now: Option<Option<BlockId>>) -> Option<(Option<BlockId>, usize)> {
    match &target.anchor {
        Anchor::After(anchor) => find(lists, *anchor).map(|(parent, index)| (parent, index + 1)),
        Anchor::Before(anchor) => find(lists, *anchor),
        _ => {
            let parent = target.parent.or(now).unwrap_or(None);
            if let Some(parent) = parent {
                find(lists, parent)?;
            }
            Some((parent, lists.get(&parent).map_or(0, Vec::len)))
        }
    }
}
