//! A page or database by its name.

use octavo_core_model::{
    page::{Page, ResourceId, Step},
    text::{PageIcon, PageTitle},
};

/// A page or database that a link shows.
#[derive(Clone, Debug)]
pub struct Node {
    pub id: ResourceId,
    pub title: PageTitle,
    pub icon: Option<PageIcon>,
}

impl From<&Step> for Node {
    fn from(step: &Step) -> Self {
        Self { id: ResourceId::of(step.id, step.kind), title: step.title.clone(), icon: step.icon.clone() }
    }
}

impl From<Page> for Node {
    fn from(page: Page) -> Self {
        Self { id: page.resource(), title: page.title, icon: page.icon }
    }
}
