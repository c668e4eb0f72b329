//! Mails about notifications: at once and once a day, and to whom none goes.

use crate::{
    notifications::{Fixture, fixture},
    world::{Device, Person, World},
};
use octavo_app::{
    accounts::profile,
    notifications::{self, MarkChange, PreferencesChange, queue_due_digests},
    queue::ChoreOutcome,
};
use octavo_core_model::{
    Timestamp,
    account::ProfileChange,
    comment::Mention,
    consumer::ConsumerName,
    follow::FollowMode,
    mail::{Notice, Topic},
    notification::{DailyTime, MailChoice, NotificationType},
    text::TimeZone,
    time::days,
};
use octavo_ports::mailer::MailFailure;
use std::time::Duration;

/// A workspace whose members have verified their addresses, with an empty mailbox.
async fn office() -> Fixture {
    let fixture = fixture().await;
    for (person, _) in [&fixture.owner, &fixture.member] {
        fixture.verifies(person).await;
    }
    fixture
}

impl Fixture {
    async fn verifies(&self, person: &Person) {
        let token = self.world.token_to(&person.email, "evt_").await.unwrap();
        self.world.verify(token).await.unwrap();
    }

    async fn mentions(&self, by: &(Person, Device), whom: &(Person, Device)) {
        self.comments(by, vec![Mention::User(whom.0.id)]).await;
        self.catch_up().await;
    }

    async fn prefers(&self, (_, device): &(Person, Device), change: PreferencesChange) {
        let call = self.world.by(device);
        let change = self.world.write(call, move |unit| Box::pin(notifications::change_preferences(unit, Ok(change))));
        change.await.unwrap();
    }

    async fn prefers_for(&self, who: &(Person, Device), kind: NotificationType, choice: MailChoice) {
        let choices = vec![(kind, Some(choice))];
        self.prefers(who, PreferencesChange { choices, ..PreferencesChange::default() }).await;
    }

    async fn pauses(&self, who: &(Person, Device), until: Timestamp) {
        let paused_until = Some(Some(until));
        self.prefers(who, PreferencesChange { paused_until, ..PreferencesChange::default() }).await;
    }

    async fn reads_all(&self, who: &(Person, Device)) {
        for shown in self.told(who).await {
            let (call, id) = (self.world.by(&who.1), shown.notification.id);
            let change = MarkChange { read: Some(true), archived: None };
            let mark = self.world.write(call, move |unit| Box::pin(notifications::mark(unit, Ok(id), Ok(change))));
            mark.await.unwrap();
        }
    }

    /// Queues what is due, and returns the mails of the day and the single ones that somebody got, in words.
    async fn mails(&self, (person, _): &(Person, Device)) -> Vec<String> {
        while queue_due_digests(&self.world.engine, self.world.now).await.unwrap() {}
        let topics = self.world.mail_to(&person.email).await.into_iter();
        let word = |notice: &Notice| format!("{} {}", notice.kind, notice.title.as_deref().unwrap_or("-"));
        topics
            .filter_map(|topic| match topic {
                Topic::Notification(notice) => Some(word(&notice)),
                Topic::Digest { notices, .. } => {
                    Some(format!("daily: {}", notices.iter().map(word).collect::<Vec<_>>().join(", ")))
                }
                _ => None,
            })
            .collect()
    }

    fn moves_to(&mut self, time: &str) {
        self.world.now = Timestamp::parse(time).unwrap();
    }
}

#[tokio::test]
async fn a_mention_is_mailed_once() {
    let fixture = office().await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    assert_eq!(fixture.mails(&fixture.owner).await, ["MENTION Plan"]);
    assert_eq!(fixture.mails(&fixture.member).await, [] as [&str; 0]);
    consumers_replay(&fixture).await;
    fixture.world.database.execute("DELETE FROM notifications").await;
    consumers_replay(&fixture).await;
    assert_eq!(fixture.kinds(&fixture.owner).await.len(), 1, "the notification is back");
    assert_eq!(fixture.mails(&fixture.owner).await.len(), 1, "it was mailed before");
}

