//! Running a query over a table.

use crate::{
    bounds::{Bounds, Growth},
    context::Context,
    scan::{Answer, Cells, Place, Request, Scan},
    stopped::Stopped,
    table::Table,
};
use octavo_core_model::id::RecordId;
use octavo_databases::{
    Schema,
    query::{Aggregate, Filter, Query},
};

/// Runs a query over all records of a table. `place` is where the page begins; without it, it is the first one.
///
/// The bounds are asked before each chunk, which takes a fraction of a millisecond, and for the memory of what the answer
/// is made from.
pub fn run(
    table: &Table,
    request: Request<'_>,
    context: &Context<'_>,
    place: Option<&Place>,
    bounds: &mut dyn Bounds,
) -> Result<Answer, Stopped> {
    let anchor = place.and_then(|place| table.find(place.anchor)).map(|(chunk, _)| chunk);
    read(table, Scan::new(request, context, place, anchor)?, bounds)
}

/// The groups of a query of up to two levels, with its first aggregate over each. The query computes it for each group.
pub fn cells(
    table: &Table,
    request: Request<'_>,
    context: &Context<'_>,
    bounds: &mut dyn Bounds,
) -> Result<Option<Cells>, Stopped> {
    Ok(scanned(table, Scan::of_cells(request, context)?, bounds)?.into_cells())
}

/// The ids of all records that a query finds, in their order, without pages. In groups, a record is listed once under
/// each.
pub fn find_all(
    table: &Table,
    request: Request<'_>,
    context: &Context<'_>,
    bounds: &mut dyn Bounds,
) -> Result<Vec<RecordId>, Stopped> {
    Ok(read(table, Scan::of_all(request, context)?, bounds)?.found.ids())
}

/// How many records that are not archived meet a filter.
pub fn count(
    table: &Table,
    schema: &Schema,
    filter: Option<&Filter>,
    context: &Context<'_>,
    bounds: &mut dyn Bounds,
) -> Result<u64, Stopped> {
    let query = Query { filter: filter.cloned(), aggregates: vec![Aggregate::CountRecords], ..Query::default() };
    let answer = read(table, Scan::new(Request::new(schema, &query), context, None, None)?, bounds)?;
    Ok(answer.total.unwrap_or_default())
}

fn read(table: &Table, scan: Scan<'_>, bounds: &mut dyn Bounds) -> Result<Answer, Stopped> {
    Ok(scanned(table, scan, bounds)?.finish())
}

fn scanned<'a>(table: &Table, mut scan: Scan<'a>, bounds: &mut dyn Bounds) -> Result<Scan<'a>, Stopped> {
    let mut memory = Growth::default();
    for segment in table.segments() {
        bounds.go_on()?;
        if scan.is_done(segment.order.first()) {
            break;
        }
        scan.read(&segment, bounds)?;
        memory.reach(scan.memory(), bounds)?;
    }
    Ok(scan)
}
