//! `files`: files of the workspace.

use super::{Facts, FilterKind, Grouping, Rules, SortKind};

/// The configuration of `files`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct FilesConfig {
    /// How many files a value has at most; `None` for as many as there may be.
    pub max_files: Option<u32>,
    /// The media types that are accepted, such as `image/png` or `image/*`; all if there are none.
    pub accepted_mime_types: Vec<String>,
}

pub(super) struct Files;

impl Rules for Files {
    type Config = FilesConfig;

    const FACTS: Facts = Facts {
        grouping: Grouping::Nowhere,
        can_match: false,
        ..Facts::in_bag("Up to 100 files of the workspace.", FilterKind::Files, SortKind::Count)
    };
}
