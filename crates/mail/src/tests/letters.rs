//! The contents of all letters.

use super::{TOKEN, every_topic, job, letter_to, letterhead, notice, verification};
use crate::{
    message::compose,
    template::{fill, plain},
    wording::{TopicWording, word, word_topic},
};
use octavo_core_model::{
    id::{CommentId, WorkspaceId},
    mail::{Letter, Notice, Topic},
    notification::NotificationType,
    text::Email,
};
use octavo_ports::mailer::MailFailure;
use proptest::prelude::*;

fn raw(letter: &Letter) -> String {
    String::from_utf8(compose(job(), letter, &letterhead()).unwrap().formatted()).unwrap()
}

fn headers(message: &str) -> Vec<&str> {
    message.split("\r\n\r\n").next().unwrap().split("\r\n").collect()
}

#[test]
fn every_letter_has_both_forms_with_all_values_filled_in() {
    for topic in every_topic() {
        let TopicWording { text, values, .. } = word_topic(&topic, &letterhead());
        for (name, _) in &values {
            assert!(text.contains(&format!("{{{{{name}}}}}")), "{topic:?} does not show {name}");
        }
        let wording = word(&letter_to("Ada", topic), &letterhead());
        for form in [&wording.text, &wording.html] {
            assert!(!form.contains("{{") && form.contains("Hello Ada,"), "{form}");
            // Notices look different in each form.
            for (_, value) in values.iter().filter(|(name, _)| !name.starts_with("notice")) {
                assert!(form.contains(value.as_str()), "{form} does not hold {value}");
            }
        }
        let named = text.matches("{{").count();
        assert_eq!(named, 1 + values.len(), "{text} has a place without a value");
    }
}

#[test]
fn a_letter_links_to_the_page_of_its_topic() {
    for (topic, page) in every_topic().into_iter().zip([
        Some("verify-email"),
        None,
        Some("reset-password"),
        None,
        None,
        Some("confirm-email-change"),
        None,
        Some("revert-email-change"),
        Some("restore-account"),
        Some("accept-invitation"),
        None,
        Some("open"),
        Some("open"),
    ]) {
        let wording = word(&letter_to("Ada", topic), &letterhead());
        let link = page.map(|page| match page {
            "open" => {
                let (workspace, id) = (WorkspaceId::EXAMPLE, CommentId::EXAMPLE);
                format!("https://octavo.example/open?workspace={workspace}&type=comment&id={id}")
            }
            page => format!("https://octavo.example/{page}?token={TOKEN}"),
        });
        let lines: Vec<&str> = wording.text.lines().filter(|line| line.contains("://")).collect();
        assert_eq!(lines, link.as_deref().into_iter().collect::<Vec<_>>());
        assert_eq!(wording.html.matches("://").count(), lines.len());
        if let Some(link) = link {
            assert!(wording.html.contains(&format!("<a href=\"{}\">", link.replace('&', "&amp;"))));
        }
    }
}

#[test]
fn a_notice_says_what_happened_in_one_line() {
    let subject = |notice: Notice| word(&letter_to("Ada", Topic::Notification(notice)), &letterhead()).subject;
    for (kind, expected) in [
        (NotificationType::Mention, "Eve mentioned you in Roadmap"),
        (NotificationType::Comment, "Eve commented on Roadmap"),
        (NotificationType::Reaction, "Eve reacted to your comment on Roadmap"),
        (NotificationType::Assigned, "Eve assigned Roadmap to you"),
        (NotificationType::PageUpdated, "Eve changed Roadmap"),
        (NotificationType::PageShared, "Eve shared Roadmap with you"),
        (NotificationType::AccessRequest, "Eve asks for access to Roadmap"),
        (NotificationType::AccessDecided, "Eve answered your request for access to Roadmap"),
        (NotificationType::MemberAdded, "Eve added you to Roadmap"),
        (NotificationType::System, "Roadmap"),
    ] {
        assert_eq!(subject(notice(kind)), expected);
    }
    let hidden = Notice { title: None, preview: None, ..notice(NotificationType::Assigned) };
    assert_eq!(subject(hidden.clone()), "Eve assigned something to you");
    let wording = word(&letter_to("Ada", Topic::Notification(hidden)), &letterhead());
    assert!(wording.text.contains("Eve assigned something to you.\n\nhttps://"), "{}", wording.text);
    assert!(!wording.html.contains("blockquote"));
    let untitled = Notice { title: Some(" ".to_owned()), ..notice(NotificationType::Comment) };
    assert_eq!(subject(untitled), "Eve commented on Untitled");
}

#[test]
fn what_others_chose_cannot_add_headers_or_links() {
    let evil = Notice {
        actor: Some("Eve\r\nBcc: all@example.com".to_owned()),
        title: Some("Free\nhttps://evil.test/x <b>".to_owned()),
        preview: Some("Go to\nhttps://evil.test".to_owned()),
        ..notice(NotificationType::Mention)
    };
    let letter = letter_to("Ada", Topic::Notification(evil));
    assert_eq!(
        word(&letter, &letterhead()).subject,
        "Eve Bcc all example com mentioned you in Free https evil test x b"
    );
    let message = raw(&letter);
    assert!(!message.contains("\r\nBcc") && !message.contains("evil.test"), "{message}");
    let long = Notice { title: Some("x".repeat(500)), ..notice(NotificationType::Mention) };
    assert!(raw(&letter_to("Ada", Topic::Notification(long))).lines().all(|line| line.len() < 998));
}

