//! Pages of a large workspace: reading one, the tree, what a user may see, a move.

use super::BenchContext;
use crate::account::Account;
use crate::engine::{Database, threads};
use crate::forest::{self, DEEP, GRANTS, MOVED, MeasuredPages, PAGES, Participants, SHARED};
use crate::load::Load;
use crate::people;
use crate::rounds::Comparison;
use crate::sample::Series;
use crate::server::Server;
use crate::table::{Figure, Row, Target, against, alone};
use anyhow::Result;
use octavo_core_model::id::{PageId, WorkspaceId};
use octavo_storage::Options;
use std::time::Duration;

/// Several clients read; moves of one workspace run one after the other anyway.
const READERS: usize = 4;
/// The number of other workspaces, each with its user.
const NEIGHBOURS: u64 = 1_000;

struct Setup<'a> {
    bench: &'a BenchContext<'a>,
    server: Server,
    owner: Account,
    member: Account,
    guest: Account,
    workspace: WorkspaceId,
    /// A workspace in which the member has as many private pages as the other one has pages.
    private: WorkspaceId,
    landmarks: MeasuredPages,
    /// Removed when this is dropped, after the server.
    _database: Database,
}

impl<'a> Setup<'a> {
    fn set(bench: &'a BenchContext<'a>) -> Result<Self> {
        let folder = bench.folder("pages")?;
        let database = bench.engine.database(&folder)?;
        threads()?.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            people::register(&store, 0..NEIGHBOURS).await
        })?;
        let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
        let account = |number| Account::register(&server, number);
        let (owner, member, guest, other) = (account(0)?, account(1)?, account(2)?, account(3)?);
        let workspace = owner.workspace;
        let participants = Participants { workspace, owner: owner.user, member: member.user, guest: guest.user };
        let landmarks = threads()?.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            let private = Participants { workspace: other.workspace, owner: other.user, ..participants };
            forest::insert_private_forest(&*store, private).await?;
            forest::insert_forest(&*store, participants).await
        })?;
        database.analyze()?;
        Ok(Self {
            bench,
            server,
            owner,
            member,
            guest,
            workspace,
            private: other.workspace,
            landmarks,
            _database: database,
        })
    }

    fn read(&self, who: &Account, path: &str) -> Load {
        self.bench.load(&self.server, READERS, &[who.read_in(self.workspace, path)])
    }

    fn get(&self, page: PageId) -> Load {
        self.read(&self.owner, &format!("/api/v1/pages/{page}"))
    }

    /// Moves a page there and back again.
    fn shuttle(&self, there: PageId) -> Load {
        let MeasuredPages { moved, here, .. } = self.landmarks;
        let path = format!("/api/v1/pages/{moved}/move");
        let to = |parent: PageId| self.owner.post_in(self.workspace, &path, &format!(r#"{{"parentId":"{parent}"}}"#));
        self.bench.load(&self.server, 1, &[to(there), to(here)])
    }

    /// A row with the target that 95 of 100 replies arrive within this time.
    fn within(&self, work: String, millis: u64, load: &Load) -> Result<Row> {
        // The first round is a warm-up and does not count.
        load.run()?;
        let rounds = (0..self.bench.effort.rounds).map(|_| load.run()).collect::<Result<Vec<_>>>()?;
        let series = Series(rounds);
        Ok(Row {
            work,
            engine: self.bench.engine.name(),
            target: Target::Within(Duration::from_millis(millis)),
            figure: Figure::Time(series.percentile(0.95)),
            detail: alone(&series),
        })
    }
}

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let stage = Setup::set(bench)?;
    let (shallow, deep) = (stage.get(stage.landmarks.third), stage.get(stage.landmarks.deepest));
    let duel = Comparison::run(bench.effort.rounds, || shallow.run(), || deep.run())?;
    let depths = Row {
        work: format!("`GET /pages/{{pageId}}`, {READERS} clients, at depth 3 and at depth {DEEP}"),
        engine: bench.engine.name(),
        target: Target::AtMost(1.3),
        figure: Figure::Ratio(duel.ratio()),
        detail: against("depth 3", &format!("depth {DEEP}"), &duel),
    };
    let among = format!("among {PAGES} pages with {GRANTS} grants, {READERS} clients, p95");
    let tree = "/api/v1/pages/tree?depth=1&limit=100";
    let shared = "/api/v1/pages/tree?root=shared&depth=1&limit=100";
    let moving = format!("moving a page with {MOVED} below it");
    Ok(vec![
        depths,
        stage.within(format!("tree, first 100 for an owner, {among}"), 20, &stage.read(&stage.owner, tree))?,
        stage.within(format!("tree, the {SHARED} a guest sees, {among}"), 20, &stage.read(&stage.guest, shared))?,
        stage.within(
            format!("list of what a member sees, first 100, {among}"),
            15,
            &stage.read(&stage.member, "/api/v1/pages?limit=100"),
        )?,
        stage.within(
            format!("list of pages, first 100, a member with {PAGES} access nodes, one client, p95"),
            3,
            &bench.load(&stage.server, 1, &[stage.member.read_in(stage.private, "/api/v1/pages?limit=100")]),
        )?,
        stage.within(format!("{moving}, seen by the same people, p95"), 50, &stage.shuttle(stage.landmarks.there))?,
        stage.within(format!("{moving}, seen by others there, p95"), 50, &stage.shuttle(stage.landmarks.elsewhere))?,
    ])
}
