//! Rate limits: which buckets a call is charged to, and whether it may proceed.

use super::address::counted;
use crate::{refusal::Refusal, request::principal::Principal, route::Route, settings::RateLimits};
use octavo_app::Caller;
use octavo_core_model::{
    Bucket, Fault, StoreError, Timestamp, Token, TokenKind,
    id::{ClientId, InvitationId, PageId, WorkspaceId},
    text::Email,
};
use octavo_ports::counters::{Counters, CountersDown, LimitDecision, LimitRequest, LimitState};
use serde_json::Value;
use std::{net::IpAddr, time::Duration};

/// The limit that is shown for a bucket that is turned off, or for a call without a bucket.
pub(super) const UNLIMITED: u32 = 1_000_000;

/// The workspace that a call addresses, as far as it matters for counting.
#[derive(Clone, Copy, Debug)]
pub enum LimitScope {
    /// The path contains no workspace.
    Open,
    /// A workspace that the caller runs.
    Own(WorkspaceId),
    /// Any other workspace: the call is not charged to its limits.
    Foreign,
}

/// The caller whose calls are counted.
#[derive(Clone, Copy, Debug)]
pub struct Subject<'a> {
    address: IpAddr,
    /// The owner of the valid credential.
    principal: Option<Principal>,
    /// The limit per minute of the caller's API key, if it has its own.
    own_limit: Option<u32>,
    body: Option<&'a Value>,
    limit_scope: LimitScope,
    /// The last thing that the path names.
    named: Option<&'a str>,
    /// The app that the call claims to come from.
    client: Option<ClientId>,
    /// The token of a share link in the path.
    link: Option<&'a str>,
}

impl<'a> Subject<'a> {
    pub fn of(caller: &Caller, address: IpAddr, body: Option<&'a Value>) -> Self {
        let own_limit = match caller {
            Caller::Key(presented) => presented.key.rate_limit,
            Caller::User(_) | Caller::App(_) | Caller::Nobody | Caller::Job(_) | Caller::System => None,
        };
        Self {
            address,
            principal: Principal::of(caller),
            own_limit,
            body,
            limit_scope: LimitScope::Open,
            named: None,
            client: None,
            link: None,
        }
    }

    /// Adds what the path names: the workspace and the last thing.
    #[must_use]
    pub fn at(self, limit_scope: LimitScope, named: Option<&'a str>) -> Self {
        Self { limit_scope, named, ..self }
    }

    /// Adds the app that the call claims to come from.
    #[must_use]
    pub fn of_client(self, client: Option<ClientId>) -> Self {
        Self { client, ..self }
    }

    /// Adds the share link that the path names.
    #[must_use]
    pub fn opening(self, link: Option<&'a str>) -> Self {
        Self { link, ..self }
    }

    const fn is_key(self) -> bool {
        matches!(self.principal, Some(Principal::Key(_)))
    }

    /// The buckets that every call is charged to.
    const fn general(self) -> &'static [Bucket] {
        if self.is_key() { &[Bucket::ApiKey] } else { &[Bucket::Generic, Bucket::Ip] }
    }

    /// How many calls a bucket allows.
    fn limit(self, limits: &RateLimits, bucket: Bucket) -> u32 {
        let own = self.own_limit.filter(|_| bucket == Bucket::ApiKey);
        own.unwrap_or_else(|| limits.of(bucket))
    }

    /// The log in a bucket that this call belongs to; `None` if the call does not identify one.
    fn log(self, bucket: Bucket) -> Option<String> {
        let principal = || self.principal.map(|principal| principal.to_string());
        let client = || self.client.map(|client| client.to_string());
        let email = || self.body?.get("email")?.as_str().and_then(|text| Email::parse(text.trim()).ok());
        match bucket {
            Bucket::ApiKey => principal().filter(|_| self.is_key()),
            Bucket::Generic | Bucket::Ip | Bucket::Credentials if self.is_key() => None,
            Bucket::Generic => Some(principal().unwrap_or_else(|| counted(self.address))),
            Bucket::Ip | Bucket::Credentials | Bucket::Register | Bucket::Screens => Some(counted(self.address)),
            Bucket::Login => email().map(|email| format!("{} {email}", counted(self.address))),
            // The id of an app is public: if it were counted alone, anybody could use up the app's calls.
            Bucket::OauthToken | Bucket::OauthRevoke => {
                Some(format!("{} {}", client().unwrap_or_default(), counted(self.address)))
            }
            Bucket::Share | Bucket::ShareUnlock => {
                self.link.map(|link| format!("{} {}", counted(self.address), link_name(link)))
            }
            Bucket::PasswordReset => email().map(|email| email.to_string()),
            Bucket::AuditExport | Bucket::Invitation => match self.limit_scope {
                LimitScope::Open => None,
                LimitScope::Own(workspace) => Some(workspace.to_string()),
                LimitScope::Foreign => principal(),
            },
            Bucket::InvitationResend => self.named?.parse::<InvitationId>().ok().map(|id| id.to_string()),
            Bucket::Presence => {
                let page = self.named?.parse::<PageId>().ok()?;
                principal().map(|principal| format!("{principal} {page}"))
            }
            Bucket::AccessRequest
            | Bucket::CommentCreate
            | Bucket::EmailVerification
            | Bucket::EmailChange
            | Bucket::PageTransfer
            | Bucket::WorkspaceCreate => principal(),
        }
    }
}

