//! `/.well-known`: what others need to check what this service signs.

use crate::{
    answer::Answer,
    desk::Desk,
    route::{Place, Shown, routes},
    wire::{Json, Written, reply},
};
use octavo_app::{Call, Reply, audit};
use std::sync::Arc;

routes! {
    /// Publishes the keys that verify access tokens and ends of audit trails.
    ///
    /// A JSON Web Key Set. Deployments that sign access tokens with a shared secret publish no key for them; a key that was replaced stays until
    /// its last token has expired. The Ed25519 key is that of audit trails.
    GET "/.well-known/jwks.json" => keys {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: KeySet },
        refusals: [],
        events: [],
        place: Place::Origin,
        cache: "public, max-age=300",
    }
}

reply! {
    /// A set of public keys.
    pub KeySet {
        /// The keys, each as a JSON Web Key.
        keys "keys": required Vec<Json>,
    }
}

impl Shown for KeySet {}

async fn keys(desk: Desk, call: Call) -> Answer {
    let of_tokens = desk.signer().public_keys(call.now);
    let (backend, signatures) = (Arc::clone(desk.backend()), desk.signatures());
    desk.flow(call, |engine, call| async move {
        let of_trails = if let Some(key) = backend.audit_key.get() {
            key.clone()
        } else {
            let key = audit::published_key(&engine, call.now, &*signatures).await?;
            backend.audit_key.get_or_init(|| key).clone()
        };
        let keys = of_tokens.into_iter().chain([of_trails]).map(Json).collect();
        Ok(Reply::json(200, &Written(&KeySet { keys })))
    })
    .await
}
