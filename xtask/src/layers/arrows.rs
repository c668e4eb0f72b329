//! Dependencies between crates must point down.

use crate::workspace::Member;
use std::collections::{BTreeMap, BTreeSet};

/// A crate and a family of crates that compile in parallel: neither may depend on the other, even indirectly.
const STRANGERS: (&str, &str) = ("octavo-app", "octavo-storage");

pub(crate) fn faults(members: &[Member]) -> Vec<String> {
    let by_name = members.iter().map(|member| (member.name.as_str(), member)).collect::<BTreeMap<_, _>>();
    let mut faults = Vec::new();
    for member in members {
        let (Some(layer), Some(pure)) = (member.layer, member.pure) else {
            faults.push(format!("{} lacks layer and pure in [package.metadata.octavo]", member.name));
            continue;
        };
        for used in member.built_with.iter().filter_map(|name| by_name.get(name.as_str())) {
            if used.layer.is_some_and(|below| below >= layer) {
                let below = used.layer.unwrap_or_default();
                faults.push(format!(
                    "{} (layer {layer}) uses {} (layer {below}): not a lower layer",
                    member.name, used.name
                ));
            }
            if pure && used.pure == Some(false) {
                faults.push(format!("{} is pure and uses {}, which is not", member.name, used.name));
            }
        }
    }
    let (app, family) = STRANGERS;
    let of_app = reachable(app, &by_name);
    for store in by_name.keys().filter(|name| name.starts_with(family)) {
        let arrows = [(app, *store, of_app.contains(store)), (*store, app, reachable(store, &by_name).contains(app))];
        let met = arrows.into_iter().filter(|(_, _, is_reached)| *is_reached);
        faults.extend(met.map(|(from, to, _)| format!("{from} reaches {to}: they may not know each other")));
    }
    faults
}

fn reachable<'a>(from: &'a str, by_name: &BTreeMap<&'a str, &'a Member>) -> BTreeSet<&'a str> {
    let mut seen = BTreeSet::new();
    let mut open = vec![from];
    while let Some(member) = open.pop().and_then(|name| by_name.get(name)) {
        open.extend(member.built_with.iter().map(String::as_str).filter(|name| seen.insert(*name)));
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    fn member(name: &str, layer: u64, pure: bool, built_with: &[&str]) -> Member {
        let built_with = built_with.iter().map(|&name| name.to_owned()).collect();
        Member { name: name.to_owned(), layer: Some(layer), pure: Some(pure), built_with, ..Member::default() }
    }

    #[test]
    fn arrows_that_point_down_are_fine() {
        let members = [
            member("octavo-core-model", 0, true, &["serde"]),
            member("octavo-ports", 2, true, &["octavo-core-model"]),
            member("octavo-app", 3, true, &["octavo-ports"]),
            member("octavo-storage", 3, false, &["octavo-ports", "octavo-core-model"]),
        ];
        assert_eq!(faults(&members), Vec::<String>::new());
    }

    #[test]
    fn an_arrow_up_or_sideways_is_a_fault() {
        let up = [member("a", 1, false, &["b"]), member("b", 2, false, &[])];
        assert_eq!(faults(&up), ["a (layer 1) uses b (layer 2): not a lower layer"]);
        let sideways = [member("a", 1, false, &["b"]), member("b", 1, false, &[])];
        assert_eq!(faults(&sideways).len(), 1);
    }

    #[test]
    fn a_pure_crate_uses_pure_crates_only() {
        let members = [member("a", 1, true, &["b"]), member("b", 0, false, &[])];
        assert_eq!(faults(&members), ["a is pure and uses b, which is not"]);
    }

    #[test]
    fn app_and_storage_never_meet_not_even_through_a_third() {
        let members = [
            member("octavo-app", 3, false, &["between"]),
            member("between", 2, false, &["octavo-storage"]),
            member("octavo-storage", 1, false, &[]),
        ];
        assert_eq!(faults(&members), ["octavo-app reaches octavo-storage: they may not know each other"]);
        let members = [
            member("octavo-app", 0, false, &[]),
            member("octavo-storage-rows", 1, false, &["octavo-app"]),
            member("octavo-storage", 2, false, &[]),
        ];
        assert_eq!(faults(&members), ["octavo-storage-rows reaches octavo-app: they may not know each other"]);
    }

    #[test]
    fn a_crate_without_a_layer_is_a_fault() {
        let stray = Member { name: "stray".to_owned(), ..Member::default() };
        assert_eq!(faults(&[stray]), ["stray lacks layer and pure in [package.metadata.octavo]"]);
    }
}
