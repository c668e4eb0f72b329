//! A ticket in the query, in place of a credential in a header.

use super::credential::answered;
use crate::{backend::Backend, refusal::Refusal};
use octavo_app::{
    Caller,
    call::{Client, NamedWorkspace},
    events,
};
use octavo_core_model::{Timestamp, fault::Unknown};
use std::sync::Arc;

/// The ticket in a query. Its characters need no encoding.
pub(super) fn sent(query: Option<&str>) -> Option<&str> {
    query?.split('&').find_map(|parameter| parameter.strip_prefix("ticket="))
}

/// The caller for whom the ticket was made, and the workspace that it opens. The ticket is used up.
pub(super) async fn redeem(
    ticket: &str,
    client: Client,
    backend: &Backend,
    now: Timestamp,
) -> Result<(Result<Caller, Unknown>, Option<NamedWorkspace>), Refusal> {
    let (engine, ticket) = (Arc::clone(backend.engine()), ticket.to_owned());
    let redeemed =
        backend.executor.run(async move { events::redeem_ticket(&engine, &ticket, client, now).await }).await?;
    Ok(match answered(redeemed)? {
        Ok((caller, workspace)) => (Ok(caller), Some(NamedWorkspace::Id(workspace))),
        Err(unknown) => (Err(unknown), None),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ticket_is_found_among_other_parameters() {
        for (query, ticket) in [
            (None, None),
            (Some(""), None),
            (Some("types=a.b"), None),
            (Some("ticket=stk_x"), Some("stk_x")),
            (Some("types=a.b&ticket=stk_x&pageId=y"), Some("stk_x")),
            (Some("aticket=stk_x"), None),
        ] {
            assert_eq!(sent(query), ticket, "{query:?}");
        }
    }
}
