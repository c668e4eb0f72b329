//! Running a query over a table.

use crate::{
    context::Context,
    scan::{Answer, Cells, Place, Request, Scan, Stopped},
    table::Table,
};
use octavo_core_model::id::RecordId;
use octavo_databases::{
    Schema,
    query::{Aggregate, Filter, Query},
};

/// Runs a query over all records of a table. `place` is where the page begins; without it, it is the first one.
///
/// `is_late` is asked before each chunk; when it returns true, the query stops. A chunk takes a fraction of a
/// millisecond.
pub fn run(
    table: &Table,
    request: Request<'_>,
    context: &Context<'_>,
    place: Option<&Place>,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<Answer, Stopped> {
    let anchor = place.and_then(|place| table.find(place.anchor)).map(|(chunk, _)| chunk);
    read(table, Scan::new(request, context, place, anchor)?, is_late)
}

/// The groups of a query of up to two levels, with its first aggregate over each. The query computes it for each group.
pub fn cells(
    table: &Table,
    request: Request<'_>,
    context: &Context<'_>,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<Option<Cells>, Stopped> {
    Ok(scanned(table, Scan::new(request, context, None, None)?, is_late)?.into_cells())
}

/// The ids of all records that a query finds, in their order, without pages. In groups, a record is listed once under
/// each.
pub fn find_all(
    table: &Table,
    request: Request<'_>,
    context: &Context<'_>,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<Vec<RecordId>, Stopped> {
    Ok(read(table, Scan::of_all(request, context)?, is_late)?.found.ids())
}

/// How many records that are not archived meet a filter.
pub fn count(
    table: &Table,
    schema: &Schema,
    filter: Option<&Filter>,
    context: &Context<'_>,
    is_late: &mut dyn FnMut() -> bool,
) -> Result<u64, Stopped> {
    let query = Query { filter: filter.cloned(), aggregates: vec![Aggregate::CountRecords], ..Query::default() };
    let answer = read(table, Scan::new(Request::new(schema, &query), context, None, None)?, is_late)?;
    Ok(answer.total.unwrap_or_default())
}

fn read(table: &Table, scan: Scan<'_>, is_late: &mut dyn FnMut() -> bool) -> Result<Answer, Stopped> {
    Ok(scanned(table, scan, is_late)?.finish())
}

fn scanned<'a>(table: &Table, mut scan: Scan<'a>, is_late: &mut dyn FnMut() -> bool) -> Result<Scan<'a>, Stopped> {
    for segment in table.segments() {
        if is_late() {
            return Err(Stopped::Deadline);
        }
        if scan.is_done(segment.order.first()) {
            break;
        }
        scan.read(&segment)?;
    }
    Ok(scan)
}
