//! `multi_select`: any number of the options.

use super::{Facts, FilterKind, Rules, SortKind};
use crate::options::Options;

pub(super) struct MultiSelect;

impl Rules for MultiSelect {
    type Config = Options;

    const FACTS: Facts =
        Facts::in_bag("Up to 100 of the options.", FilterKind::Choices, SortKind::OptionOrder).for_boards();
}
