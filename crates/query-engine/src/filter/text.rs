//! Comparison of texts in their folded forms.

use crate::{bits::Bits, column::Texts, number::wide};
use memchr::memmem::Finder;
use octavo_databases::{query::comparison::TextOperator, text::folded};

/// A condition on texts. Texts without value meet only conditions that deny something.
pub(crate) struct TextTest {
    operator: TextOperator,
    finder: Finder<'static>,
}

impl TextTest {
    pub(crate) fn new(operator: TextOperator, text: &str) -> Self {
        Self { operator, finder: Finder::new(folded(text).as_bytes()).into_owned() }
    }

    pub(crate) const fn operator(&self) -> TextOperator {
        self.operator
    }

    /// Whether the operator denies something.
    pub(crate) const fn is_negated(&self) -> bool {
        matches!(self.operator, TextOperator::IsNot | TextOperator::NotEquals | TextOperator::DoesNotContain)
    }

    /// Whether a folded text meets the condition; `None` if there is no value.
    #[inline]
    pub(crate) fn meets(&self, text: Option<&[u8]>) -> bool {
        let wanted = self.finder.needle();
        let Some(text) = text else { return self.is_negated() };
        match self.operator {
            TextOperator::Is | TextOperator::Equals => text == wanted,
            TextOperator::IsNot | TextOperator::NotEquals => text != wanted,
            TextOperator::Contains => self.finder.find(text).is_some(),
            TextOperator::DoesNotContain => self.finder.find(text).is_none(),
            TextOperator::StartsWith => text.starts_with(wanted),
            TextOperator::EndsWith => text.ends_with(wanted),
        }
    }

    pub(crate) fn rows(&self, texts: &Texts, wanted: &Bits) -> Bits {
        let is_search = matches!(self.operator, TextOperator::Contains | TextOperator::DoesNotContain);
        if is_search && !self.finder.needle().is_empty() && wanted.count() * 8 >= texts.len() {
            let found = self.search(texts);
            return if self.is_negated() { found.inverted() } else { found };
        }
        let mut found = Bits::none(texts.len());
        for row in wanted.rows() {
            if self.meets(texts.is_filled(row).then(|| texts.folded(row))) {
                found.set(row);
            }
        }
        found
    }

    /// The rows whose texts contain the wanted one, found by one search through all of them.
    fn search(&self, texts: &Texts) -> Bits {
        let (all, ends) = texts.all();
        let mut found = Bits::none(texts.len());
        let (mut row, mut from) = (0, 0);
        while let Some(place) = self.finder.find(&all[from..]) {
            let place = from + place;
            while wide(ends[row]) <= place {
                row += 1;
            }
            found.set(row);
            from = wide(ends[row]);
        }
        found
    }
}
