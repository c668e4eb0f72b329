//! `/auth/reauthenticate`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::sessions::expires_in,
    wire::{Data, body, reply},
};
use octavo_app::{Call, Draft, sessions::reauthenticate};
use octavo_core_model::{
    Fault, Secret, Timestamp,
    fault::{Denial, Unknown},
};

body! {
    /// Proof of the caller's identity.
    pub(crate) ReauthenticateBody {
        /// The password, compared as it was sent.
        password "password": required Secret<String> = "Correct-Horse-7",
    }
}

reply! {
    /// An access token with a recent proof of identity, in the same session.
    pub(crate) ReauthenticatedReply {
        /// Authorizes calls for 15 minutes, including those that need a recent proof.
        access_token "accessToken": required Secret<String> = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
        /// Seconds until the access token expires.
        expires_in "expiresIn": required i64 = 900,
        /// When the proof was given.
        auth_time "authTime": required Timestamp,
    }
}

routes! {
    /// Re-authenticates the caller.
    ///
    /// Some routes require a proof of identity that is at most 15 minutes old. The session stays the same; a session
    /// that has ended gets no new token.
    POST "/auth/reauthenticate" as reauthenticateSession => reauthenticate {
        caller: SignedIn,
        limits: [Credentials],
        takes: (body: Body<ReauthenticateBody>),
        answers: { 200: Data<ReauthenticatedReply> },
        refusals: [
            Fault::Unauthenticated(Unknown::InvalidCredentials),
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::HasherBusy,
        ],
        events: [],
    }
}

async fn reauthenticate(dispatcher: Dispatcher, call: Call, body: Draft<ReauthenticateBody>) -> Answer {
    let signer = dispatcher.signer();
    let password = body.map(|body| body.password);
    dispatcher
        .flow(call, move |engine, call| async move {
            reauthenticate::reauthenticate(&engine, call, password, move |claims| {
                let access_token = Secret::new(signer.sign(&claims));
                let auth_time = claims.authenticated_at;
                ok(ReauthenticatedReply { access_token, expires_in: expires_in(), auth_time })
            })
            .await
        })
        .await
}
