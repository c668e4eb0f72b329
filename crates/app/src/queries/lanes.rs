//! Running queries on the compute pool: cheap ones among the short jobs, so that they do not wait for costly ones.
//!
//! What a query costs is estimated from its parts. The estimate can be wrong, because it does not know how long texts are:
//! a short job that turns out to be a long one is ended and begun again among those.

use super::prepare::{Prepared, Tables};
use crate::{call::Call, computed::Computation, engine::Engine, kept_tables::WorkingMemory, outcome::AppResult};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    fault::{ComputeFault, DataIssue, DataProblem, Issue, Violation},
    id::DatabaseId,
};
use octavo_databases::query::Query;
use octavo_ports::compute::{ComputeSlot, WorkKind};
use octavo_query_engine::{Bounds, Scan, Stopped};
use std::sync::Arc;

/// Up to this weight, a query takes a few milliseconds.
const SHORT_WEIGHT: usize = 1_000_000;

/// With more records, every query is a long one.
const FEW_RECORDS: usize = 200_000;

/// How often a short job may ask whether to go on. Between two questions are some ten to some hundred microseconds.
const SHORT_QUESTIONS: u32 = 300;

/// What one query may take: until its call ends, and as much memory as there is for it.
pub(crate) struct QueryBounds<'c> {
    cancellation: &'c Cancellation,
    memory: WorkingMemory,
    /// How often it may still ask to go on, if that is bounded.
    questions: Option<u32>,
    is_slow: bool,
}

impl<'c> QueryBounds<'c> {
    fn new(kind: WorkKind, cancellation: &'c Cancellation, memory: WorkingMemory) -> Self {
        let questions = (kind == WorkKind::Short).then_some(SHORT_QUESTIONS);
        Self { cancellation, memory, questions, is_slow: false }
    }

    /// Runs a part of the query whose memory is no longer needed afterwards.
    pub(crate) fn within<R>(&mut self, part: impl FnOnce(&mut Self) -> R) -> R {
        let before = self.memory.used();
        let done = part(self);
        self.memory.release_to(before);
        done
    }
}

impl Bounds for QueryBounds<'_> {
    fn go_on(&mut self) -> Result<(), Stopped> {
        if let Some(left) = &mut self.questions {
            match left.checked_sub(1) {
                Some(fewer) => *left = fewer,
                None => self.is_slow = true,
            }
        }
        if self.is_slow || self.cancellation.is_cancelled() { Err(Stopped::Deadline) } else { Ok(()) }
    }

    fn hold(&mut self, bytes: usize) -> Result<(), Stopped> {
        self.memory.hold(bytes)
    }

    fn release(&mut self, bytes: usize) {
        self.memory.release(bytes);
    }
}

/// Runs a query on the compute pool.
pub(crate) async fn run_query<R: Send + 'static>(
    engine: &Engine,
    call: &Call,
    weight: usize,
    work: impl Fn(&mut QueryBounds<'_>) -> Result<R, Stopped> + Send + Sync + 'static,
) -> AppResult<(R, ComputeSlot)> {
    let (work, owner) = (Arc::new(work), call.work_owner());
    let mut kind = if weight > SHORT_WEIGHT { WorkKind::Long } else { WorkKind::Short };
    loop {
        let (work, memory) = (Arc::clone(&work), engine.tables().working_memory(owner));
        let job = move |cancellation: &Cancellation| {
            let mut bounds = QueryBounds::new(kind, cancellation, memory);
            let done = work(&mut bounds);
            (done, bounds.is_slow)
        };
        let ((done, is_slow), slot) = engine.compute(kind, owner, job).await?;
        if is_slow && kind == WorkKind::Short {
            drop(slot);
            kind = WorkKind::Long;
            continue;
        }
        return Ok((done.map_err(of_stopped)?, slot));
    }
}

/// What these queries cost: roughly the number of times that a record is looked at.
pub(crate) fn weight<'q>(prepared: &Prepared, tables: &Tables, queries: impl Iterator<Item = &'q Query>) -> usize {
    let records = |database: DatabaseId| tables.get(&database).map_or(0, |kept| kept.table.len());
    let own = records(prepared.schema.database());
    let scans = queries.map(|query| {
        let levels = query.group.keys().len();
        let totals = query.aggregates.len() * if query.per_group { 1 + levels } else { 1 };
        own * (1 + query.sort.keys().len() + levels * levels + totals)
    });
    let steps = prepared.computed.steps.iter().filter(|step| !step.is_hidden);
    let computed = steps.map(|step| match step.computation {
        Computation::Formula { .. } => 4 * records(step.database),
        Computation::Rollup { target, .. } => 2 * (records(step.database) + records(target)),
        Computation::Cycle => records(step.database),
    });
    if own > FEW_RECORDS { usize::MAX } else { scans.sum::<usize>() + computed.sum::<usize>() }
}

/// A query would hold more memory than one query may.
pub(crate) fn too_large() -> Fault {
    let rule = "what formulas, rollups, sorts and groups hold for one query must fit into its memory".to_owned();
    DataProblem { rule: Some(rule), ..DataProblem::new(DataIssue::TooLarge) }.into()
}

pub(crate) fn of_stopped(stopped: Stopped) -> Fault {
    match stopped {
        Stopped::Deadline => ComputeFault::Timeout.into(),
        Stopped::MemoryFull => ComputeFault::TablesFull.into(),
        Stopped::TooLarge => too_large(),
        Stopped::OtherQuery => Violation::new("cursor", Issue::InvalidValue).into(),
        Stopped::TooManyGroups => {
            let rule = Some(format!(
                "records may be in at most {} groups, where each aggregate of a group counts like a group, with {} \
                 bytes of text",
                Scan::MAX_GROUPS,
                Scan::MAX_GROUP_TEXT,
            ));
            DataProblem { rule, ..DataProblem::at_path(DataIssue::InvalidGroup, "group") }.into()
        }
    }
}
