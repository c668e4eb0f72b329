//! The list of members.

use crate::{
    access::{self, Door},
    engine::{AppResult, Draft},
    scope::View,
};
use octavo_core_model::{
    id::MembershipId,
    member::{Member, MemberFilter},
};
use std::collections::HashMap;

/// Which members to list.
#[derive(Clone, Debug)]
pub struct MemberPage {
    pub before: Option<MembershipId>,
    pub limit: u32,
    pub filter: MemberFilter,
}

/// A member as others in the workspace see them.
#[derive(Clone, Debug)]
pub struct Shown {
    pub member: Member,
}

/// Lists the members of the workspace of the call, newest first.
pub async fn list(view: &mut View, page: Draft<MemberPage>) -> AppResult<Vec<Shown>> {
    let entry = access::enter(view, Door::ANYBODY).await?;
    let page = page?;
    let found = view.tx.list_memberships(entry.workspace, &page.filter, page.before, page.limit).await?;
    let users: Vec<_> = found.iter().map(|membership| membership.user).collect();
    let people = view.tx.list_people(&users).await?;
    let mut people: HashMap<_, _> = people.into_iter().map(|person| (person.id, person)).collect();
    let members = found.into_iter().filter_map(|membership| {
        let person = people.remove(&membership.user)?;
        Some(Shown { member: Member { membership, person } })
    });
    Ok(members.collect())
}
