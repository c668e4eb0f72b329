//! Colours. Users choose any colour; a document has a palette of nine, each of which is legible in light and dark.

/// Words in the names of colours, and the colour of the palette for each. The first one that a name contains counts.
const WORDS: &[(&str, &str)] = &[
    ("violet", "purple"),
    ("purple", "purple"),
    ("indigo", "purple"),
    ("lavender", "purple"),
    ("magenta", "pink"),
    ("fuchsia", "pink"),
    ("pink", "pink"),
    ("orange", "orange"),
    ("coral", "orange"),
    ("salmon", "orange"),
    ("peach", "orange"),
    ("brown", "brown"),
    ("chocolate", "brown"),
    ("sienna", "brown"),
    ("beige", "brown"),
    ("maroon", "red"),
    ("crimson", "red"),
    ("tomato", "red"),
    ("gold", "yellow"),
    ("khaki", "yellow"),
    ("yellow", "yellow"),
    ("amber", "yellow"),
    ("teal", "green"),
    ("mint", "green"),
    ("lime", "green"),
    ("olive", "green"),
    ("green", "green"),
    ("blue", "blue"),
    ("navy", "blue"),
    ("cyan", "blue"),
    ("aqua", "blue"),
    ("turquoise", "blue"),
    ("gray", "gray"),
    ("grey", "gray"),
    ("silver", "gray"),
    ("red", "red"),
];

/// The name of the closest colour of the palette. `None` for black and white, which would disappear on a page of the
/// other brightness, and for names that mean nothing.
pub(super) fn tint(color: &str) -> Option<&'static str> {
    if let Some(digits) = color.strip_prefix('#') {
        return of_rgb(rgb(digits)?);
    }
    let name = color.to_ascii_lowercase();
    WORDS.iter().find(|(word, _)| name.contains(word)).map(|(_, tint)| *tint)
}

/// Red, green and blue of `rgb`, `rrggbb` or `rrggbbaa`.
fn rgb(digits: &str) -> Option<[i32; 3]> {
    let digit = |at: usize| digits.as_bytes().get(at).and_then(|byte| char::from(*byte).to_digit(16));
    let part = |at: usize| {
        let value = if digits.len() == 3 { digit(at)? * 17 } else { digit(at * 2)? * 16 + digit(at * 2 + 1)? };
        i32::try_from(value).ok()
    };
    Some([part(0)?, part(1)?, part(2)?])
}

/// By hue, whatever the brightness: a pale yellow is the background of a yellow callout.
fn of_rgb([red, green, blue]: [i32; 3]) -> Option<&'static str> {
    let (most, least) = (red.max(green).max(blue), red.min(green).min(blue));
    let range = most - least;
    if range < 6 {
        return (24..250).contains(&most).then_some("gray");
    }
    let hue = if most == red {
        (60 * (green - blue) / range + 360) % 360
    } else if most == green {
        60 * (blue - red) / range + 120
    } else {
        60 * (red - green) / range + 240
    };
    Some(match hue {
        15..45 if most < 170 => "brown",
        15..45 => "orange",
        45..70 => "yellow",
        70..170 => "green",
        170..255 => "blue",
        255..300 => "purple",
        300..345 => "pink",
        _ => "red",
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_colour_becomes_the_closest_of_the_palette() {
        for (color, expected) in [
            ("yellow", Some("yellow")),
            ("gray_background", Some("gray")),
            ("LightBlue", Some("blue")),
            ("blueviolet", Some("purple")),
            ("darkred", Some("red")),
            ("nonsense", None),
            ("#fbf3db", Some("yellow")),
            ("#E7F3F8", Some("blue")),
            ("#edf3ec", Some("green")),
            ("#f0f", Some("pink")),
            ("#ff0000", Some("red")),
            ("#d9730dff", Some("orange")),
            ("#64473a", Some("brown")),
            ("#9065b0", Some("purple")),
            ("#808080", Some("gray")),
            ("#000", None),
            ("#ffffff", None),
            ("#\u{e9}\u{e9}\u{e9}", None),
            ("#12", None),
        ] {
            assert_eq!(tint(color), expected, "{color}");
        }
    }
}
