//! Cards that link to external content. Pages load nothing from the addresses in their blocks.

use super::{Classes, Writer, string};
use crate::{
    Body,
    html::text::{escape, is_followed, link},
};

impl Writer<'_> {
    /// The address is an attribute that the style sheet shows, so it is not imported as part of the text.
    pub(super) fn card(&mut self, class: &str, body: &Body) {
        let (url, title) = (string(body, "url"), string(body, "title"));
        if url.is_empty() && title.is_empty() && string(body, "description").is_empty() {
            return;
        }
        let name = if title.is_empty() { name_of(url) } else { title };
        self.out.push_str("<div");
        Classes::of("card").with(class).write(&mut self.out);
        let address = without_scheme(url);
        if !address.is_empty() && address != name {
            self.out.push_str(" data-address=\"");
            escape(address, &mut self.out);
            self.out.push('"');
        }
        self.out.push('>');
        self.tagged("p", &Classes::default(), |writer| {
            if is_followed(url) {
                link(url, &mut writer.out);
                escape(name, &mut writer.out);
                writer.out.push_str("</a>");
            } else {
                escape(name, &mut writer.out);
            }
        });
        if !string(body, "description").is_empty() {
            self.tagged("p", &Classes::default(), |writer| writer.plain(body, "description"));
        }
        self.out.push_str("</div>\n");
    }
}

/// An address as people write it.
fn without_scheme(url: &str) -> &str {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let rest = rest.strip_prefix("www.").unwrap_or(rest);
    rest.strip_suffix('/').unwrap_or(rest)
}

/// The name of a link without a title: the file to which it leads, otherwise its host.
fn name_of(url: &str) -> &str {
    let address = without_scheme(url);
    let path = address.split(['?', '#']).next().unwrap_or(address);
    let (host, file) = (path.split('/').next(), path.rsplit('/').next());
    file.filter(|file| file.contains('.')).or(host).filter(|name| !name.is_empty()).unwrap_or(url)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_link_without_a_title_is_named_after_its_file_or_host() {
        for (url, name, address) in [
            ("https://www.example.com/", "example.com", "example.com"),
            ("https://example.com/a/film.mp4?t=3#x", "film.mp4", "example.com/a/film.mp4?t=3#x"),
            ("https://example.com/map", "example.com", "example.com/map"),
            ("http://example.com:8080/a/b/", "example.com:8080", "example.com:8080/a/b"),
            ("mailto:ada@example.com", "mailto:ada@example.com", "mailto:ada@example.com"),
            ("", "", ""),
            ("https://", "https://", ""),
        ] {
            assert_eq!((name_of(url), without_scheme(url)), (name, address), "{url}");
        }
    }
}
