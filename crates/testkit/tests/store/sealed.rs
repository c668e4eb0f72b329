//! Rows whose content is sealed.

use crate::{
    pages::chain,
    support::{owner, read, write},
};
use octavo_core_model::chore::{Chore, Queue};
use octavo_ports::{
    replies::{Claim, KeptReply},
    sealed::SealedRow,
};
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

pub(crate) async fn sealed_rows_are_walked_through_once_and_replaced(database: &Database) {
    let store = database.store().await;
    for (number, queue) in [(1, Queue::Mail), (2, Queue::Accounts), (3, Queue::Mail), (4, Queue::Accounts)] {
        let chore = Chore { payload: vec![u8::try_from(number).unwrap()], ..make::chore(number, queue) };
        write!(store, unit => unit.chores().insert(&chore).await);
    }
    let keys = [make::reply_key("usr_1", 1), make::reply_key("usr_1", 2), make::reply_key("usr_2", 1)];
    for (number, key) in (11..).zip(&keys) {
        let kept = KeptReply { fingerprint: [0; 32], sealed: vec![number], expires_at: NOW };
        write!(store, unit => unit.replies().keep(key, &kept).await);
    }
    let (_, workspace) = owner(&*store, 1).await;
    let page = chain(&*store, &workspace, 1).await.remove(0);
    let links = [21, 22, 23].map(|number| make::share_link(number, &page));
    for link in &links {
        write!(store, unit => unit.share_links().insert(link).await);
    }
    let mut seen = Vec::<SealedRow>::new();
    loop {
        let mut unit = store.writer().await.unwrap();
        let page = unit.sealed().list(seen.last().map(|row| &row.place), 2).await.unwrap();
        for row in &page {
            let again = SealedRow { place: row.place.clone(), sealed: vec![100, row.sealed[0]] };
            unit.sealed().replace(&again).await.unwrap();
        }
        unit.commit(octavo_ports::store::Record::default()).await.unwrap();
        if page.is_empty() {
            break;
        }
        seen.extend(page);
    }
    let mut contents: Vec<_> = seen.iter().map(|row| row.sealed[0]).collect();
    contents.sort_unstable();
    assert_eq!(contents, [1, 2, 3, 4, 11, 12, 13, 21, 22, 23]);
    let chores = write!(store, unit => unit.chores().lease(Queue::Mail, NOW, NOW, 9).await);
    assert_eq!(chores.iter().map(|chore| chore.payload.clone()).collect::<Vec<_>>(), [[100, 1], [100, 3]]);
    let Claim::Kept(kept) = write!(store, unit => unit.replies().claim(&keys[2], NOW).await) else {
        panic!("it is kept")
    };
    assert_eq!(kept.sealed, [100, 13]);
    let link = read!(store, view => view.share_links().find(workspace.id, links[1].id).await).unwrap();
    assert_eq!(link.token.sealed, [100, 22]);
}
