//! Plans a batch.

use super::{
    Anchor, Change, ExistingBlock, Insertion, Known, NewReference, Operation, Patch, Plan, Removal, Stamp, Target,
    order::{NoPlace, Order},
    tree::{Parent, UnplacedBlock},
};
use crate::{
    MAX_DEPTH,
    block::{Block, BlockNode, Deletion},
    body::Body,
    kind::Kind,
};
use octavo_core_model::{
    fault::{BlockFlaw, BlockProblem, Issue, Violation},
    id::BlockId,
    position::Position,
    version::Expected,
};
use std::{
    borrow::Borrow,
    collections::{BTreeMap, BTreeSet},
};

/// Why there is no plan.
#[derive(Clone, Debug, PartialEq)]
pub enum ApplyError {
    /// These operations cannot be applied, so nothing is.
    Refused(Vec<BlockFlaw>),
    /// All children of this parent must be known: pass them to [`Known::add_siblings`] and try again.
    Siblings(Option<BlockId>),
}

/// All children of this parent must be known; see [`ApplyError::Siblings`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SiblingsNeeded(pub Option<BlockId>);

/// The plan for the operations that can be applied, and the flaws of the others.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PartialPlan {
    /// Write it only if there are no flaws.
    pub plan: Plan,
    /// What is wrong with the operations that are not in the plan.
    pub flaws: Vec<BlockFlaw>,
}

/// Plans operations one after the other. `draw` generates ids for blocks without one.
pub fn apply(
    known: &Known,
    operations: &[Operation],
    stamp: &Stamp,
    draw: &mut dyn FnMut() -> BlockId,
) -> Result<Plan, ApplyError> {
    let PartialPlan { plan, flaws } =
        apply_partly(known, operations, stamp, draw).map_err(|SiblingsNeeded(parent)| ApplyError::Siblings(parent))?;
    if flaws.is_empty() { Ok(plan) } else { Err(ApplyError::Refused(flaws)) }
}

/// Like [`apply`], for callers that add flaws of their own: returns the plan of the operations that can be applied
/// together with all flaws.
pub fn apply_partly<O: Borrow<Operation>>(
    known: &Known,
    operations: &[O],
    stamp: &Stamp,
    draw: &mut dyn FnMut() -> BlockId,
) -> Result<PartialPlan, SiblingsNeeded> {
    let mut work = Work::new(known, stamp);
    let mut flaws = Vec::new();
    for (index, operation) in operations.iter().map(Borrow::borrow).enumerate() {
        work.index = index;
        match work.perform(operation, draw) {
            Ok(block) => work.plan.blocks.push(block),
            Err(Halt::Siblings(parent)) => return Err(SiblingsNeeded(parent)),
            Err(Halt::Problem(problem)) => {
                // Operations on a block that could not be created are not reported: they fail only for that reason.
                work.unmade.extend(match operation {
                    Operation::Insert(insertion) => insertion.id,
                    _ => None,
                });
                flaws.push(BlockFlaw::new(index, problem).within(operation.part()));
            }
            Err(Halt::RestsOnUnmade) => {}
        }
    }
    Ok(PartialPlan { plan: work.finish(), flaws })
}

enum Halt {
    Problem(BlockProblem),
    Siblings(Parent),
    RestsOnUnmade,
}

impl From<BlockProblem> for Halt {
    fn from(problem: BlockProblem) -> Self {
        Self::Problem(problem)
    }
}

/// The page while its blocks change.
struct Work<'a> {
    known: &'a Known,
    stamp: &'a Stamp,
    index: usize,
    order: Order<'a>,
    /// Created and changed blocks, complete.
    blocks: BTreeMap<BlockId, Block>,
    made: Vec<BlockId>,
    touched: BTreeSet<BlockId>,
    unmade: BTreeSet<BlockId>,
    plan: Plan,
}

impl<'a> Work<'a> {
    fn new(known: &'a Known, stamp: &'a Stamp) -> Self {
        Self {
            known,
            stamp,
            index: 0,
            order: Order::new(known),
            blocks: BTreeMap::new(),
            made: Vec::new(),
            touched: BTreeSet::new(),
            unmade: known.unmade.clone(),
            plan: Plan::default(),
        }
    }

