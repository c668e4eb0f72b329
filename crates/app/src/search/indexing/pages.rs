//! The texts of pages and databases.

use super::schema_parts;
use crate::{loaded_schemas::schema, outcome::AppResult, scope::Scope};
use octavo_blocks_tree::Block;
use octavo_core_model::{
    id::{BlockId, DatabaseId, PageId, WorkspaceId},
    page::{MAX_BLOCKS, Page},
};
use octavo_databases::Property;
use octavo_ports::{
    search::{Dependency, Place, TextPlace, Unit, UnitKey, UnitText},
    store::Reads,
};
use std::collections::{BTreeMap, BTreeSet};

/// How many bytes of synced blocks of other pages count as texts of the units that are loaded together.
const MAX_BORROWED: u64 = 16 << 20;

/// The texts of the blocks of pages, and the pages that some of them come from.
#[derive(Debug, Default)]
pub(super) struct PageTexts {
    pub(super) texts: Vec<UnitText>,
    pub(super) depends_on: BTreeSet<Dependency>,
}

pub(super) async fn units_of_pages<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    pages: &[&Page],
) -> AppResult<Vec<Unit>> {
    let ids: Vec<_> = pages.iter().map(|page| page.id).collect();
    let mut blocks = texts_of_blocks(scope, workspace, &ids).await?;
    let unit = |page: &&Page| {
        let blocks = blocks.remove(&page.id).unwrap_or_default();
        let texts = [title(page)].into_iter().chain(blocks.texts).collect();
        unit_of(page, UnitKey::Page(page.id), texts, blocks.depends_on.into_iter().collect())
    };
    Ok(pages.iter().map(unit).collect())
}

pub(super) async fn units_of_databases<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    nodes: &[&Page],
) -> AppResult<Vec<Unit>> {
    let ids: Vec<_> = nodes.iter().map(|node| node.id.as_database()).collect();
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut properties: BTreeMap<DatabaseId, Vec<Property>> = BTreeMap::new();
    for property in scope.tx.databases().list_properties(workspace, &ids).await? {
        properties.entry(property.database).or_default().push(property);
    }
    let found = scope.tx.databases().list_by_id(workspace, &ids).await?;
    let mut found: BTreeMap<_, _> = found.into_iter().map(|database| (database.id, database)).collect();
    let unit = |node: &&Page| {
        let id = node.id.as_database();
        let database = found.remove(&id)?;
        let schema = schema(&database, properties.remove(&id).unwrap_or_default());
        let parts = schema_parts::of(&schema, database.schema.epoch);
        let description = database.description.as_ref().map(|description| UnitText {
            place: TextPlace::Text(None),
            text: description.as_str().to_owned(),
            source: None,
        });
        let texts = [title(node)].into_iter().chain(description).collect();
        let mut unit = unit_of(node, UnitKey::Database(id), texts, parts);
        unit.updated_at = database.updated_at;
        Some(unit)
    };
    Ok(nodes.iter().filter_map(unit).collect())
}

fn title(page: &Page) -> UnitText {
    UnitText { place: TextPlace::Title, text: page.title.as_str().to_owned(), source: None }
}

fn unit_of(page: &Page, key: UnitKey, texts: Vec<UnitText>, depends_on: Vec<Dependency>) -> Unit {
    Unit {
        key,
        place: Place { page: page.id.into(), database: None },
        is_archived: false,
        created_by: page.created_by,
        updated_by: page.updated_by,
        created_at: page.created_at,
        updated_at: page.updated_at,
        texts,
        depends_on,
    }
}

/// The texts of the blocks of pages, with those that instances show. At most three statements.
pub(super) async fn texts_of_blocks<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    pages: &[PageId],
) -> AppResult<BTreeMap<PageId, PageTexts>> {
    if pages.is_empty() {
        return Ok(BTreeMap::new());
    }
    let limit = u32::try_from(pages.len().saturating_mul(MAX_BLOCKS)).unwrap_or(u32::MAX);
    let blocks = scope.tx.blocks().list_of_pages(workspace, pages, limit).await?;
    let mut texts: BTreeMap<PageId, PageTexts> = BTreeMap::new();
    let mut shown: BTreeMap<BlockId, Vec<(PageId, BlockId)>> = BTreeMap::new();
    for block in &blocks {
        texts.entry(block.page).or_default().texts.extend(texts_of(block, block.id, None));
        if let Some(source) = block.body.source() {
            let instances = shown.entry(source).or_default();
            // A page that shows a block twice is found by it once.
            if instances.iter().all(|(page, _)| *page != block.page) {
                instances.push((block.page, block.id));
            }
        }
    }
    for source in borrowed(scope, workspace, &shown).await? {
        for (page, instance) in shown.get(&source.id).into_iter().flatten() {
            let of_page = texts.entry(*page).or_default();
            if *page == source.page {
                continue;
            }
            let place = Place { page: source.page.into(), database: None };
            of_page.texts.extend(texts_of(&source, *instance, Some(place)));
            of_page.depends_on.insert(Dependency::Blocks(source.page));
        }
    }
    Ok(texts)
}

fn texts_of(block: &Block, shown_as: BlockId, source: Option<Place>) -> impl Iterator<Item = UnitText> {
    let place = TextPlace::Text(Some(shown_as));
    block.body.prose().map(move |text| UnitText { place, text: text.to_owned(), source })
}

/// The sources of instances, as far as there is room for them. Two statements, or none.
async fn borrowed<T: Reads + ?Sized>(
    scope: &mut Scope<T>,
    workspace: WorkspaceId,
    shown: &BTreeMap<BlockId, Vec<(PageId, BlockId)>>,
) -> AppResult<Vec<Block>> {
    if shown.is_empty() {
        return Ok(Vec::new());
    }
    let sources: Vec<_> = shown.keys().copied().collect();
    let mut bytes = 0;
    let mut fitting = Vec::new();
    for location in scope.tx.blocks().list_locations(workspace, &sources).await? {
        let instances = shown.get(&location.id).map_or(0, Vec::len) as u64;
        if !location.is_deleted && bytes + location.bytes * instances <= MAX_BORROWED {
            bytes += location.bytes * instances;
            fitting.push(location.id);
        }
    }
    if fitting.is_empty() {
        return Ok(Vec::new());
    }
    let found = scope.tx.blocks().find(workspace, &fitting).await?;
    Ok(found.into_iter().filter(|block| block.deletion.is_none()).collect())
}
