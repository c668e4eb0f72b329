//! Importing tables: the rows of a CSV file become records of a new database or of one that exists.
//!
//! The table is read on the compute pool. Then units write its rows, one portion after the other, or all of them in one
//! unit if the caller wants all or none. Each unit checks everything again: what the caller may do, the state of the
//! database, and whether the properties still exist. So an import that is interrupted keeps whole portions only.

mod faults;
pub mod job;
mod portion;
mod sheet;
mod step;

pub use sheet::MAX_ROWS;

use crate::{
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft, Interrupt},
    pages::Place,
    reply::Reply,
};
use octavo_core_model::{
    Fault, StoreError,
    cancellation::Cancellation,
    fault::{ImportFault, RejectedRow},
    id::{DatabaseId, PageId},
    text::DatabaseTitle,
};
use octavo_databases::{csv::Delimiter, import::Mapping};
use octavo_ports::compute::WorkKind;
use sheet::{Portion, Sheet, SheetRow};
use std::sync::Arc;
use step::{Opened, Plan, Step, Target, Written};

/// How often a unit is tried if the store is busy. Each time it waits for seconds. What was written before cannot be taken
/// back, so giving up at once would be worse.
const TRIES: u32 = 5;

/// How much content a cell counts as while its row is written, with the event that shows it. The process needs several
/// times as much, as for blocks.
const BYTES_OF_CELL: u64 = 100;

/// Where the records go.
#[derive(Clone, Debug)]
pub enum TableTarget {
    /// Into a new database at this place.
    New(Draft<Place>),
    /// Into this database.
    Existing(Draft<DatabaseId>),
}

/// A table to import.
#[derive(Clone, Debug)]
pub struct Table {
    pub text: Arc<str>,
    /// The title of a new database.
    pub title: Option<DatabaseTitle>,
    pub mapping: Mapping,
    /// Detected if it is `None`.
    pub delimiter: Option<Delimiter>,
    /// Whether one bad row rejects all.
    pub atomic: bool,
}

/// What became of a table.
#[derive(Clone, Debug)]
pub struct ImportedTable {
    pub database: DatabaseId,
    /// The page that the database is in; `None` at the root of a workspace or team.
    pub page: Option<PageId>,
    /// How many records were created.
    pub imported: u64,
    /// The rows that became none, in their order.
    pub rejected: Vec<RejectedRow>,
    pub warnings: Vec<String>,
}

/// Imports a table.
pub async fn import(
    engine: &Engine,
    call: Call,
    target: TableTarget,
    table: Draft<Table>,
    shape: impl Fn(ImportedTable) -> Reply + Send + Sync,
) -> AppResult<Reply> {
    let table = table.map(Arc::new);
    let asked = target.clone();
    let allowed = engine.look_ahead(call.clone(), move |unit| Box::pin(portion::authorize(unit, asked, table)));
    let (target, table) = allowed.await?;
    let bytes = table.text.len() as u64;
    call.content.hold_for_job(call.work_owner(), bytes)?;
    let (text, delimiter) = (Arc::clone(&table.text), table.delimiter);
    let survey = move |cancellation: &Cancellation| Sheet::survey(&text, delimiter, cancellation);
    let kind = WorkKind::of_text(&table.text);
    // The rows are read again later, so the slot need not be kept.
    let sheet = engine.compute(kind, call.work_owner(), survey).await?.0?;
    if table.atomic {
        call.content.hold_for_job(call.work_owner(), bytes + sheet.filled.saturating_mul(BYTES_OF_CELL))?;
    }
    let plan = Plan {
        title: table.title.clone(),
        mapping: table.mapping.clone(),
        columns: sheet.columns.clone(),
        kinds: sheet.kinds.clone(),
        fatal: table.atomic.then(|| sheet.rejected.clone()),
    };
    let run = Run { engine, call, target, plan: Arc::new(plan), sheet: Arc::new(sheet) };
    run.all(shape).await
}

/// An import that is running.
struct Run<'a> {
    engine: &'a Engine,
    call: Call,
    target: Target,
    plan: Arc<Plan>,
    sheet: Arc<Sheet>,
}

/// What the units so far have done.
#[derive(Clone, Default)]
struct Done {
    opened: Option<Arc<Opened>>,
    imported: u64,
    rejected: Vec<RejectedRow>,
    warnings: Vec<String>,
}

