//! The actors in audit entries and events.

use crate::world::{Calling, PASSWORD, World};
use octavo_app::accounts::security_events::{self, AuditPage};
use octavo_core_model::{audit::AuditRecord, event::Chain, time::days};
use serde_json::json;
use std::time::Duration;

#[tokio::test]
async fn an_entry_says_who_did_what_from_where() {
    let mut world = World::new().await;
    let ada = world.person().await;
    let call = world.nobody().from("203.0.113.9").with_program("curl/8.1");
    let request = call.request.map(|id| id.to_string());
    world.login(call, &ada.email, PASSWORD).await.unwrap();
    let records = world.audit_records(Chain::User(ada.id)).await;
    let login = records.iter().find(|record| record.action == "user.login").unwrap();
    assert_eq!(login.actor, json!({ "type": "USER", "id": ada.id }));
    assert_eq!(login.target, json!({ "type": "user", "id": ada.id }));
    assert_eq!((login.outcome.as_str(), &login.reason, &login.request_id), ("SUCCESS", &None, &request));
    let personal = json!({
        "ip": "203.0.113.9", "userAgent": "curl/8.1", "actorName": "Person 1", "targetLabel": null, "changes": [],
    });
    assert_eq!(login.personal, Some(personal));
}

/// Actions of a signed-in user, or of the holder of a mailed token, are recorded with their name.
#[tokio::test]
async fn every_action_of_a_person_names_them() {
    let mut world = World::new().await;
    let (ada, device) = world.newcomer().await;
    let other = world.signed_in(&ada).await;
    let token = world.token_to(&ada.email, "evt_").await.unwrap();
    world.verify(token).await.unwrap();
    world.revoke(&device, other.session).await.unwrap();
    let device = world.refresh(&device).await.unwrap();
    world.change_password(world.by(&device), Some(PASSWORD), true).await.unwrap();
    let back = world.relocate(&device, &ada.email, &crate::world::email("new@example.com")).await;
    world.revert_move(back).await.unwrap();
    let ada = world.reset(&ada).await;
    let device = world.signed_in(&ada).await;
    world.logout(&device, None).await.unwrap();
    let device = world.signed_in(&ada).await;
    world.delete(&device).await.unwrap();
    let token = world.token_to(&ada.email, "urt_").await.unwrap();
    world.restore(token).await.unwrap();
    let records = world.audit_records(Chain::User(ada.id)).await;
    let mut actions: Vec<_> = records.iter().map(|record| record.action.as_str()).collect();
    actions.sort_unstable();
    actions.dedup();
    assert_eq!(
        actions,
        [
            "auth.refresh",
            "session.revoked",
            "user.deletion_scheduled",
            "user.email_changed",
            "user.email_reverted",
            "user.email_verified",
            "user.login",
            "user.logout",
            "user.password_changed",
            "user.password_reset",
            "user.restored",
        ]
    );
    for record in &records {
        assert_eq!(record.actor, json!({ "type": "USER", "id": ada.id }), "{}", record.action);
        assert_eq!(record.personal.as_ref().unwrap()["actorName"], "Person 1", "{}", record.action);
    }
}

#[tokio::test]
async fn people_read_their_own_trail_newest_first() {
    let mut world = World::new().await;
    let (ada, mut device) = world.newcomer().await;
    let bob = world.person().await;
    world.signed_in(&bob).await;
    for _ in 0..3 {
        world.pass(Duration::from_secs(1));
        device = world.refresh(&device).await.unwrap();
    }
    let list = async |behind| {
        let page = AuditPage { behind, limit: 2 };
        world.read(world.by(&device), move |view| Box::pin(security_events::list(view, Ok(page)))).await.unwrap()
    };
    let first = list(None).await;
    let second = list(first.last().map(AuditRecord::position)).await;
    let times: Vec<_> = first.iter().chain(&second).map(|record| record.at).collect();
    let ago = |seconds| world.now.minus(Duration::from_secs(seconds));
    assert_eq!(times, [ago(0), ago(1), ago(2)]);
    assert!(first.iter().chain(&second).all(|record| record.chain == ada.id.to_string()));
    assert!(times.iter().all(|time| world.now.since(*time) < days(1)));
}
