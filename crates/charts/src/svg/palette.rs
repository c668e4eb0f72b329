//! The colours of a picture.

use super::Theme;
use crate::settings::ChartColor;
use octavo_databases::options::OptionColor;

/// The colours of a picture.
pub(super) struct Palette {
    pub(super) background: &'static str,
    pub(super) text: &'static str,
    pub(super) muted: &'static str,
    pub(super) grid: &'static str,
    /// Of what is merged.
    pub(super) rest: &'static str,
    series: Vec<String>,
}

/// Told apart by people who see few colours, too: neighbours differ in lightness.
const SERIES: [&str; 10] =
    ["#2f6fde", "#f28e2b", "#1b9e77", "#d1495b", "#8a63d2", "#e0b000", "#17a2b8", "#e377c2", "#7a5c3e", "#6b8e23"];

impl Palette {
    pub(super) fn new(theme: Theme, own: Option<&ChartColor>) -> Self {
        let (background, text, muted, grid, rest) = match theme {
            Theme::Light => ("#ffffff", "#1f2328", "#59636e", "#e4e7eb", "#a8b0b9"),
            Theme::Dark => ("#16191d", "#e6edf3", "#9aa4af", "#2d333b", "#6e7681"),
        };
        let own = own.map(|color| color_of(color, theme));
        let others = SERIES.iter().map(|color| (*color).to_owned()).filter(|color| Some(color) != own.as_ref());
        let series = own.iter().cloned().chain(others).collect();
        Self { background, text, muted, grid, rest, series }
    }

    /// The colour of a series.
    pub(super) fn series(&self, place: usize) -> &str {
        &self.series[place % self.series.len()]
    }
}

fn color_of(color: &ChartColor, theme: Theme) -> String {
    let named = match color {
        ChartColor::Rgb(color) => return color.as_str().to_owned(),
        ChartColor::Named(color) => *color,
    };
    match named {
        OptionColor::Gray => "#7d8590",
        OptionColor::Brown => "#8d6748",
        OptionColor::Orange => "#e07b26",
        OptionColor::Yellow => "#d9a900",
        OptionColor::Green => "#2da44e",
        OptionColor::Blue => "#2f6fde",
        OptionColor::Purple => "#8250df",
        OptionColor::Pink => "#d6409f",
        OptionColor::Red => "#d1343f",
        OptionColor::Default if theme == Theme::Dark => "#c9d1d9",
        OptionColor::Default => "#424a53",
    }
    .to_owned()
}
