//! `person`: members of the workspace.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct Person;

impl Rules for Person {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::in_bag("Up to 100 members of the workspace.", FilterKind::Person, SortKind::PersonName).for_boards();
}
