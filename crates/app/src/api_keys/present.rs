//! Recognising the API key that a call presents.

use crate::{call::Call, engine::Engine, outcome::AppResult};
use octavo_core_model::{
    Timestamp, TokenHash,
    api_key::{KeyText, PresentedKey},
    fault::Unknown,
    id::WorkspaceId,
};
use std::{
    collections::BTreeMap,
    sync::{Mutex, MutexGuard, PoisonError},
};

/// How many keys each half remembers.
const HALF: usize = 8192;

/// Remembers the workspace of recently used keys. That workspace never changes, so the memory saves a statement and
/// cannot go stale; whatever can change about a key is read on every call.
#[derive(Debug, Default)]
pub struct KnownKeys(Mutex<Halves>);

/// When the young half is full, it becomes the old one, whose keys are forgotten unless they are used again. That
/// bounds the memory and keeps busy keys in it.
#[derive(Debug, Default)]
struct Halves {
    young: BTreeMap<TokenHash, WorkspaceId>,
    old: BTreeMap<TokenHash, WorkspaceId>,
}

impl KnownKeys {
    fn workspace_of(&self, hash: &TokenHash) -> Option<WorkspaceId> {
        let mut halves = self.halves();
        if let Some(known) = halves.young.get(hash) {
            return Some(*known);
        }
        let known = halves.old.remove(hash)?;
        halves.remember(*hash, known);
        Some(known)
    }

    fn remember(&self, hash: TokenHash, workspace: WorkspaceId) {
        self.halves().remember(hash, workspace);
    }

    fn halves(&self) -> MutexGuard<'_, Halves> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Halves {
    fn remember(&mut self, hash: TokenHash, workspace: WorkspaceId) {
        if self.young.len() >= HALF {
            self.old = std::mem::take(&mut self.young);
        }
        self.young.insert(hash, workspace);
    }
}

/// The key with this text in its present state, or the reason why it is not valid.
///
/// One statement for a key that was seen before, two for others.
pub async fn present(
    engine: &Engine,
    known: &KnownKeys,
    text: KeyText,
    now: Timestamp,
) -> AppResult<Result<PresentedKey, Unknown>> {
    let hash = text.hash();
    let remembered = known.workspace_of(&hash);
    let found = engine
        .read(Call::system(now), move |view| {
            Box::pin(async move {
                let workspace = match remembered {
                    Some(workspace) => Some(workspace),
                    None => view.tx.api_keys().find_workspace(&hash).await?,
                };
                match workspace {
                    Some(workspace) => Ok(view.tx.api_keys().find_presented(workspace, &hash).await?),
                    None => Ok(None),
                }
            })
        })
        .await?;
    let Some(presented) = found else { return Ok(Err(Unknown::TokenMalformed)) };
    if remembered.is_none() {
        known.remember(hash, presented.key.workspace);
    }
    Ok(presented.check(&hash, now).map(|()| presented))
}

/// A key that was presented before, in its present state. One statement.
pub(crate) async fn again(
    engine: &Engine,
    workspace: WorkspaceId,
    hash: TokenHash,
    now: Timestamp,
) -> AppResult<Result<PresentedKey, Unknown>> {
    let found = engine
        .read(Call::system(now), move |view| {
            Box::pin(async move { Ok(view.tx.api_keys().find_presented(workspace, &hash).await?) })
        })
        .await?;
    Ok(found.ok_or(Unknown::KeyRevoked).and_then(|found| found.check(&hash, now).map(|()| found)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn hash(number: usize) -> TokenHash {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&number.to_be_bytes());
        TokenHash::from_bytes(bytes)
    }

    #[test]
    fn known_keys_are_bounded_and_recently_used_ones_stay() {
        let known = KnownKeys::default();
        let workspace = WorkspaceId::new(1, [1; 10]);
        for number in 0..10 * HALF {
            known.remember(hash(number), workspace);
            assert_eq!(known.workspace_of(&hash(0)), Some(workspace), "{number}");
        }
        assert_eq!(known.workspace_of(&hash(1)), None);
        let halves = known.halves();
        assert!(halves.young.len() + halves.old.len() <= 2 * HALF);
    }
}
