//! The grid.

use super::{LayoutProblem, Place, Widget};

impl Place {
    /// How many columns there are.
    pub const COLUMNS: u32 = 12;
    /// How many rows a widget has at most.
    pub const MOST_ROWS: u32 = 24;
    /// The last row at which a widget can begin.
    pub const LAST_ROW: u32 = 10_000;

    /// A place; `None` if it leaves the grid.
    pub const fn new(x: u32, y: u32, width: u32, height: u32) -> Option<Self> {
        let is_inside = x < Self::COLUMNS
            && y <= Self::LAST_ROW
            && width > 0
            && width <= Self::COLUMNS
            && height > 0
            && height <= Self::MOST_ROWS;
        if is_inside && x + width <= Self::COLUMNS { Some(Self { x, y, width, height }) } else { None }
    }

    /// The first of its columns, from 0.
    pub const fn x(self) -> u32 {
        self.x
    }

    /// The first of its rows, from 0.
    pub const fn y(self) -> u32 {
        self.y
    }

    /// How many columns it has.
    pub const fn width(self) -> u32 {
        self.width
    }

    /// How many rows it has.
    pub const fn height(self) -> u32 {
        self.height
    }

    /// Whether two places have a cell of the grid in common.
    pub const fn overlaps(self, other: Self) -> bool {
        self.x < other.x + other.width
            && other.x < self.x + self.width
            && self.y < other.y + other.height
            && other.y < self.y + self.height
    }
}

/// The widgets that overlap one before them.
pub(super) fn overlaps(widgets: &[(usize, Widget)]) -> Vec<LayoutProblem> {
    let overlapped = |at: usize, widget: &Widget| {
        let (index, _) = widgets[..at].iter().find(|(_, before)| before.place.overlaps(widget.place))?;
        Some(*index)
    };
    let problem = |(at, (index, widget)): (usize, &(usize, Widget))| {
        let other = overlapped(at, widget)?;
        let message = format!("it overlaps widgets.{other}");
        Some(LayoutProblem { field: format!("widgets.{index}"), message })
    };
    widgets.iter().enumerate().filter_map(problem).collect()
}
