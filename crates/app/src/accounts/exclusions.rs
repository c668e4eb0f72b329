//! Exclusions from pages that name an address, when its account gives the address up or has moved to it.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::account::User;

/// Makes exclusions of a user's address exclusions of the user. Otherwise they would not apply to a member who has changed
/// to the address, the user could avoid them with another address, and they would still name the person after a purge.
/// Whoever registers with the address afterwards is excluded from nothing.
///
/// Exclusions of an address that the user has only claimed stay with the address: it may be somebody else's.
pub(super) async fn pass_on(unit: &mut Unit, user: &User) -> AppResult<()> {
    if user.is_verified() {
        unit.tx.grants().transfer_exclusions(&user.email, user.id, unit.call.now).await?;
    }
    Ok(())
}
