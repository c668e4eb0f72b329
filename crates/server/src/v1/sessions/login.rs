//! `/auth/login`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::sessions::{
        expires_in,
        session::{OpenedSessionReply, SignedInUserReply},
    },
    wire::{Data, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    sessions::{
        SignedIn,
        login::{self, Login},
    },
};
use octavo_core_model::{
    Fault, Secret,
    fault::{Denial, Unknown},
    text::Email,
};
use octavo_ports::access_tokens::AccessTokens;

body! {
    /// An address and its password.
    pub(crate) LoginBody {
        /// The address of the account.
        email "email": required Email,
        /// The password, compared as it was sent.
        password "password": required Secret<String> = "Correct-Horse-7",
    }
}

reply! {
    /// A new session.
    pub(crate) LoginReply {
        /// Authorizes calls for 15 minutes.
        access_token "accessToken": required Secret<String> = "eyJhbGciOiJIUzI1NiJ9.e30.c2lnbmF0dXJl",
        /// Gets the next pair of tokens, once.
        refresh_token "refreshToken": required Secret<String> = "rft_q83vEjRWeJq83vEjRWeJq83vEjRWeJq83vEjRWeJq80",
        /// Seconds until the access token expires.
        expires_in "expiresIn": required i64 = 900,
        /// The new session.
        session "session": required OpenedSessionReply,
        /// The account.
        user "user": required SignedInUserReply,
    }
}

routes! {
    /// Signs in.
    ///
    /// An unknown address and a wrong password get the same answer. A sign-in from a network and program that were
    /// not used for 90 days is reported to the user by mail. If there are more than 100 live sessions, the one that
    /// has been inactive for longest ends.
    POST "/auth/login" as createSession => login {
        caller: Anyone,
        limits: [Credentials, Login],
        takes: (body: Body<LoginBody>),
        answers: { 200: Data<LoginReply> },
        refusals: [
            Fault::Unauthenticated(Unknown::Login),
            Fault::Forbidden(Denial::AccountSuspended),
            Fault::Forbidden(Denial::AccountDeleting),
            Fault::TooManyFailures { retry_after: 900 },
            Fault::HasherBusy,
        ],
        events: [UserLogin, UserLoginFailed, UserNewDevice],
    }
}

async fn login(dispatcher: Dispatcher, call: Call, body: Draft<LoginBody>) -> Answer {
    let signer = dispatcher.signer();
    let draft = body.map(|body| Login { email: body.email, password: body.password });
    dispatcher
        .flow(call, move |engine, call| async move {
            login::login(&engine, call, draft, move |signed_in| shape(&*signer, signed_in)).await
        })
        .await
}

fn shape(signer: &dyn AccessTokens, signed_in: SignedIn) -> Reply {
    let SignedIn { user, session, refresh_token, claims } = signed_in;
    ok(LoginReply {
        access_token: Secret::new(signer.sign(&claims)),
        refresh_token: Secret::new(refresh_token.reveal().to_owned()),
        expires_in: expires_in(),
        session: session.into(),
        user: user.into(),
    })
}
