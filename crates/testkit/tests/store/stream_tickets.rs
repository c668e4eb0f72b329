//! Tickets for streams.

use crate::support::write;
use octavo_core_model::{
    claims::{AppClaims, Claims},
    id::{ApiKeyId, ClientId, FamilyId, GrantId, SessionId, TokenId, UserId},
    role::Role,
    scope::AppScope,
    session::Proof,
    stream_ticket::{StreamTicket, TicketHolder},
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};
use std::sync::Arc;

fn ticket(number: u64, holder: TicketHolder) -> StreamTicket {
    StreamTicket { hash: make::hash(number), workspace: make::workspace_id(1), holder, expires_at: NOW }
}

fn of_key() -> TicketHolder {
    TicketHolder::Key { id: ApiKeyId::new(1, [2; 10]), secret: [7; 32] }
}

pub(crate) async fn a_ticket_reads_back_once(database: &Database) {
    let store = database.store().await;
    let (user, proofs) = (UserId::new(1, [1; 10]), vec![Proof::Password, Proof::Invitation]);
    let claims = Claims {
        user,
        workspace: make::workspace_id(1),
        role: Role::Guest,
        session: SessionId::new(1, [3; 10]),
        id: TokenId::new(1, [4; 10]),
        proofs: proofs.clone(),
        authenticated_at: NOW,
        issued_at: NOW,
    };
    let app = AppClaims {
        user,
        client: ClientId::new(1, [5; 10]),
        grant: GrantId::new(1, [6; 10]),
        family: FamilyId::new(1, [7; 10]),
        scopes: AppScope::ALL.to_vec(),
        id: TokenId::new(1, [8; 10]),
        proofs,
        authenticated_at: NOW,
        issued_at: NOW,
    };
    let holders = [TicketHolder::User(claims), of_key(), TicketHolder::App(app)];
    for (number, holder) in (1..).zip(holders) {
        let ticket = ticket(number, holder);
        write!(store, unit => unit.stream_tickets().insert(&ticket).await);
        assert_eq!(write!(store, unit => unit.stream_tickets().take(&ticket.hash).await), Some(ticket.clone()));
        assert_eq!(write!(store, unit => unit.stream_tickets().take(&ticket.hash).await), None);
    }
    assert_eq!(database.number("SELECT count(*) FROM stream_tickets").await, 0);
}

pub(crate) async fn of_twenty_that_take_a_ticket_one_gets_it(database: &Database) {
    let store = database.store().await;
    write!(store, unit => unit.stream_tickets().insert(&ticket(1, of_key())).await);
    let takers = (0..20).map(|_| {
        let store = Arc::clone(&store);
        tokio::spawn(async move { write!(store, unit => unit.stream_tickets().take(&make::hash(1)).await) })
    });
    let mut got = 0;
    for taker in takers.collect::<Vec<_>>() {
        got += usize::from(taker.await.unwrap().is_some());
    }
    assert_eq!(got, 1);
}
