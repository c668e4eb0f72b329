//! Whether the operators of a filter, and aggregates, fit what formulas compute.

use crate::{computed::ComputedPlan, outcome::AppResult};
use octavo_core_model::{
    Fault,
    fault::{DataIssue, DataProblem},
};
use octavo_databases::{
    query::{Aggregate, AggregateFunction, Filter, Operands},
    types::Operator,
};
use octavo_formula::Types;

/// Refuses operators that fit no value that a formula or rollup can have. Its types follow from the properties that it reads,
/// which can belong to other databases, so they are not known before the query is prepared.
pub(super) fn refuse_unfit_operators(filter: Option<&Filter>, plan: &ComputedPlan) -> AppResult<()> {
    let types_of = |id| plan.steps.iter().find(|step| step.property == id).map(|step| step.types);
    for (path, leaf) in filter.into_iter().flat_map(Filter::leaves) {
        let operator = leaf.comparison.operator();
        let Some(types) = types_of(leaf.property).filter(|types| !fits(operator, *types)) else { continue };
        let path = if path.is_empty() { "op".to_owned() } else { format!("{path}.op") };
        let fitting: Vec<_> =
            Operator::ALL.iter().copied().filter(|operator| fits(*operator, types)).map(Operator::name).collect();
        let rule = Some(format!("the values of this property allow {}", fitting.join(", ")));
        return Err(Fault::from(DataProblem { rule, ..DataProblem::at_path(DataIssue::InvalidFilter, path) }).into());
    }
    Ok(())
}

/// Refuses aggregates that no value of a formula or rollup can go into.
pub(super) fn refuse_unfit_aggregates(aggregates: &[Aggregate], plan: &ComputedPlan) -> AppResult<()> {
    for (index, aggregate) in aggregates.iter().enumerate() {
        let Some(property) = aggregate.property() else { continue };
        let Some(step) = plan.steps.iter().find(|step| step.property == property) else { continue };
        let needed = match aggregate.function() {
            AggregateFunction::Count | AggregateFunction::Unique => continue,
            AggregateFunction::Sum | AggregateFunction::Average => Types::NUMBER,
            AggregateFunction::Min | AggregateFunction::Max => Types::NUMBER | Types::DATE,
        };
        let fits = [Types::NUMBER, Types::DATE].iter().any(|one| needed.contains(*one) && step.types.contains(*one));
        if !fits && !step.types.is_empty() {
            let path = format!("aggregate.{index}.propertyId");
            let rule = Some(format!("{} needs other values than this property has", aggregate.function()));
            let problem = DataProblem { rule, ..DataProblem::at_path(DataIssue::AggregateType, path) };
            return Err(Fault::from(problem).into());
        }
    }
    Ok(())
}

/// A formula that never has a value fits everything: nothing is known about what it is meant to be.
fn fits(operator: Operator, types: Types) -> bool {
    let operands = [
        (Types::NUMBER, Operands::Number),
        (Types::TEXT, Operands::Text),
        (Types::BOOLEAN, Operands::Checkbox),
        (Types::DATE, Operands::Date),
    ];
    let fits_any = operands.iter().any(|(one, operands)| types.contains(*one) && operands.allow(operator));
    fits_any || types.is_empty() && Operands::Computed.allow(operator)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operators_fit_the_types_that_a_formula_can_have() {
        assert!(fits(Operator::GreaterThan, Types::NUMBER));
        assert!(!fits(Operator::Contains, Types::NUMBER));
        assert!(!fits(Operator::GreaterThan, Types::TEXT));
        assert!(fits(Operator::Contains, Types::TEXT | Types::NUMBER));
        assert!(fits(Operator::Before, Types::DATE));
        assert!(!fits(Operator::Before, Types::BOOLEAN));
        for operator in [Operator::Is, Operator::IsEmpty] {
            assert!(fits(operator, Types::BOOLEAN));
        }
        assert!(fits(Operator::Contains, Types::NONE), "nothing is known about a formula without values");
        assert!(!fits(Operator::IsCurrentUser, Types::ANY));
    }
}
