//! Origins of earlier sign-ins.

use crate::support::{person, read, write};
use octavo_core_model::time::days;
use octavo_ports::origins::Origin;
use octavo_testkit::{
    Database,
    make::{self, NOW},
};

fn origin(network: &str, program: &str) -> Origin {
    Origin { network: network.to_owned(), program: program.to_owned() }
}

pub(crate) async fn a_sign_in_is_remembered_by_network_and_program(database: &Database) {
    let store = database.store().await;
    let (ada, bob) = (person(&*store, 1).await, person(&*store, 2).await);
    let home = origin("192.0.2.0/24", "Firefox");
    write!(store, unit => unit.origins().remember(ada.id, &home, NOW).await);
    assert!(read!(store, view => view.origins().knows_origin(ada.id, &home, NOW).await));
    assert!(read!(store, view => view.origins().knows_network(ada.id, &home.network, NOW).await));
    for stranger in [origin("192.0.2.0/24", "Chrome"), origin("198.51.100.0/24", "Firefox")] {
        assert!(!read!(store, view => view.origins().knows_origin(ada.id, &stranger, NOW).await));
    }
    assert!(!read!(store, view => view.origins().knows_network(ada.id, "198.51.100.0/24", NOW).await));
    assert!(!read!(store, view => view.origins().knows_origin(bob.id, &home, NOW).await));
    assert!(!read!(store, view => view.origins().knows_network(make::user_id(9), &home.network, NOW).await));
}

pub(crate) async fn a_later_sign_in_moves_the_memory(database: &Database) {
    let store = database.store().await;
    let ada = person(&*store, 1).await;
    let (home, later) = (origin("192.0.2.0/24", "Firefox"), NOW.plus(days(1)));
    write!(store, unit => unit.origins().remember(ada.id, &home, NOW).await);
    assert!(!read!(store, view => view.origins().knows_origin(ada.id, &home, later).await));
    assert!(!read!(store, view => view.origins().knows_network(ada.id, &home.network, later).await));
    write!(store, unit => unit.origins().remember(ada.id, &home, later).await);
    assert!(read!(store, view => view.origins().knows_origin(ada.id, &home, later).await));
    assert!(read!(store, view => view.origins().knows_network(ada.id, &home.network, later).await));
}
