//! `checkbox`: true or false, false unless it is set.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct Checkbox;

impl Rules for Checkbox {
    type Config = NoConfig;

    const FACTS: Facts =
        Facts::in_bag("True or false, false unless it is set.", FilterKind::Checkbox, SortKind::Checkbox);
}
