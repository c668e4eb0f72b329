//! Settings that contradict each other.

use super::{fault::Fault, kinds::DatabaseUrl, row::PRIVATE_KEY_FILE, sources::Offers, table::Draft, words::Nodes};

pub(super) fn check(draft: &Draft, offers: &Offers, faults: &mut Vec<Fault>) {
    one_jwt_key(offers, faults);
    several_nodes(draft, offers, faults);
    own_metrics_address(draft, faults);
}

/// A deployment signs with one algorithm only.
fn one_jwt_key(offers: &Offers, faults: &mut Vec<Fault>) {
    if let (Some((source, _)), Some((other, _))) = (offers.strongest("JWT_SECRET"), offers.strongest(PRIVATE_KEY_FILE))
    {
        let problem = format!("cannot be given together with OCTAVO_{PRIVATE_KEY_FILE} ({other})");
        faults.push(Fault::new("JWT_SECRET", source, problem));
    }
}

/// Several nodes share everything, so nothing may be stored in the data folder of one of them.
fn several_nodes(draft: &Draft, offers: &Offers, faults: &mut Vec<Fault>) {
    let Some(nodes) = draft.nodes.as_ref().filter(|nodes| nodes.value == Nodes::Several) else { return };
    let given = |setting| offers.strongest(setting).is_some();
    let on_sqlite = match &draft.database_url {
        Some(database) => matches!(database.value, DatabaseUrl::Sqlite(_)),
        None => !given("DATABASE_URL"),
    };
    let needs = [
        (on_sqlite, "a postgres:// address in OCTAVO_DATABASE_URL".to_owned()),
        (!given("REDIS_URL"), "OCTAVO_REDIS_URL".to_owned()),
        (!given("SECRET_KEY"), "OCTAVO_SECRET_KEY, not a generated key".to_owned()),
        (
            !given("JWT_SECRET") && !given(PRIVATE_KEY_FILE),
            format!("OCTAVO_JWT_SECRET or OCTAVO_{PRIVATE_KEY_FILE}, not a generated key"),
        ),
    ];
    for (_, need) in needs.into_iter().filter(|(missing, _)| *missing) {
        faults.push(Fault::new("NODES", &nodes.source, format!("\"several\" needs {need}")));
    }
}

/// Metrics need a listener of their own, because they are only for the operator.
fn own_metrics_address(draft: &Draft, faults: &mut Vec<Fault>) {
    if let (Some(metrics), Some(listen)) = (&draft.metrics_addr, &draft.listen)
        && metrics.value == listen.value
        && metrics.value.port() != 0
    {
        faults.push(Fault::new(
            "METRICS_ADDR",
            &metrics.source,
            format!("is OCTAVO_LISTEN's address ({})", listen.source),
        ));
    }
}
