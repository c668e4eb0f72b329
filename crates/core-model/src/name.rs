//! Reading the words of closed sets back.

/// The text names no member of the set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UnknownName;

/// Finds the member of a closed set that goes by `text`.
pub fn find<T: Copy>(all: &[T], text: &str, name: impl Fn(T) -> &'static str) -> Result<T, UnknownName> {
    all.iter().copied().find(|member| name(*member) == text).ok_or(UnknownName)
}
