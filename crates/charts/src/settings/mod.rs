//! What a chart shows, and how.

pub mod describe;
mod read;
mod write;

use octavo_core_model::{id::PropertyId, named, text::Color};
use octavo_databases::{
    options::OptionColor,
    query::{Aggregate, Bucket},
    value::Number,
};
use serde_json::Value;

named! {
    /// The type of a chart.
    ChartType {
        /// Bars.
        Bar = "bar",
        /// A line.
        Line = "line",
        /// A line with the area below it.
        Area = "area",
        /// Slices of a circle.
        Pie = "pie",
        /// Slices of a ring.
        Donut = "donut",
        /// One number.
        Number = "number",
    }
}

named! {
    /// A chart with two axes.
    Plane {
        /// Bars.
        Bar = "bar",
        /// A line.
        Line = "line",
        /// A line with the area below it.
        Area = "area",
    }
}

named! {
    /// A chart of shares of a whole.
    Round {
        /// Slices of a circle.
        Pie = "pie",
        /// Slices of a ring.
        Donut = "donut",
    }
}

named! {
    /// The order of the points of a chart.
    ChartSort {
        /// By their keys.
        KeyAscending = "key_asc",
        /// By their keys, the last first.
        KeyDescending = "key_desc",
        /// By their values.
        ValueAscending = "value_asc",
        /// By their values, the largest first.
        ValueDescending = "value_desc",
    }
}

named! {
    /// Where the legend of a chart is.
    LegendPosition {
        /// Above it.
        Top = "top",
        /// To the right of it.
        Right = "right",
        /// Below it.
        Bottom = "bottom",
        /// To the left of it.
        Left = "left",
    }
}

/// The property whose values become points or series.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Axis {
    /// The property.
    pub property: PropertyId,
    /// The ranges whose records form one point; without it, each value is a point.
    pub bucket: Option<Bucket>,
}

/// The type of a chart with the axes that it has.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Figure {
    /// One number over all records.
    Number,
    /// Shares of a whole.
    Round(Round, Axis),
    /// A chart with two axes; its points may be in several series.
    Plane(Plane, Axis, Option<Axis>),
}

/// What is written at the axes, and which part of the vertical one is shown.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Labels {
    /// Below the horizontal axis.
    pub x: Option<String>,
    /// Beside the vertical axis.
    pub y: Option<String>,
    /// The lower end of the vertical axis, below the upper one.
    pub y_min: Option<Number>,
    /// The upper end.
    pub y_max: Option<Number>,
}

impl Labels {
    /// How many characters a label has at most.
    pub const MAX: usize = 100;
}

/// How many points a chart has at most.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MaxPoints(u8);

impl MaxPoints {
    /// The largest number.
    pub const MOST: u8 = 200;

    /// The number, if it is allowed.
    pub const fn new(points: u32) -> Option<Self> {
        if points == 0 || points > Self::MOST as u32 {
            return None;
        }
        #[expect(clippy::cast_possible_truncation, reason = "it is at most 200")]
        Some(Self(points as u8))
    }

    /// The number.
    pub const fn get(self) -> usize {
        self.0 as usize
    }
}

impl Default for MaxPoints {
    fn default() -> Self {
        Self(50)
    }
}

/// The colour of a chart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ChartColor {
    /// One that options can have.
    Named(OptionColor),
    /// Any colour.
    Rgb(Color),
}

/// Whether there is a legend, and where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Legend {
    /// Whether it is shown.
    pub is_shown: bool,
    /// Where it is.
    pub position: LegendPosition,
}

impl Default for Legend {
    fn default() -> Self {
        Self { is_shown: true, position: LegendPosition::Top }
    }
}

/// What a chart shows, and how. Whether the properties of the database allow it is checked by
/// [`ChartSettings::query`]: they can change after the chart was made.
#[derive(Clone, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "they are independent switches of the API")]
pub struct ChartSettings {
    /// Its type and its axes.
    pub figure: Figure,
    /// What is written at the axes.
    pub labels: Labels,
    /// What is computed over the records of a point.
    pub aggregation: Aggregate,
    /// Which records count; a filter on the database.
    pub filter: Option<Value>,
    /// The order of the points.
    pub sort: ChartSort,
    /// How many points there are at most.
    pub max_points: MaxPoints,
    /// Whether records without a value form a point.
    pub include_empty: bool,
    /// Whether archived records count.
    pub include_archived: bool,
    /// Whether series stand on each other.
    pub stacked: bool,
    /// Whether each point includes those before it.
    pub cumulative: bool,
    /// Its colour.
    pub color: Option<ChartColor>,
    /// Its legend.
    pub legend: Legend,
}

impl Figure {
    /// The type.
    pub const fn kind(&self) -> ChartType {
        match self {
            Self::Number => ChartType::Number,
            Self::Round(Round::Pie, _) => ChartType::Pie,
            Self::Round(Round::Donut, _) => ChartType::Donut,
            Self::Plane(Plane::Bar, ..) => ChartType::Bar,
            Self::Plane(Plane::Line, ..) => ChartType::Line,
            Self::Plane(Plane::Area, ..) => ChartType::Area,
        }
    }

    /// The axis whose values become points.
    pub const fn x(&self) -> Option<Axis> {
        match self {
            Self::Number => None,
            Self::Round(_, x) | Self::Plane(_, x, _) => Some(*x),
        }
    }

    /// The axis whose values become series.
    pub const fn series(&self) -> Option<Axis> {
        match self {
            Self::Plane(_, _, series) => *series,
            Self::Number | Self::Round(..) => None,
        }
    }

    pub(crate) fn axes_mut(&mut self) -> impl Iterator<Item = &mut Axis> {
        let (x, series) = match self {
            Self::Number => (None, None),
            Self::Round(_, x) => (Some(x), None),
            Self::Plane(_, x, series) => (Some(x), series.as_mut()),
        };
        x.into_iter().chain(series)
    }
}

#[cfg(test)]
mod tests;
