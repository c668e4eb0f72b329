//! The guarantees of hashing, at the lowest cost that argon2 allows.
#![allow(clippy::unwrap_used, reason = "a failed unwrap fails the test")]

use super::*;
use octavo_core_model::fault::ComputeFault;
use octavo_ports::compute::{ComputeSlot, InPlace, Reservation, Work};
use std::time::Instant;

const LOW: HashingCost = HashingCost { memory_kib: 8, passes: 1 };
const SALT: [u8; 16] = [3; 16];
const OWNER: WorkOwner = WorkOwner::Anonymous;

fn hasher(cost: HashingCost) -> Argon2Hasher {
    Argon2Hasher::new(cost, Arc::new(InPlace)).unwrap()
}

fn secret(text: &str) -> Secret<String> {
    Secret::new(text.to_owned())
}

async fn compare(hasher: &Argon2Hasher, password: &str, hash: &PasswordHash) -> Comparison {
    hasher.compare(OWNER, secret(password), Some(hash.clone())).await.unwrap()
}

#[tokio::test]
async fn a_password_matches_its_own_hash_exactly_as_sent() {
    let hasher = hasher(LOW);
    let hash = hasher.hash(OWNER, secret(" Grüße 1"), SALT).await.unwrap();
    assert!(hash.0.expose().starts_with("$argon2id$v=19$m=8,t=1,p=1$"));
    assert_eq!(compare(&hasher, " Grüße 1", &hash).await, Comparison { matches: true, outdated: false });
    for other in ["Grüße 1", " grüße 1", " Grüße 1 ", " Gru\u{308}ße 1", ""] {
        assert!(!compare(&hasher, other, &hash).await.matches, "{other}");
    }
}

#[tokio::test]
async fn the_same_salt_gives_the_same_hash_and_another_salt_another() {
    let hasher = hasher(LOW);
    let hash = hasher.hash(OWNER, secret("Passw0rd"), SALT).await.unwrap();
    assert_eq!(hasher.hash(OWNER, secret("Passw0rd"), SALT).await.unwrap(), hash);
    assert_ne!(hasher.hash(OWNER, secret("Passw0rd"), [4; 16]).await.unwrap(), hash);
}

#[tokio::test]
async fn a_hash_of_another_cost_matches_and_is_outdated() {
    let today = hasher(LOW);
    for cost in [HashingCost { memory_kib: 16, ..LOW }, HashingCost { passes: 2, ..LOW }] {
        let hash = hasher(cost).hash(OWNER, secret("Passw0rd"), SALT).await.unwrap();
        assert_eq!(compare(&today, "Passw0rd", &hash).await, Comparison { matches: true, outdated: true });
        assert!(!compare(&today, "Passw0rd!", &hash).await.matches);
    }
}

#[tokio::test]
async fn nothing_matches_without_a_hash() {
    let none = hasher(LOW).compare(OWNER, secret("Passw0rd"), None).await.unwrap();
    assert_eq!(none, Comparison { matches: false, outdated: false });
    let unreadable = PasswordHash(secret("not a hash"));
    assert!(!compare(&hasher(LOW), "Passw0rd", &unreadable).await.matches);
}

#[tokio::test]
async fn a_password_longer_than_any_set_never_matches() {
    let hasher = hasher(LOW);
    let longest = "x".repeat(MAX_PASSWORD_BYTES);
    let hash = hasher.hash(OWNER, secret(&longest), SALT).await.unwrap();
    assert!(compare(&hasher, &longest, &hash).await.matches);
    let longer = format!("{longest}x");
    let hash = hasher.hash(OWNER, secret(&longer), SALT).await.unwrap();
    assert!(!compare(&hasher, &longer, &hash).await.matches);
}

/// Equal work prevents timing from revealing unknown accounts. The cost is high here, so that skipping the work would
/// be obvious. The fastest of several runs is compared, because a busy machine affects it least.
#[tokio::test]
async fn every_comparison_costs_about_the_same() {
    let hasher = hasher(HashingCost { memory_kib: 4096, passes: 2 });
    let hash = hasher.hash(OWNER, secret("Passw0rd"), SALT).await.unwrap();
    let long = "x".repeat(2000);
    let cases = [("Passw0rd", Some(&hash)), ("wrong", Some(&hash)), ("Passw0rd", None), (&long, Some(&hash))];
    let mut quickest = cases.map(|_| Duration::MAX);
    for _ in 0..9 {
        for ((password, hash), quickest) in cases.iter().zip(&mut quickest) {
            let start = Instant::now();
            hasher.compare(OWNER, secret(password), hash.cloned()).await.unwrap();
            *quickest = start.elapsed().min(*quickest);
        }
    }
    let (least, most) = (quickest.iter().min().unwrap(), quickest.iter().max().unwrap());
    assert!(*most < *least * 2, "{quickest:?}");
}

/// A pool with a full queue.
struct Full;

#[async_trait]
impl ComputePool for Full {
    fn reserve(&self, kind: WorkKind, owner: WorkOwner) -> Result<Reservation, ComputeFault> {
        assert_eq!((kind, owner), (WorkKind::Hashing, OWNER));
        Err(ComputeFault::Busy)
    }

    async fn run(&self, _: Reservation, _: Duration, _: Work) -> Result<ComputeSlot, ComputeFault> {
        Err(ComputeFault::Busy)
    }
}

#[tokio::test]
async fn a_full_pool_refuses_passwords() {
    let hasher = Argon2Hasher::new(LOW, Arc::new(Full)).unwrap();
    assert_eq!(hasher.compare(OWNER, secret("Passw0rd"), None).await, Err(HasherBusy));
    assert_eq!(hasher.hash(OWNER, secret("Passw0rd"), SALT).await, Err(HasherBusy));
}

#[test]
fn a_cost_below_what_argon2_takes_is_refused() {
    for cost in [HashingCost { memory_kib: 7, passes: 1 }, HashingCost { memory_kib: 8, passes: 0 }] {
        assert_eq!(Argon2Hasher::new(cost, Arc::new(InPlace)).unwrap_err(), InvalidCost);
    }
}

#[tokio::test(start_paused = true)]
async fn memory_is_reused_and_freed_when_nobody_signs_in() {
    let hasher = hasher(LOW);
    hasher.hash(OWNER, secret("Passw0rd"), SALT).await.unwrap();
    hasher.hash(OWNER, secret("Passw0rd"), SALT).await.unwrap();
    assert_eq!(hasher.memory.held(), 1, "both jobs worked in the same memory");
    tokio::time::sleep(memory::KEPT / 2).await;
    assert_eq!(hasher.memory.held(), 1);
    tokio::time::sleep(memory::KEPT * 2).await;
    assert_eq!(hasher.memory.held(), 0);
    hasher.hash(OWNER, secret("Passw0rd"), SALT).await.unwrap();
    tokio::time::sleep(memory::KEPT * 3).await;
    assert_eq!(hasher.memory.held(), 0, "a later job is watched as well");
}
