//! `title`: what a record is called. Every database has exactly one.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct Title;

impl Rules for Title {
    type Config = NoConfig;

    const FACTS: Facts = Facts::in_bag(
        "The name of the record, which is the title of its page: up to 300 characters. Every database has exactly one.",
        FilterKind::Text,
        SortKind::Text,
    );
}
