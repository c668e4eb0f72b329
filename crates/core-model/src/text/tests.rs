//! The rules of texts.

use super::*;
use proptest::prelude::*;

#[test]
fn an_address_is_lower_cased_and_checked() {
    assert_eq!(Email::parse("Ada@Example.COM").map(|e| e.to_string()), Ok("ada@example.com".to_owned()));
    for wrong in [
        "",
        "ada",
        "@example.com",
        "ada@",
        "ada@localhost",
        "a b@example.com",
        "a@b@example.com",
        "ada@-x.com",
        "ada@x..com",
        "ada\r\nBcc: x@example.com",
        "\u{e4}da@example.com",
        ".ada@example.com",
        "ada.@example.com",
        "a..da@example.com",
        "ada@[127.0.0.1]",
        "ada@x.[127.0.0.1]",
        "ada@b\u{fc}cher.example",
        "ada@example.com.",
        "ada@x_y.com",
    ] {
        assert_eq!(Email::parse(wrong), Err(TextFlaw::Format), "{wrong}");
    }
    assert_eq!(Email::parse(&format!("{}@example.com", "a".repeat(250))), Err(TextFlaw::TooLong));
}

#[test]
fn a_placeholder_is_written_like_an_address_and_recognised() {
    let placeholder = Email::placeholder(UserId::new(1, [7; 10]));
    assert!(placeholder.is_placeholder());
    assert_eq!(Email::parse(placeholder.as_str()), Ok(placeholder.clone()));
    assert_ne!(placeholder, Email::placeholder(UserId::new(1, [8; 10])));
    assert!(!Email::from_stored("no-address.invalid@example.com".to_owned()).is_placeholder());
}

#[test]
fn a_name_keeps_no_control_or_override_characters() {
    assert_eq!(Name::parse("  Ada  ").map(|n| n.to_string()), Ok("Ada".to_owned()));
    assert_eq!(Name::parse("   "), Err(TextFlaw::Empty));
    assert_eq!(Name::parse("Ada\u{202E}"), Err(TextFlaw::Format));
    assert_eq!(Name::parse("A\nda"), Err(TextFlaw::Format));
    assert_eq!(Name::parse(&"a".repeat(101)), Err(TextFlaw::TooLong));
    assert!(Name::parse(&"\u{e9}".repeat(100)).is_ok());
}

#[test]
fn a_slug_comes_from_the_name() {
    for (name, slug) in [
        ("Ada Lovelace's workspace", "ada-lovelace-s-workspace"),
        ("  --X--  ", "x"),
        ("\u{65e5}\u{672c}", "workspace"),
        ("", "workspace"),
    ] {
        assert_eq!(Slug::from_name(name, "workspace").as_str(), slug);
    }
    assert!(Slug::from_name("Docs", "workspace").is_reserved());
    assert_eq!(Slug::from_name(&"a".repeat(80), "workspace").numbered(12).as_str().len(), 50);
}

proptest! {
    #[test]
    fn every_slug_keeps_its_alphabet(name: String, number in 2u64..1_000_000) {
        let slug = Slug::from_name(&name, "workspace");
        for slug in [slug.numbered(number), slug] {
            prop_assert!((1..=Slug::MAX).contains(&slug.as_str().len()));
            prop_assert!(slug.as_str().bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'-'));
            prop_assert!(!slug.as_str().starts_with('-') && !slug.as_str().ends_with('-'));
        }
    }

    #[test]
    fn a_personal_workspace_name_is_a_name(name in "[^\\p{C}]{1,120}") {
        if let Ok(name) = Name::parse(&name) {
            prop_assert!(Name::parse(name.of_personal_workspace().as_str()).is_ok());
        }
    }
}

#[test]
fn a_chosen_slug_keeps_to_its_alphabet() {
    assert!(Slug::parse("a-b-1").is_ok() && Slug::parse(&"a".repeat(50)).is_ok());
    assert_eq!(Slug::parse(""), Err(TextFlaw::Empty));
    assert_eq!(Slug::parse(&"a".repeat(51)), Err(TextFlaw::TooLong));
    for wrong in ["A", "a b", "a_b", "\u{e4}"] {
        assert_eq!(Slug::parse(wrong), Err(TextFlaw::Format), "{wrong}");
    }
}

#[test]
fn descriptions_and_colours_are_checked() {
    assert!(Description::parse("").is_ok() && Description::parse("a\nb").is_ok());
    assert_eq!(Description::parse("a\u{202E}"), Err(TextFlaw::Format));
    assert_eq!(Description::parse(&"a".repeat(501)), Err(TextFlaw::TooLong));
    assert!(Message::parse(&"\u{1F600}".repeat(500)).is_ok() && Message::parse("a\n\nb").is_ok());
    assert_eq!(Message::parse(&"a".repeat(501)), Err(TextFlaw::TooLong));
    assert_eq!(Color::parse("#A0b1C2").map(|color| color.to_string()), Ok("#a0b1c2".to_owned()));
    for wrong in ["a0b1c2", "#a0b1c", "#a0b1c2d", "#a0b1cg"] {
        assert_eq!(Color::parse(wrong), Err(TextFlaw::Format), "{wrong}");
    }
}

#[test]
fn a_password_needs_three_classes_and_a_length() {
    assert!(NewPassword::parse("Abcdefg1").is_ok());
    assert!(NewPassword::parse("\u{c4}bcdefg1").is_ok());
    assert_eq!(NewPassword::parse("Abcdef1"), Err(TextFlaw::TooShort));
    assert_eq!(NewPassword::parse("abcdefg1"), Err(TextFlaw::Format));
    assert_eq!(NewPassword::parse("ABCDEFG1"), Err(TextFlaw::Format));
    assert_eq!(NewPassword::parse("Abcdefgh"), Err(TextFlaw::Format));
    assert_eq!(NewPassword::parse(&format!("Aa1{}", "x".repeat(126))), Err(TextFlaw::TooLong));
    assert_eq!(
        NewPassword::parse(&format!("Aa1{}", "\u{1F600}".repeat(125))),
        Ok(NewPassword(Secret::new(format!("Aa1{}", "\u{1F600}".repeat(125)))))
    );
}

#[test]
fn languages_zones_and_addresses_are_checked() {
    assert!(Locale::parse("en-US").is_ok() && Locale::parse("zh-Hant-TW").is_ok());
    assert_eq!(Locale::parse("e"), Err(TextFlaw::Format));
    assert_eq!(Locale::parse("en_US"), Err(TextFlaw::Format));
    assert!(TimeZone::parse("Europe/Berlin").is_ok() && TimeZone::parse("UTC").is_ok());
    assert_eq!(TimeZone::parse("Mars/Base"), Err(TextFlaw::Format));
    assert!(WebAddress::parse("https://example.com/a.png").is_ok());
    for wrong in [
        "javascript:alert(1)",
        "data:image/png;base64,x",
        "https://",
        "https://u@x.com",
        "https://x.com/a b",
        "//x.com",
        "https:///x.com",
        "https://x.com:99999",
        "https://[::1/a.png",
        "https://x.com/a\tb",
    ] {
        assert_eq!(WebAddress::parse(wrong), Err(TextFlaw::Format), "{wrong}");
    }
}
