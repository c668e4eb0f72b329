//! `email`: an email address.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct Email;

impl Rules for Email {
    type Config = NoConfig;

    const FACTS: Facts = Facts::in_bag("An email address.", FilterKind::Text, SortKind::Text);
}
