//! `select`: one of the options.

use super::{Facts, FilterKind, Rules, SortKind};
use crate::options::Options;

pub(super) struct Select;

impl Rules for Select {
    type Config = Options;

    const FACTS: Facts = Facts::in_bag("One of the options.", FilterKind::Choice, SortKind::OptionOrder).for_boards();
}
