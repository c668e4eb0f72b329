//! Audit entries as they are read, and the chain of hashes that seals them.
//!
//! Every sealed entry contains the hash of the previous entry and its own hash, which covers that one. Whoever has
//! saved a hash can detect whether any entry up to it was changed, removed or reordered.

mod search;

pub use search::{ActionPattern, ActorType, AuditPosition, AuditSearch, InvalidPattern, InvalidPosition, Order};

use crate::{
    canonical_json::{canonical, digest_of},
    id::AuditId,
    name::named,
    time::Timestamp,
    token::{hex, unhex},
};
use serde_json::{Value, json};

/// The first line of every hashed text.
const PREFIX: &str = "octavo.audit.v1";

named! {
    /// Whether an action was done.
    Outcome {
        Success = "SUCCESS",
        Failure = "FAILURE",
    }
}

/// An audit entry as it is read.
#[derive(Clone, Debug, PartialEq)]
pub struct AuditRecord {
    /// The id of the entry.
    pub id: AuditId,
    /// When the action took place.
    pub at: Timestamp,
    /// The chain that the entry belongs to.
    pub chain: String,
    /// `None` until its chain is sealed up to here.
    pub seal: Option<Seal>,
    /// The type of the event.
    pub action: String,
    /// The JSON object that names who did it.
    pub actor: Value,
    /// The JSON object that names what it was done to.
    pub target: Value,
    /// Whether the action was done or refused.
    pub outcome: String,
    /// Why it was refused.
    pub reason: Option<String>,
    /// The id of the call that did it.
    pub request_id: Option<String>,
    /// `None` once the personal data is erased.
    pub personal: Option<Value>,
    /// The key of the digest. It is erased together with the personal part.
    pub salt: Option<String>,
    /// The digest of the personal part, which stays when that part is erased.
    pub personal_digest: String,
}

/// The place of an entry in its chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Seal {
    /// Counts from 1 without gaps.
    pub seq: i64,
    /// The hash of the entry before.
    pub prev_hash: String,
    /// The hash of this entry and all before it.
    pub hash: String,
}

/// The number and the hash of a sealed entry, to which the next entry is chained.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChainLink {
    /// The number of the entry.
    pub seq: i64,
    /// The hash of the entry.
    pub hash: String,
}

/// The last sealed entry and the last pruned entry of a chain.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AuditHead {
    /// The newest sealed entry.
    pub last: ChainLink,
    /// The newest entry that retention has removed.
    pub pruned: ChainLink,
}

impl AuditHead {
    /// The head of a chain without sealed entries.
    pub fn origin() -> Self {
        Self { last: ChainLink::origin(), pruned: ChainLink::origin() }
    }
}

/// The number of an entry that does not match its hash.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Broken {
    /// The number of the first entry that does not fit.
    pub at: i64,
}

impl ChainLink {
    /// The link before the first entry of a chain.
    pub fn origin() -> Self {
        Self { seq: 0, hash: "0".repeat(64) }
    }

    /// The seal of the next entry.
    pub fn seal(&self, next: &AuditRecord) -> Seal {
        let seq = self.seq + 1;
        Seal { seq, prev_hash: self.hash.clone(), hash: next.hash_as(seq, &self.hash) }
    }

    /// Checks the entries that follow, in order, and returns the last link.
    pub fn follow<'a>(mut self, records: impl IntoIterator<Item = &'a AuditRecord>) -> Result<Self, Broken> {
        for record in records {
            let expected = self.seal(record);
            if record.seal.as_ref() != Some(&expected) || !record.is_personal_part_whole() {
                return Err(Broken { at: expected.seq });
            }
            self = expected.into();
        }
        Ok(self)
    }
}

impl From<Seal> for ChainLink {
    fn from(seal: Seal) -> Self {
        Self { seq: seal.seq, hash: seal.hash }
    }
}

