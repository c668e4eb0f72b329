//! The proof that an audit trail is complete.

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
    /// The part of the trail to verify.
    pub(crate) VerifyQuery {
        /// The first number; by default the oldest entry.
        from_seq "fromSeq": optional Seq<1> = 1,
        /// The last number; by default the newest sealed entry.
        to_seq "toSeq": optional Seq<1> = 42,
    }
}

body! {
    /// A head of the trail that was saved earlier.
    pub(crate) KeptHeadBody {
        /// Its number.
        seq "seq": required Seq<0> = 42,
        /// Its hash.
        hash "hash": required Hash,
    }
}

reply! {
    /// An entry of the trail.
    pub(crate) LinkReply {
        /// Its number.
        seq "seq": required i64 = 7,
        /// Its hash.
        hash "hash": required String = "60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752",
    }
}

reply! {
    /// The signed head of the trail.
    pub(crate) AuditHeadReply {
        /// The workspace that the trail belongs to.
        chain "chain": required String = "wks_01J8Z3K4M5N6P7Q8R9S0T1V2W3",
        /// The number of the newest sealed entry; 0 if there is none.
        seq "seq": required i64 = 42,
        /// Its hash; 64 zeros if there is none.
        hash "hash": required String = "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13",
        /// The time of the signature.
        at "at": required Timestamp,
        /// The last entry that was removed because of its age; null if none was.
        pruned_through "prunedThrough": nullable LinkReply,
        /// The other fields as a compact JWS (`EdDSA`). Its `kid` refers to a key in `/.well-known/jwks.json`.
        jws "jws": required String = "eyJhbGciOiJFZERTQSIsImtpZCI6ImtQcksifQ.eyJzZXEiOjQyfQ.c2lnbmF0dXJl",
    }
}

reply! {
    /// The result of recomputing the hashes.
    pub(crate) VerdictReply {
        /// Whether all hashes are right.
        valid "valid": required bool = true,
        /// How many entries were checked.
        checked "checked": required i64 = 42,
        /// The first of them; null if there was none.
        first_seq "firstSeq": nullable i64 = 1,
        /// The last of them; null if there was none.
        last_seq "lastSeq": nullable i64 = 42,
        /// The hash at the end of the trail.
        head_hash "headHash": required String = "fd61a03af4f77d870fc21e05e7e80678095c92d808cfb3b5c279ee04c74aca13",
        /// The number of the first entry with a wrong hash; null if there is none.
        broken_at "brokenAt": nullable i64 = null,
    }
}

reply! {
    /// Whether the trail continues from the saved head.
    pub(crate) ConsistencyReply {
        /// False if entries were removed or changed since.
        consistent "consistent": required bool = true,
    }
}

routes! {
    /// Shows the signed head of the audit trail.
    ///
    /// If you save it, you can later find out whether any entry up to it was changed: send it to `POST
    /// .../audit/verify`, or recompute the hashes of the list.
    GET "/workspaces/{workspaceId}/audit/head" as getAuditHead => head {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (),
        answers: { 200: Data<AuditHeadReply> },
        refusals: [],
        events: [],
    }

    /// Recomputes the hashes of the audit trail.
    ///
    /// Checks all of it, or the part between two numbers. Entries that were removed because of their age are not
    /// missed.
    GET "/workspaces/{workspaceId}/audit/verify" as verifyAuditTrail => verify {
        caller: Inside(RouteAccess::ADMINS_WITHOUT_APPS),
        limits: [],
        takes: (query: Query<VerifyQuery>),
        answers: { 200: Data<VerdictReply> },
        refusals: [],
        events: [],
    }

    /// Compares the audit trail with a head of it that was saved.
    ///
    /// True if that entry is unchanged and all later ones are chained to it. Also false if the entry was removed
    /// because of its age, except for the last removed one: there is nothing left to compare.
    POST "/workspaces/{workspaceId}/audit/verify" as compareAuditHead => compare {
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
