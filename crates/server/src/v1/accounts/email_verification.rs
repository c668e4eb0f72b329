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
    /// The account whose mailbox was proven.
    pub(crate) VerifiedUserReply {
        /// Identifies the account.
        id "id": required UserId,
        /// The address that was proven.
        email "email": required Email,
        /// `VERIFIED`.
        email_verification "emailVerification": required String = "VERIFIED",
        /// When the mailbox was proven.
        email_verified_at "emailVerifiedAt": nullable Timestamp,
    }
}

reply! {
    /// The account, inside an object.
    pub(crate) VerifiedReply {
        /// The account whose mailbox was proven.
        user "user": required VerifiedUserReply,
    }
}

reply! {
    /// That the owner of the mailbox disowned the account.
    pub(crate) RejectedReply {
        /// Always true.
        rejected "rejected": required bool = true,
    }
}

routes! {
    /// Requests a verification mail.
    ///
    /// The answer is the same whatever the address. A mail goes out only to the caller's own address while it is unproven; its link works
    /// once, for 24 hours.
    POST "/auth/email-verification/request" => request {
        caller: SignedIn,
        limits: [EmailVerification],
        takes: (body: Body<EmailBody>),
        answers: { 202: Data<SentReply> },
        refusals: [],
        events: [],
    }

    /// Proves the mailbox.
    ///
    /// Takes the `evt_` token of a verification mail, once.
    POST "/auth/email-verification/confirm" => confirm {
        caller: Anyone,
        limits: [],
        takes: (body: Body<TokenBody>),
        answers: { 200: Data<VerifiedReply> },
        refusals: [Fault::Conflict(Conflict::TokenUsed), Fault::Conflict(Conflict::TokenRevoked), Fault::TokenExpired],
        events: [UserEmailVerified],
    }

    /// Disowns an account.
    ///
    /// For the owner of a mailbox with which somebody else registered: the unproven account is deleted. An account that was proven before is
    /// not touched and answers 409.
    POST "/auth/email-verification/reject" => reject {
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
