#![doc = include_str!("../README.md")]
#![deny(missing_docs)]

pub mod dashboards;
mod data;
mod fault;
mod fit;
mod key;
mod settings;
pub mod svg;

pub use data::{ChartData, ChartInput, InputGroup, InputSeries, InputTotal, Other, Partial, Point, Total, chart_data};
pub use fault::{ChartFault, ChartProblem};
pub use fit::{ChartQuery, ComputedKinds, both, stored_filter};
pub use key::{Key, KeyValue};
pub use settings::{
    Axis, ChartColor, ChartSettings, ChartSort, ChartType, Figure, Labels, Legend, LegendPosition, MaxPoints, Plane,
    Round, describe,
};
