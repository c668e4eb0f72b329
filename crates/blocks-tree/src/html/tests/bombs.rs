//! Hostile input costs no more than its length justifies.

use crate::{Refusal, html::read};

#[test]
fn what_is_too_much_is_refused() {
    assert_eq!(read(&" ".repeat((5 << 20) + 1)), Err(Refusal::TooLong { most: 5 << 20 }));
    assert_eq!(read(&"<blockquote>".repeat(100)), Err(Refusal::TooDeep));
    assert_eq!(read(&"<ul>".repeat(10_000)), Err(Refusal::TooDeep));
    assert_eq!(read(&"<p>a".repeat(20_001)), Err(Refusal::TooManyBlocks { most: 20_000 }));
    assert_eq!(read(&format!("<table>{}", "<tr><td>".repeat(100_001))), Err(Refusal::TooManyCells { most: 100_000 }));
    let row = "<td>".repeat(50);
    assert_eq!(
        read(&format!("<table><tr>{row}{}", "<tr><td>".repeat(3_000))),
        Err(Refusal::TooManyCells { most: 100_000 })
    );
    assert_eq!(read(&format!("<p {}>", "a ".repeat(10_000))), Err(Refusal::TooManyAttributes { most: 2_000 }));
}

#[test]
#[expect(clippy::disallowed_methods, clippy::disallowed_types, reason = "tests may look at the clock")]
fn time_grows_with_length_and_not_faster() {
    let cost = |html: &str| {
        let begin = std::time::Instant::now();
        let _ = read(html);
        begin.elapsed()
    };
    for bomb in [
        "<b>",
        "<p>",
        "</p>",
        "<a href=https://e.x>",
        "<a>a",
        "<br>",
        "a<br>",
        "<b>a</b><br>",
        "<table>",
        "<td>",
        "<li>",
        "</li>",
        "<",
        "</",
        "<!--",
        "<!-- -->",
        "&",
        "&amp",
        "<pre>",
        "<svg>",
        "<title>",
        "<script>",
        "<script></script>",
        "<i><b>a</i>",
        "<input type=checkbox>",
        "<img src=https://e.x>",
        "<h1>",
        "<summary>",
        " ",
        "\n",
        "<p a",
        "<u><p>",
    ] {
        let holds = (0..5).any(|_| {
            let small = cost(&bomb.repeat(8_000 / bomb.len()));
            cost(&bomb.repeat(64_000 / bomb.len())) < small * 24 + std::time::Duration::from_millis(50)
        });
        assert!(holds, "{bomb:?}");
    }
}
