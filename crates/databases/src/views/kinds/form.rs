//! `form`: a form whose submissions become records.

use super::{
    Grouping, Layout,
    rule::{Rule, key},
};

pub(super) const LAYOUT: Layout = Layout {
    description: "A form whose submissions become records.",
    grouping: Grouping::Nowhere,
    keys: &[
        key("formId", Rule::Form, "The form, which belongs to the same database."),
        key("intro", Rule::Text { most: 2000 }, "What stands above the questions."),
        key("successMessage", Rule::Text { most: 2000 }, "What is shown after a submission."),
        key("branding", Rule::Bag, "How the form is decorated, in whatever form its reader understands."),
    ],
    start: None,
};
