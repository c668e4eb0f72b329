//! Circles that are known and not yet broken.

use super::graph::{Circle, Graph};
use super::resolve::Use;

/// A use that the check disregards. Names of modules begin with the folder of their crate: `app::blocks::record`.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Exception {
    pub(crate) from: &'static str,
    pub(crate) to: &'static str,
    /// Why the circle still exists.
    pub(crate) reason: &'static str,
}

/// The circles that remain without the exceptions, and the exceptions that are not needed.
pub(super) fn faults(uses: &[Use], exceptions: &[Exception]) -> Vec<String> {
    let without = |kept: Option<&Exception>| {
        let is_kept = move |used: &&Use| {
            let is_excepted = |exception: &Exception| (exception.from, exception.to) == (&*used.from, &*used.to);
            kept.is_some_and(is_excepted) || !exceptions.iter().any(is_excepted)
        };
        Graph::of(uses.iter().filter(is_kept).map(|used| (used.from.as_str(), used.to.as_str())))
    };
    let mut faults = Vec::new();
    for circle in without(None).circles() {
        let fault = described(&circle, uses);
        if !faults.contains(&fault) {
            faults.push(fault);
        }
    }
    for exception in exceptions {
        let exists = uses.iter().any(|used| (exception.from, exception.to) == (&*used.from, &*used.to));
        if !exists || without(Some(exception)).path(exception.to, exception.from).is_none() {
            faults.push(format!(
                "the exception for {} and {} ({}) is not needed: remove it",
                exception.from, exception.to, exception.reason
            ));
        }
    }
    faults
}

fn described(circle: &Circle<'_>, uses: &[Use]) -> String {
    let next = circle.nodes.iter().cycle().skip(1);
    let edges = circle.nodes.iter().zip(next).map(|(from, to)| {
        let place = uses.iter().find(|used| used.from == *from && used.to == *to).map_or("", |used| &used.place);
        format!("\n      {from} uses {to}: {place}")
    });
    let more = if circle.knot > circle.nodes.len() {
        format!(" (the shortest circle of {} modules that reach each other)", circle.knot)
    } else {
        String::new()
    };
    format!("{} modules use each other in a circle{more}{}", circle.nodes.len(), edges.collect::<String>())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn uses(edges: &[(&str, &str)]) -> Vec<Use> {
        let used = |(number, &(from, to)): (usize, &(&str, &str))| Use {
            from: from.to_owned(),
            to: to.to_owned(),
            place: format!("{from}.rs:{number}: crate::{to}"),
        };
        edges.iter().enumerate().map(used).collect()
    }

    const fn exception(from: &'static str, to: &'static str) -> Exception {
        Exception { from, to, reason: "old" }
    }

    #[test]
    fn a_circle_is_named_with_the_place_of_each_use() {
        let expected =
            "2 modules use each other in a circle\n      a uses b: a.rs:0: crate::b\n      b uses a: b.rs:1: crate::a";
        assert_eq!(faults(&uses(&[("a", "b"), ("b", "a"), ("b", "c")]), &[]), [expected]);
    }

    #[test]
    fn an_exception_breaks_its_circle() {
        let circle = uses(&[("a", "b"), ("b", "a")]);
        assert_eq!(faults(&circle, &[exception("a", "b")]), Vec::<String>::new());
        assert_eq!(faults(&circle, &[exception("a", "c")]).len(), 2);
    }

    #[test]
    fn an_exception_that_is_not_needed_is_a_fault() {
        let unneeded = |used: &[Use], all: &[Exception]| {
            let found = faults(used, all);
            assert_eq!(found, ["the exception for a and b (old) is not needed: remove it"]);
        };
        unneeded(&uses(&[("a", "b")]), &[exception("a", "b")]);
        unneeded(&uses(&[("b", "a")]), &[exception("a", "b")]);
        unneeded(
            &uses(&[("a", "b"), ("b", "c"), ("c", "a"), ("b", "d"), ("d", "b"), ("c", "b")]),
            &[exception("a", "b"), exception("b", "c"), exception("b", "d")],
        );
    }
}
