//! Levels in lists, compared with those of single pages.

use crate::world::{Calling, Device, World};
use octavo_app::pages::{
    self, PageList,
    permissions::{self, GranteeRef, NewGrant, PermissionChange},
};
use octavo_core_model::{Fault, Level, Role, id::PageId};

/// A page and a list of pages show the same level, for every caller.
#[tokio::test]
async fn a_list_shows_the_levels_that_pages_show() {
    let mut world = World::new().await;
    let (id, owner, member) = world.team_of_two().await;
    let guest = world.newcomer().await;
    world.adds(world.by(&owner.1).at(id), guest.0.id, Role::Guest).await.unwrap();
    let call = |device: &Device| world.by(device).naming(id);
    let mut made: Vec<PageId> = Vec::new();
    for number in 0..40_usize {
        // Each page has an earlier one as its parent, so that there are long and short paths.
        let parent = made.get((number * 7) % made.len().max(1)).copied().filter(|_| number % 9 > 0);
        let page = world.page_in(call(&owner.1), parent, &number.to_string()).await;
        let grantee = match number % 4 {
            0 => Some(GranteeRef::User(guest.0.id)),
            1 => Some(GranteeRef::User(member.0.id)),
            2 => Some(GranteeRef::Workspace(None)),
            _ => None,
        };
        let level = Level::ALL[(number * 3) % Level::ALL.len()];
        let grants = grantee.map(|grantee| vec![NewGrant { grantee, level, expires_at: None }]);
        let change = PermissionChange { inherit: Some(number % 5 > 0), grants, ..PermissionChange::default() };
        if number % 3 > 0 {
            world.allows(world.by(&owner.1).naming(id), page, change).await;
        }
        made.push(page);
    }
    for device in [&owner.1, &member.1, &guest.1] {
        let asked = PageList {
            parent: None,
            team: None,
            created_by: None,
            updated_after: None,
            public_access: None,
            include_record_pages: false,
            sort: None,
            after: None,
            limit: 100,
        };
        let listed = world.read(call(device), move |view| Box::pin(pages::list(view, Ok(asked)))).await.unwrap();
        for page in &made {
            let shown = world.sees(call(device), *page).await;
            let in_list = listed.iter().find(|shown| shown.page.id == *page);
            assert_eq!(shown, in_list.map(|shown| shown.level).ok_or(Fault::NotFound), "{page}");
            let Some(in_list) = in_list else { continue };
            let alone = world.read(call(device), {
                let page = *page;
                move |view| Box::pin(pages::get(view, Ok(page), Ok(Vec::new())))
            });
            assert_eq!(alone.await.unwrap().shown.child_count, in_list.child_count, "{page}");
            let user = device.claims.user;
            let effective = world.read(call(device), {
                let page = *page;
                move |view| Box::pin(permissions::effective(view, Ok(page), Ok(Some(user))))
            });
            assert_eq!(effective.await.unwrap().level, in_list.level, "{page}");
        }
    }
}