/// The name under which a share link is counted, which does not reveal its token. All malformed tokens count
/// together.
fn link_name(link: &str) -> String {
    Token::parse(TokenKind::ShareLink, link).map_or_else(|_| "unknown".to_owned(), |token| token.hash().hex())
}

/// The state of one bucket.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BucketState {
    pub bucket: Bucket,
    pub limit: u32,
    pub remaining: u32,
    /// When the oldest counted call leaves the window, or when what a use case refused is allowed again.
    pub reset: Timestamp,
}

impl BucketState {
    /// The state of a bucket from which the oldest counted call goes at this time. No wait is longer than the window,
    /// even if another node with another clock has counted the call.
    fn counted(bucket: Bucket, limit: u32, state: LimitState, now: Timestamp) -> Self {
        let reset = state.oldest_leaves_at.min(now.plus(bucket.window()));
        Self { bucket, limit, remaining: state.remaining, reset }
    }

    /// Whole seconds until the bucket allows another call, at least 1.
    pub fn retry_after(&self, now: Timestamp) -> u64 {
        let wait = self.reset.since(now).as_millis().div_ceil(1000);
        u64::try_from(wait).unwrap_or(u64::MAX).max(1)
    }

    /// The Unix second of the next change: when a full bucket allows another call (as in `Retry-After`), otherwise
    /// when the oldest counted call leaves the window.
    pub fn reset_second(&self, now: Timestamp) -> i64 {
        if self.remaining == 0 {
            now.seconds().saturating_add_unsigned(self.retry_after(now))
        } else {
            self.reset.seconds()
        }
    }

    /// Whole seconds until that change.
    pub fn resets_in(&self, now: Timestamp) -> u64 {
        if self.remaining == 0 { self.retry_after(now) } else { self.reset.since(now).as_secs() }
    }

    pub fn refusal(&self, now: Timestamp) -> Refusal {
        Refusal::RateLimited { bucket: self.bucket, retry_after: self.retry_after(now) }
    }

    /// Whether a smaller share of this bucket is left than of the other.
    fn is_scarcer_than(&self, other: &Self) -> bool {
        u64::from(self.remaining) * u64::from(other.limit) < u64::from(other.remaining) * u64::from(self.limit)
    }
}

/// The outcome of the rate limits for a call.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct LimitOutcome {
    /// Empty if the call was not charged to any bucket.
    pub states: Vec<BucketState>,
    /// The bucket that refused; if there are several, the one with the longest wait.
    pub refused: Option<BucketState>,
}

impl LimitOutcome {
    /// Records a refusal that did not come from a bucket's own limit. The given bucket represents the reason, and the
    /// refusal lasts for `retry_after` seconds.
    pub(super) fn refuse(&mut self, bucket: Bucket, limit: u32, retry_after: u64, now: Timestamp) {
        let reset = now.plus(Duration::from_secs(retry_after));
        let refused = BucketState { bucket, limit, remaining: 0, reset };
        match self.states.iter_mut().find(|state| state.bucket == bucket) {
            Some(state) => *state = refused,
            None => self.states.push(refused),
        }
        self.refused = Some(refused);
    }

