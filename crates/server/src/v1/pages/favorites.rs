//! `/favorites`

use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Nothing, Path, routes},
    wire::{Data, NeighbourFavorite, Page, body, reply},
};
use octavo_app::{
    Call, Draft, Reply,
    access::RouteAccess,
    pages::{self, FavoritePage, FavoritePlace},
};
use octavo_core_model::{
    Fault, Level,
    fault::{Conflict, Denial, Issue, Violation},
    page::{Favorite, ResourceId},
    position::Position,
    text::{PageIcon, PageTitle},
};

body! {
    /// The place among the favorites; by default the end, or the present place of an existing favorite.
    pub(crate) FavoriteBody {
        /// The favorite after which to put it.
        after_id "afterId": optional NeighbourFavorite,
        /// The favorite before which to put it.
        before_id "beforeId": optional NeighbourFavorite,
    }
}

reply! {
    /// A favorite of the caller.
    pub(crate) FavoriteReply {
        /// The page or database.
        resource_id "resourceId": required ResourceId,
        /// Its position among the caller's favorites.
        position "position": required Position,
        /// The kind of resource; only in the list.
        kind "type": optional &'static str | ["page", "database"] = "page",
        /// Its title; only in the list.
        title "title": optional PageTitle,
        /// Its icon; only in the list.
        icon "icon": optional PageIcon,
    }
}

routes! {
    /// Lists the caller's favorites.
    ///
    /// In their order, in one answer. Pages and databases that the caller may no longer see, and those in the trash, are
    /// left out.
    GET "/favorites" as listFavorites => list {
        caller: Inside(RouteAccess::OWN_PAGES),
        limits: [],
        takes: (),
        answers: { 200: Page<FavoriteReply> },
        refusals: [],
        events: [],
    }

    /// Makes a page or database a favorite.
    ///
    /// Open to users in person who may see it. Repeating it only changes the place, if one is named.
    PUT "/favorites/{resourceId}" as addFavorite => put {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (resource: Path<ResourceId>, body: Body<FavoriteBody>),
        answers: { 200: Data<FavoriteReply> },
        refusals: [Fault::Forbidden(Denial::RequiresLevel(Level::Edit)), Fault::Conflict(Conflict::PageTrashed)],
        events: [],
    }

    /// Removes a page or database from the favorites.
    ///
    /// Not an error if it is not a favorite.
    DELETE "/favorites/{resourceId}" as removeFavorite => remove {
        caller: Inside(RouteAccess::OWN_PAGES_CHANGE),
        limits: [],
        takes: (resource: Path<ResourceId>),
        answers: { 204: Nothing },
        refusals: [],
        events: [],
    }
}

async fn list(dispatcher: Dispatcher, call: Call) -> Answer {
    let shape = |found: Vec<FavoritePage>| {
        let data = found.into_iter().map(FavoriteReply::from).collect();
        Reply::json(200, &Page { data, next_cursor: None })
    };
    dispatcher.read(call, |view| Box::pin(pages::favorites(view)), shape).await
}

async fn put(dispatcher: Dispatcher, call: Call, resource: Draft<ResourceId>, body: Draft<FavoriteBody>) -> Answer {
    let place = body.and_then(|body| match (body.after_id, body.before_id) {
        (None, None) => Ok(FavoritePlace::Last),
        (Some(id), None) => Ok(FavoritePlace::After(id.0)),
        (None, Some(id)) => Ok(FavoritePlace::Before(id.0)),
        (Some(_), Some(_)) => Err(Violation::new("beforeId", Issue::InvalidValue).into()),
    });
    let shape = |FavoritePage { favorite, page }| ok(FavoriteReply::new(favorite, page.resource()));
    dispatcher
        .write_repeatably(call, move |unit| Box::pin(pages::favorite(unit, resource.clone(), place.clone())), shape)
        .await
}

async fn remove(dispatcher: Dispatcher, call: Call, resource: Draft<ResourceId>) -> Answer {
    dispatcher.write(call, move |unit| Box::pin(pages::unfavorite(unit, resource)), |()| Reply::nothing()).await
}

impl FavoriteReply {
    fn new(favorite: Favorite, resource: ResourceId) -> Self {
        Self { resource_id: resource, position: favorite.position, kind: None, title: None, icon: None }
    }
}

impl From<FavoritePage> for FavoriteReply {
    fn from(FavoritePage { favorite, page }: FavoritePage) -> Self {
        let resource = page.resource();
        let listed = Self::new(favorite, resource);
        Self { kind: Some(resource.kind()), title: Some(page.title), icon: page.icon, ..listed }
    }
}
