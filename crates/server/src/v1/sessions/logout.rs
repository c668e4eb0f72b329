//! `/auth/logout`

use crate::{
    answer::Answer,
    dispatcher::Dispatcher,
    route::{Body, Nothing, routes},
    wire::body,
};
use octavo_app::{Call, Draft, Reply, sessions::logout};
use octavo_core_model::id::SessionId;

body! {
    /// Which session to sign out.
    pub(crate) LogoutBody {
        /// One of the caller's sessions; by default the present one.
        session_id "sessionId": optional SessionId,
    }
}

routes! {
    /// Signs out.
    ///
    /// Revokes the refresh token of the present session, or of the named one. Access tokens stay valid until they
    /// expire. Signing out twice, or naming another user's session, changes nothing and gets the same answer.
    POST "/auth/logout" as endSession => logout {
        caller: SignedIn,
        limits: [],
        takes: (body: Body<LogoutBody>),
        answers: { 204: Nothing },
        refusals: [],
        events: [UserLogout],
    }
}

async fn logout(dispatcher: Dispatcher, call: Call, body: Draft<LogoutBody>) -> Answer {
    let named = body.map(|body| body.session_id);
    dispatcher.write(call, move |unit| Box::pin(logout::logout(unit, named)), |()| Reply::nothing()).await
}
