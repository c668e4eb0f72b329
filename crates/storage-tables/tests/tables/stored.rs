//! Values read back as they were stored.

use octavo_core_model::{
    KeyScope, Role, TokenHash, TokenKind,
    chore::Queue,
    id::{UserId, WorkspaceId},
    invitation::{InvitationState, TokenDelivery},
    job::{JobKind, JobStatus},
    network::Network,
    one_time::TokenState,
    session::{self, Proof, SessionKind},
};
use octavo_storage_tables::stored::StoredText;
use std::collections::BTreeSet;

fn reads_back<T: StoredText + PartialEq>(value: &T) {
    assert_eq!(T::read(&value.text()).as_ref(), Some(value));
}

#[test]
fn every_word_reads_back() {
    TokenKind::ALL.iter().for_each(reads_back);
    Role::ALL.iter().for_each(reads_back);
    session::Ending::ALL.iter().for_each(reads_back);
    JobKind::ALL.iter().for_each(reads_back);
    JobStatus::ALL.iter().for_each(reads_back);
    InvitationState::ALL.iter().for_each(reads_back);
    TokenDelivery::ALL.iter().for_each(reads_back);
    Queue::ALL.iter().for_each(reads_back);
    SessionKind::ALL.iter().for_each(reads_back);
    TokenState::ALL.iter().for_each(reads_back);
    reads_back(&Proof::ALL.to_vec());
    reads_back(&Vec::<Proof>::new());
    reads_back(&KeyScope::ALL.iter().copied().collect::<BTreeSet<_>>());
    reads_back(
        &["192.0.2.0/24", "::1"].map(|text| text.parse::<Network>().unwrap_or_else(|_| unreachable!())).to_vec(),
    );
    reads_back(&TokenHash::from_bytes(std::array::from_fn(|index| u8::try_from(index * 8).unwrap_or(255))));
    reads_back(&UserId::new(1, [7; 10]));
}

#[test]
fn a_foreign_text_is_refused() {
    assert_eq!(TokenKind::read("refresh"), None);
    assert_eq!(UserId::read(&WorkspaceId::new(1, [7; 10]).to_string()), None);
    assert_eq!(<Vec<Proof>>::read("pwd nonsense"), None);
    for wrong in [String::new(), "0".repeat(63), "g".repeat(64), "\u{e9}".repeat(32)] {
        assert_eq!(TokenHash::read(&wrong), None);
    }
}
