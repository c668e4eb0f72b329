//! The callers of streams: who is the same, and what each of them may see.

use super::{LiveStreams, close_reason::CloseReason};
use octavo_app::{
    AppResult, Call, Caller, Interrupt, View,
    engine::Fut,
    events::{self, ReadEvent, Sight},
    notifications::{self, ShownNotification},
};
use octavo_core_model::id::{NotificationId, PageId};
use std::{sync::Arc, time::Duration};
use tokio::time::sleep;

/// The pauses between the attempts at a check that fails because of the store.
const PAUSES: [Duration; 2] = [Duration::from_millis(50), Duration::from_millis(250)];

/// Whose share of the store's readers is used.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Share {
    Caller,
    /// Nobody's, for checks that the streams of others wait for.
    Server,
}

/// Two callers with the same identity see the same events of a workspace.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Identity(String);

impl Identity {
    pub(super) fn of(call: &Call) -> Self {
        let address = call.client.as_ref().map(|client| client.address);
        Self(match &call.caller {
            Caller::User(claims) => claims.user.to_string(),
            // Each secret of a key can be revoked on its own, and a key can be limited to some addresses.
            Caller::Key(presented) => format!("{} {} {address:?}", presented.key.id, presented.secret.hash.hex()),
            Caller::App(app) => format!("{} {} {:?}", app.claims.grant, app.claims.id, app.claims.scopes),
            Caller::Nobody | Caller::Job(_) | Caller::System => String::new(),
        })
    }
}

/// Why a check has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failed {
    /// The caller may not follow the workspace any more.
    Closed(CloseReason),
    /// The store does not answer.
    Down,
}

/// How the caller sees each of these events now.
pub(super) async fn see(live: &Arc<LiveStreams>, call: &Call, seen: Vec<Arc<ReadEvent>>) -> Result<Vec<Sight>, Failed> {
    ask(live, Share::Server, call, move |view| {
        let seen = seen.clone();
        Box::pin(events::see(view, seen))
    })
    .await
}

/// Whether the caller may see a page now.
pub(super) async fn sees_page(live: &Arc<LiveStreams>, call: &Call, page: PageId) -> Result<bool, Failed> {
    ask(live, Share::Server, call, move |view| Box::pin(events::sees_page(view, page))).await
}

/// The caller's notifications with these ids, as the caller may see them now.
pub(super) async fn notifications(
    live: &Arc<LiveStreams>,
    call: &Call,
    ids: Vec<NotificationId>,
) -> Result<Vec<ShownNotification>, Failed> {
    ask(live, Share::Server, call, move |view| {
        let ids = ids.clone();
        Box::pin(notifications::show(view, ids))
    })
    .await
}

/// Whether the caller may still follow the workspace.
pub(super) async fn check(live: &Arc<LiveStreams>, call: &Call) -> Result<(), Failed> {
    ask(live, Share::Server, call, |view| Box::pin(events::is_admitted(view))).await
}

/// Runs a reading use case for a caller whose credential may have been revoked since.
pub(super) async fn ask<T: Send + 'static>(
    live: &Arc<LiveStreams>,
    share: Share,
    call: &Call,
    run: impl for<'a> Fn(&'a mut View) -> Fut<'a, T> + Clone + Send + 'static,
) -> Result<T, Failed> {
    let mut pauses = PAUSES.into_iter();
    loop {
        match ask_once(live, share, call, run.clone()).await {
            Ok(Ok(found)) => return Ok(found),
            Ok(Err(reason)) => return Err(Failed::Closed(reason)),
            Err(interrupt) => {
                if let Some(reason) = CloseReason::of_refusal(&interrupt) {
                    return Err(Failed::Closed(reason));
                }
            }
        }
        sleep(pauses.next().ok_or(Failed::Down)?).await;
    }
}

async fn ask_once<T: Send + 'static>(
    live: &Arc<LiveStreams>,
    share: Share,
    call: &Call,
    run: impl for<'a> Fn(&'a mut View) -> Fut<'a, T> + Send + 'static,
) -> AppResult<Result<T, CloseReason>> {
    let (engine, call, now) = (Arc::clone(&live.engine), call.clone(), live.now());
    let work = async move {
        match events::renew(&engine, &call, now).await? {
            Ok(call) if share == Share::Server => engine.check(call, run).await.map(Ok),
            Ok(call) => engine.read(call, run).await.map(Ok),
            Err(unknown) => Ok(Err(CloseReason::of_credential(unknown))),
        }
    };
    let done = live.executor.run(work).await;
    done.unwrap_or_else(|_| Err(Interrupt::Fault(octavo_core_model::StoreError::Busy.into())))
}
