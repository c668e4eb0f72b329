//! Making a page of a document, which is read on the compute pool.

use super::{
    PageDetails, Place,
    create::{NewPage, import},
    enter,
    place::authorize,
};
use crate::{
    access::RouteAccess,
    blocks::LeftOut,
    call::Call,
    engine::{AppResult, Draft, Engine, Interrupt},
    reply::Reply,
    scope::View,
};
use octavo_core_model::cancellation::Cancellation;
use octavo_ports::compute::{Turn, WorkKind};
use std::fmt;

/// What a page is to be made of, and how that is read.
pub struct Document {
    /// How long it is: what decides among which jobs it is read.
    pub bytes: usize,
    pub read: ReadDocument,
}

pub type ReadDocument = Box<dyn FnOnce(&Cancellation) -> Draft<NewPage> + Send>;

impl fmt::Debug for Document {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Document").field("bytes", &self.bytes).finish_non_exhaustive()
    }
}

/// Makes a page of a document. A view asks whether the caller may put pages there, then the document is read, then the unit asks all of it
/// again. The place is read apart from the rest, as in [`super::create`].
pub async fn create_from_document(
    engine: &Engine,
    call: Call,
    place: Draft<Place>,
    document: Draft<Document>,
    shape: impl Fn((PageDetails, LeftOut)) -> Reply + Send + Sync,
) -> AppResult<Reply> {
    // The turn lasts as long as what was read is in memory, which bounds how much of that there is.
    let (draft, _turn) = match read(engine, &call, place.clone(), document).await? {
        Ok((page, turn)) => (page, Some(turn)),
        Err(fault) => (Err(fault), None),
    };
    engine.write_repeatably(call, move |unit| Box::pin(import(unit, place.clone(), draft.clone())), shape).await
}

/// The outer error ends the call; the inner one is told by the unit, behind whatever comes before it there.
async fn read(
    engine: &Engine,
    call: &Call,
    place: Draft<Place>,
    document: Draft<Document>,
) -> AppResult<Draft<(Draft<NewPage>, Turn)>> {
    let Document { bytes, read } = match document {
        Ok(document) => document,
        Err(fault) => return Ok(Err(fault)),
    };
    let asked = engine.read(call.clone(), move |view| Box::pin(may_create(view, place))).await;
    match asked {
        Ok(()) => Ok(Ok(engine.compute(WorkKind::of_bytes(bytes), read).await?)),
        // With a key the same call may have been answered before, which only the unit knows.
        Err(Interrupt::Fault(fault)) if call.key.is_some() => Ok(Err(fault)),
        Err(interrupt) => Err(interrupt),
    }
}

async fn may_create(view: &mut View, place: Draft<Place>) -> AppResult<()> {
    let (entry, authority) = enter(view, RouteAccess::PAGES_CHANGE).await?;
    authorize(view, entry.workspace, &authority, place).await
}
