//! Exclusions from pages that name an address, when its account gives the address up or has moved to it.

use crate::{outcome::AppResult, scope::Unit};
use octavo_core_model::account::User;

/// Passes the exclusions of a verified address on to its user, so that they apply at once to a member who changes to the
/// address, stay with a user who changes to another one, and do not name a person who is purged. Whoever registers with
/// the address afterwards is excluded from nothing.
///
/// An address that is not verified may belong to somebody else, so its exclusions stay with it.
pub(super) async fn pass_on(unit: &mut Unit, user: &User) -> AppResult<()> {
    if user.is_verified() {
        unit.tx.grants().transfer_exclusions(&user.email, user.id, unit.call.now).await?;
    }
    Ok(())
}
