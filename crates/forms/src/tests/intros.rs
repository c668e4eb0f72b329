//! The intro of a form as HTML.

use crate::intro::to_html;
use proptest::prelude::*;

#[test]
fn markdown_becomes_html() {
    for (markdown, html) in [
        (
            "# A\n\nb *c* **d** ~~e~~ `f<`",
            "<h1>A</h1><p>b <em>c</em> <strong>d</strong> <s>e</s> <code>f&lt;</code></p>",
        ),
        ("- a\n- b", "<ul><li>a</li><li>b</li></ul>"),
        ("3. a\n4. b", "<ol start=\"3\"><li>a</li><li>b</li></ol>"),
        ("1. a", "<ol><li>a</li></ol>"),
        ("> a\n> b", "<blockquote><p>a\nb</p></blockquote>"),
        ("```js\na < b\n```", "<pre><code>a &lt; b\n</code></pre>"),
        ("a  \nb\n\n---", "<p>a<br>b</p><hr>"),
        ("\"a\" & 'b'", "<p>&quot;a&quot; &amp; &#39;b&#39;</p>"),
        ("", ""),
    ] {
        assert_eq!(to_html(markdown), html, "{markdown}");
    }
}

#[test]
fn links_lead_to_the_web_or_to_mail() {
    let rel = "rel=\"noopener noreferrer nofollow\"";
    assert_eq!(
        to_html("[a](https://example.com/?b&c)"),
        format!("<p><a href=\"https://example.com/?b&amp;c\" {rel}>a</a></p>")
    );
    assert_eq!(
        to_html("<ada@example.com>"),
        format!("<p><a href=\"mailto:ada@example.com\" {rel}>ada@example.com</a></p>")
    );
    for address in [
        "javascript:alert(1)",
        "JavaScript:alert(1)",
        "data:text/html,x",
        "/a",
        "//a.b",
        "tel:1",
        "java&#115;cript:x",
        "\u{1}http:x",
    ] {
        assert_eq!(to_html(&format!("[a](<{address}>)")), "<p>a</p>", "{address}");
    }
    assert_eq!(to_html("![a](https://example.com/b.png)"), "<p>a</p>", "images would be loaded from elsewhere");
}

#[test]
fn raw_html_loses_its_tags() {
    for (markdown, html) in [
        ("<script>alert(1)</script>", "alert(1)"),
        ("a <b onclick=x>b</b> c", "<p>a b c</p>"),
        ("<div>\na & b\n</div>", "\na &amp; b\n"),
        ("<img src=x onerror=alert(1)>", ""),
        ("<!-- a > b -->c", "c"),
        ("<a href='javascript:x'>a</a>", "<p>a</p>"),
        ("a < b <", "<p>a &lt; b &lt;</p>"),
    ] {
        assert_eq!(to_html(markdown).trim_end_matches('\n'), html.trim_end_matches('\n'), "{markdown}");
    }
}

proptest! {
    #[test]
    fn no_other_tags_are_written(markdown in "(<[a-z/!-]{0,8}[ ='\"a-z:()]{0,12}>?|[a-z#*>~`\\[\\]()!: \n-]){0,40}") {
        const TAGS: [&str; 18] = [
            "p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "pre", "code", "ol", "ul", "li", "em", "strong",
            "s", "br", "hr",
        ];
        for tag in to_html(&markdown).split('<').skip(1) {
            let name = tag.split('>').next().unwrap_or_default();
            let is_link = name.starts_with("a href=\"") || name == "/a" || name.starts_with("ol start=\"");
            prop_assert!(is_link || TAGS.contains(&name.trim_start_matches('/')), "{}", name);
        }
    }
}