    fn perform(&mut self, operation: &Operation, draw: &mut dyn FnMut() -> BlockId) -> Result<BlockId, Halt> {
        match operation {
            Operation::Insert(insertion) => self.insert(insertion, draw),
            Operation::Update { block, version, patch } => self.update(*block, *version, patch),
            Operation::Delete { block, version } => self.delete(*block, *version),
            Operation::Move { block, version, target } => {
                self.require(*block, *version)?;
                self.relocate(*block, target)?;
                Ok(*block)
            }
        }
    }

    fn insert(&mut self, insertion: &Insertion, draw: &mut dyn FnMut() -> BlockId) -> Result<BlockId, Halt> {
        let id = insertion.id.unwrap_or_else(draw);
        if self.existing(id).is_some() {
            return Err(BlockProblem::Taken(id).into());
        }
        let parent = self.parent_of(&insertion.target, None)?;
        self.nest(id, insertion.body.kind(), parent)?;
        self.above(id, parent, 1)?;
        self.require_source(id, &insertion.body, parent)?;
        let rootless = UnplacedBlock { id, kind: insertion.body.kind(), source: insertion.body.source() };
        let position = self.put_at(rootless, parent, &insertion.target)?;
        let Stamp { workspace, page, by, now, page_version } = *self.stamp;
        let block = Block {
            id,
            workspace,
            page,
            parent,
            position,
            body: insertion.body.clone(),
            version: 1,
            since: page_version,
            created_by: Some(by),
            updated_by: Some(by),
            created_at: now,
            updated_at: now,
            deletion: None,
        };
        self.name(&block.body, None);
        self.plan.changes.push(Change::Insert { block: id, kind: block.kind() });
        self.order.open(id);
        self.blocks.insert(id, block);
        self.made.push(id);
        Ok(id)
    }

    fn put_at(&mut self, block: UnplacedBlock, parent: Parent, target: &Target) -> Result<Position, Halt> {
        loop {
            match self.order.put(block, parent, &target.anchor) {
                Ok(position) => return Ok(position),
                Err(NoPlace::Taken) => {
                    return Err(BlockProblem::Invalid(Violation::new("position", Issue::PositionTaken)).into());
                }
                Err(NoPlace::Siblings(parent)) => return Err(Halt::Siblings(parent)),
                Err(NoPlace::SiblingsNeeded(parent)) => self.spread(parent)?,
            }
        }
    }

    /// Makes room between siblings. Their order stays the same, so they do not count as changed.
    fn spread(&mut self, parent: Parent) -> Result<(), Halt> {
        let Ok(moved) = self.order.spread(parent) else { return Err(Halt::Siblings(parent)) };
        for (id, position) in moved {
            match self.blocks.get_mut(&id) {
                Some(block) => block.position = position,
                None => self.plan.respread.push((id, position)),
            }
        }
        Ok(())
    }

    /// Records the references that the operation adds to a block.
    fn name(&mut self, after: &Body, before: Option<&Body>) {
        let operation = self.index;
        let new = after.new_references(before).into_iter();
        self.plan.named.extend(new.map(|(reference, field)| NewReference { operation, field, reference }));
    }

    fn update(&mut self, id: BlockId, version: Option<i64>, patch: &Patch) -> Result<BlockId, Halt> {
        let before = self.require(id, version)?.body.clone();
        if patch.is_empty() {
            return Ok(id);
        }
        if let Some(source) = before.source() {
            return Err(BlockProblem::SyncedReadonly { source }.into());
        }
        let after = patched(&before, patch)?;
        if after.kind() != before.kind() {
            self.turn(id, after.kind())?;
        }
        if after != before {
            self.name(&after, Some(&before));
            self.plan.changes.push(Change::Update { block: id, kind: after.kind() });
            let block = self.touch(id)?;
            block.body = after;
        }
        if let Some(target) = patch.target().filter(|target| !self.stands_in(id, target)) {
            self.relocate(id, &target)?;
        }
        Ok(id)
    }

    /// Whether a patch that only names a parent changes nothing.
    fn stands_in(&self, id: BlockId, target: &Target) -> bool {
        let parent = self.order.tree.place(id).map(|(parent, _)| parent);
        target.anchor == Anchor::Last && target.parent == parent
    }

    /// Whether a block may change its type at its place and with its children.
    fn turn(&mut self, id: BlockId, kind: Kind) -> Result<(), Halt> {
        if kind == Kind::SyncedBlock {
            return Err(
                BlockProblem::Invalid(Violation::new("type", Issue::InvalidValue).with(kind.name().into())).into()
            );
        }
        let parent = self.order.tree.get(id).and_then(|node| node.parent);
        self.nest(id, kind, parent)?;
        if let Some(child) = self.order.tree.children(Some(id)).find(|child| !child.kind.may_stand_in(Some(kind))) {
            return Err(BlockProblem::InvalidNesting { block: child.id, parent: Some(id) }.into());
        }
        self.order.tree.turn(id, kind);
        Ok(())
    }

