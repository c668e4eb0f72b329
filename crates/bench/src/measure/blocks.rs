//! Blocks: reading a page with a thousand of them, changing one among few and among many, and comparing a batch with
//! the raw engine.

use super::BenchContext;
use crate::account::Account;
use crate::engine::{Database, refused, threads};
use crate::insert::{BATCH, RawBlocks};
use crate::load::Load;
use crate::people::{NOW, scattered};
use crate::rounds::Comparison;
use crate::sample::Series;
use crate::server::Server;
use crate::table::{Figure, Row, Target, against, alone};
use anyhow::Result;
use octavo_blocks_tree::{Block, Body, Kind, RichText};
use octavo_core_model::{
    id::{BlockId, PageId, UserId, WorkspaceId},
    page::{Node, Page, PageKind},
    position::Position,
    text::PageTitle,
};
use octavo_ports::store::{Record, Store};
use octavo_storage::Options;
use std::time::Duration;

const READERS: usize = 4;
/// The number of blocks on the page that is read: ten at the top level and the rest in them.
const READ: usize = 1_000;
const FEW: usize = 10;
const MANY: usize = 10_000;
/// The number of pages that batches fill in turn: a page holds the blocks of a hundred batches.
const FILLED: u64 = 256;
/// Below the thousand rows that a unit may insert.
const IN_A_UNIT: usize = 500;

struct Setup<'a> {
    bench: &'a BenchContext<'a>,
    server: Server,
    owner: Account,
    /// A page with a thousand blocks, one with few, and one with many.
    pages: [PageId; 3],
    empty_pages: Vec<PageId>,
    database: Database,
}

