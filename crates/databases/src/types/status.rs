//! `status`: one of the options, which can be in groups.

use super::{Facts, FilterKind, Rules, SortKind};
use crate::options::{Options, StatusGroup};

/// The configuration of `status`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct StatusConfig {
    /// The options.
    pub options: Options,
    /// Groups of the options.
    pub groups: Vec<StatusGroup>,
}

pub(super) struct Status;

impl Rules for Status {
    type Config = StatusConfig;

    const FACTS: Facts =
        Facts::in_bag("One of the options, which can be in groups.", FilterKind::Choice, SortKind::OptionOrder)
            .for_boards();
}
