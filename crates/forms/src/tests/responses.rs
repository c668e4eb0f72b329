//! What is shown of submissions.

use super::*;
use octavo_core_model::id::FileId;

#[test]
fn addresses_are_masked_and_events_name_the_network() {
    for (address, masked, network) in [
        ("203.0.113.77", "203.0.113.x", "203.0.113.0/24"),
        ("::ffff:203.0.113.77", "203.0.113.x", "203.0.113.0/24"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1::x", "2001:db8:1::/48"),
        ("::1", "0:0:0::x", "::/48"),
    ] {
        let address = address.parse().unwrap();
        assert_eq!((masked_address(address), network_of(address)), (masked.to_owned(), network.to_owned()));
    }
}

#[test]
fn a_deleted_question_has_no_label_of_its_own() {
    let form = form(&schema(), json!([question("EMAIL", json!({ "label": "Address" }))]));
    let labels = form.labels_of(&map(json!({ id(1).to_string(): "a", id(2).to_string(): 5 })));
    let expected = json!({
        id(1).to_string(): { "label": "Address", "type": "EMAIL" },
        id(2).to_string(): { "label": "Deleted question", "type": null },
    });
    assert_eq!(labels, expected);
}

#[test]
fn submissions_are_found_by_what_people_read() {
    let answers = map(json!({
        id(1).to_string(): "\u{c4}rger",
        id(2).to_string(): ["Red", "Blue"],
        id(3).to_string(): 12.5,
        id(4).to_string(): [FileId::EXAMPLE],
        id(5).to_string(): true,
    }));
    let finds = |text: &str| Search::new(text).finds(&answers, ["203.0.113.x"]);
    for text in ["\u{e4}RG", "blu", "12.5", "113.x", ""] {
        assert!(finds(text), "{text}");
    }
    for text in ["frq_", "fil_", &id(1).to_string()[4..], "green", "203.0.113.7"] {
        assert!(!finds(text), "{text}");
    }
}
