//! Sanitizes MathML that another crate has written, before it becomes part of a page. That crate does not escape all
//! texts.

/// The tags of MathML that draw something.
const TAGS: &[&str] = &[
    "math",
    "menclose",
    "mfrac",
    "mi",
    "mmultiscripts",
    "mn",
    "mo",
    "mover",
    "mpadded",
    "mphantom",
    "mprescripts",
    "mroot",
    "mrow",
    "mspace",
    "msqrt",
    "mstyle",
    "msub",
    "msubsup",
    "msup",
    "mtable",
    "mtd",
    "mtext",
    "mtr",
    "munder",
    "munderover",
    "none",
];

const ATTRIBUTES: &[&str] = &[
    "accent",
    "accentunder",
    "class",
    "columnspan",
    "depth",
    "display",
    "displaystyle",
    "fence",
    "form",
    "height",
    "largeop",
    "linethickness",
    "lspace",
    "mathvariant",
    "maxsize",
    "minsize",
    "movablelimits",
    "notation",
    "rowspan",
    "rspace",
    "scriptlevel",
    "separator",
    "stretchy",
    "symmetric",
    "voffset",
    "width",
];

/// Returns the markup without styles, which the policy of pages forbids. `None` if it contains tags or attributes that
/// are not listed above, or tags that do not match.
pub(super) fn sanitize(markup: &str) -> Option<String> {
    let mut copy = Copy { out: String::with_capacity(markup.len()), open: Vec::new() };
    let mut rest = markup;
    while let Some(at) = rest.find('<') {
        let (text, after) = rest.split_at(at);
        copy.text(text)?;
        rest = &after[1..];
        if rest.starts_with(|next: char| next == '/' || next.is_ascii_alphabetic()) {
            let (tag, after) = rest.split_once('>')?;
            copy.tag(tag)?;
            rest = after;
        } else {
            copy.text("&lt;")?;
        }
    }
    (rest.is_empty() && copy.open.is_empty()).then_some(copy.out)
}

struct Copy<'a> {
    out: String,
    /// The names of the open tags.
    open: Vec<&'a str>,
}

impl<'a> Copy<'a> {
    /// Text is part of the equation, never before or after it.
    fn text(&mut self, text: &str) -> Option<()> {
        if !text.is_empty() && self.open.is_empty() {
            return None;
        }
        self.out.push_str(text);
        Some(())
    }

    fn tag(&mut self, tag: &'a str) -> Option<()> {
        if let Some(name) = tag.strip_prefix('/') {
            let opened = self.open.pop()?;
            return (opened == name).then(|| self.out.extend(["</", name, ">"]));
        }
        let (tag, is_empty) = tag.strip_suffix('/').map_or((tag, false), |tag| (tag, true));
        let (name, mut attributes) = tag.split_once(' ').unwrap_or((tag, ""));
        // All of the markup is one equation, so `math` is the outermost tag and no other.
        let is_in_place = if name == "math" { self.out.is_empty() } else { !self.open.is_empty() };
        if !TAGS.contains(&name) || !is_in_place {
            return None;
        }
        self.out.extend(["<", name]);
        while let Some((attribute, rest)) = attributes.trim_start().split_once("=\"") {
            let (value, rest) = rest.split_once('"')?;
            attributes = rest;
            if attribute == "style" {
                continue;
            }
            if !ATTRIBUTES.contains(&attribute) || value.contains(['<', '&']) {
                return None;
            }
            self.out.extend([" ", attribute, "=\"", value, "\""]);
        }
        if !attributes.trim().is_empty() {
            return None;
        }
        if is_empty {
            self.out.push_str("/>");
        } else {
            self.open.push(name);
            self.out.push('>');
        }
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_markup_passes_without_its_styles() {
        let markup = "<math display=\"block\"><mo symmetric=\"true\"minsize=\"1em\">(</mo><mspace width=\"1em\" /><mi style=\"color: red\">&nbsp;x</mi></math>";
        let expected = "<math display=\"block\"><mo symmetric=\"true\" minsize=\"1em\">(</mo><mspace width=\"1em\"/><mi>&nbsp;x</mi></math>";
        assert_eq!(sanitize(markup).as_deref(), Some(expected));
        assert_eq!(
            sanitize("<math><mo><</mo><mn>1</mn></math>").as_deref(),
            Some("<math><mo>&lt;</mo><mn>1</mn></math>")
        );
    }

    #[test]
    fn everything_else_is_refused() {
        for markup in [
            "<math><script></script></math>",
            "<math><mi onclick=\"x\">a</mi></math>",
            "<math><mi href=\"x\">a</mi></math>",
            "<math><mi class=x>a</mi></math>",
            "<math><mi>a</math>",
            "<math><mi>a</mi></math><mi>b</mi>",
            "<math></math><math></math>",
            "<math></math>text",
            "text<math></math>",
            "<mi>a</mi>",
            "<math><math></math></math>",
            "<math><mi",
            "<math><!-- --></math></math>",
            "<MATH></MATH>",
        ] {
            assert_eq!(sanitize(markup), None, "{markup}");
        }
    }
}
