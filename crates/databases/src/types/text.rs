//! `text`: a text with marks.

use super::{Facts, FilterKind, NoConfig, Rules, SortKind};

pub(super) struct Text;

impl Rules for Text {
    type Config = NoConfig;

    const FACTS: Facts = Facts {
        can_become_title: true,
        ..Facts::in_bag("A text with marks, of up to 100000 characters.", FilterKind::Text, SortKind::Text)
    };
}