    fn relocate(&mut self, id: BlockId, target: &Target) -> Result<(), Halt> {
        let Some(BlockNode { parent: old_parent, position: old_position, kind, source, .. }) =
            self.order.tree.get(id).cloned()
        else {
            return Err(BlockProblem::Unknown("blockId").into());
        };
        if target.anchor.block() == Some(id) {
            return Err(BlockProblem::Invalid(Violation::new(anchor_field(target), Issue::AnchorNotSibling)).into());
        }
        let parent = self.parent_of(target, Some(old_parent))?;
        let height = self.order.tree.height(id);
        self.above(id, parent, height)?;
        self.nest(id, kind, parent)?;
        if let Some(instance) = self.order.tree.instance_within(id, parent) {
            return Err(BlockProblem::SyncCycle(instance).into());
        }
        let position = self.put_at(UnplacedBlock { id, kind, source }, parent, target)?;
        if (parent, &position) == (old_parent, &old_position) {
            return Ok(());
        }
        let block = self.touch(id)?;
        (block.parent, block.position) = (parent, position.clone());
        self.plan.changes.push(Change::Move {
            block: id,
            kind,
            from: (old_parent, old_position),
            to: (parent, position),
        });
        Ok(())
    }

    fn delete(&mut self, id: BlockId, version: Option<i64>) -> Result<BlockId, Halt> {
        self.require(id, version)?;
        let subtree = self.order.tree.subtree(id);
        let kind = self.order.tree.kind(id).unwrap_or(Kind::Paragraph);
        let deletion = Deletion { at: self.stamp.now, root: id };
        for gone in &subtree {
            self.order.remove(*gone);
            if let Some(block) = self.blocks.get_mut(gone) {
                block.deletion = Some(deletion);
            }
        }
        self.plan.changes.push(Change::Delete { block: id, kind });
        self.plan.removed.push(Removal { root: id, blocks: subtree });
        Ok(id)
    }

    /// The block of an operation: on this page, not deleted, and with the expected version.
    fn require(&self, id: BlockId, version: Option<i64>) -> Result<&Block, Halt> {
        self.require_made(id)?;
        if !self.order.tree.has(id) {
            return Err(BlockProblem::Unknown("blockId").into());
        }
        let Some(block) = self.blocks.get(&id).or_else(|| self.known.named.get(&id)) else {
            return Err(BlockProblem::Unknown("blockId").into());
        };
        // Counted once per batch: an expected version is the one before the batch.
        let actual = self.known.named.get(&id).map_or(block.version, |block| block.version);
        let expected = version.map_or(Expected::Any, Expected::Exactly);
        expected.check(actual).map_err(BlockProblem::Stale)?;
        Ok(block)
    }

    fn require_made(&self, id: BlockId) -> Result<(), Halt> {
        if self.unmade.contains(&id) { Err(Halt::RestsOnUnmade) } else { Ok(()) }
    }

    /// The new parent of a block.
    fn parent_of(&self, target: &Target, now: Option<Parent>) -> Result<Parent, Halt> {
        let asked = target.parent;
        if let Some(Some(parent)) = asked {
            self.require_made(parent)?;
            if !self.order.tree.has(parent) {
                return Err(BlockProblem::Missing("parentId").into());
            }
        }
        let Some(anchor) = target.anchor.block() else { return Ok(asked.or(now).unwrap_or(None)) };
        self.require_made(anchor)?;
        match self.order.tree.place(anchor) {
            Some((parent, _)) if asked.is_none_or(|asked| asked == parent) => Ok(parent),
            _ => Err(BlockProblem::Invalid(Violation::new(anchor_field(target), Issue::AnchorNotSibling)).into()),
        }
    }

    fn nest(&self, block: BlockId, kind: Kind, parent: Parent) -> Result<(), Halt> {
        let above = parent.and_then(|parent| self.order.tree.kind(parent));
        if kind.may_stand_in(above) { Ok(()) } else { Err(BlockProblem::InvalidNesting { block, parent }.into()) }
    }

