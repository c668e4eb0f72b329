//! Running a query over a table.

use crate::{
    context::Context,
    scan::{Answer, Place, Request, Scan, Stopped},
    table::Table,
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
    let mut scan = Scan::new(request, context, place, anchor)?;
    for segment in table.segments() {
        if is_late() {
            return Err(Stopped::Deadline);
        }
        if scan.is_done(segment.order.first()) {
            break;
        }
        scan.read(&segment)?;
    }
    Ok(scan.finish())
}
