//! The same work among few and among many accounts, then the start on the larger data.

use super::{Bench, start};
use crate::account::{Account, CLIENTS};
use crate::engine::{Database, threads};
use crate::load::{Load, Until};
use crate::rounds::Duel;
use crate::server::Server;
use crate::table::{Figure, Row, Target, against};
use crate::{Outcome, people};
use octavo_storage::Options;
use std::path::PathBuf;

const FEW: u64 = 10;
const MANY: u64 = 10_000;

/// A server among other people's accounts.
struct Town {
    folder: PathBuf,
    database: Database,
    server: Server,
    accounts: Vec<Account>,
}

impl Town {
    fn with(bench: &Bench<'_>, neighbours: u64) -> Outcome<Self> {
        let folder = bench.folder(&format!("neighbours-{neighbours}"))?;
        let database = bench.engine.database(&folder)?;
        threads()?.block_on(async {
            let store = octavo_storage::open(&database.url, &Options::default()).await?;
            people::register(&store, 0..neighbours).await
        })?;
        let server = Server::octavo(bench.octavo, &folder, Some(&database.url))?;
        let accounts = Account::of_every_client(&server)?;
        Ok(Self { folder, database, server, accounts })
    }

    fn load(&self, requests: impl Fn(&Account) -> Vec<Vec<u8>>, until: Until) -> Load {
        Load { server: self.server.address, clients: self.accounts.iter().map(requests).collect(), until }
    }
}

pub(super) fn rows(bench: &Bench<'_>) -> Outcome<Vec<Row>> {
    let (few, many) = (Town::with(bench, FEW)?, Town::with(bench, MANY)?);
    let compared = |work: &str, requests: fn(&Account) -> Vec<Vec<u8>>| {
        let until = Until::Elapsed(bench.effort.round);
        let (few, many) = (few.load(requests, until), many.load(requests, until));
        let duel = Duel::run(bench.effort.rounds, || few.run(), || many.run())?;
        Outcome::Ok(Row {
            work: format!("{work}, {CLIENTS} clients, among {FEW} and among {MANY} other accounts"),
            engine: bench.engine.name(),
            target: Target::AtMost(1.2),
            figure: Figure::Ratio(duel.ratio()),
            detail: against("few", "many", &duel),
        })
    };
    let mut rows = vec![
        compared("`GET /users/me`", |account| vec![account.read_profile()])?,
        compared("`PATCH /users/me`", Account::change_profile)?,
    ];
    drop(few);
    many.server.stop()?;
    rows.push(start::row(bench, &many.folder, &many.database, MANY)?);
    Ok(rows)
}
