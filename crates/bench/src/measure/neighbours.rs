//! The same work with few and with many accounts, then the start with the larger data.

use super::{BenchContext, start};
use crate::account::{Account, CLIENTS};
use crate::engine::{Database, refused, threads};
use crate::load::{Load, Until};
use crate::people;
use crate::rounds::Comparison;
use crate::server::Server;
use crate::table::{Figure, Row, Target, against};
use anyhow::Result;
use octavo_core_model::id::WorkspaceId;
use octavo_storage::Options;
use std::ops::Range;
use std::path::PathBuf;

const FEW: u64 = 10;
const MANY: u64 = 10_000;
/// Together with the clients they form a workspace with a hundred members.
const STRANGERS: Range<u64> = 1_000_000..1_000_000 + 100 - CLIENTS as u64;

/// A server with the accounts of other users.
struct PopulatedServer {
    folder: PathBuf,
    database: Database,
    server: Server,
    accounts: Vec<Account>,
}

impl PopulatedServer {
    fn with(bench: &BenchContext<'_>, neighbours: u64) -> Result<Self> {
        let folder = bench.folder(&format!("neighbours-{neighbours}"))?;
        let database = bench.engine.database(&folder)?;
        threads()?.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            people::register(&store, 0..neighbours).await
        })?;
        let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
        let accounts = Account::of_every_client(&server)?;
        let (shared, users) = (accounts[0].workspace, accounts.iter().map(|account| account.user).collect::<Vec<_>>());
        threads()?.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            people::gather(&store, shared, &users, STRANGERS).await.map_err(refused)
        })?;
        Ok(Self { folder, database, server, accounts })
    }

    fn load(&self, requests: fn(&Account, WorkspaceId) -> Vec<Vec<u8>>, until: Until) -> Load {
        let shared = self.accounts[0].workspace;
        let clients = self.accounts.iter().map(|account| requests(account, shared)).collect();
        Load { server: self.server.address, clients, until }
    }
}

pub(super) fn rows(bench: &BenchContext<'_>) -> Result<Vec<Row>> {
    let (few, many) = (PopulatedServer::with(bench, FEW)?, PopulatedServer::with(bench, MANY)?);
    let compared = |work: &str, requests: fn(&Account, WorkspaceId) -> Vec<Vec<u8>>| {
        let until = Until::Elapsed(bench.effort.round);
        let (few, many) = (few.load(requests, until), many.load(requests, until));
        let duel = Comparison::run(bench.effort.rounds, || few.run(), || many.run())?;
        anyhow::Ok(Row {
            work: format!("{work}, {CLIENTS} clients, among {FEW} and among {MANY} other accounts"),
            engine: bench.engine.name(),
            target: Target::AtMost(1.2),
            figure: Figure::Ratio(duel.ratio()),
            detail: against("few", "many", &duel),
        })
    };
    let mut rows = vec![
        compared("`GET /users/me`", |account, _| vec![account.read_profile()])?,
        compared("`PATCH /users/me`", |account, _| account.change_profile())?,
        compared("`GET /workspaces/{workspaceId}`", |account, _| vec![account.read_workspace()])?,
        compared("`GET .../members` of 100", |account, shared| vec![account.read_members(shared)])?,
    ];
    drop(few);
    many.server.stop()?;
    rows.push(start::row(bench, &many.folder, &many.database, MANY)?);
    Ok(rows)
}
