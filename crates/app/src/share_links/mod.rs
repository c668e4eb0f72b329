//! Share links: creating, listing, changing and revoking them, and reading what they show.

mod change;
mod create;
mod databases;
mod duplicate;
mod join;
mod list;
mod manage;
mod node;
mod open;
mod pages;
mod password_proof;
mod people;
mod reach;
mod report;
mod revoke;
mod tables;
mod unlock;

pub use change::{ShareUpdate, update};
pub use create::{NewShareLink, create};
pub use databases::{SharedDatabase, SharedQueryResult, database, query};
pub use duplicate::{Copy, duplicate};
pub use join::{Joined, join};
pub use list::{ShareLinkList, list, list_of};
pub use node::Node;
pub use open::{Key, Opened, share};
pub use pages::{SharedPage, page, page_to_render};
pub use people::{SharedPeople, SharedPerson};
pub use revoke::revoke;
pub use tables::SharedTable;
pub use unlock::{Unlocked, unlock};

use crate::{
    engine::Engine,
    outcome::AppResult,
    scope::{Scope, Unit},
};
use octavo_core_model::{
    Fault, Timestamp, Token, TokenKind,
    fault::{Hint, Issue, Violation},
    id::ShareLinkId,
    page::{PageKind, ResourceId},
    share_link::{LinkToken, ShareLink, Viewed},
};

/// A link as its managers see it.
#[derive(Clone, Debug)]
pub struct ShareLinkDetails {
    pub link: ShareLink,
    /// The page or database that it shows.
    pub resource: ResourceId,
    /// The last part of its address.
    pub token: Token,
}

/// Decrypts the token, for a caller that manages the link.
fn with_token<T: ?Sized>(scope: &Scope<T>, link: ShareLink, kind: PageKind) -> AppResult<ShareLinkDetails> {
    let plain = scope.keyring().open(link.id.to_string().as_bytes(), &link.token.sealed).ok();
    let text = plain.and_then(|plain| String::from_utf8(plain).ok());
    let token = text.and_then(|text| Token::parse(TokenKind::ShareLink, &text).ok());
    let token = token.ok_or(Fault::Internal("the token of a share link opens with none of the listed secrets"))?;
    Ok(ShareLinkDetails { resource: ResourceId::of(link.page, kind), link, token })
}

/// Generates a token for a link.
fn draw_token(unit: &mut Unit, link: ShareLinkId) -> LinkToken {
    let token = unit.token(TokenKind::ShareLink);
    LinkToken { hash: token.hash(), sealed: unit.seal(link.to_string().as_bytes(), token.reveal().as_bytes()) }
}

fn refuse_past(expires_at: Option<Timestamp>, now: Timestamp) -> Result<(), Violation> {
    match expires_at {
        Some(end) if end <= now => {
            let flaw = Violation::new("expiresAt", Issue::TooSmall).with(end.to_string().into());
            Err(flaw.hinting(Hint::in_future()))
        }
        _ => Ok(()),
    }
}

/// Counts openings of links.
pub async fn note_views(engine: &Engine, now: Timestamp, viewed: Vec<Viewed>) -> AppResult<()> {
    if viewed.is_empty() {
        return Ok(());
    }
    engine
        .chore_repeatably(now, move |unit| {
            let viewed = viewed.clone();
            Box::pin(async move { Ok(unit.tx.share_links().count_views(&viewed).await?) })
        })
        .await
}