    /// Replaces the state of a bucket after a charge was taken back.
    pub(super) fn replace_state(&mut self, bucket: Bucket, state: LimitState) {
        for shown in self.states.iter_mut().filter(|shown| shown.bucket == bucket) {
            (shown.remaining, shown.reset) = (state.remaining, state.oldest_leaves_at);
        }
    }

    /// The bucket in the headers: the one that refused, otherwise for an API key that of the key, otherwise the
    /// scarcest.
    pub(super) fn bucket_in_headers(&self) -> Option<&BucketState> {
        let scarcest = |best: &'_ BucketState, next: &BucketState| next.is_scarcer_than(best);
        let of_key = || self.states.iter().find(|state| state.bucket == Bucket::ApiKey);
        self.refused
            .as_ref()
            .or_else(of_key)
            .or_else(|| self.states.iter().reduce(|best, next| if scarcest(best, next) { next } else { best }))
    }
}

/// Charges a call to all of its buckets or to none.
pub(super) async fn charge(
    counters: &dyn Counters,
    limits: &RateLimits,
    buckets: impl Iterator<Item = Bucket>,
    subject: Subject<'_>,
    now: Timestamp,
) -> Result<LimitOutcome, CountersDown> {
    let (named, charges) = charges(limits, buckets, subject);
    if charges.is_empty() {
        return Ok(LimitOutcome { states: states(limits, subject, named, &[], now), refused: None });
    }
    Ok(match counters.charge(&charges, now).await? {
        LimitDecision::Admitted(found) => {
            LimitOutcome { states: states(limits, subject, named, &found, now), refused: None }
        }
        LimitDecision::Refused(found) => {
            let states = states(limits, subject, named, &found, now);
            let full = states.iter().filter(|state| state.remaining == 0).copied();
            LimitOutcome { refused: full.max_by_key(|state| state.reset), states }
        }
    })
}

/// The state of a caller's buckets, without charging them.
pub async fn peek(
    counters: &dyn Counters,
    limits: &RateLimits,
    subject: Subject<'_>,
    now: Timestamp,
) -> Result<Vec<BucketState>, CountersDown> {
    let (named, charges) = charges(limits, Bucket::ALL.iter().copied(), subject);
    let found = counters.peek(&charges, now).await?;
    Ok(states(limits, subject, named, &found, now))
}

/// Charges a call to the buckets of its route. Callers without a required credential are charged to the general
/// buckets only.
pub(super) async fn charge_route(
    counters: &dyn Counters,
    limits: &RateLimits,
    route: &Route,
    admitted: bool,
    subject: Subject<'_>,
    now: Timestamp,
) -> Result<LimitOutcome, Refusal> {
    if route.options.free {
        return Ok(LimitOutcome::default());
    }
    let own = if admitted { route.limits } else { &[] };
    let buckets = subject.general().iter().chain(own).copied();
    let charged = charge(counters, limits, buckets, subject, now).await;
    charged.map_err(|CountersDown| Refusal::Fault(Fault::Store(StoreError::Unavailable)))
}

/// The charge of a call to one of its buckets, to take it back later; `None` if it is not charged to that bucket.
pub(super) fn charge_of(limits: &RateLimits, bucket: Bucket, subject: Subject<'_>) -> Option<LimitRequest> {
    charges(limits, std::iter::once(bucket), subject).1.pop()
}

/// The buckets of a call, and the charges for those that are turned on.
fn charges(
    limits: &RateLimits,
    buckets: impl Iterator<Item = Bucket>,
    subject: Subject<'_>,
) -> (Vec<Bucket>, Vec<LimitRequest>) {
    let mut named = Vec::with_capacity(4);
    let mut charges = Vec::with_capacity(4);
    for bucket in buckets {
        let Some(log) = subject.log(bucket) else { continue };
        named.push(bucket);
        let (limit, window) = (subject.limit(limits, bucket), bucket.window());
        if limit > 0 {
            charges.push(LimitRequest { bucket: bucket.name(), subject: log, limit, window });
        }
    }
    (named, charges)
}

