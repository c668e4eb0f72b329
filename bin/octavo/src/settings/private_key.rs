//! The RSA key from `OCTAVO_JWT_PRIVATE_KEY_FILE`.

use super::{fault::Fault, row::PRIVATE_KEY_FILE, sources::ReadFile, table::Draft};
use octavo_core_model::Secret;
use octavo_credentials::{RsaTokens, TokenRules};
use std::time::Duration;

/// Reads and checks the key. Whether its file is readable was checked together with the other named files.
pub(super) fn read(draft: &Draft, read: ReadFile<'_>, faults: &mut Vec<Fault>) -> Option<Secret<Vec<u8>>> {
    let chosen = draft.jwt_private_key_file.as_ref()?;
    let pem = read(&chosen.value).ok()?;
    // The key is valid if it can sign tokens; the rules of the tokens do not matter.
    let rules = TokenRules { origin: String::new(), clock_skew: Duration::ZERO };
    match RsaTokens::new(rules, &pem, &[]) {
        Ok(_) => Some(Secret::new(pem)),
        Err(flaw) => {
            let problem = format!("{}: {flaw}", chosen.value.display());
            faults.push(Fault::new(PRIVATE_KEY_FILE, &chosen.source, problem));
            None
        }
    }
}
