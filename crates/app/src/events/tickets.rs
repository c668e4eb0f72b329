//! Tickets for streams, for clients that cannot send a credential in a header.

use crate::{
    access::{self, RouteAccess},
    api_keys,
    call::{Call, Caller, Client},
    engine::Engine,
    oauth,
    outcome::AppResult,
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Timestamp, TokenKind,
    fault::Unknown,
    id::WorkspaceId,
    stream_ticket::{LIFE, StreamTicket, TicketHolder},
    token::{Token, TokenHash},
};

/// A ticket as its holder gets it.
#[derive(Clone, Debug)]
pub struct IssuedTicket {
    pub ticket: Token,
    pub expires_at: Timestamp,
}

/// The workspace whose events the caller may follow.
pub async fn find_followed(view: &mut View) -> AppResult<WorkspaceId> {
    Ok(access::enter(view, RouteAccess::ANYBODY).await?.workspace)
}

/// Makes a ticket with the rights of the caller.
pub async fn issue_ticket(unit: &mut Unit) -> AppResult<IssuedTicket> {
    let caller = access::enter(unit, RouteAccess::ANYBODY).await?;
    unit.claim().await?;
    let holder = match &unit.call.caller {
        Caller::User(claims) => TicketHolder::User(claims.clone()),
        Caller::Key(presented) => TicketHolder::Key { id: presented.key.id, secret: *presented.secret.hash.as_bytes() },
        Caller::App(app) => TicketHolder::App(app.claims.clone()),
        Caller::Nobody | Caller::Job(_) | Caller::System => {
            return Err(Fault::Internal("a ticket needs a credential").into());
        }
    };
    let ticket = unit.token(TokenKind::StreamTicket);
    let (hash, expires_at) = (ticket.hash(), unit.call.now.plus(LIFE));
    let row = StreamTicket { hash, workspace: caller.workspace, holder, expires_at };
    unit.tx.stream_tickets().insert(&row).await?;
    Ok(IssuedTicket { ticket, expires_at })
}

/// The caller for whom a ticket was made, and the workspace. The ticket is used up, whatever the result. Nobody is known
/// yet and no limit was checked, so a guess costs the network of the client one look-up and no unit.
pub async fn redeem_ticket(
    engine: &Engine,
    text: &str,
    client: Client,
    now: Timestamp,
) -> AppResult<Result<(Caller, WorkspaceId), Unknown>> {
    let Ok(ticket) = Token::parse(TokenKind::StreamTicket, text) else { return Ok(Err(Unknown::TokenMalformed)) };
    let hash = ticket.hash();
    let call = Call { caller: Caller::Nobody, client: Some(client), ..Call::system(now) };
    let exists =
        engine.read(call, move |view| Box::pin(async move { Ok(view.tx.stream_tickets().exists(&hash).await?) }));
    if !exists.await? {
        return Ok(Err(Unknown::TokenMalformed));
    }
    let found = engine
        .change(Call::system(now), move |unit| Box::pin(async move { Ok(unit.tx.stream_tickets().take(&hash).await?) }))
        .await?;
    let Some(ticket) = found else { return Ok(Err(Unknown::TokenMalformed)) };
    let seconds = now.seconds();
    let workspace = ticket.workspace;
    let caller = match ticket.holder {
        _ if now >= ticket.expires_at => Err(Unknown::TokenExpired),
        TicketHolder::User(claims) if seconds >= claims.expires_at_seconds() => Err(Unknown::TokenExpired),
        TicketHolder::User(claims) => Ok(Caller::User(claims)),
        TicketHolder::Key { secret, .. } => {
            let found = api_keys::present::again(engine, workspace, TokenHash::from_bytes(secret), now).await?;
            found.map(|found| Caller::Key(Box::new(found)))
        }
        TicketHolder::App(claims) if seconds >= claims.expires_at_seconds() => Err(Unknown::TokenExpired),
        TicketHolder::App(claims) => {
            oauth::presented::present(engine, claims, now).await?.map(|found| Caller::App(Box::new(found)))
        }
    };
    Ok(caller.map(|caller| (caller, workspace)))
}
