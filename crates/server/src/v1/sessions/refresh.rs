//! `/auth/refresh`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Duplicates, routes},
    v1::sessions::{expires_in, session::SessionIdReply},
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    sessions::{SignedIn, refresh},
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Denial, Unknown},
};
use octavo_ports::access_tokens::AccessTokens;

body! {
    /// The session's current refresh token.
    pub(crate) RefreshBody {
        /// The token. It works once.
        refresh_token "refreshToken": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
    }
}

reply! {
    /// The next pair of tokens.
    pub(crate) RefreshReply {
        /// Authorizes calls for 15 minutes.
        access_token "accessToken": required Secret<String> = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
        /// Gets the next pair of tokens, once.
        refresh_token "refreshToken": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Seconds until the access token expires.
        expires_in "expiresIn": required i64 = 900,
        /// The session.
        session "session": required SessionIdReply,
    }
}

routes! {
    /// Exchanges a refresh token for the next pair.
    ///
    /// A token works once; using it again ends the session. To be safe against lost answers, send an
    /// `Idempotency-Key`: the same key gets the same pair until the new refresh token is used. Calls with the same
    /// key wait for each other.
    POST "/auth/refresh" as refreshSession => refresh {
        caller: Anyone,
        limits: [],
        takes: (body: Body<RefreshBody>),
        answers: { 200: Data<RefreshReply> },
        refusals: [
            Fault::Unauthenticated(Unknown::RefreshInvalid),
            Fault::RefreshReused,
            Fault::Forbidden(Denial::SessionRevoked),
            Fault::Forbidden(Denial::AccountSuspended),
            Fault::Forbidden(Denial::AccountDeleting),
        ],
        events: [AuthRefresh],
        duplicates: Duplicates::Wait,
    }
}

async fn refresh(dispatcher: Dispatcher, call: Call, body: Draft<RefreshBody>) -> Answer {
    let signer = dispatcher.signer();
    let token = body.map(|body| body.refresh_token);
    let shape = move |signed_in| shape(&*signer, &signed_in);
    dispatcher.write(call, move |unit| Box::pin(refresh::refresh(unit, token)), shape).await
}

fn shape(signer: &dyn AccessTokens, signed_in: &SignedIn) -> Reply {
    ok(RefreshReply {
        access_token: Secret::new(signer.sign(&signed_in.claims)),
        refresh_token: Secret::new(signed_in.refresh_token.reveal().to_owned()),
        expires_in: expires_in(),
        session: SessionIdReply { id: signed_in.session.id },
    })
}
