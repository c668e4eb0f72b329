//! `/auth/email-verification`

use crate::{
    answer::{Answer, accepted, ok},
    dispatcher::Dispatcher,
    route::{Body, routes},
    v1::accounts::{EmailBody, SentReply, TokenBody, user},
    wire::{Data, reply},
};
use octavo_app::{Call, Draft, accounts::email_verification};
use octavo_core_model::{Fault, Timestamp, account::User, fault::Conflict, id::UserId, text::Email};

reply! {
    /// The account with the verified address.
    pub(crate) VerifiedUserReply {
        /// The id of the account.
        id "id": required UserId,
        /// The verified address.
        email "email": required Email,
        /// `VERIFIED`.
        email_verification "emailVerification": required String | ["PENDING", "VERIFIED"] = "VERIFIED",
        /// When the address was verified.
        email_verified_at "emailVerifiedAt": nullable Timestamp,
    }
}

reply! {
    /// The account, inside an object.
    pub(crate) VerifiedReply {
        /// The account with the verified address.
        user "user": required VerifiedUserReply,
    }
}

reply! {
    /// The account was rejected by the owner of the address.
    pub(crate) RejectedReply {
        /// Always true.
        rejected "rejected": required bool = true,
    }
}

routes! {
    /// Requests a verification mail.
    ///
    /// The answer is the same for every address. A mail is sent only to the caller's own address while it is
    /// unverified; its link works once, for 24 hours.
    POST "/auth/email-verification/request" as requestEmailVerification => request {
        caller: SignedIn,
        limits: [EmailVerification],
        takes: (body: Body<EmailBody>),
        answers: { 202: Data<SentReply> },
        refusals: [],
        events: [],
    }

    /// Verifies an address.
    ///
    /// Requires the `evt_` token of a verification mail, which works once.
    POST "/auth/email-verification/confirm" as verifyEmail => confirm {
        caller: Anyone,
        limits: [],
        takes: (body: Body<TokenBody>),
        answers: { 200: Data<VerifiedReply> },
        refusals: [Fault::Conflict(Conflict::TokenUsed), Fault::Conflict(Conflict::TokenRevoked), Fault::TokenExpired],
        events: [UserEmailVerified],
    }

    /// Rejects an account.
    ///
    /// For the owner of an address with which somebody else has registered: deletes the unverified account. An
    /// account whose address was verified before is left alone, and the answer is 409.
    POST "/auth/email-verification/reject" as rejectEmail => reject {
        caller: Anyone,
        limits: [],
        takes: (body: Body<TokenBody>),
        answers: { 200: Data<RejectedReply> },
        refusals: [Fault::Conflict(Conflict::TokenUsed), Fault::Conflict(Conflict::TokenRevoked), Fault::TokenExpired],
        events: [],
    }
}

async fn request(dispatcher: Dispatcher, call: Call, body: Draft<EmailBody>) -> Answer {
    let email = body.map(|body| body.email);
    let shape = |()| accepted(SentReply { sent: true });
    dispatcher.write(call, move |unit| Box::pin(email_verification::request(unit, email)), shape).await
}

async fn confirm(dispatcher: Dispatcher, call: Call, body: Draft<TokenBody>) -> Answer {
    let token = body.map(|body| body.token);
    let shape = |user| ok(VerifiedReply { user: VerifiedUserReply::from(user) });
    dispatcher.write(call, move |unit| Box::pin(email_verification::confirm(unit, token)), shape).await
}

async fn reject(dispatcher: Dispatcher, call: Call, body: Draft<TokenBody>) -> Answer {
    let token = body.map(|body| body.token);
    let shape = |()| ok(RejectedReply { rejected: true });
    dispatcher.write(call, move |unit| Box::pin(email_verification::reject(unit, token)), shape).await
}

impl From<User> for VerifiedUserReply {
    fn from(user: User) -> Self {
        let email_verification = user::verification(&user);
        Self { id: user.id, email: user.email, email_verification, email_verified_at: user.email_verified_at }
    }
}
