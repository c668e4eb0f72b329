//! The signed end of an audit trail, and the key that signs it.

use super::enter;
use crate::{
    call::Call,
    engine::Engine,
    outcome::AppResult,
    scope::{Unit, View},
};
use octavo_core_model::{
    Fault, Secret, Timestamp,
    audit::{AuditHead, ChainLink},
    canonical_json::canonical,
    event::Chain,
};
use octavo_ports::{
    signatures::Signatures,
    signing_keys::{KeyPurpose, SigningKey},
};
use octavo_sealing::Keyring;
use serde_json::{Value, json};

/// The head of a trail at a point in time, with this deployment's signature.
#[derive(Clone, Debug)]
pub struct SignedHead {
    pub chain: Chain,
    pub last: ChainLink,
    /// The time of the signature.
    pub at: Timestamp,
    pub pruned: Option<ChainLink>,
    /// A compact JWS over all of the above.
    pub jws: String,
}

/// The public half of the key that signs heads of trails, as a JWK.
pub type AuditKey = Value;

/// Returns the signed head of the workspace's trail. Creates the key if there is none yet.
pub async fn signed_head(engine: &Engine, call: Call, signatures: &dyn Signatures) -> AppResult<SignedHead> {
    let at = call.now;
    let (chain, head, key) = engine.read(call, |view| Box::pin(find(view))).await?;
    let key = match key {
        Some(key) => key,
        None => make_key(engine, at, signatures).await?,
    };
    let seed = open_seed(&engine.keyring(), &key)?;
    let AuditHead { last, pruned } = head;
    let pruned = (pruned.seq > 0).then_some(pruned);
    let payload = canonical(&json!({
        "chain": chain.to_string(),
        "seq": last.seq,
        "hash": last.hash,
        "at": at,
        "prunedThrough": pruned.as_ref().map(|link| json!({ "seq": link.seq, "hash": link.hash })),
    }));
    let jws = signatures.sign(&seed, &payload);
    Ok(SignedHead { chain, last, at, pruned, jws })
}

async fn find(view: &mut View) -> AppResult<(Chain, AuditHead, Option<SigningKey>)> {
    let chain = enter(view).await?;
    let head = view.tx.audits().find_head(chain).await?.unwrap_or_else(AuditHead::origin);
    Ok((chain, head, find_key(view).await?))
}

/// The key to publish. It is created on first use and never changes.
pub async fn published_key(engine: &Engine, now: Timestamp, signatures: &dyn Signatures) -> AppResult<AuditKey> {
    match engine.read(Call::system(now), |view| Box::pin(find_key(view))).await? {
        Some(key) => Ok(key.public),
        None => Ok(make_key(engine, now, signatures).await?.public),
    }
}

async fn find_key(view: &mut View) -> AppResult<Option<SigningKey>> {
    Ok(view.tx.signing_keys().find(KeyPurpose::Audit).await?)
}

async fn make_key(engine: &Engine, now: Timestamp, signatures: &dyn Signatures) -> AppResult<SigningKey> {
    let seed = Secret::new(engine.random().bytes::<32>());
    let public = signatures.public_key(&seed);
    engine.chore(now, move |unit| Box::pin(keep_key(unit, seed, public))).await
}

/// If several servers create a key at once, one of them wins and all use its key.
async fn keep_key(unit: &mut Unit, seed: Secret<[u8; 32]>, public: Value) -> AppResult<SigningKey> {
    let purpose = KeyPurpose::Audit;
    let sealed = unit.seal(purpose.name().as_bytes(), seed.expose());
    let key = SigningKey { purpose, public, sealed, created_at: unit.call.now };
    if unit.tx.signing_keys().insert(&key).await? {
        return Ok(key);
    }
    let winner = unit.tx.signing_keys().find(purpose).await?;
    winner.ok_or_else(|| Fault::Internal("a signing key is taken and not there").into())
}

fn open_seed(keyring: &Keyring, key: &SigningKey) -> AppResult<Secret<[u8; 32]>> {
    let seed = keyring.open(key.purpose.name().as_bytes(), &key.sealed).ok();
    let seed = seed.and_then(|seed| <[u8; 32]>::try_from(seed).ok());
    let closed = Fault::Internal("the signing key of the audit trail cannot be opened with the present secret key");
    Ok(Secret::new(seed.ok_or(closed)?))
}
