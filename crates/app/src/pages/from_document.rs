//! Creating a page from a document, which is parsed on the compute pool.

use super::{
    PageDetails, Place,
    create::{NewPage, import},
    enter,
    place::authorize,
};
use crate::{
    access::RouteAccess,
    blocks::{LeftOut, bytes_of_pieces},
    call::Call,
    engine::Engine,
    outcome::{AppResult, Draft, Interrupt},
    reply::Reply,
    scope::View,
};
use octavo_core_model::cancellation::Cancellation;
use octavo_ports::compute::{ComputeSlot, WorkKind};
use std::{fmt, sync::Arc};

/// A document to create a page from, and the function that parses it.
pub struct Document {
    /// In which queue of the pool it is parsed.
    pub kind: WorkKind,
    pub read: ReadDocument,
}

pub type ReadDocument = Box<dyn FnOnce(&Cancellation) -> Draft<NewPage> + Send>;

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("kind", &self.kind).finish_non_exhaustive()
    }
}

/// Creates a page from a document. A view checks whether the caller may put pages there, then the document is parsed,
/// then the unit checks everything again. The place is parsed separately, as in [`super::create`].
pub async fn create_from_document(
    engine: &Engine,
    call: Call,
    place: Draft<Place>,
    document: Draft<Document>,
    shape: impl Fn((PageDetails, LeftOut)) -> Reply + Send + Sync,
) -> AppResult<Reply> {
    // Hold the slot for as long as the parsed document is in memory: that bounds the documents of one owner. The memory
    // of all owners together is bounded by the content that their calls hold.
    let (draft, _slot) = match read(engine, &call, place.clone(), document).await? {
        // Each attempt of the unit needs the document, and copies it only once its checks have passed.
        Ok((page, slot)) => (page.map(Arc::new), Some(slot)),
        Err(fault) => (Err(fault), None),
    };
    engine.write_repeatably(call, move |unit| Box::pin(import(unit, place.clone(), draft.clone())), shape).await
}

/// The outer error ends the call; the inner one is reported by the unit, after its own checks.
async fn read(
    engine: &Engine,
    call: &Call,
    place: Draft<Place>,
    document: Draft<Document>,
) -> AppResult<Draft<(Draft<NewPage>, ComputeSlot)>> {
    let Document { kind, read } = match document {
        Ok(document) => document,
        Err(fault) => return Ok(Err(fault)),
    };
    let asked = engine.read(call.clone(), move |view| Box::pin(may_create(view, place))).await;
    match asked {
        Ok(()) => {
            let work = move |cancellation: &Cancellation| {
                let page = read(cancellation);
                let bytes = page.as_ref().map_or(0, |page| bytes_of_pieces(&page.content));
                (page, bytes)
            };
            let ((page, bytes), slot) = engine.compute(kind, call.work_owner(), work).await?;
            call.content.hold_for_job(call.work_owner(), bytes)?;
            Ok(Ok((page, slot)))
        }
        // With a key this call may have been answered before, and only the unit knows that.
        Err(Interrupt::Fault(fault)) if call.key.is_some() => Ok(Err(fault)),
        Err(interrupt) => Err(interrupt),
    }
}

async fn may_create(view: &mut View, place: Draft<Place>) -> AppResult<()> {
    let (caller, authority) = enter(view, RouteAccess::PAGES_CHANGE).await?;
    authorize(view, caller.workspace, &authority, place).await
}