/// Combines buckets with the states of those that are turned on, in the same order.
fn states(
    limits: &RateLimits,
    subject: Subject<'_>,
    named: Vec<Bucket>,
    found: &[LimitState],
    now: Timestamp,
) -> Vec<BucketState> {
    let mut found = found.iter();
    let state = |bucket| match subject.limit(limits, bucket) {
        0 => Some(BucketState { bucket, limit: UNLIMITED, remaining: UNLIMITED, reset: now }),
        limit => found.next().map(|state| BucketState::counted(bucket, limit, *state, now)),
    };
    named.into_iter().filter_map(state).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOW: Timestamp = Timestamp::from_millis(1_000_000_500);

    fn state(bucket: Bucket, limit: u32, remaining: u32, wait_millis: i64) -> BucketState {
        let oldest_leaves_at = Timestamp::from_millis(NOW.millis() + wait_millis);
        BucketState::counted(bucket, limit, LimitState { remaining, oldest_leaves_at }, NOW)
    }

    #[test]
    fn waiting_as_told_always_gets_through() {
        for (wait, seconds) in [(0, 1), (1, 1), (1000, 1), (1001, 2), (59_999, 60), (90_000, 60)] {
            let full = state(Bucket::Generic, 100, 0, wait);
            assert_eq!(full.retry_after(NOW), seconds, "{wait}");
            assert_eq!(full.reset_second(NOW), NOW.seconds() + i64::try_from(seconds).unwrap_or_default());
        }
    }

    #[test]
    fn a_refusal_of_a_use_case_may_last_longer_than_the_window_of_its_bucket() {
        let mut met = LimitOutcome { states: vec![state(Bucket::Generic, 100, 50, 1)], refused: None };
        met.refuse(Bucket::Generic, 100, 1_800, NOW);
        let shown = met.bucket_in_headers().copied();
        let waits = shown.map(|state| (state.remaining, state.reset_second(NOW), state.resets_in(NOW)));
        assert_eq!(waits, Some((0, NOW.seconds() + 1_800, 1_800)));
    }

    #[test]
    fn the_scarcest_bucket_is_shown_and_a_refusing_one_first_of_all() {
        let generic = state(Bucket::Generic, 100, 50, 1);
        let ip = state(Bucket::Ip, 1200, 590, 1);
        let login = state(Bucket::Login, 10, 5, 1);
        let limits_met = |states: &[BucketState], refused| LimitOutcome { states: states.to_vec(), refused };
        assert_eq!(limits_met(&[generic, ip, login], None).bucket_in_headers(), Some(&ip));
        assert_eq!(limits_met(&[generic, login], None).bucket_in_headers(), Some(&generic), "of equals the first");
        assert_eq!(limits_met(&[generic, ip], Some(login)).bucket_in_headers(), Some(&login));
        assert_eq!(limits_met(&[], None).bucket_in_headers(), None);
    }

    #[test]
    fn a_call_that_names_no_log_is_not_charged_to_it() {
        let body = serde_json::json!({ "email": "Ada@Example.com" });
        let of = |body| Subject::of(&Caller::Nobody, IpAddr::from([192, 0, 2, 1]), body);
        let subject = |body| of(body).at(LimitScope::Open, Some("inv_nonsense"));
        assert_eq!(subject(Some(&body)).log(Bucket::Login).as_deref(), Some("192.0.2.1 ada@example.com"));
        assert_eq!(subject(Some(&body)).log(Bucket::PasswordReset).as_deref(), Some("ada@example.com"));
        assert_eq!(subject(None).log(Bucket::Login), None);
        assert_eq!(subject(Some(&Value::Null)).log(Bucket::PasswordReset), None);
        assert_eq!(subject(None).log(Bucket::EmailChange), None);
        assert_eq!(subject(None).log(Bucket::Invitation), None);
        assert_eq!(subject(None).log(Bucket::InvitationResend), None);
        assert_eq!(subject(None).log(Bucket::Generic).as_deref(), Some("192.0.2.1"));
    }

    #[test]
    fn blanks_around_an_address_make_no_new_log() {
        let of = |text: &str| {
            let body = serde_json::json!({ "email": text });
            Subject::of(&Caller::Nobody, IpAddr::from([192, 0, 2, 1]), Some(&body)).log(Bucket::Login)
        };
        assert_eq!(of(" ada@example.com "), of("ada@example.com"));
    }
}
