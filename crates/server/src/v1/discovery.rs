//! `/.well-known`: what others need to check what this service signs.

use crate::{
    answer::{Answer, plain},
    desk::Desk,
    route::{Place, Shown, routes},
    wire::{Json, reply},
};
use octavo_app::Call;

routes! {
    /// Publishes the keys that verify access tokens.
    ///
    /// A JSON Web Key Set. Deployments that sign with a shared secret publish no key; a key that was replaced stays until its last token has
    /// expired.
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
    let keys = desk.signer().public_keys(call.now).into_iter().map(Json).collect();
    plain(&KeySet { keys })
}
