//! Names within databases. Direction marks are allowed: they occur in ordinary right-to-left text.

use super::{
    ChartName, DashboardName, OptionName, PropertyName, TextFlaw, ViewName, WidgetTitle, has_at_most, is_overriding,
};

/// A line of 1 to `max` characters that does not change the direction of others; outer white space is trimmed.
pub(super) fn label(text: &str, max: usize) -> Result<String, TextFlaw> {
    let text = text.trim();
    if text.is_empty() {
        return Err(TextFlaw::Empty);
    }
    if !has_at_most(text, max) {
        return Err(TextFlaw::TooLong);
    }
    if text.chars().any(is_overriding) { Err(TextFlaw::Format) } else { Ok(text.to_owned()) }
}

macro_rules! labels {
    ($($name:ident: $what:literal;)*) => {$(
        impl $name {
            /// How many characters it has at most.
            pub const MAX: usize = 100;

            #[doc = concat!("Reads the name of ", $what, " that somebody chose.")]
            pub fn parse(text: &str) -> Result<Self, TextFlaw> {
                label(text, Self::MAX).map(Self)
            }
        }
    )*};
}

labels! {
    PropertyName: "a property";
    OptionName: "an option or a group of options";
    ViewName: "a view";
    ChartName: "a chart";
    DashboardName: "a dashboard";
    WidgetTitle: "a widget";
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_is_one_trimmed_line() {
        let read = |text: &str| PropertyName::parse(text).map(|name| name.to_string());
        assert_eq!(read("  Due \u{200F}date "), Ok("Due \u{200F}date".to_owned()));
        assert_eq!(read(&"\u{e4}".repeat(100)), Ok("\u{e4}".repeat(100)));
        assert_eq!(read(&"x".repeat(101)), Err(TextFlaw::TooLong));
        assert_eq!(read(" \t "), Err(TextFlaw::Empty));
        assert_eq!(read("a\nb"), Err(TextFlaw::Format));
        assert_eq!(OptionName::parse("a\u{202E}b"), Err(TextFlaw::Format));
    }
}
