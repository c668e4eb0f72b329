//! `/auth/password-reset` and `/users/me/password`

use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::accounts::{EmailBody, SentReply},
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft,
    passwords::{self, PasswordChange, Reset},
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Conflict, Denial, Unknown},
    text::NewPassword,
};

body! {
    /// A mailed token and the password to set with it.
    pub(crate) ResetBody {
        /// The `pwrt_` token of a reset mail.
        token "token": required Secret<String> = "pwrt_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// 8 to 128 characters with an upper-case letter, a lower-case letter and a digit.
        password "password": required NewPassword,
    }
}

body! {
    /// The old password and the new one.
    pub(crate) PasswordBody {
        example: { "currentPassword": "Correct-Horse-7", "newPassword": "Battery-Staple-8" };
        /// The present password. Accounts without one leave it out.
        current_password "currentPassword": optional Secret<String> = "Correct-Horse-7",
        /// 8 to 128 characters with an upper-case letter, a lower-case letter and a digit.
        new_password "newPassword": required NewPassword = "Battery-Staple-8",
        /// Whether to end all other sessions; true by default.
        revoke_other_sessions "revokeOtherSessions": optional bool = true,
    }
}

reply! {
    /// The password was set.
    pub(crate) ResetReply {
        /// Always true.
        reset "reset": required bool = true,
    }
}

reply! {
    /// The password was changed.
    pub(crate) PasswordChangedReply {
        /// Always true.
        changed "changed": required bool = true,
        /// How many other sessions ended.
        sessions_revoked "sessionsRevoked": required i64 = 2,
    }
}

routes! {
    /// Requests a reset mail.
    ///
    /// The answer is the same whether or not the address has an account. The link works once, for 24 hours.
    POST "/auth/password-reset/request" as requestPasswordReset
        | "/auth/reset-password" as sendPasswordReset => request_reset {
        caller: Anyone,
        limits: [Credentials, PasswordReset],
        takes: (body: Body<EmailBody>),
        answers: { 202: Data<SentReply> },
        refusals: [],
        events: [],
    }

    /// Sets a new password with a mailed token.
    ///
    /// Ends every session of the account and verifies its address.
    POST "/auth/password-reset/confirm" as resetPassword
        | "/auth/reset-password/confirm" as confirmPasswordReset => reset {
        caller: Anyone,
        limits: [Credentials],
        takes: (body: Body<ResetBody>),
        answers: { 200: Data<ResetReply> },
        refusals: [
            Fault::Conflict(Conflict::TokenUsed),
            Fault::Conflict(Conflict::TokenRevoked),
            Fault::TokenExpired,
            Fault::HasherBusy,
        ],
        events: [UserPasswordReset],
    }

    /// Changes the caller's password.
    ///
    /// Ends other sessions unless the body says otherwise, and notifies the owner by mail. An account without a
    /// password needs no present one; instead it needs a sign-in within the last 15 minutes and a live session.
    POST "/users/me/password" as changePassword => change {
        caller: SignedIn,
        limits: [Credentials],
        takes: (body: Body<PasswordBody>),
        answers: { 200: Data<PasswordChangedReply> },
        refusals: [
            Fault::Unauthenticated(Unknown::InvalidCredentials),
            Fault::Forbidden(Denial::ReauthRequired { by_password: true }),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::HasherBusy,
        ],
        events: [UserPasswordChanged],
    }
}

async fn request_reset(dispatcher: Dispatcher, call: Call, body: Draft<EmailBody>) -> Answer {
    let email = body.map(|body| body.email);
    let shape = |()| accepted(SentReply { sent: true });
    dispatcher.write(call, move |unit| Box::pin(passwords::request_reset(unit, email)), shape).await
}

async fn reset(dispatcher: Dispatcher, call: Call, body: Draft<ResetBody>) -> Answer {
    let draft = body.map(|body| Reset { token: body.token, password: body.password });
    let shape = |()| ok(ResetReply { reset: true });
    dispatcher.flow(call, move |engine, call| async move { passwords::reset(&engine, call, draft, shape).await }).await
}

async fn change(dispatcher: Dispatcher, call: Call, body: Draft<PasswordBody>) -> Answer {
    let draft = body.map(|body| PasswordChange {
        current: body.current_password,
        new: body.new_password,
        revoke_other_sessions: body.revoke_other_sessions.unwrap_or(true),
    });
    let shape = |ended| {
        let sessions_revoked = i64::try_from(ended).unwrap_or(i64::MAX);
        ok(PasswordChangedReply { changed: true, sessions_revoked })
    };
    dispatcher.flow(call, move |engine, call| async move { passwords::change(&engine, call, draft, shape).await }).await
}
