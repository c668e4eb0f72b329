//! Which modules use which of their siblings.

use super::parse::Import;
use super::tree::{Path, Tree, joined};

/// How many re-exports are followed for one name. An import may be named like the crate that it comes from, and then
/// leads to itself.
const MAX_HOPS: usize = 8;

/// A module names something of a sibling, or of what is below the sibling.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Use {
    pub(super) from: String,
    pub(super) to: String,
    /// File, line and the path that is written there.
    pub(super) place: String,
}

/// All uses between siblings. A module and its parent may use each other. `krate` comes first in the names of modules.
pub(super) fn uses(krate: &str, tree: &Tree) -> Vec<Use> {
    let mut found = Vec::new();
    for (source, module) in &tree.modules {
        for mention in &module.mentions {
            let mut walk = Walk { tree, source, reached: Vec::new() };
            walk.start(source, &mention.path, 0);
            let siblings = walk.reached.into_iter().filter_map(|to| {
                let from = source.get(..to.len())?.to_vec();
                Some((name(krate, &from), name(krate, &to)))
            });
            let place = format!("{}:{}: {}", module.file, mention.line, mention.path.join("::"));
            found.extend(siblings.map(|(from, to)| Use { from, to, place: place.clone() }));
        }
    }
    found
}

fn name(krate: &str, path: &[String]) -> String {
    joined(&[krate.to_owned()], path.iter().cloned()).join("::")
}

/// Follows a path until it leaves the ancestors of its source. The rest of the path is not followed: the source uses
/// the module where the path leaves them.
struct Walk<'a> {
    tree: &'a Tree,
    source: &'a Path,
    reached: Vec<Path>,
}

impl Walk<'_> {
    /// `at` is the module that the path is written in.
    fn start(&mut self, at: &[String], path: &[String], hops: usize) {
        match path.split_first() {
            Some((first, rest)) if first == "crate" => self.follow(&[], rest, hops),
            Some((first, rest)) if first == "self" => self.follow(at, rest, hops),
            Some((first, _)) if first == "super" || self.has_child(at, first) => self.follow(at, path, hops),
            Some(_) => self.imported(at, path, hops),
            None => {}
        }
    }

    fn has_child(&self, at: &[String], name: &str) -> bool {
        self.tree.modules.contains_key(&joined(at, [name.to_owned()]))
    }

    fn follow(&mut self, at: &[String], path: &[String], hops: usize) {
        if !self.source.starts_with(at) {
            self.reached.push(at.to_vec());
            return;
        }
        let Some((first, rest)) = path.split_first() else { return };
        if first == "super" {
            self.follow(&at[..at.len().saturating_sub(1)], rest, hops);
        } else if self.has_child(at, first) {
            self.follow(&joined(at, [first.clone()]), rest, hops);
        } else {
            self.imported(at, path, hops);
        }
    }

    /// The first name of the path comes from a `use` in the module.
    fn imported(&mut self, at: &[String], path: &[String], hops: usize) {
        let (Some((first, rest)), true) = (path.split_first(), hops < MAX_HOPS) else { return };
        let Some(module) = self.tree.modules.get(at) else { return };
        let is_meant = |import: &&Import| import.name.as_ref() == Some(first);
        for import in module.imports.iter().filter(is_meant) {
            self.start(at, &joined(&import.path, rest.iter().cloned()), hops + 1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cycles::fixture::files;

    /// Each use as `from -> to`, without the crate.
    fn found(all: &[(&str, &str)]) -> Vec<String> {
        let tree = Tree::of("c/src/lib.rs", &files(all));
        let short = |name: String| name.trim_start_matches("c::").to_owned();
        let all = uses("c", &tree).into_iter().map(|Use { from, to, .. }| format!("{} -> {}", short(from), short(to)));
        all.collect()
    }

    #[test]
    fn uses_are_found_in_imports_and_in_code() {
        let with = |a: &str| found(&[("c/src/lib.rs", "mod a; mod b;"), ("c/src/a.rs", a), ("c/src/b.rs", "mod d {}")]);
        let all = [
            "use crate::b;",
            "use crate::{b::{self, d}};",
            "use super::b::X as Y;",
            "pub use crate::b::*;",
            "fn f() { crate::b::f() }",
            "fn f() { use super::b::f; }",
            "impl super::b::Trait for X {}",
            "macro_rules! m { () => { $crate::b::f() } }",
        ];
        for text in all {
            assert_eq!(with(text).first().map(String::as_str), Some("a -> b"), "{text}");
        }
        let nothing = [
            "/// crate::b::X",
            "const X: &str = \"crate::b::X\";",
            "#[cfg(test)] use crate::b::X;",
            "#[cfg(test)] mod tests { use crate::b::X; }",
            "#[cfg(test)] const fn f() { crate::b::f() }",
            "use other::b::X;",
            "fn f(b: X) -> impl Sized + use<'_> { b.x }",
            "use self::inner::X; mod inner { use super::super::Y; }",
        ];
        for text in nothing {
            assert_eq!(with(text), Vec::<String>::new(), "{text}");
        }
    }

    #[test]
    fn code_behind_what_is_for_tests_counts() {
        let all = [
            "#[cfg(test)] const fn f() {} use crate::b;",
            "#[cfg(test)] const X: Y = Y { z: 1 }; use crate::b;",
            "struct A { #[cfg(test)] x: Map<A, B>, y: crate::b::Y }",
            "fn f() { g(X { #[cfg(test)] x: Y { z }, y: crate::b::Y }) }",
            "#[cfg(test)] mod tests; use crate::b;",
        ];
        for text in all {
            let files = [("c/src/lib.rs", "mod a; mod b;"), ("c/src/a.rs", text), ("c/src/b.rs", "")];
            assert_eq!(found(&files), ["a -> b"], "{text}");
        }
    }

    #[test]
    fn a_use_counts_where_the_paths_part() {
        let all = [
            ("c/src/lib.rs", "mod a; mod b;"),
            ("c/src/a/mod.rs", "mod x; mod y;"),
            ("c/src/a/x.rs", "use super::y::Y;"),
            ("c/src/a/y.rs", "use crate::b::inner::Z;"),
            ("c/src/b/mod.rs", "mod inner;"),
            ("c/src/b/inner.rs", ""),
        ];
        assert_eq!(found(&all), ["a::x -> a::y", "a -> b"]);
    }

    #[test]
    fn a_name_that_the_parent_passes_on_belongs_to_its_module() {
        let all = [
            ("c/src/lib.rs", "mod a;"),
            ("c/src/a/mod.rs", "mod x; mod y; pub use y::{Y, Z as Other};"),
            ("c/src/a/x.rs", "use super::{Other, Own, Y};"),
            ("c/src/a/y.rs", "use crate::a::Y;"),
        ];
        assert_eq!(found(&all), ["a::x -> a::y", "a::x -> a::y"]);
    }

    #[test]
    fn a_path_may_start_with_an_imported_module() {
        let all = [
            ("c/src/lib.rs", "mod a;"),
            ("c/src/a/mod.rs", "mod x; mod y;"),
            ("c/src/a/x.rs", "use crate::a; fn f() { a::y::f() }"),
            ("c/src/a/y.rs", ""),
        ];
        assert_eq!(found(&all), ["a::x -> a::y"]);
    }

    #[test]
    fn an_import_that_is_named_like_its_crate_ends() {
        let all = [("c/src/lib.rs", "mod a;"), ("c/src/a.rs", "use serde; fn f() { serde::g() }")];
        assert_eq!(found(&all), Vec::<String>::new());
    }
}