impl AuditRecord {
    fn hash_as(&self, seq: i64, prev_hash: &str) -> String {
        let covered = canonical(&json!({
            "id": self.id,
            "at": self.at,
            "chain": self.chain,
            "seq": seq,
            "action": self.action,
            "actor": self.actor,
            "target": self.target,
            "outcome": self.outcome,
            "reason": self.reason,
            "requestId": self.request_id,
            "piiDigest": self.personal_digest,
        }));
        let mut hasher = blake3::Hasher::new();
        hasher.update(PREFIX.as_bytes()).update(b"\n").update(prev_hash.as_bytes()).update(b"\n").update(&covered);
        hex(hasher.finalize().as_bytes())
    }

    /// Whether the personal data matches its digest, or was erased together with its salt.
    fn is_personal_part_whole(&self) -> bool {
        match (&self.personal, &self.salt) {
            (None, None) => true,
            (Some(personal), Some(salt)) => {
                unhex(salt).is_some_and(|salt| digest_of(personal, &salt) == self.personal_digest)
            }
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failed unwrap is a failed test")]
    use super::*;
    use proptest::prelude::*;

    fn record(number: u64, text: &str) -> AuditRecord {
        let personal = json!({ "actorName": text, "changes": [{ "field": text, "from": 1.5, "to": null }] });
        let salt = [number.to_le_bytes()[0]; 32];
        AuditRecord {
            id: AuditId::new(i64::try_from(number).unwrap(), [7; 10]),
            at: Timestamp::from_millis(1_790_000_000_000),
            chain: "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3".to_owned(),
            seal: None,
            action: "user.login".to_owned(),
            actor: json!({ "type": "USER", "id": "usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3" }),
            target: json!({ "type": "user", "id": text }),
            outcome: "SUCCESS".to_owned(),
            reason: number.is_multiple_of(2).then(|| text.to_owned()),
            request_id: None,
            personal_digest: digest_of(&personal, &salt),
            personal: Some(personal),
            salt: Some(hex(&salt)),
        }
    }

    fn chain(texts: &[String]) -> Vec<AuditRecord> {
        let mut link = ChainLink::origin();
        let sealed = (0..).zip(texts).map(|(number, text)| {
            let mut record = record(number, text);
            let seal = link.seal(&record);
            record.seal = Some(seal.clone());
            link = seal.into();
            record
        });
        sealed.collect()
    }

    fn texts() -> impl Strategy<Value = Vec<String>> {
        prop::collection::vec(any::<String>(), 2..8)
    }

    /// Changes one field of an entry without changing its seal.
    fn edit(record: &mut AuditRecord, what: usize) {
        let [first, second] = [json!({ "type": "SYSTEM", "id": null }), json!({ "actorName": "x" })];
        match what {
            0 => record.id = AuditId::new(1 << 40, [9; 10]),
            1 => record.at = record.at.plus(std::time::Duration::from_millis(1)),
            2 => record.chain.push('0'),
            3 => record.action.push('x'),
            4 => record.actor = first,
            5 => record.target = first,
            6 => record.outcome = "FAILURE".to_owned(),
            7 => record.reason = Some(format!("{:?}!", record.reason)),
            8 => record.request_id = Some("req_01J8Z3K4M5N6P7Q8R9S0T1V2W3".to_owned()),
            9 => record.personal = Some(second),
            10 => record.salt = Some("0f".repeat(32)),
            11 => record.personal_digest = "0".repeat(64),
            12 => record.personal = None,
            13 => record.salt = None,
            _ => record.seal = None,
        }
    }

    proptest! {
        #[test]
        fn an_untouched_chain_is_valid(texts in texts()) {
            let chain = chain(&texts);
            let end = ChainLink::origin().follow(&chain).unwrap();
            prop_assert_eq!(Some(end), chain.last().unwrap().seal.clone().map(ChainLink::from));
        }

        #[test]
        fn an_edit_is_noticed_where_it_is(texts in texts(), at: prop::sample::Index, what in 0usize..15) {
            let mut chain = chain(&texts);
            let at = at.index(chain.len());
            edit(&mut chain[at], what);
            let broken = Broken { at: i64::try_from(at).unwrap() + 1 };
            prop_assert_eq!(ChainLink::origin().follow(&chain), Err(broken));
        }

        #[test]
        fn a_dropped_entry_is_noticed(texts in texts(), at: prop::sample::Index) {
            let mut chain = chain(&texts);
            let last = chain.last().unwrap().seal.clone().map(ChainLink::from);
            let at = at.index(chain.len());
            chain.remove(at);
            match ChainLink::origin().follow(&chain) {
                Ok(end) => prop_assert!(at == chain.len() && Some(end) != last, "the end itself was cut off"),
                Err(broken) => prop_assert_eq!(broken.at, i64::try_from(at).unwrap() + 1),
            }
        }

        #[test]
        fn another_order_is_noticed(texts in texts(), a: prop::sample::Index, b: prop::sample::Index) {
            let mut chain = chain(&texts);
            let (a, b) = (a.index(chain.len()), b.index(chain.len()));
            prop_assume!(a != b);
            chain.swap(a, b);
            let broken = Broken { at: i64::try_from(a.min(b)).unwrap() + 1 };
            prop_assert_eq!(ChainLink::origin().follow(&chain), Err(broken));
        }

        #[test]
        fn a_rewritten_tail_leads_to_another_end(texts in texts(), at: prop::sample::Index) {
            let honest = ChainLink::origin().follow(&chain(&texts)).unwrap();
            let mut forged = texts;
            let at = at.index(forged.len());
            forged[at].push('x');
            prop_assert_ne!(ChainLink::origin().follow(&chain(&forged)).unwrap(), honest);
        }

        #[test]
        fn erasing_people_leaves_every_hash_valid(texts in texts(), erased: u8) {
            let mut chain = chain(&texts);
            for (place, record) in chain.iter_mut().enumerate() {
                if erased & (1 << place) != 0 {
                    (record.personal, record.salt) = (None, None);
                }
            }
            prop_assert!(ChainLink::origin().follow(&chain).is_ok());
        }

        #[test]
        fn a_part_of_a_chain_is_valid_with_its_link(texts in texts(), cut: prop::sample::Index) {
            let chain = chain(&texts);
            let cut = cut.index(chain.len() - 1);
            let link = ChainLink::from(chain[cut].seal.clone().unwrap());
            prop_assert!(link.follow(&chain[cut + 1..]).is_ok());
        }
    }

    /// Computed by hand from the documented format of the hash.
    #[test]
    fn a_hash_covers_exactly_what_it_says() {
        let mut entry = record(1, "\u{20ac}\u{1f98a}\"\\\u{7f}\u{1}");
        entry.reason = Some("reuse_detected".to_owned());
        let text = format!(
            "octavo.audit.v1\n{}\n{}{}{}{}{}",
            "ab".repeat(32),
            r#"{"action":"user.login","actor":{"id":"usr_01J8Z3K4M5N6P7Q8R9S0T1V2W3","type":"USER"},"#,
            format_args!(r#""at":"{}","chain":"wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3","id":"{}","#, entry.at, entry.id),
            format_args!(r#""outcome":"SUCCESS","piiDigest":"{}","#, entry.personal_digest),
            r#""reason":"reuse_detected","requestId":null,"seq":42,"#,
            "\"target\":{\"id\":\"\u{20ac}\u{1f98a}\\\"\\\\\u{7f}\\u0001\",\"type\":\"user\"}}",
        );
        let seal = ChainLink { seq: 41, hash: "ab".repeat(32) }.seal(&entry);
        assert_eq!(seal.hash, hex(blake3::hash(text.as_bytes()).as_bytes()));
        assert_eq!((seal.seq, seal.prev_hash), (42, "ab".repeat(32)));
    }
}
