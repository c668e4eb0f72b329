//! Highlights code. A scanner reads each character once and recognizes the words, strings, numbers and comments of
//! common languages; it parses none of them. A crate with real grammars would be exact, but would bring regular
//! expressions that backtrack, or parsers in C, for input that anybody may write.

mod language;
mod markup;
mod painter;
mod words;

use language::{Grammar, grammar_of};
use painter::Painter;
use std::cell::Cell;

/// How many bytes of code on one page get colours. Colours make code up to ten times as long.
const MAX_PER_PAGE: usize = 300_000;

/// Highlights the code of one page.
#[derive(Debug)]
pub(crate) struct Highlighter {
    /// How many bytes may still get colours.
    left: Cell<usize>,
}

impl Default for Highlighter {
    fn default() -> Self {
        Self { left: Cell::new(MAX_PER_PAGE) }
    }
}

impl Highlighter {
    /// Code as HTML with classes for its colours; `None` if it stays without colours.
    pub(crate) fn highlight(&self, language: &str, code: &str) -> Option<String> {
        let grammar = grammar_of(language)?;
        self.left.set(self.left.get().checked_sub(code.len())?);
        let mut painter = Painter::of_length(code.len());
        match grammar {
            Grammar::Words(language) => words::scan(language, code, &mut painter),
            Grammar::Markup => markup::scan(code, &mut painter),
            Grammar::Diff => diff(code, &mut painter),
        }
        Some(painter.finish())
    }
}

/// Highlights the lines that a patch adds and removes.
fn diff(code: &str, painter: &mut Painter) {
    use painter::Color::{Comment, Keyword, Removed, String};
    for line in code.split_inclusive('\n') {
        let color = match line.as_bytes().first() {
            Some(b'+') => String,
            Some(b'-') => Removed,
            Some(b'@') => Keyword,
            Some(b'd' | b'i') => Comment,
            _ => {
                painter.plain(line);
                continue;
            }
        };
        painter.paint(color, line);
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use octavo_blocks_tree::html::escape;
    use proptest::{prelude::*, sample::select};

    fn highlight(language: &str, code: &str) -> String {
        Highlighter::default().highlight(language, code).unwrap()
    }

    #[test]
    fn the_parts_of_code_get_their_colours() {
        for (language, code, html) in [
            (
                "rust",
                "fn a<'b>(c: Vec<u8>) { // d\n    \"e\\\"\" + 'f' + 0x1F }",
                "<span class=\"k\">fn</span> a&lt;&#39;b&gt;(c: <span class=\"t\">Vec</span>&lt;<span class=\"t\">u8</span>&gt;) { <span class=\"c\">// d</span>\n    <span class=\"s\">&quot;e\\&quot;&quot;</span> + <span class=\"s\">&#39;f&#39;</span> + <span class=\"n\">0x1F</span> }",
            ),
            (
                "Python",
                "def a():\n  '''b\n  c'''\n  return None # d",
                "<span class=\"k\">def</span> <span class=\"f\">a</span>():\n  <span class=\"s\">&#39;&#39;&#39;b\n  c&#39;&#39;&#39;</span>\n  <span class=\"k\">return</span> <span class=\"k\">None</span> <span class=\"c\"># d</span>",
            ),
            (
                "js",
                "/* a\n*/ let b = `c`",
                "<span class=\"c\">/* a\n*/</span> <span class=\"k\">let</span> b = <span class=\"s\">`c`</span>",
            ),
            (
                "sql",
                "SELECT 1.5 -- a",
                "<span class=\"k\">SELECT</span> <span class=\"n\">1.5</span> <span class=\"c\">-- a</span>",
            ),
            (
                "json",
                "{\"a\": 1..2}",
                "{<span class=\"s\">&quot;a&quot;</span>: <span class=\"n\">1</span>..<span class=\"n\">2</span>}",
            ),
            ("yaml", "a: b", "<span class=\"t\">a</span>: b"),
            (
                "html",
                "<!-- a --><b c=\"d\">e &amp; f</b>",
                "<span class=\"c\">&lt;!-- a --&gt;</span>&lt;<span class=\"k\">b</span> <span class=\"t\">c</span>=<span class=\"s\">&quot;d&quot;</span>&gt;e &amp;amp; f&lt;/<span class=\"k\">b</span>&gt;",
            ),
            ("diff", " a\n+b\n-c", " a\n<span class=\"s\">+b\n</span><span class=\"r\">-c</span>"),
        ] {
            assert_eq!(highlight(language, code), html, "{language}");
        }
    }

    #[test]
    fn unknown_languages_have_no_colours() {
        for language in ["", "plain", "klingon"] {
            assert_eq!(Highlighter::default().highlight(language, "a"), None);
        }
    }

    #[test]
    fn a_string_that_does_not_end_reaches_to_the_end_of_its_line() {
        assert_eq!(highlight("java", "\"a\nb"), "<span class=\"s\">&quot;a</span>\nb");
        assert_eq!(highlight("c", "/* a\nb"), "<span class=\"c\">/* a\nb</span>");
    }

    #[test]
    fn a_page_of_code_ends_without_colours() {
        let (highlighter, code) = (Highlighter::default(), "a ".repeat(50_000));
        assert_eq!((0..10).filter(|_| highlighter.highlight("rust", &code).is_some()).count(), 3);
    }

    proptest! {
        /// Without the tags, the page shows exactly the code.
        #[test]
        fn no_character_is_lost_or_becomes_a_tag(
            language in select(vec!["rust", "js", "python", "html", "css", "sql", "yaml", "bash", "diff", "php", "toml"]),
            code in "([a-z0-9 .:'\"`/*#<>!&=$@\\\\{}()\n-]|<!--|\"\"\"|/\\*|é){0,60}",
        ) {
            let html = highlight(language, &code);
            let mut text = html.replace("</span>", "");
            for class in ["c", "s", "k", "n", "t", "f", "r"] {
                text = text.replace(&format!("<span class=\"{class}\">"), "");
            }
            let mut expected = String::new();
            escape(&code, &mut expected);
            prop_assert_eq!(text, expected);
        }
    }
}
