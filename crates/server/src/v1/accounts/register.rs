//! `/auth/register`

use crate::{
    answer::{Answer, accepted, created},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::{
        accounts::{
            SentReply,
            user::{NewWorkspaceReply, UserReply},
        },
        sessions::{expires_in, session::SessionExpiryReply},
    },
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    accounts::register::{self, Registered, Registration},
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Conflict, Denial},
    text::{Email, Name, NewPassword},
};
use octavo_ports::access_tokens::AccessTokens;

body! {
    /// The data of a new account.
    pub(crate) RegisterBody {
        /// The address to sign in with; it is kept in lower case.
        email "email": required Email,
        /// 8 to 128 characters with an upper-case letter, a lower-case letter and a digit.
        password "password": required NewPassword,
        /// The full name.
        name "name": required Name = "Ada Lovelace",
    }
}

reply! {
    /// A new account, signed in.
    pub(crate) RegisteredReply {
        /// The account.
        user "user": required UserReply,
        /// Its personal workspace.
        workspace "workspace": required NewWorkspaceReply,
        /// Authorizes calls for 15 minutes.
        access_token "accessToken": required Secret<String> = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
        /// Gets the next pair of tokens, once.
        refresh_token "refreshToken": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Seconds until the access token expires.
        expires_in "expiresIn": required i64 = 900,
        /// The new session.
        session "session": required SessionExpiryReply,
    }
}

routes! {
    /// Creates an account.
    ///
    /// The account gets a personal workspace, is signed in, and receives a mail with a link that verifies its
    /// address. It can be used before that. Deployments that conceal registration answer 202 whether or not the
    /// address was known, and mail the owner of the address; there a password is accepted only once the address is
    /// verified.
    POST "/auth/register" as registerUser => register {
        caller: Anyone,
        limits: [Credentials, Register],
        takes: (body: Body<RegisterBody>),
        answers: { 201: Data<RegisteredReply>, 202: Data<SentReply> },
        refusals: [Fault::Conflict(Conflict::Taken("email")), Fault::Forbidden(Denial::SignupClosed), Fault::HasherBusy],
        events: [UserRegistered, WorkspaceCreated],
    }
}

async fn register(dispatcher: Dispatcher, call: Call, body: Draft<RegisterBody>) -> Answer {
    let signer = dispatcher.signer();
    let draft = body.map(|body| Registration { email: body.email, password: body.password, name: body.name });
    dispatcher
        .flow(call, move |engine, call| async move {
            register::register(&engine, call, draft, move |registered| shape(&*signer, registered)).await
        })
        .await
}

fn shape(signer: &dyn AccessTokens, registered: Registered) -> Reply {
    let Registered::Account { signed_in, workspace } = registered else {
        return accepted(SentReply { sent: true });
    };
    created(RegisteredReply {
        access_token: Secret::new(signer.sign(&signed_in.claims)),
        refresh_token: Secret::new(signed_in.refresh_token.reveal().to_owned()),
        expires_in: expires_in(),
        session: SessionExpiryReply { id: signed_in.session.id, expires_at: signed_in.session.expires_at },
        user: signed_in.user.into(),
        workspace: (*workspace).into(),
    })
}