async fn consumers_replay(fixture: &Fixture) {
    octavo_app::consumers::rewind(&fixture.world.engine, ConsumerName::Notifications, fixture.world.now).await.unwrap();
    fixture.catch_up().await;
}

#[tokio::test]
async fn nobody_is_mailed_for_or_to_an_unverified_account() {
    let fixture = fixture().await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.verifies(&fixture.owner.0).await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.mentions(&fixture.owner, &fixture.member).await;
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    assert_eq!(fixture.mails(&fixture.member).await, [] as [&str; 0]);
    fixture.verifies(&fixture.member.0).await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    assert_eq!(fixture.mails(&fixture.owner).await.len(), 1);
}

#[tokio::test]
async fn what_was_read_or_is_not_wanted_any_more_is_not_mailed() {
    let fixture = office().await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.reads_all(&fixture.owner).await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.prefers_for(&fixture.owner, NotificationType::Mention, MailChoice::Off).await;
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    fixture.prefers_for(&fixture.owner, NotificationType::Mention, MailChoice::Instant).await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.world.database.execute("UPDATE users SET status = 'SUSPENDED'").await;
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
}

#[tokio::test]
async fn who_lost_the_access_is_not_mailed_of_a_comment_and_learns_no_title() {
    let fixture = office().await;
    fixture.follows(&fixture.member, FollowMode::All).await;
    fixture.comments(&fixture.owner, Vec::new()).await;
    fixture.catch_up().await;
    fixture.mentions(&fixture.owner, &fixture.member).await;
    let hide = format!("DELETE FROM memberships WHERE user_id = '{}'", fixture.member.0.id);
    fixture.world.database.execute(&hide).await;
    let hide = hide.replace("memberships", "user_workspaces");
    fixture.world.database.execute(&hide).await;
    assert_eq!(fixture.mails(&fixture.member).await, ["MENTION -"]);
}

#[tokio::test]
async fn a_failed_mail_is_tried_again_and_the_others_are_not() {
    let mut fixture = office().await;
    fixture.world.mailbox.fail_next(MailFailure::Later("greylisted".to_owned()));
    fixture.mentions(&fixture.member, &fixture.owner).await;
    assert_eq!(fixture.world.run_chores().await, [ChoreOutcome::Later("greylisted".to_owned())]);
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    fixture.world.pass(Duration::from_secs(5));
    assert_eq!(fixture.mails(&fixture.owner).await, ["MENTION Plan"]);
    fixture.world.mailbox.fail_next(MailFailure::Never("no such mailbox".to_owned()));
    fixture.mentions(&fixture.member, &fixture.owner).await;
    assert_eq!(fixture.world.run_chores().await, [ChoreOutcome::GivenUp("no such mailbox".to_owned())]);
    fixture.world.pass(days(1));
    assert_eq!(fixture.mails(&fixture.owner).await.len(), 1);
}

#[tokio::test]
async fn mails_that_are_due_during_a_pause_are_dropped() {
    let mut fixture = office().await;
    fixture.prefers_for(&fixture.owner, NotificationType::Comment, MailChoice::Daily).await;
    fixture.moves_to("2031-05-05T06:00:00Z");
    fixture.pauses(&fixture.owner, Timestamp::parse("2031-05-05T08:30:00Z").unwrap()).await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.catch_up().await;
    fixture.moves_to("2031-05-05T09:00:00Z");
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    // What comes during a pause and is due behind it is mailed.
    fixture.pauses(&fixture.owner, Timestamp::parse("2031-05-05T10:00:00Z").unwrap()).await;
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.catch_up().await;
    fixture.moves_to("2031-05-06T08:00:00Z");
    assert_eq!(fixture.mails(&fixture.owner).await, ["daily: COMMENT Plan"]);
}

