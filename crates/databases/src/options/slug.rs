//! Ids of options that are derived from their names.

use super::OptionId;
use icu_normalizer::DecomposingNormalizerBorrowed;
use icu_properties::{
    CodePointMapData,
    props::{GeneralCategory, GeneralCategoryGroup},
};

const PREFIX: &str = "opt-";
/// What stands for a name without letters and digits.
const NAMELESS: &str = "option";

impl OptionId {
    /// The id for a name. Compatible forms and cases of the same letters give the same id, marks are dropped, and runs
    /// of anything but letters and digits become one hyphen.
    pub fn of_name(name: &str) -> Self {
        Self::derived(name, 1)
    }

    /// The same with a number appended if it is not the first one with this id.
    pub(super) fn derived(name: &str, number: usize) -> Self {
        let suffix = if number > 1 { format!("-{number}") } else { String::new() };
        let room = Self::MAX - PREFIX.len() - suffix.len();
        let slug: String = slug(name).chars().take(room).collect();
        let slug = slug.trim_end_matches('-');
        let slug = if slug.is_empty() { NAMELESS } else { slug };
        Self::from_stored(&format!("{PREFIX}{slug}{suffix}"))
    }
}

fn slug(name: &str) -> String {
    let categories = CodePointMapData::<GeneralCategory>::new();
    let decomposed = DecomposingNormalizerBorrowed::new_nfkd().normalize(name);
    let mut slug = String::new();
    for letter in decomposed.to_lowercase().chars() {
        if GeneralCategoryGroup::Mark.contains(categories.get(letter)) {
            continue;
        }
        if letter.is_alphanumeric() {
            slug.push(letter);
        } else if !slug.is_empty() && !slug.ends_with('-') {
            slug.push('-');
        }
    }
    slug
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn an_id_is_derived_from_the_name() {
        for (name, id) in [
            ("In progress", "opt-in-progress"),
            ("  \u{c4}rger & Co. ", "opt-arger-co"),
            ("\u{fb01}nal\u{b2}", "opt-final2"),
            ("\u{65e5}\u{672c}", "opt-\u{65e5}\u{672c}"),
            ("\u{130}stanbul", "opt-istanbul"),
            ("---", "opt-option"),
            ("\u{1f600}", "opt-option"),
        ] {
            assert_eq!(OptionId::of_name(name).as_str(), id, "{name}");
        }
        assert_eq!(OptionId::derived("Done", 2).as_str(), "opt-done-2");
    }

    proptest! {
        #[test]
        fn any_name_gives_a_short_id(name in "\\PC{0,120}", number in 1_usize..500) {
            let id = OptionId::derived(&name, number);
            prop_assert!(id.as_str().chars().count() <= OptionId::MAX && id.as_str().starts_with("opt-"));
        }
    }
}
