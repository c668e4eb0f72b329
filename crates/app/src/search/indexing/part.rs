//! One part of what is still to be done in a workspace.

use super::{load::load, obstacle::Obstacle, rest::Rest};
use crate::{call::Call, engine::Engine, outcome::AppResult, scope::View};
use octavo_core_model::{
    Timestamp,
    id::WorkspaceId,
    page::{Page, PageKind},
};
use octavo_ports::search::{SearchIndex, Unit, UnitKey};
use std::collections::BTreeSet;

/// About how many bytes of texts a part has.
const BYTES: u64 = 4 << 20;

/// How many pages or other units a part has.
const UNITS: u32 = 300;

/// How many records or threads a part has.
const SMALL_UNITS: u32 = 1_000;

/// What a part changes.
#[derive(Debug, Default)]
pub(super) struct Part {
    pub(super) units: Vec<Unit>,
    /// Units that do not exist any more.
    pub(super) removed: Vec<UnitKey>,
    /// How to go on.
    pub(super) next: Option<Rest>,
    pub(super) added: Vec<Rest>,
    pub(super) bytes: u64,
}

/// Units to load, and the rest behind each of them.
#[derive(Default)]
struct Listed {
    keys: Vec<(UnitKey, Rest)>,
    /// The rest behind all of them, if there may be more.
    next: Option<Rest>,
    added: Vec<Rest>,
}

/// Does the first part of a rest.
pub(super) async fn do_part(
    engine: &Engine,
    index: &dyn SearchIndex,
    workspace: WorkspaceId,
    rest: Rest,
    now: Timestamp,
) -> Result<Part, Obstacle> {
    let of_index = |keys: Vec<UnitKey>, behind: fn(Rest, UnitKey) -> Rest| {
        let next = (keys.len() >= UNITS as usize).then(|| keys.last().map(|last| behind(rest, *last))).flatten();
        let keys = keys.into_iter().map(|key| (key, behind(rest, key))).collect();
        Listed { keys, next, added: Vec::new() }
    };
    let listed = match rest {
        Rest::Depending(on, after) => {
            let keys = index.list_depending(workspace, on, after, UNITS as usize)?;
            Some(of_index(keys, |rest, key| match rest {
                Rest::Depending(on, _) => Rest::Depending(on, Some(key)),
                other => other,
            }))
        }
        Rest::Gone(after) => {
            let listed = index.list(workspace, after, UNITS as usize)?;
            Some(of_index(listed.into_iter().map(|unit| unit.key).collect(), |_, key| Rest::Gone(Some(key))))
        }
        Rest::Pages(_) | Rest::Comments(_) | Rest::Records(..) | Rest::Below(..) => None,
    };
    let only_gone = matches!(rest, Rest::Gone(_));
    let part = engine.read(Call::system(now), move |view| {
        Box::pin(async move {
            let listed = match listed {
                Some(listed) => listed,
                None => list(view, workspace, rest).await?,
            };
            load_part(view, workspace, listed).await
        })
    });
    let mut part = part.await?;
    if only_gone {
        // What exists is indexed.
        part.units.clear();
    }
    Ok(part)
}

async fn load_part(view: &mut View, workspace: WorkspaceId, listed: Listed) -> AppResult<Part> {
    let keys: Vec<_> = listed.keys.iter().map(|(key, _)| *key).collect();
    if keys.is_empty() {
        return Ok(Part { next: listed.next, added: listed.added, ..Part::default() });
    }
    let loaded = load(view, workspace, &keys, BYTES).await?;
    let done = &listed.keys[..keys.len() - loaded.rest.len()];
    let there: BTreeSet<_> = loaded.units.iter().map(|unit| unit.key).collect();
    let removed = done.iter().map(|(key, _)| *key).filter(|key| !there.contains(key)).collect();
    let next = if loaded.rest.is_empty() { listed.next } else { done.last().map(|(_, rest)| *rest) };
    Ok(Part { units: loaded.units, removed, next, added: listed.added, bytes: loaded.bytes })
}

async fn list(view: &mut View, workspace: WorkspaceId, rest: Rest) -> AppResult<Listed> {
    let mut listed = Listed::default();
    match rest {
        Rest::Pages(after) => {
            let nodes = view.tx.pages().list_by_age(workspace, after, UNITS).await?;
            if nodes.len() >= UNITS as usize {
                listed.next = nodes.last().map(|last| Rest::Pages(Some(last.id)));
            }
            // Records are listed with their databases, whether or not their pages have rows.
            listed.add_nodes(nodes.iter().filter(|node| node.kind != PageKind::Record), |node| {
                Rest::Pages(Some(node.id))
            });
        }
        Rest::Comments(after) => {
            let comments = view.tx.comments().list_by_age(workspace, after, SMALL_UNITS).await?;
            if comments.len() >= SMALL_UNITS as usize {
                listed.next = comments.last().map(|last| Rest::Comments(Some(*last)));
            }
            listed.keys.extend(comments.into_iter().map(|id| (UnitKey::Comment(id), Rest::Comments(Some(id)))));
        }
        Rest::Records(database, after) => {
            let bags = view.tx.records().list_bags(workspace, database, after, SMALL_UNITS).await?;
            if bags.len() >= SMALL_UNITS as usize {
                listed.next = bags.last().map(|(last, _)| Rest::Records(database, Some(*last)));
            }
            let ids = bags.into_iter().map(|(id, _)| id);
            listed.keys.extend(ids.map(|id| (UnitKey::Record(id), Rest::Records(database, Some(id)))));
        }
        Rest::Below(page, after) => {
            let mut ids = view.tx.pages().list_ids_below(workspace, page).await?;
            ids.sort_unstable();
            ids.retain(|id| after.is_none_or(|after| *id > after));
            let has_more = ids.len() > UNITS as usize;
            ids.truncate(UNITS as usize);
            listed.next = ids.last().filter(|_| has_more).map(|last| Rest::Below(page, Some(*last)));
            let mut nodes = view.tx.pages().list_by_id(workspace, &ids).await?;
            nodes.sort_unstable_by_key(|node| node.id);
            listed.add_nodes(nodes.iter(), |node| Rest::Below(page, Some(node.id)));
        }
        Rest::Depending(..) | Rest::Gone(_) => {}
    }
    Ok(listed)
}

impl Listed {
    fn add_nodes<'a>(&mut self, nodes: impl Iterator<Item = &'a Page>, behind: impl Fn(&Page) -> Rest) {
        for node in nodes {
            let key = match node.kind {
                PageKind::Page => UnitKey::Page(node.id),
                PageKind::Database => {
                    self.added.push(Rest::Records(node.id.as_database(), None));
                    UnitKey::Database(node.id.as_database())
                }
                PageKind::Record => UnitKey::Record(node.id.as_record()),
            };
            self.keys.push((key, behind(node)));
        }
    }
}