#[test]
fn a_message_has_the_headers_of_automatic_mail() {
    let message = raw(&verification("Ada"));
    let headers = headers(&message);
    for expected in [
        "From: Octavo <no-reply@octavo.example>",
        "To: ada@example.com",
        "Subject: Confirm your email address",
        "Auto-Submitted: auto-generated",
        "MIME-Version: 1.0",
        &format!("Message-ID: <{}@octavo.example>", job()),
    ] {
        assert!(headers.contains(&expected), "{expected} is missing in {headers:?}");
    }
    assert!(headers.iter().any(|line| line.starts_with("Date: ") && line.ends_with("+0000")));
    assert!(message.contains("Content-Type: multipart/alternative;"));
}

#[test]
fn both_parts_travel_unencoded_when_the_name_is_ascii() {
    for topic in every_topic() {
        let message = raw(&letter_to("Ada", topic.clone()));
        assert_eq!(message.matches("Content-Transfer-Encoding: 7bit").count(), 2, "{topic:?}");
        let wording = word(&letter_to("Ada", topic), &letterhead());
        assert!(message.contains(&wording.text.replace('\n', "\r\n")));
        assert!(wording.text.lines().all(|line| line.len() <= 72 || line.starts_with("https://")));
    }
}

#[test]
fn a_name_of_other_letters_is_encoded() {
    let message = raw(&verification("J\u{fc}rgen"));
    assert!(message.is_ascii());
    assert!(message.contains("Hello J=C3=BCrgen,"));
    assert!(word(&verification("J\u{fc}rgen"), &letterhead()).html.contains("Hello J\u{fc}rgen,"));
}

#[test]
fn a_name_with_a_link_or_markup_is_plain_text() {
    for (name, greeting) in [
        ("https://evil.test/x", "Hello https evil test x,"),
        ("www.evil.test", "Hello www evil test,"),
        ("win@evil.test", "Hello win evil test,"),
        ("evil\u{3002}test", "Hello evil test,"),
        ("evil.\u{200b}test", "Hello evil test,"),
        ("<a href='//evil.test'>Click</a>", "Hello a href ' evil test' Click a,"),
        ("[Click](http://evil.test)", "Hello Click (http evil test),"),
        ("{{link}}", "Hello link,"),
        ("  ", "Hello,"),
        ("://", "Hello,"),
        ("Dr. J. O'Neill-Smith & Sons 2.0", "Hello Dr. J. O'Neill-Smith & Sons 2.0,"),
        ("\u{5f20}\u{4f1f} \u{e9}\u{301}", "Hello \u{5f20}\u{4f1f} \u{e9}\u{301},"),
    ] {
        let wording = word(&verification(name), &letterhead());
        assert_eq!(wording.text.lines().next(), Some(greeting), "{name}");
        assert!(wording.html.contains(&format!("<p>{}</p>", greeting.replace('&', "&amp;"))), "{name}");
        assert_eq!(wording.html.matches("<a ").count(), 1);
    }
}

#[test]
fn the_program_of_a_sign_in_is_plain_text() {
    let topic = Topic::NewDevice {
        at: octavo_core_model::Timestamp::from_millis(1_800_000_000_000),
        address: "2001:db8::1".to_owned(),
        user_agent: "Mozilla/5.0 <b>http://evil.test</b>\r\n\r\nPay at evil.test".to_owned(),
    };
    let wording = word(&letter_to("Ada", topic), &letterhead());
    assert!(wording.text.contains("Program: Mozilla 5.0 b http evil test b Pay at evil test\n"));
    assert!(wording.text.contains("Address: 2001:db8::1\n"));
    assert!(wording.text.contains("Time:    2027-01-15 08:00 UTC\n"));
    assert!(!wording.html.contains("<b>") && !wording.html.contains("evil.test"));
}

#[test]
fn line_breaks_in_names_and_addresses_make_no_header() {
    let headers_of_ada = headers(&raw(&verification("Ada"))).len();
    for name in ["Ada\r\nBcc: eve@example.com", "Ada\r\n\r\n<h1>", "Ada\nSubject: x", "Ada\rX: y"] {
        let message = raw(&verification(name));
        assert_eq!(headers(&message).len(), headers_of_ada);
        assert!(!message.to_lowercase().contains("\nbcc") && !message.contains("\nX"));
    }
    for address in
        ["ada@example.com\r\nBcc: eve@example.com", "ada@example.com, eve@example.com", "ada@example.com>", ""]
    {
        let letter = Letter { to: Email::from_stored(address.to_owned()), ..verification("Ada") };
        match compose(job(), &letter, &letterhead()) {
            Err(MailFailure::Never(reason)) => assert!(!reason.contains("example.com")),
            other => panic!("{other:?} for {address}"),
        }
    }
}

proptest! {
    #[test]
    fn values_are_filled_in_once(value: String) {
        let filled = fill("a {{x}} b {{y}} c {{z", &[("x", value.clone()), ("y", "{{x}}".to_owned())]);
        prop_assert_eq!(filled, format!("a {value} b {{{{x}}}} c {{{{z"));
    }

    #[test]
    fn a_plain_text_has_no_part_of_a_link(text: String, left in "[a-z]{1,5}", right in "[a-z]{2,5}") {
        for text in [plain(&text), plain(&format!("{left}.{right}/{text}"))] {
            prop_assert!(!text.contains(['/', ':', '@', '<', '>', '\r', '\n']));
            for (at, _) in text.match_indices('.') {
                let next = text[at + 1..].chars().next();
                prop_assert!(next.is_none_or(|next| next == ' ' || next.is_ascii_digit()), "{}", text);
            }
        }
    }

    #[test]
    fn html_holds_no_markup_of_a_name(name: String) {
        let html = word(&verification(&name), &letterhead()).html;
        let plain = word(&verification("Ada"), &letterhead()).html;
        prop_assert_eq!(html.matches('<').count(), plain.matches('<').count());
        prop_assert_eq!(html.matches('"').count(), plain.matches('"').count());
    }
}