    /// Refuses a move into a block's own descendants or beyond the depth limit.
    fn above(&self, block: BlockId, parent: Parent, height: usize) -> Result<(), Halt> {
        for (levels, id) in (1..).zip(self.order.tree.above(parent)) {
            if id == block {
                return Err(BlockProblem::CycleDetected(block).into());
            }
            if height + levels > MAX_DEPTH {
                return Err(BlockProblem::MaxDepth(block).into());
            }
        }
        Ok(())
    }

    fn require_source(&self, id: BlockId, body: &Body, parent: Parent) -> Result<(), Halt> {
        if body.kind() != Kind::SyncedBlock {
            return Ok(());
        }
        let Some(source) = body.source() else {
            let missing = Violation::new("content.sourceBlockId", Issue::Required);
            return Err(BlockProblem::Invalid(missing).into());
        };
        self.require_made(source)?;
        if source == id {
            return Err(BlockProblem::SyncCycle(id).into());
        }
        let found = self.existing(source);
        let found = found.filter(|block| !block.is_deleted && !self.known.hidden.contains(&source));
        let is_gone = |block: &ExistingBlock| block.page == self.stamp.page && !self.order.tree.has(source);
        let Some(found) = found.filter(|block| !is_gone(block)) else {
            return Err(BlockProblem::Missing("content.sourceBlockId").into());
        };
        let stands_in_it = self.order.tree.above(parent).any(|above| above == source);
        let is_cycle = found.is_instance || stands_in_it;
        if is_cycle { Err(BlockProblem::SyncCycle(id).into()) } else { Ok(()) }
    }

    /// A block that is created by this batch or exists already, on any page, deleted or not.
    fn existing(&self, id: BlockId) -> Option<ExistingBlock> {
        let block = self.blocks.get(&id).or_else(|| self.known.named.get(&id));
        block.map(ExistingBlock::from).or_else(|| self.known.existing.get(&id).copied())
    }

    /// The block to be saved.
    fn touch(&mut self, id: BlockId) -> Result<&mut Block, Halt> {
        let known = self.known.named.get(&id);
        let block = match self.blocks.entry(id) {
            std::collections::btree_map::Entry::Occupied(entry) => entry.into_mut(),
            std::collections::btree_map::Entry::Vacant(entry) => {
                let mut block = known.cloned().ok_or(BlockProblem::Unknown("blockId"))?;
                // Making room may have given it another key since it was loaded.
                if let Some((_, position)) = self.order.tree.place(id) {
                    block.position = position.clone();
                }
                entry.insert(block)
            }
        };
        if known.is_some() && self.touched.insert(id) {
            block.version += 1;
            block.since = self.stamp.page_version;
            (block.updated_by, block.updated_at) = (Some(self.stamp.by), self.stamp.now);
        }
        Ok(block)
    }

    fn finish(mut self) -> Plan {
        let mut plan = self.plan;
        // If room was made several times, the last key counts. Blocks that are saved completely contain theirs.
        let respread: BTreeMap<_, _> = std::mem::take(&mut plan.respread).into_iter().collect();
        plan.respread = respread.into_iter().filter(|(id, _)| !self.blocks.contains_key(id)).collect();
        plan.inserted = self.made.iter().filter_map(|id| self.blocks.remove(id)).collect();
        // A block that was changed and then deleted is written by its deletion.
        plan.changed = self.blocks.into_values().collect();
        plan
    }
}

fn anchor_field(target: &Target) -> &'static str {
    match target.anchor {
        Anchor::Before(_) => "beforeBlockId",
        _ => "afterBlockId",
    }
}

/// The body of a block after a patch.
fn patched(before: &Body, patch: &Patch) -> Result<Body, Halt> {
    let kind = patch.kind.unwrap_or(before.kind());
    let turned = if kind == before.kind() { before.clone() } else { before.turned_into(kind) };
    if patch.content.is_none() && patch.properties.is_none() {
        return Ok(turned);
    }
    let content = patch.content.as_ref().map_or_else(|| turned.content().into(), |sent| turned.merged(sent));
    let properties = patch.properties.clone().unwrap_or_else(|| turned.properties().to_json().into());
    Body::read(kind, Some(content), Some(properties), "").map_err(|mut flaws| {
        // There is at least one flaw; reporting the first is enough.
        let flaw = flaws.drain(..).next();
        let flaw = flaw.unwrap_or_else(|| Violation::new("content", Issue::InvalidValue));
        Halt::Problem(BlockProblem::Invalid(flaw))
    })
}
