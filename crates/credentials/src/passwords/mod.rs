//! argon2id on the compute pool: a separate kind of job, so that signing in does not wait for documents.

mod memory;

use self::memory::Memory;
use argon2::{Algorithm, Argon2, Params, Version, password_hash::phc};
use async_trait::async_trait;
use octavo_core_model::Secret;
use octavo_ports::{
    compute::{ComputePool, WorkKind, WorkOwner, compute},
    passwords::{Comparison, HasherBusy, PasswordHash, PasswordHasher},
};
use std::{fmt, sync::Arc, time::Duration};

/// How long hashing a password may take, including waiting.
const LONGEST: Duration = Duration::from_secs(10);

/// A longer password never matches, because none is ever set.
const MAX_PASSWORD_BYTES: usize = 512;

const LANES: u32 = 1;
const OUTPUT_BYTES: usize = 32;

/// The cost of one hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct HashingCost {
    pub memory_kib: u32,
    pub passes: u32,
}

/// argon2 does not support this cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("argon2 needs at least 8 KiB of memory and one pass")]
pub struct InvalidCost;

/// Hashes with argon2id.
#[derive(Clone)]
pub struct Argon2Hasher {
    params: Params,
    pool: Arc<dyn ComputePool>,
    memory: Arc<Memory>,
}

impl Argon2Hasher {
    /// The pool should hash on as many threads as there are cores: more would only share the cores and use more
    /// memory.
    pub fn new(cost: HashingCost, pool: Arc<dyn ComputePool>) -> Result<Self, InvalidCost> {
        let params = Params::new(cost.memory_kib, cost.passes, LANES, Some(OUTPUT_BYTES)).map_err(|_| InvalidCost)?;
        Ok(Self { params, pool, memory: Arc::default() })
    }

    async fn run<T: Send + 'static>(
        &self,
        owner: WorkOwner,
        job: impl FnOnce(Params, &Memory) -> T + Send + 'static,
    ) -> Result<T, HasherBusy> {
        self.memory.release_when_idle();
        let (params, memory) = (self.params.clone(), Arc::clone(&self.memory));
        let work = move |_: &_| job(params, &memory);
        let reservation = self.pool.reserve(WorkKind::Hashing, owner).map_err(|_| HasherBusy)?;
        match compute(&*self.pool, reservation, LONGEST, work).await {
            Ok((result, _)) => Ok(result),
            // Hashing does not fail; but a runtime that shuts down may drop a job before it starts.
            Err(_) => Err(HasherBusy),
        }
    }
}

impl fmt::Debug for Argon2Hasher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Argon2Hasher").field("params", &self.params).finish_non_exhaustive()
    }
}

#[async_trait]
impl PasswordHasher for Argon2Hasher {
    async fn hash(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        salt: [u8; 16],
    ) -> Result<PasswordHash, HasherBusy> {
        self.run(owner, move |params, memory| hash(&params, &password, &salt, memory)).await
    }

    async fn compare(
        &self,
        owner: WorkOwner,
        password: Secret<String>,
        stored: Option<PasswordHash>,
    ) -> Result<Comparison, HasherBusy> {
        self.run(owner, move |params, memory| compare(&params, &password, stored.as_ref(), memory)).await
    }
}

fn hash(params: &Params, password: &Secret<String>, salt: &[u8; 16], memory: &Memory) -> PasswordHash {
    let mut hash = blank(params, salt);
    hash.hash = output(&hash, password, memory);
    PasswordHash(Secret::new(hash.to_string()))
}

fn compare(params: &Params, password: &Secret<String>, stored: Option<&PasswordHash>, memory: &Memory) -> Comparison {
    let stored = stored.and_then(|hash| phc::PasswordHash::new(hash.0.expose()).ok());
    let known = stored.is_some();
    // Comparing with nothing takes as long as comparing with a present hash.
    let hash = stored.unwrap_or_else(|| blank(params, &[0; 16]));
    // Outputs are compared in constant time.
    let equal = output(&hash, password, memory).is_some_and(|output| hash.hash.is_some_and(|stored| output == stored));
    let fits = password.expose().len() <= MAX_PASSWORD_BYTES;
    Comparison { matches: equal && known && fits, outdated: known && is_outdated(&hash, params) }
}

/// The hash of a password with the salt and cost of another hash; `None` if argon2 does not support them.
fn output(hash: &phc::PasswordHash, password: &Secret<String>, memory: &Memory) -> Option<phc::Output> {
    let algorithm = Algorithm::try_from(hash.algorithm.as_str()).ok()?;
    let version = hash.version.map_or(Ok(Version::default()), Version::try_from).ok()?;
    let params = Params::try_from(hash).ok()?;
    let salt = hash.salt.as_ref()?;
    let blocks = params.block_count();
    let mut output = vec![0; params.output_len().unwrap_or(OUTPUT_BYTES)];
    let argon2 = Argon2::new(algorithm, version, params);
    let password = password.expose().as_bytes();
    memory.run(blocks, |blocks| argon2.hash_password_into_with_memory(password, salt, &mut output, blocks)).ok()?;
    phc::Output::new(&output).ok()
}

/// A hash with the present cost and a salt, but without an output.
#[expect(clippy::expect_used, reason = "the salt has its length and the parameters were checked")]
fn blank(params: &Params, salt: &[u8; 16]) -> phc::PasswordHash {
    phc::PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: phc::ParamsString::try_from(params).expect("parameters as text"),
        salt: Some(phc::Salt::new(salt).expect("a salt of 16 bytes")),
        hash: None,
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
