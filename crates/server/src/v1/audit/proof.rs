//! The proof that an audit trail is whole.

use super::words::Hash;
use crate::{
    answer::{Answer, ok},
    dispatcher::Dispatcher,
    route::{Body, Query, routes},
    wire::{Data, Whole, body, query, reply},
};
use octavo_app::{
    Call, Draft,
    access::RouteAccess,
    audit::{self, KeptHead, SeqRange, SignedHead, Verification},
};
use octavo_core_model::{Timestamp, audit::ChainLink};

/// A number of the trail.
type Seq<const MIN: i64> = Whole<MIN, { i64::MAX }>;

query! {
    /// Which part of the trail to verify.
    pub(crate) VerifyQuery {
        /// The first number; by default the oldest entry.
        from_seq "fromSeq": optional Seq<1> = 1,
        /// The last number; by default the newest sealed entry.
        to_seq "toSeq": optional Seq<1> = 42,
    }
}

body! {
    /// The end of the trail as it was shown before.
    pub(crate) KeptHeadBody {
        /// The number it had.
        seq "seq": required Seq<0> = 42,
        /// The hash it had.
        hash "hash": required Hash,
    }
}

reply! {
    /// An entry of the trail, by its number.
    pub(crate) LinkReply {
        /// Its number.
        seq "seq": required i64 = 7,
        /// Its hash.
        hash "hash": required String = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    }
}

reply! {
    /// The end of the trail, signed.
    pub(crate) AuditHeadReply {
        /// Whose trail it is.
        chain "chain": required String = "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
        /// The number of the newest sealed entry; 0 when there is none.
        seq "seq": required i64 = 42,
        /// Its hash; 64 zeros when there is none.
        hash "hash": required String = "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13",
        /// When this was signed.
        at "at": required Timestamp,
        /// The last entry that was removed for its age; null when none was.
        pruned_through "prunedThrough": nullable LinkReply,
        /// The other fields as a compact JWS (`EdDSA`). Its `kid` names a key of `/.well-known/jwks.json`.
        jws "jws": required String = "eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcksifQ.eyJzZXEiOjQyfQ.c2lnbmF0dXJl",
    }
}

reply! {
    /// What recomputing the hashes came to.
    pub(crate) VerdictReply {
        /// Whether all of it holds.
        valid "valid": required bool = true,
        /// How many entries were looked at.
        checked "checked": required i64 = 42,
        /// The first of them; null when there was none.
        first_seq "firstSeq": nullable i64 = 1,
        /// The last of them; null when there was none.
        last_seq "lastSeq": nullable i64 = 42,
        /// The hash at the end of the trail.
        head_hash "headHash": required String = "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13",
        /// The number at which the trail does not hold; null when it does.
        broken_at "brokenAt": nullable i64 = null,
    }
}

reply! {
    /// Whether the trail continues from the kept entry.
    pub(crate) ConsistencyReply {
        /// False after entries were removed or written anew.
        consistent "consistent": required bool = true,
    }
}

routes! {
    /// Shows the end of the audit trail, signed.
    ///
    /// Whoever keeps it can tell later whether anything up to there was changed: send it to `POST .../audit/verify`, or recompute the hashes of
    /// the list.
    GET "/workspaces/{workspaceId}/audit/head" => head {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (),
        answers: { 200: Data<AuditHeadReply> },
        refusals: [],
        events: [],
    }

    /// Recomputes the hashes of the audit trail.
    ///
    /// Of all of it, or of the part between two numbers. What was removed for its age is not asked for.
    GET "/workspaces/{workspaceId}/audit/verify" => verify {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (query: Query<VerifyQuery>),
        answers: { 200: Data<VerdictReply> },
        refusals: [],
        events: [],
    }

    /// Compares the audit trail with an end of it that was kept.
    ///
    /// True when that entry is still there as it was and everything behind it hangs on it. False as well when it was removed for its age, the
    /// last one of those apart: nothing is left to show that it was the same.
    POST "/workspaces/{workspaceId}/audit/verify" => compare {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (body: Body<KeptHeadBody>),
        answers: { 200: Data<ConsistencyReply> },
        refusals: [],
        events: [],
    }
}

async fn head(dispatcher: Dispatcher, call: Call) -> Answer {
    let signatures = dispatcher.signatures();
    dispatcher
        .flow(call, |engine, call| async move {
            let head = audit::signed_head(&engine, call, &*signatures).await?;
            Ok(ok(AuditHeadReply::from(head)))
        })
        .await
}

async fn verify(dispatcher: Dispatcher, call: Call, query: Draft<VerifyQuery>) -> Answer {
    let range =
        query.map(|query| SeqRange { from: query.from_seq.map(|seq| seq.0), to: query.to_seq.map(|seq| seq.0) });
    dispatcher
        .read(call, move |view| Box::pin(audit::verify(view, range)), |verdict| ok(VerdictReply::from(verdict)))
        .await
}

async fn compare(dispatcher: Dispatcher, call: Call, body: Draft<KeptHeadBody>) -> Answer {
    let kept = body.map(|body| KeptHead { seq: body.seq.0, hash: body.hash.0 });
    let shape = |consistent| ok(ConsistencyReply { consistent });
    dispatcher.read(call, move |view| Box::pin(audit::is_consistent(view, kept)), shape).await
}

impl From<ChainLink> for LinkReply {
    fn from(link: ChainLink) -> Self {
        Self { seq: link.seq, hash: link.hash }
    }
}

impl From<SignedHead> for AuditHeadReply {
    fn from(head: SignedHead) -> Self {
        Self {
            chain: head.chain.to_string(),
            seq: head.last.seq,
            hash: head.last.hash,
            at: head.at,
            pruned_through: head.pruned.map(LinkReply::from),
            jws: head.jws,
        }
    }
}

impl From<Verification> for VerdictReply {
    fn from(verdict: Verification) -> Self {
        let (first_seq, last_seq) = verdict.range.unzip();
        Self {
            valid: verdict.broken_at.is_none(),
            checked: verdict.checked,
            first_seq,
            last_seq,
            head_hash: verdict.head_hash,
            broken_at: verdict.broken_at,
        }
    }
}
