//! argon2id, off the threads that serve requests and a bounded number of jobs at a time.

use argon2::{
    Algorithm, Argon2, Params, PasswordVerifier, Version,
    password_hash::{CustomizedPasswordHasher, phc},
};
use async_trait::async_trait;
use octavo_core_model::Secret;
use octavo_ports::passwords::{Comparison, HasherBusy, PasswordHash, PasswordHasher};
use std::{fmt, num::NonZeroUsize, sync::Arc};
use tokio::sync::Semaphore;

/// How many jobs may wait while as many as allowed run.
const WAITING_JOBS: usize = 64;

/// A longer password never matches: none is ever set.
const MAX_PASSWORD_BYTES: usize = 512;

const LANES: u32 = 1;
const OUTPUT_BYTES: usize = 32;

/// What one hash costs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashingCost {
    pub memory_kib: u32,
    pub passes: u32,
}

/// argon2 does not work with this cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct InvalidCost;

impl fmt::Display for InvalidCost {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("argon2 needs at least 8 KiB of memory and one pass")
    }
}

impl std::error::Error for InvalidCost {}

/// Hashes with argon2id.
#[derive(Clone)]
pub struct Argon2Hasher {
    params: Params,
    /// Jobs that run or wait.
    admitted: Arc<Semaphore>,
    /// Jobs that run.
    running: Arc<Semaphore>,
}

impl Argon2Hasher {
    /// `jobs_at_once` should be the number of cores: more only share the same cores and hold more memory.
    pub fn new(cost: HashingCost, jobs_at_once: NonZeroUsize) -> Result<Self, InvalidCost> {
        let params = Params::new(cost.memory_kib, cost.passes, LANES, Some(OUTPUT_BYTES)).map_err(|_| InvalidCost)?;
        Ok(Self {
            params,
            admitted: Arc::new(Semaphore::new(jobs_at_once.get() + WAITING_JOBS)),
            running: Arc::new(Semaphore::new(jobs_at_once.get())),
        })
    }

    /// Runs a job on the blocking pool. The permits move into it, so they return when the work ends, also when nobody
    /// waits for the result any more.
    async fn run<T: Send + 'static>(&self, job: impl FnOnce(Params) -> T + Send + 'static) -> Result<T, HasherBusy> {
        let place = Arc::clone(&self.admitted).try_acquire_owned().map_err(|_| HasherBusy)?;
        let turn = Arc::clone(&self.running).acquire_owned().await.map_err(|_| HasherBusy)?;
        let params = self.params.clone();
        let work = tokio::task::spawn_blocking(move || {
            let result = job(params);
            drop((turn, place));
            result
        });
        // The work neither panics nor is aborted; a runtime that shuts down may drop it before it starts.
        work.await.map_err(|_| HasherBusy)
    }
}

impl fmt::Debug for Argon2Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Argon2Hasher").field("params", &self.params).finish_non_exhaustive()
    }
}

#[async_trait]
impl PasswordHasher for Argon2Hasher {
    async fn hash(&self, password: Secret<String>, salt: [u8; 16]) -> Result<PasswordHash, HasherBusy> {
        self.run(move |params| hash(params, &password, &salt)).await
    }

    async fn compare(&self, password: Secret<String>, stored: Option<PasswordHash>) -> Result<Comparison, HasherBusy> {
        self.run(move |params| compare(&params, &password, stored.as_ref())).await
    }
}

#[expect(
    clippy::expect_used,
    reason = "the parameters were checked when the hasher was made, and the salt has its length"
)]
fn hash(params: Params, password: &Secret<String>, salt: &[u8; 16]) -> PasswordHash {
    let hash: phc::PasswordHash = Argon2::default()
        .hash_password_customized(
            password.expose().as_bytes(),
            salt,
            Some(Algorithm::Argon2id.as_str()),
            Some(Version::V0x13.into()),
            params,
        )
        .expect("a hash under checked parameters");
    PasswordHash(Secret::new(hash.to_string()))
}

fn compare(params: &Params, password: &Secret<String>, stored: Option<&PasswordHash>) -> Comparison {
    let stored = stored.and_then(|hash| phc::PasswordHash::new(hash.0.expose()).ok());
    let (hash, known) = match stored {
        Some(hash) => (hash, true),
        None => (decoy(params), false),
    };
    let equal = Argon2::default().verify_password(password.expose().as_bytes(), &hash).is_ok();
    let fits = password.expose().len() <= MAX_PASSWORD_BYTES;
    Comparison { matches: equal && known && fits, outdated: known && is_outdated(&hash, params) }
}

/// Costs as much to compare with as a real hash of today. It need not be the hash of anything, so making it is free.
#[expect(clippy::expect_used, reason = "the parts are constants of the right lengths, the parameters were checked")]
fn decoy(params: &Params) -> phc::PasswordHash {
    phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: phc::ParamsString::try_from(params).expect("parameters as text"),
        salt: Some(phc::Salt::new(&[0; 16]).expect("a salt of 16 bytes")),
        hash: Some(phc::Output::new(&[0; OUTPUT_BYTES]).expect("an output of 32 bytes")),
    }
}

fn is_outdated(hash: &phc::PasswordHash, today: &Params) -> bool {
    let parts = |params: &Params| (params.m_cost(), params.t_cost(), params.p_cost());
    hash.algorithm != Algorithm::Argon2id.ident()
        || hash.version != Some(Version::V0x13.into())
        || Params::try_from(hash).map_or(true, |params| parts(&params) != parts(today))
}

#[cfg(test)]
mod tests;
