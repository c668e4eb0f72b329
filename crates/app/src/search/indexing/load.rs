//! Loads units as the index gets them, with all their texts.

use super::{pages, records};
use crate::{outcome::AppResult, scope::Scope};
use octavo_core_model::{
    comment::Comment,
    id::{CommentId, DatabaseId, PageId, RecordId, WorkspaceId},
    page::{Page, PageKind},
};
use octavo_ports::{
    search::{NodeKey, Place, TextPlace, Unit, UnitKey, UnitText},
    store::Reads,
};
use std::collections::{BTreeMap, BTreeSet};

/// Units, and those for which there was no room.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// Those that exist.
    pub units: Vec<Unit>,
    /// About how many bytes their texts have.
    pub bytes: u64,
    /// What was not looked at, because the texts before it were long enough.
    pub rest: Vec<UnitKey>,
}

/// Loads units with all their texts, also borrowed ones that not everybody may see, until these have about so many bytes. The
/// first unit is loaded however large it is. At most about fifteen statements, and one for each database and each of
/// its relations.
pub async fn load<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    keys: &[UnitKey],
    bytes: u64,
) -> AppResult<Loaded> {
    let with_blocks: Vec<_> = keys.iter().filter_map(|key| page_of(*key)).collect();
    let sizes: BTreeMap<PageId, u64> = if with_blocks.is_empty() {
        BTreeMap::new()
    } else {
        scope.tx.blocks().measure_pages(workspace, &with_blocks).await?.into_iter().collect()
    };
    let (mut total, mut fitting) = (0, 0);
    for key in keys {
        let size = page_of(*key).and_then(|page| sizes.get(&page)).copied().unwrap_or_default();
        if fitting > 0 && total + size > bytes {
            break;
        }
        total += size;
        fitting += 1;
    }
    let (keys, rest) = keys.split_at(fitting);
    let mut units = Vec::with_capacity(keys.len());
    let chosen = Chosen::of(keys);
    let found = if chosen.nodes.is_empty() {
        Vec::new()
    } else {
        scope.tx.pages().list_by_id(workspace, &chosen.nodes).await?
    };
    let nodes = |kind| found.iter().filter(move |page: &&Page| page.kind == kind);
    let of_pages: Vec<_> = nodes(PageKind::Page).collect();
    units.extend(pages::units_of_pages(scope, workspace, &of_pages).await?);
    let of_databases: Vec<_> = nodes(PageKind::Database).collect();
    units.extend(pages::units_of_databases(scope, workspace, &of_databases).await?);
    units.extend(records::units_of_records(scope, workspace, &chosen.records).await?);
    units.extend(units_of_comments(scope, workspace, &chosen.comments).await?);
    let wanted: BTreeSet<_> = keys.iter().copied().collect();
    units.retain(|unit| wanted.contains(&unit.key));
    Ok(Loaded { units, bytes: total, rest: rest.to_vec() })
}

/// The page whose blocks belong to a unit.
const fn page_of(key: UnitKey) -> Option<PageId> {
    match key {
        UnitKey::Page(id) => Some(id),
        UnitKey::Record(id) => Some(id.page()),
        UnitKey::Database(_) | UnitKey::Comment(_) => None,
    }
}

/// Keys by their kinds.
#[derive(Default)]
struct Chosen {
    /// Pages and databases.
    nodes: Vec<PageId>,
    records: Vec<RecordId>,
    comments: Vec<CommentId>,
}

impl Chosen {
    fn of(keys: &[UnitKey]) -> Self {
        let mut chosen = Self::default();
        for key in keys {
            match *key {
                UnitKey::Page(id) => chosen.nodes.push(id),
                UnitKey::Database(id) => chosen.nodes.push(DatabaseId::node(id)),
                UnitKey::Record(id) => chosen.records.push(id),
                UnitKey::Comment(id) => chosen.comments.push(id),
            }
        }
        chosen
    }
}

async fn units_of_comments<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    ids: &[CommentId],
) -> AppResult<Vec<Unit>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let comments = scope.tx.comments().list_by_id(workspace, ids).await?;
    let answered: Vec<_> =
        comments.iter().filter(|comment| comment.reply_count > 0).map(|comment| comment.id).collect();
    let mut replies: BTreeMap<_, Vec<_>> = BTreeMap::new();
    if !answered.is_empty() {
        for reply in scope.tx.comments().list_replies(workspace, &answered).await? {
            replies.entry(reply.comment).or_default().push(reply.body);
        }
    }
    let databases = databases_of_pages(scope, workspace, comments.iter().map(|comment| comment.page)).await?;
    let unit = |comment: Comment| {
        let replies = replies.remove(&comment.id).unwrap_or_default();
        let bodies = [comment.body].into_iter().chain(replies);
        let text = |body: octavo_core_model::text::CommentText| UnitText {
            place: TextPlace::Comment,
            text: body.as_str().to_owned(),
            source: None,
        };
        Unit {
            key: UnitKey::Comment(comment.id),
            place: Place { page: comment.page.into(), database: databases.get(&comment.page).copied() },
            is_archived: false,
            created_by: Some(comment.author),
            updated_by: Some(comment.author),
            created_at: comment.created_at,
            updated_at: comment.updated_at,
            texts: bodies.map(text).collect(),
            depends_on: Vec::new(),
        }
    };
    Ok(comments.into_iter().map(unit).collect())
}

/// The databases of the pages that belong to records. Such a page gets its row with the first comment on it, and no event
/// says so.
async fn databases_of_pages<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    pages: impl Iterator<Item = PageId>,
) -> AppResult<BTreeMap<PageId, NodeKey>> {
    let pages = Vec::from_iter(pages.collect::<BTreeSet<_>>());
    let found = scope.tx.pages().list_by_id(workspace, &pages).await?.into_iter();
    let records = found.filter(|page| page.kind == PageKind::Record);
    Ok(records.filter_map(|page| Some((page.id, page.container.page()?.into()))).collect())
}
