//! Recognising emoji.

/// Whether the text is one emoji of the Unicode list, with or without the selectors that request a picture.
pub fn is_one_emoji(text: &str) -> bool {
    emojis::get(text).is_some()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exactly_one_emoji_is_recognised() {
        for one in [
            "\u{1F600}",
            "\u{2764}\u{FE0F}",
            "\u{2764}",
            "\u{1F44D}\u{1F3FD}",
            "\u{1F468}\u{200D}\u{1F469}\u{200D}\u{1F467}",
            "\u{1F3F4}\u{200D}\u{2620}\u{FE0F}",
            "\u{1F1E8}\u{1F1ED}",
            "7\u{FE0F}\u{20E3}",
            "\u{1F3F4}\u{E0067}\u{E0062}\u{E0073}\u{E0063}\u{E0074}\u{E007F}",
        ] {
            assert!(is_one_emoji(one), "{one}");
        }
        for other in
            ["", "a", "7", "\u{2B4F}", "\u{1F600}\u{1F600}", "\u{1F600}a", "\u{1F1E8}", "\u{200D}", "\u{1F600}\u{200D}"]
        {
            assert!(!is_one_emoji(other), "{other:?}");
        }
    }
}