impl Run<'_> {
    async fn all(&self, shape: impl Fn(ImportedTable) -> Reply + Send + Sync) -> AppResult<Reply> {
        let portions = &self.sheet.portions;
        let rest = if self.plan.fatal.is_some() {
            portions.as_slice()
        } else {
            portions.last().map_or(&[][..], std::slice::from_ref)
        };
        let mut done = Done::default();
        for portion in &portions[..portions.len() - rest.len()] {
            let written = self.tried(&done, &[*portion], |step| self.write(step)).await?;
            done.add(written);
        }
        let shape = |written| {
            let mut done = done.clone();
            done.add(written);
            shape(self.result(done))
        };
        self.tried(&done, rest, |step| self.finish(step, &shape)).await
    }

    /// Reads rows and lets a unit write them, again if the store is busy in the middle of an import.
    async fn tried<T, F: Future<Output = AppResult<T>> + Send>(
        &self,
        done: &Done,
        portions: &[Portion],
        write: impl Fn(Arc<Step>) -> F + Send + Sync,
    ) -> AppResult<T> {
        let rows = match self.read(portions).await {
            Ok(rows) => rows,
            Err(interrupt) => return Err(done.stopped(interrupt, portions)),
        };
        let step = Arc::new(Step {
            target: self.target.clone(),
            plan: Arc::clone(&self.plan),
            opened: done.opened.clone(),
            is_last: portions.last().map(|portion| portion.place) == self.sheet.portions.last().map(|last| last.place),
            bytes: portions.iter().map(|portion| portion.bytes).sum(),
            rows,
        });
        let mut tries = 1;
        loop {
            match write(Arc::clone(&step)).await {
                Err(Interrupt::Fault(Fault::Store(StoreError::Busy))) if done.opened.is_some() && tries < TRIES => {
                    tries += 1;
                }
                Err(interrupt) => return Err(done.stopped(interrupt, portions)),
                written => return written,
            }
        }
    }

    async fn read(&self, portions: &[Portion]) -> AppResult<Vec<Vec<SheetRow>>> {
        let bytes: u64 = portions.iter().map(|portion| portion.bytes).sum();
        let kind = WorkKind::of_bytes(usize::try_from(bytes).unwrap_or(usize::MAX));
        let (sheet, portions) = (Arc::clone(&self.sheet), portions.to_vec());
        let read = move |cancellation: &Cancellation| {
            portions.iter().map(|portion| sheet.read(*portion, cancellation)).collect::<Draft<Vec<_>>>()
        };
        Ok(self.engine.compute(kind, self.call.work_owner(), read).await?.0?)
    }

    async fn write(&self, step: Arc<Step>) -> AppResult<Written> {
        let call = self.call.clone();
        self.engine
            .change_repeatably(call, move |unit| {
                let step = Arc::clone(&step);
                Box::pin(async move { portion::write(unit, &step).await })
            })
            .await
    }

    /// The last unit keeps the answer, which tells of all of them.
    async fn finish(&self, step: Arc<Step>, shape: &(impl Fn(Written) -> Reply + Send + Sync)) -> AppResult<Reply> {
        self.engine
            .write_repeatably(
                self.call.clone(),
                move |unit| {
                    let step = Arc::clone(&step);
                    Box::pin(async move { portion::write(unit, &step).await })
                },
                shape,
            )
            .await
    }

    fn result(&self, done: Done) -> ImportedTable {
        let Done { opened, imported, rejected, warnings } = done;
        let opened = opened.map(Arc::unwrap_or_clone).unwrap_or_default();
        let mut rejected: Vec<_> = self.sheet.rejected.iter().cloned().chain(rejected).collect();
        rejected.sort_by_key(|row| row.row);
        let warnings = self.sheet.warnings.iter().cloned().chain(warnings).collect();
        ImportedTable { database: opened.database, page: opened.page, imported, rejected, warnings }
    }
}

impl Done {
    fn add(&mut self, written: Written) {
        self.opened = Some(Arc::new(written.opened));
        self.imported += written.imported;
        self.rejected.extend(written.rejected);
        self.warnings.extend(written.warnings);
    }

    /// Adds what earlier units have written to a refusal of a later one.
    fn stopped(&self, interrupt: Interrupt, portions: &[Portion]) -> Interrupt {
        match (interrupt, &self.opened) {
            (Interrupt::Fault(fault), Some(opened)) => Interrupt::Fault(Fault::Import(ImportFault::Stopped {
                database: opened.database,
                imported: self.imported,
                row: portions.first().map_or(0, |portion| portion.place.row),
                cause: Box::new(fault),
            })),
            (interrupt, _) => interrupt,
        }
    }
}
