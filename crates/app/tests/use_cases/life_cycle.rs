//! Random sequences of session operations, compared with a naive model.

use crate::world::{Device, NEW_PASSWORD, PASSWORD, Person, World, denied, unknown};
use octavo_core_model::{
    Fault,
    fault::{Denial, Unknown},
    time::days,
};
use proptest::prelude::*;
use std::time::Duration;

#[derive(Clone, Debug)]
enum Step {
    Login,
    /// Refreshes with any token that was ever issued.
    Refresh(prop::sample::Index),
    /// Signs out with the access token of any device.
    Logout(prop::sample::Index),
    Revoke(prop::sample::Index, prop::sample::Index),
    RevokeOthers(prop::sample::Index),
    Reset,
    ChangePassword(prop::sample::Index),
    Wait(u64),
}

fn step() -> impl Strategy<Value = Step> {
    use prop::sample::Index;
    prop_oneof![
        3 => Just(Step::Login),
        8 => any::<Index>().prop_map(Step::Refresh),
        1 => any::<Index>().prop_map(Step::Logout),
        1 => (any::<Index>(), any::<Index>()).prop_map(|(by, which)| Step::Revoke(by, which)),
        1 => any::<Index>().prop_map(Step::RevokeOthers),
        1 => Just(Step::Reset),
        1 => any::<Index>().prop_map(Step::ChangePassword),
        2 => prop_oneof![Just(1), Just(60), Just(24 * 60), Just(20 * 24 * 60), Just(31 * 24 * 60)].prop_map(Step::Wait),
    ]
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum End {
    AsTokens,
    AsSession,
}

#[derive(Debug)]
struct ModelSession {
    end: Option<End>,
    /// Minutes since the beginning.
    expires: u64,
    absolute: u64,
}

#[derive(Debug)]
struct ModelToken {
    session: usize,
    rotated: bool,
    expires: u64,
}

/// A model with plain lists of sessions and tokens.
#[derive(Debug, Default)]
struct Model {
    minute: u64,
    sessions: Vec<ModelSession>,
    tokens: Vec<ModelToken>,
}

const INACTIVITY: u64 = 30 * 24 * 60;
const ABSOLUTE: u64 = 45 * 24 * 60;

impl Model {
    fn open(&mut self) {
        let expires = self.minute + INACTIVITY;
        self.sessions.push(ModelSession { end: None, expires, absolute: self.minute + ABSOLUTE });
        self.tokens.push(ModelToken { session: self.sessions.len() - 1, rotated: false, expires });
    }

    fn is_live(&self, session: usize) -> bool {
        self.sessions[session].end.is_none() && self.minute < self.sessions[session].expires
    }

    /// Ends a session. With `or_stricter`, an earlier milder ending becomes stricter.
    fn end(&mut self, session: usize, how: End) {
        let session = &mut self.sessions[session];
        match (session.end, how) {
            (None, _) | (Some(End::AsSession), End::AsTokens) => session.end = Some(how),
            _ => {}
        }
    }

    fn end_all(&mut self, but: Option<usize>, how: End) -> usize {
        let live: Vec<_> = (0..self.sessions.len()).filter(|id| Some(*id) != but && self.is_live(*id)).collect();
        for id in (0..self.sessions.len()).filter(|id| Some(*id) != but) {
            // Sessions that have only expired do not matter; their tokens have expired too.
            if self.sessions[id].end.is_some() || live.contains(&id) {
                self.end(id, how);
            }
        }
        live.len()
    }

    fn refresh(&mut self, token: usize) -> Result<(), Fault> {
        let ModelToken { session, rotated, expires } = self.tokens[token];
        if self.minute >= expires {
            return Err(unknown(Unknown::RefreshInvalid));
        }
        match self.sessions[session].end {
            _ if rotated => {
                self.end(session, End::AsTokens);
                Err(Fault::RefreshReused)
            }
            Some(End::AsTokens) => Err(Fault::RefreshReused),
            Some(End::AsSession) => Err(denied(Denial::SessionRevoked)),
            None => {
                self.tokens[token].rotated = true;
                let expires = (self.minute + INACTIVITY).min(self.sessions[session].absolute);
                self.sessions[session].expires = expires;
                self.tokens.push(ModelToken { session, rotated: false, expires });
                Ok(())
            }
        }
    }

    /// Tokens that could be refreshed now.
    fn current(&self) -> Vec<usize> {
        let buys = |token: &ModelToken| {
            !token.rotated && self.minute < token.expires && self.sessions[token.session].end.is_none()
        };
        (0..self.tokens.len()).filter(|id| buys(&self.tokens[*id])).collect()
    }
}

/// The account and its model: a token in the model and a device with the same index belong together.
struct Life {
    world: World,
    ada: Person,
    devices: Vec<Device>,
    model: Model,
}

impl Life {
    async fn begin() -> Self {
        let mut world = World::ruled(|rules| rules.session_life = Duration::from_mins(ABSOLUTE)).await;
        let (ada, device) = world.newcomer().await;
        let mut model = Model::default();
        model.open();
        Self { world, ada, devices: vec![device], model }
    }

    fn pick(&self, index: prop::sample::Index) -> usize {
        index.index(self.devices.len())
    }

    /// Prefers recent tokens: with a uniform choice, nearly every refresh in a long sequence would be reuse.
    fn pick_recent(&self, index: prop::sample::Index) -> usize {
        let last = self.devices.len() - 1;
        let back = index.index((last + 1) * (last + 2) / 2);
        last - (0..=last).find(|n| back < (n + 1) * (2 * (last + 1) - n) / 2).unwrap_or(last)
    }

    fn session_of(&self, device: usize) -> usize {
        self.model.tokens[device].session
    }

    async fn perform(&mut self, step: Step) {
        match step {
            Step::Login => {
                self.devices.push(self.world.signed_in(&self.ada).await);
                self.model.open();
            }
            Step::Refresh(index) => {
                let token = self.pick_recent(index);
                let answer = self.world.refresh(&self.devices[token]).await;
                assert_eq!(answer.as_ref().map(drop).map_err(Clone::clone), self.model.refresh(token));
                self.devices.extend(answer);
            }
            Step::Logout(index) => {
                let device = self.pick(index);
                self.world.logout(&self.devices[device], None).await.unwrap();
                self.model.end(self.session_of(device), End::AsTokens);
            }
            Step::Revoke(by, which) => {
                let (by, which) = (self.pick(by), self.pick(which));
                self.world.revoke(&self.devices[by], self.devices[which].session).await.unwrap();
                if self.model.is_live(self.session_of(which)) {
                    self.model.end(self.session_of(which), End::AsSession);
                }
            }
            Step::RevokeOthers(index) => {
                let device = self.pick(index);
                let ended = self.world.revoke_others(&self.devices[device]).await.unwrap();
                assert_eq!(ended, self.model.end_all(Some(self.session_of(device)), End::AsSession));
            }
            Step::Reset => {
                let token = self.reset_token().await;
                self.world.reset_with(self.world.nobody(), token, PASSWORD).await.unwrap();
                PASSWORD.clone_into(&mut self.ada.password);
                self.model.end_all(None, End::AsTokens);
            }
            Step::ChangePassword(index) => {
                let device = self.pick(index);
                let call = self.world.by(&self.devices[device]);
                let (old, new) =
                    (self.ada.password.clone(), if self.ada.password == PASSWORD { NEW_PASSWORD } else { PASSWORD });
                let ended = self.world.change_password_to(call, Some(&old), new, true).await.unwrap();
                assert_eq!(ended, self.model.end_all(Some(self.session_of(device)), End::AsTokens));
                new.clone_into(&mut self.ada.password);
            }
            Step::Wait(minutes) => {
                self.world.pass(Duration::from_mins(minutes));
                self.model.minute += minutes;
            }
        }
    }

    async fn reset_token(&self) -> octavo_core_model::Secret<String> {
        self.world.ask_for_reset(&self.ada.email).await;
        self.world.token_to(&self.ada.email, "pwrt_").await.expect("a reset mail")
    }

    /// Checks the invariants after every step.
    async fn check(&self) {
        let current = self.model.current();
        let mut sessions: Vec<_> = current.iter().map(|token| self.model.tokens[*token].session).collect();
        sessions.dedup();
        assert_eq!(sessions.len(), current.len(), "at most one token of a session buys a new pair");
        let now = self.world.now.millis();
        let sql = format!(
            "SELECT count(*) FROM refresh_tokens AS t JOIN sessions AS s ON s.user_id = t.user_id AND s.id = t.session_id \
             WHERE NOT t.rotated AND t.expires_at > {now} AND s.ended_at IS NULL"
        );
        assert_eq!(self.world.database.number(&sql).await, i64::try_from(current.len()).unwrap());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 48, ..ProptestConfig::default() })]

    #[test]
    fn sessions_live_as_a_naive_model_says(steps in prop::collection::vec(step(), 1..40)) {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        runtime.block_on(async {
            let mut life = Life::begin().await;
            for step in steps {
                life.perform(step).await;
                life.check().await;
            }
            assert!(life.world.now >= octavo_testkit::make::NOW.minus(days(1)));
        });
    }
}
