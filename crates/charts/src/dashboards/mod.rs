//! The widgets of a dashboard on their grid, and its filters.

mod filters;
mod layout;
mod read;
#[cfg(test)]
mod tests;
mod write;

pub use filters::DashboardFilter;
pub use read::WidgetIds;

use octavo_core_model::{
    fault::Violation,
    id::{ChartId, ViewId, WidgetId},
    named,
    text::WidgetTitle,
};

named! {
    /// What a widget shows.
    WidgetType {
        /// A chart.
        Chart = "chart",
        /// The records of a view.
        View = "view",
        /// A text.
        Text = "text",
    }
}

/// What a widget shows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// A chart.
    Chart(ChartId),
    /// The records of a view.
    View(ViewId),
    /// A text in Markdown.
    Text(String),
}

/// Where a widget is on the grid, which has 12 columns and any number of rows. It does not leave the grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Place {
    x: u32,
    y: u32,
    width: u32,
    height: u32,
}

/// A part of a dashboard.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Widget {
    /// Its id, which stays the same when the widgets are replaced.
    pub id: WidgetId,
    /// What it shows.
    pub content: Content,
    /// What is written above it.
    pub title: Option<WidgetTitle>,
    /// Where it is.
    pub place: Place,
}

/// The widgets of a dashboard, of which no two overlap.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Widgets(Vec<Widget>);

/// Why widgets or filters are refused.
#[derive(Clone, Debug, PartialEq)]
pub enum DashboardFault {
    /// They break constraints; there is at least one violation.
    Invalid(Vec<Violation>),
    /// Widgets overlap or leave the grid: the paths of those, at least one.
    Layout(Vec<LayoutProblem>),
}

/// A widget that is not where it can be.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LayoutProblem {
    /// The widget, for example `widgets.3`.
    pub field: String,
    /// What is wrong.
    pub message: String,
}

impl Content {
    /// The type of the widget.
    pub const fn kind(&self) -> WidgetType {
        match self {
            Self::Chart(_) => WidgetType::Chart,
            Self::View(_) => WidgetType::View,
            Self::Text(_) => WidgetType::Text,
        }
    }
}

impl Widgets {
    /// How many there are at most.
    pub const MOST: usize = 50;
    /// How many characters a text has at most.
    pub const MOST_TEXT: usize = 5_000;

    /// The widgets in the order in which they were sent.
    pub fn as_slice(&self) -> &[Widget] {
        &self.0
    }

    /// Those of the widgets that meet a condition; where they are stays the same.
    #[must_use]
    pub fn only(self, keep: impl FnMut(&Widget) -> bool) -> Self {
        Self(self.0.into_iter().filter(keep).collect())
    }
}
