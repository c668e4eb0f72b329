//! `/oauth/clients/{clientId}`

use super::app::OauthClientReply;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Path, routes},
    wire::Data,
};
use octavo_app::{Call, Draft, oauth::apps};
use octavo_core_model::{Fault, id::ClientId};

routes! {
    /// Shows the public details of an app.
    ///
    /// Open to everybody: what users should know before they let the app act for them.
    GET "/oauth/clients/{clientId}" as getClient => show {
        caller: Anyone,
        limits: [],
        takes: (id: Path<ClientId>),
        answers: { 200: Data<OauthClientReply> },
        refusals: [Fault::NotFound],
        events: [],
    }
}

async fn show(dispatcher: Dispatcher, call: Call, id: Draft<ClientId>) -> Answer {
    dispatcher.read(call, move |view| Box::pin(apps::show(view, id)), |app| ok(OauthClientReply::from(app))).await
}
