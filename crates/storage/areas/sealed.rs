//! Rows whose content is sealed.

use super::Scope;
use crate::{
    schema::{chores, idempotent_replies as replies, share_links as links, signing_keys as keys},
    stored::{Hash32, Stored},
};
use diesel::prelude::*;
use octavo_core_model::{
    chore::Queue,
    id::{JobId, ShareLinkId, WorkspaceId},
};
use octavo_ports::{
    replies::ReplyKey,
    sealed::{Sealed, SealedPlace, SealedRow},
    signing_keys::KeyPurpose,
    store::StoreResult,
};
use octavo_storage_macros::area;

#[area]
impl Sealed for Scope {
    async fn list(&mut self, after: Option<&SealedPlace>, limit: u32) -> StoreResult<Vec<SealedRow>> {
        let found = match after {
            None => self.sealed_chores(None, limit).await?,
            Some(SealedPlace::Chore(queue, id)) => self.sealed_chores(Some((*queue, *id)), limit).await?,
            Some(_) => Vec::new(),
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let found = match after {
            None | Some(SealedPlace::Chore(..)) => self.sealed_replies(None, limit).await?,
            Some(SealedPlace::Reply(key)) => self.sealed_replies(Some(key), limit).await?,
            Some(SealedPlace::SigningKey(_) | SealedPlace::ShareLink(..)) => Vec::new(),
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let found = match after {
            Some(SealedPlace::ShareLink(..)) => Vec::new(),
            Some(SealedPlace::SigningKey(purpose)) => self.sealed_keys(Some(*purpose), limit).await?,
            None | Some(SealedPlace::Chore(..) | SealedPlace::Reply(_)) => self.sealed_keys(None, limit).await?,
        };
        if !found.is_empty() {
            return Ok(found);
        }
        let passed = match after {
            Some(SealedPlace::ShareLink(workspace, id)) => Some((*workspace, *id)),
            _ => None,
        };
        self.sealed_links(passed, limit).await
    }

    async fn replace(&mut self, row: &SealedRow) -> StoreResult<()> {
        let replaced = match &row.place {
            SealedPlace::Chore(queue, id) => {
                let chore = chores::table.find((Stored(*queue), Stored(*id)));
                self.execute(diesel::update(chore).set(chores::payload.eq(&row.sealed)))
            }
            SealedPlace::Reply(key) => {
                let reply = replies::table.find((&key.principal, Hash32(key.key_hash)));
                self.execute(diesel::update(reply).set(replies::sealed.eq(&row.sealed)))
            }
            SealedPlace::SigningKey(purpose) => {
                let key = keys::table.find(Stored(*purpose));
                self.execute(diesel::update(key).set(keys::sealed.eq(&row.sealed)))
            }
            SealedPlace::ShareLink(workspace, id) => {
                let link = links::table.find((Stored(*workspace), Stored(*id)));
                self.execute(diesel::update(link).set(links::sealed_token.eq(&row.sealed)))
            }
        };
        replaced.await.map(drop)
    }
}

impl Scope {
    async fn sealed_chores(&mut self, after: Option<(Queue, JobId)>, limit: u32) -> StoreResult<Vec<SealedRow>> {
        let mut query = chores::table
            .select((chores::queue, chores::id, chores::payload))
            .order((chores::queue, chores::id))
            .limit(limit.into())
            .into_boxed();
        if let Some((queue, id)) = after {
            let later =
                chores::queue.gt(Stored(queue)).or(chores::queue.eq(Stored(queue)).and(chores::id.gt(Stored(id))));
            // Redundant, but lets the index find the place.
            query = query.filter(chores::queue.ge(Stored(queue))).filter(later);
        }
        let rows = self.all::<(Stored<Queue>, Stored<JobId>, Vec<u8>), _>(query).await?.into_iter();
        Ok(rows.map(|(queue, id, sealed)| SealedRow { place: SealedPlace::Chore(queue.0, id.0), sealed }).collect())
    }

    async fn sealed_keys(&mut self, after: Option<KeyPurpose>, limit: u32) -> StoreResult<Vec<SealedRow>> {
        let after = after.map_or("", KeyPurpose::name);
        let query = keys::table
            .filter(keys::purpose.gt(after))
            .select((keys::purpose, keys::sealed))
            .order(keys::purpose)
            .limit(limit.into());
        let rows = self.all::<(Stored<KeyPurpose>, Vec<u8>), _>(query).await?.into_iter();
        Ok(rows.map(|(purpose, sealed)| SealedRow { place: SealedPlace::SigningKey(purpose.0), sealed }).collect())
    }

    async fn sealed_links(
        &mut self,
        after: Option<(WorkspaceId, ShareLinkId)>,
        limit: u32,
    ) -> StoreResult<Vec<SealedRow>> {
        let mut query = links::table
            .select((links::workspace_id, links::id, links::sealed_token))
            .order((links::workspace_id, links::id))
            .limit(limit.into())
            .into_boxed();
        if let Some((workspace, id)) = after {
            let same = links::workspace_id.eq(Stored(workspace));
            let later = links::workspace_id.gt(Stored(workspace)).or(same.and(links::id.gt(Stored(id))));
            query = query.filter(links::workspace_id.ge(Stored(workspace))).filter(later);
        }
        let rows = self.all::<(Stored<WorkspaceId>, Stored<ShareLinkId>, Vec<u8>), _>(query).await?.into_iter();
        let place = |workspace: Stored<WorkspaceId>, id: Stored<ShareLinkId>| SealedPlace::ShareLink(workspace.0, id.0);
        Ok(rows.map(|(workspace, id, sealed)| SealedRow { place: place(workspace, id), sealed }).collect())
    }

    async fn sealed_replies(&mut self, after: Option<&ReplyKey>, limit: u32) -> StoreResult<Vec<SealedRow>> {
        let mut query = replies::table
            .select((replies::principal, replies::key_hash, replies::sealed))
            .order((replies::principal, replies::key_hash))
            .limit(limit.into())
            .into_boxed();
        if let Some(key) = after {
            let same = replies::principal.eq(&key.principal);
            let later = replies::principal.gt(&key.principal).or(same.and(replies::key_hash.gt(Hash32(key.key_hash))));
            query = query.filter(replies::principal.ge(&key.principal)).filter(later);
        }
        let place = |principal, hash: Hash32| SealedPlace::Reply(ReplyKey { principal, key_hash: hash.0 });
        let rows = self.all::<(String, Hash32, Vec<u8>), _>(query).await?.into_iter();
        Ok(rows.map(|(principal, hash, sealed)| SealedRow { place: place(principal, hash), sealed }).collect())
    }
}
