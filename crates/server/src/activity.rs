//! Which sessions made calls since somebody last asked.

use octavo_core_model::{
    Claims,
    id::{SessionId, UserId},
};
use std::{
    collections::HashMap,
    sync::{Mutex, PoisonError},
};

/// Collects activity, so that a call that reads need not write.
#[derive(Debug, Default)]
pub struct Activity(Mutex<HashMap<SessionId, UserId>>);

impl Activity {
    pub(crate) fn note(&self, claims: &Claims) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).insert(claims.session, claims.user);
    }

    /// Hands over what was collected and starts anew.
    pub fn take(&self) -> Vec<(UserId, SessionId)> {
        let noted = std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner));
        noted.into_iter().map(|(session, user)| (user, session)).collect()
    }
}