impl<'a> Setup<'a> {
    fn set(bench: &'a BenchContext<'a>) -> Result<Self> {
        let folder = bench.folder("blocks")?;
        let database = bench.engine.database(&folder)?;
        let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
        let owner = Account::register(&server, 0)?;
        let page = |number| PageId::new(NOW.millis(), scattered(number));
        let pages = [0, 1, 2].map(page);
        let empty_pages: Vec<_> = (3..3 + FILLED).map(page).collect();
        threads()?.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            let filled = pages.into_iter().zip([READ, FEW, MANY]);
            for (page, count) in filled.chain(empty_pages.iter().map(|page| (*page, 0))) {
                insert_tree(&*store, (owner.workspace, owner.user, page), count).await?;
            }
            anyhow::Ok(())
        })?;
        database.analyze()?;
        Ok(Self { bench, server, owner, pages, empty_pages, database })
    }

    /// Reads the page with a thousand blocks.
    fn reading(&self, who: &str, clients: usize, target: Target) -> Result<Row> {
        let path = format!("/api/v1/pages/{}/blocks", self.pages[0]);
        let read = self.bench.load(&self.server, clients, &[self.owner.read_in(self.owner.workspace, &path)]);
        // The first round is a warm-up and does not count.
        read.run()?;
        let series = Series((0..self.bench.effort.rounds).map(|_| read.run()).collect::<Result<_>>()?);
        Ok(Row {
            work: format!("read a page of {READ} blocks as a tree, {who}, p95"),
            engine: self.bench.engine.name(),
            target,
            figure: Figure::Time(series.percentile(0.95)),
            detail: alone(&series),
        })
    }

    /// Switches the text of one block back and forth.
    fn change(&self, page: PageId) -> Load {
        let path = format!("/api/v1/blocks/{}", block_id(page, 0));
        let to = |text: &str| self.owner.patch_in(self.owner.workspace, &path, &format!(r#"{{"content":"{text}"}}"#));
        self.bench.load(&self.server, 1, &[to("one way"), to("the other way")])
    }

    fn batch(&self) -> Load {
        let operation = r#"{"op":"upsert","block":{"type":"paragraph","content":"A line of an ordinary length, as people write them."}}"#;
        let operations = vec![operation; BATCH].join(",");
        let post = |page: &PageId| {
            let body = format!(r#"{{"pageId":"{page}","ops":[{operations}]}}"#);
            self.owner.post_in(self.owner.workspace, "/api/v1/blocks", &body)
        };
        self.bench.load(&self.server, 1, &self.empty_pages.iter().map(post).collect::<Vec<_>>())
    }
}

fn block_id(page: PageId, number: usize) -> BlockId {
    let mut random = scattered(u64::try_from(number).unwrap_or(u64::MAX));
    // Ids must be unique in a workspace.
    random[9] ^= page.to_string().bytes().last().unwrap_or_default();
    random[8] ^= page.to_string().as_bytes().get(20).copied().unwrap_or_default();
    BlockId::new(NOW.millis(), random)
}

async fn insert_tree(
    store: &dyn Store,
    (workspace, owner, page): (WorkspaceId, UserId, PageId),
    count: usize,
) -> Result<()> {
    let mut unit = store.writer().await.map_err(refused)?;
    unit.pages().insert(&empty_page(workspace, owner, page)).await.map_err(refused)?;
    unit.commit(Record::default()).await.map_err(refused)?;
    let tops = if count == READ { 10 } else { count };
    let blocks: Vec<_> = (0..count)
        .map(|number| {
            let parent = (number >= tops).then(|| block_id(page, number % tops));
            block(workspace, owner, page, number, parent)
        })
        .collect();
    for some in blocks.chunks(IN_A_UNIT) {
        let mut unit = store.writer().await.map_err(refused)?;
        unit.blocks().insert(some).await.map_err(refused)?;
        unit.commit(Record::default()).await.map_err(refused)?;
    }
    Ok(())
}

fn empty_page(workspace: WorkspaceId, owner: UserId, id: PageId) -> Page {
    Page {
        id,
        kind: PageKind::Page,
        workspace,
        team: None,
        container: Node::Workspace(workspace),
        access: Node::Workspace(workspace),
        inherit: true,
        title: PageTitle::from_stored("A page".to_owned()),
        icon: None,
        cover_url: None,
        position: Position::after(None),
        lock: None,
        trash: None,
        grants_version: 1,
        version: 1,
        created_by: Some(owner),
        updated_by: Some(owner),
        created_at: NOW,
        updated_at: NOW,
    }
}

fn block(workspace: WorkspaceId, owner: UserId, page: PageId, number: usize, parent: Option<BlockId>) -> Block {
    let text = RichText::plain(format!("Line {number} of an ordinary length, as people write them."));
    Block {
        id: block_id(page, number),
        workspace,
        page,
        parent,
        position: Position::from_stored(format!("a{number:05}1")),
        body: Body::with_text(Kind::Paragraph, text),
        version: 1,
        since: 1,
        created_by: Some(owner),
        updated_by: Some(owner),
        created_at: NOW,
        updated_at: NOW,
        deletion: None,
    }
}

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let stage = Setup::set(bench)?;
    let [_, few, many] = stage.pages;
    let one_reader = stage.reading("one client", 1, Target::Within(Duration::from_millis(10)))?;
    let many_readers = stage.reading(&format!("{READERS} clients"), READERS, Target::None)?;
    let (among_few, among_many) = (stage.change(few), stage.change(many));
    let duel = Comparison::run(bench.effort.rounds, || among_few.run(), || among_many.run())?;
    let changing = Row {
        work: format!("change one block of a page of {FEW} and of a page of {MANY}"),
        engine: bench.engine.name(),
        target: Target::AtMost(2.0),
        figure: Figure::Ratio(duel.ratio()),
        detail: against("few", "many", &duel),
    };
    let batch = stage.batch();
    let mut raw = RawBlocks::open(bench.engine, &stage.database)?;
    let time = bench.effort.round;
    let duel = Comparison::run(bench.effort.rounds, || batch.run(), || raw.round(time))?;
    let batches = Row {
        work: format!("a batch of {BATCH} operations against the raw engine's insert of {BATCH} such rows, p95"),
        engine: bench.engine.name(),
        target: Target::AtMost(if bench.engine.name() == "SQLite" { 3.0 } else { 2.5 }),
        figure: Figure::Ratio(duel.latency_ratio(0.95)),
        detail: against("batch", "raw", &duel),
    };
    Ok(vec![one_reader, many_readers, changing, batches])
}
