//! Formulas over the columns of a chunk.

mod input;
mod result;

use crate::{
    bounds::{Bounds, Growth, Temporary},
    chunk::Chunk,
    computed::{ComputedBuilder, ComputedColumn},
    context::Context,
    stopped::Stopped,
};
use input::Held;
use octavo_databases::Schema;
use octavo_formula::{Costs, DEFAULT_BUDGET, Program, Run};
use std::cell::RefCell;

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
/// titles, as far as the context knows them. The bounds are asked for the memory of the values as they are computed, and
/// of what the formula reads while it is computed.
pub fn formula_column(
    request: &FormulaRequest<'_>,
    context: &Context<'_>,
    chunk: &Chunk,
    bounds: &mut dyn Bounds,
) -> Result<(ComputedColumn, Costs), Stopped> {
    let FormulaRequest { program, schema, used } = *request;
    let mut inputs_memory = Temporary::default();
    let mut held = Vec::with_capacity(program.inputs().len());
    for named in program.inputs() {
        held.push(Held::of(named, schema, context, chunk, &mut inputs_memory, bounds)?);
    }
    let inputs: Vec<_> = held.iter().map(Held::input).collect();
    let run = Run { inputs: &inputs, rows: chunk.len(), now: context.now.millis(), budget: DEFAULT_BUDGET, used };
    let (builder, mut memory) = (RefCell::new(ComputedBuilder::new(chunk.len())), Growth::default());
    let mut stopped = Stopped::Deadline;
    let mut is_over = || {
        let added = memory.reach(builder.borrow().memory(), bounds);
        added.and_then(|()| bounds.go_on()).map_err(|why| stopped = why).is_err()
    };
    let mut take = |block| result::add(&block, &mut builder.borrow_mut());
    let evaluated = program.evaluate_blocks(&run, &mut is_over, &mut take);
    let column = builder.into_inner().finish();
    let costs = evaluated.map_err(|_| stopped).and_then(|costs| {
        memory.end_at(column.memory(), bounds)?;
        Ok(costs)
    });
    inputs_memory.end(bounds);
    Ok((column, costs?))
}
