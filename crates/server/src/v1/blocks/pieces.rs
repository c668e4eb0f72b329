//! Nested blocks as the content of a new page.

use octavo_app::Draft;
use octavo_blocks_tree::{
    MAX_BLOCKS_READ, MAX_PIECES, Piece,
    json::{self, ListFault},
};
use octavo_core_model::{
    Fault,
    cancellation::Cancellation,
    fault::{ComputeFault, Issue, Violation},
};
use serde_json::Value;

/// Like [`read`], for a document, which may have as many blocks as a page. It can be cancelled.
pub(crate) fn read_document(sent: Value, cancellation: &Cancellation) -> Draft<Vec<Piece>> {
    json::read(sent, MAX_BLOCKS_READ, cancellation).map_err(refused)
}

/// Reads a list of `{ id?, type, content?, properties?, children? }`, and reports every flaw.
pub(crate) fn read(sent: Value) -> Draft<Vec<Piece>> {
    json::read(sent, MAX_PIECES, &Cancellation::default()).map_err(refused)
}

fn refused(fault: ListFault) -> Fault {
    match fault {
        ListFault::TooMany => Violation::new("blocks", Issue::TooLong).into(),
        ListFault::Flawed(flaws) => Fault::Invalid(flaws),
        ListFault::Cancelled => Fault::Compute(ComputeFault::Timeout),
    }
}
