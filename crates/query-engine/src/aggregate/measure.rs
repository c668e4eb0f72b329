//! What is to be computed over many values.

use crate::{context::Context, field::Field};
use octavo_databases::{
    Schema,
    query::{Aggregate, AggregateFunction},
};

/// What is to be computed.
pub(crate) struct Measure<'a> {
    pub(crate) function: AggregateFunction,
    /// `None` for the records themselves.
    pub(crate) field: Option<Field<'a>>,
}

impl<'a> Measure<'a> {
    /// The measure for an aggregate. A property that no longer exists counts as one without values.
    pub(crate) fn new(aggregate: Aggregate, schema: &'a Schema, context: &Context<'a>) -> Option<Self> {
        let field = match aggregate.property() {
            None => None,
            Some(property) => Some(Field::new(schema.property(property)?, context)),
        };
        Some(Self { function: aggregate.function(), field })
    }
}
