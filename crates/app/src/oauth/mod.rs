//! Apps that act for users (OAuth 2.0).

pub mod apps;
pub mod authorization;
pub mod client;
pub mod consent;
pub mod grants;
pub mod presented;
pub mod revocation;
pub mod token;

use crate::{audit_entry::NewAuditEntry, scope::Unit};
use octavo_core_model::{
    event::{Chain, EventType, Resource},
    id::{ClientId, FamilyId, GrantId, UserId},
};

/// An audit entry about a grant, in the chain of the user who gave it.
fn on_grant(user: UserId, grant: GrantId, action: EventType) -> NewAuditEntry {
    NewAuditEntry::new(Chain::User(user), action, Resource::OauthGrant(grant))
}

/// An audit entry about a token family, in the chain of its user.
fn on_family(user: UserId, family: FamilyId, action: EventType) -> NewAuditEntry {
    NewAuditEntry::new(Chain::User(user), action, Resource::OauthFamily(family))
}

fn app_resource(client: ClientId) -> Resource {
    Resource::OauthApp(client)
}

/// Records that grants of a user were revoked.
fn record_revoked(unit: &mut Unit, user: UserId, grants: &[GrantId], reason: Option<&'static str>) {
    for grant in grants {
        let audit_entry = on_grant(user, *grant, EventType::OauthGrantRevoked);
        unit.audit(match reason {
            Some(reason) => audit_entry.because(reason),
            None => audit_entry,
        });
    }
}
