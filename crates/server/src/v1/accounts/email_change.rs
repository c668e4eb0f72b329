//! `/users/me/email-change` and `/auth/email-change`

use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::accounts::{EmailBody, SentReply, TokenBody, user::UserReply},
    wire::{Data, reply},
};
use octavo_app::{Call, Draft, accounts::email_change};
use octavo_core_model::{
    Fault,
    fault::{Conflict, Denial},
};
use serde_json::json;

reply! {
    /// The account with its new address.
    pub(crate) MovedReply {
        /// The account.
        user "user": required UserReply,
    }
}

reply! {
    /// The change was undone.
    pub(crate) RevertedReply {
        /// Always true.
        reverted "reverted": required bool = true,
    }
}

routes! {
    /// Requests a change of address.
    ///
    /// Requires a sign-in or re-authentication within the last 15 minutes and a live session. The new address
    /// receives a link that works once, for 24 hours; if it belongs to another account, the owner of that account
    /// receives a notice instead. The answer is the same in both cases.
    POST "/users/me/email-change" as requestEmailChange => request {
        caller: SignedIn,
        limits: [EmailChange],
        takes: (body: Body<EmailBody>),
        answers: { 202: Data<SentReply> },
        refusals: [Fault::Forbidden(Denial::ReauthRequired { by_password: true }), Fault::Forbidden(Denial::SessionRevoked)],
        events: [],
    }

    /// Moves the account to the new address.
    ///
    /// Requires the `ect_` token that was sent to the new address. Every session ends except the one that requested
    /// the change, and the old address receives a link that undoes the change within 7 days. The token is void if the
    /// session that requested the change is revoked or signed out by another one, if one of its refresh tokens is used
    /// twice, or if another session revokes all others or changes the password. Signing out by itself does not affect
    /// it.
    POST "/auth/email-change/confirm" as confirmEmailChange => confirm {
        caller: Anyone,
        limits: [],
        takes: (body: Body<TokenBody>),
        answers: { 200: Data<MovedReply> },
        refusals: [
            Fault::Conflict(Conflict::TokenUsed),
            Fault::Conflict(Conflict::TokenRevoked),
            Fault::Conflict(Conflict::Taken("email")),
            Fault::TokenExpired,
        ],
        events: [UserEmailChanged],
        example: Some(|| json!({ "token": "ect_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" })),
    }

    /// Undoes a change of address.
    ///
    /// Requires the `ecr_` token that was sent to the old address: the account returns to it, every session ends and
    /// the password is removed; a password reset sets a new one. This works whatever has been done with the account
    /// since, even if it waits to be deleted: the old address then receives the link that restores the account.
    ///
    /// Apps lose their access to the account. In its personal workspace all API keys and open invitations are revoked,
    /// and members who joined since the change are removed; in its other workspaces, API keys that it has created
    /// since are revoked.
    ///
    /// Another account that has been registered with the old address since, but has not verified it, loses it: it gets
    /// a placeholder that ends in `@no-address.invalid`, its sessions stay, and it can change to another address. If it
    /// has verified the address, the answer is 409 `already_exists`.
    POST "/auth/email-change/revert" as revertEmailChange => revert {
        caller: Anyone,
        limits: [],
        takes: (body: Body<TokenBody>),
        answers: { 200: Data<RevertedReply> },
        refusals: [
            Fault::Conflict(Conflict::TokenUsed),
            Fault::Conflict(Conflict::TokenRevoked),
            Fault::Conflict(Conflict::Taken("email")),
            Fault::TokenExpired,
            Fault::Forbidden(Denial::AccountSuspended),
        ],
        events: [UserEmailReverted, UserEmailChanged],
        example: Some(|| json!({ "token": "ecr_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80" })),
    }
}

async fn request(dispatcher: Dispatcher, call: Call, body: Draft<EmailBody>) -> Answer {
    let email = body.map(|body| body.email);
    let shape = |()| accepted(SentReply { sent: true });
    dispatcher.write(call, move |unit| Box::pin(email_change::request(unit, email)), shape).await
}

async fn confirm(dispatcher: Dispatcher, call: Call, body: Draft<TokenBody>) -> Answer {
    let token = body.map(|body| body.token);
    let shape = |user| ok(MovedReply { user: UserReply::from(user) });
    dispatcher.write(call, move |unit| Box::pin(email_change::confirm(unit, token)), shape).await
}

async fn revert(dispatcher: Dispatcher, call: Call, body: Draft<TokenBody>) -> Answer {
    let token = body.map(|body| body.token);
    let shape = |()| ok(RevertedReply { reverted: true });
    dispatcher.write(call, move |unit| Box::pin(email_change::revert(unit, token)), shape).await
}
