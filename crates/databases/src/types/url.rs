//! `url`: an address on the web, possibly with a title.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct Url;

impl Rules for Url {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::in_bag("An address on the web, possibly with a title.", FilterKind::Text, SortKind::Text);
}
