//! `DELETE /users/me` and `/auth/account-restore`

use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, Confirmation, routes},
    v1::accounts::TokenBody,
    wire::{Data, reply},
};
use octavo_app::{Call, Draft, accounts::deletion};
use octavo_core_model::{
    Fault, Timestamp,
    fault::{Conflict, Denial},
};
use serde_json::json;

reply! {
    /// A deletion that can still be undone.
    pub(crate) DeletionReply {
        /// `deleting`.
        status "status": required String | ["deleting"] = "deleting",
        /// When the account is purged.
        scheduled_purge_at "scheduledPurgeAt": required Timestamp,
    }
}

reply! {
    /// The account is active again.
    pub(crate) RestoredReply {
        /// Always true.
        restored "restored": required bool = true,
    }
}

routes! {
    /// Deletes the caller's account.
    ///
    /// Requires a sign-in or re-authentication within the last 15 minutes, a live session, and the header `X-Confirm:
    /// DELETE <userId>`. All sessions end at once; within 30 days the account can be restored with the link in the
    /// mail.
    DELETE "/users/me" as deleteCurrentUser => schedule {
        caller: SignedIn,
        limits: [],
        takes: (confirmation: Confirmation),
        answers: { 202: Data<DeletionReply> },
        refusals: [
            Fault::Forbidden(Denial::ReauthRequired { by_password: true }),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::SoleOwner(Vec::new()),
        ],
        events: [UserDeletionScheduled],
    }

    /// Restores a deleted account.
    ///
    /// Requires the mailed `urt_` token, and that the account is not purged yet.
    POST "/auth/account-restore" as restoreAccount => restore {
        caller: Anyone,
        limits: [],
        takes: (body: Body<TokenBody>),
        answers: { 200: Data<RestoredReply> },
        refusals: [Fault::Conflict(Conflict::TokenUsed), Fault::Conflict(Conflict::TokenRevoked), Fault::TokenExpired],
        events: [UserRestored],
        example: Some(|| json!({ "token": "urt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" })),
    }
}

async fn schedule(dispatcher: Dispatcher, call: Call, confirmation: Option<String>) -> Answer {
    let shape = |scheduled_purge_at| accepted(DeletionReply { status: "deleting".to_owned(), scheduled_purge_at });
    dispatcher.write(call, move |unit| Box::pin(deletion::schedule(unit, confirmation)), shape).await
}

async fn restore(dispatcher: Dispatcher, call: Call, body: Draft<TokenBody>) -> Answer {
    let token = body.map(|body| body.token);
    let shape = |()| ok(RestoredReply { restored: true });
    dispatcher.write(call, move |unit| Box::pin(deletion::restore(unit, token)), shape).await
}
