//! Formulas over the columns of a chunk.

mod input;
mod result;

use crate::{chunk::Chunk, computed::ComputedColumn, context::Context, scan::Stopped};
use input::Held;
use octavo_databases::Schema;
use octavo_formula::{Costs, DEFAULT_BUDGET, Program, Run};

/// A formula that is to be computed.
#[derive(Clone, Copy)]
pub struct FormulaRequest<'a> {
    /// The compiled formula. Its inputs are the ids of properties.
    pub program: &'a Program,
    /// The properties of the database. If the formula uses computed ones, their columns must be there.
    pub schema: &'a Schema,
    /// What the formulas that this one uses, directly or through others, have spent in the same chunk: each of them once.
    pub used: &'a [&'a Costs],
}

/// The values of a formula for the records of a chunk, and what they cost. Persons are their names, linked records their
/// titles, as far as the context knows them. `is_late` is asked now and then.
pub fn formula_column(
    request: &FormulaRequest<'_>,
    context: &Context<'_>,
    chunk: &Chunk,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<(ComputedColumn, Costs), Stopped> {
    let FormulaRequest { program, schema, used } = *request;
    let held: Vec<_> = program.inputs().iter().map(|named| Held::of(named, schema, context, chunk)).collect();
    let inputs: Vec<_> = held.iter().map(Held::input).collect();
    let run = Run { inputs: &inputs, rows: chunk.len(), now: context.now.millis(), budget: DEFAULT_BUDGET, used };
    let computed = program.evaluate(&run, is_late).map_err(|_| Stopped::Deadline)?;
    Ok((result::column(&computed.values), computed.costs))
}