#[tokio::test]
async fn the_mail_of_the_day_comes_once_with_what_is_unread() {
    let mut fixture = office().await;
    for kind in [NotificationType::Comment, NotificationType::Mention] {
        fixture.prefers_for(&fixture.owner, kind, MailChoice::Daily).await;
    }
    fixture.moves_to("2031-05-05T06:00:00Z");
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.catch_up().await;
    fixture.reads_all(&fixture.owner).await;
    fixture.moves_to("2031-05-05T07:00:00Z");
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.mentions(&fixture.member, &fixture.owner).await;
    fixture.moves_to("2031-05-05T07:59:59Z");
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    // A server that was down sends it when it is back.
    fixture.moves_to("2031-05-05T11:00:00Z");
    let first = fixture.mails(&fixture.owner).await;
    assert!(
        first == ["daily: MENTION Plan, COMMENT Plan"] || first == ["daily: COMMENT Plan, MENTION Plan"],
        "{first:?}"
    );
    fixture.moves_to("2031-05-06T08:00:00Z");
    assert_eq!(fixture.mails(&fixture.owner).await.len(), 1, "nothing new");
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.catch_up().await;
    fixture.reads_all(&fixture.owner).await;
    fixture.moves_to("2031-05-07T08:00:00Z");
    assert_eq!(fixture.mails(&fixture.owner).await.len(), 1, "there is none without anything unread");
    let waiting = fixture.world.database.number("SELECT count(*) FROM notification_digests").await;
    assert_eq!(waiting, 0, "users with nothing to mail cost nothing");
}

#[tokio::test]
async fn the_mail_of_the_day_follows_the_clock_of_its_reader() {
    let mut fixture = office().await;
    fixture.prefers_for(&fixture.owner, NotificationType::Comment, MailChoice::Daily).await;
    // The clocks of Berlin are put forward in the night before the 30th.
    fixture.moves_to("2031-03-29T12:00:00Z");
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.catch_up().await;
    let zone = ProfileChange { timezone: TimeZone::parse("Europe/Berlin").ok(), ..ProfileChange::default() };
    let call = fixture.world.by(&fixture.owner.1);
    fixture.world.write(call, move |unit| Box::pin(profile::update(unit, Ok(zone)))).await.unwrap();
    fixture.moves_to("2031-03-30T05:59:59Z");
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    let at =
        |text: &str| PreferencesChange { daily_at: text.parse::<DailyTime>().ok(), ..PreferencesChange::default() };
    fixture.prefers(&fixture.owner, at("08:30")).await;
    fixture.moves_to("2031-03-30T06:29:59Z");
    assert_eq!(fixture.mails(&fixture.owner).await, [] as [&str; 0]);
    fixture.moves_to("2031-03-30T06:30:00Z");
    assert_eq!(fixture.mails(&fixture.owner).await, ["daily: COMMENT Plan"]);
}

#[tokio::test]
async fn two_servers_queue_the_mail_of_a_day_once() {
    let Some(world) = World::on_postgres().await else { return };
    let fixture = Fixture::over(world).await;
    for (person, _) in [&fixture.owner, &fixture.member] {
        fixture.verifies(person).await;
    }
    fixture.prefers_for(&fixture.owner, NotificationType::Comment, MailChoice::Daily).await;
    fixture.comments(&fixture.member, Vec::new()).await;
    fixture.world.engine.store.number_events().await.unwrap();
    fixture.catch_up().await;
    let (engine, later) = (&fixture.world.engine, fixture.world.now.plus(days(1)));
    let (first, second) = tokio::join!(queue_due_digests(engine, later), queue_due_digests(engine, later));
    first.unwrap();
    second.unwrap();
    let queued = "SELECT count(*) FROM chores WHERE queue = 'digests'";
    assert_eq!(fixture.world.database.number(queued).await, 1);
}
