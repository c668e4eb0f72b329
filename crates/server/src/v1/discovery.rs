//! `/.well-known`: metadata that programs look up. How apps get tokens, and how to verify what this service signs.

use crate::{
    answer::{Answer, plain},
    dispatcher::Dispatcher,
    route::{BASE, Place, RouteReply, routes},
    wire::{Json, Written, reply},
};
use octavo_app::{Call, Reply, audit};
use octavo_core_model::AppScope;
use std::sync::Arc;

routes! {
    /// Publishes the keys that verify access tokens and heads of audit trails.
    ///
    /// A JSON Web Key Set. Deployments that sign access tokens with a shared secret publish no key for them; a
    /// replaced key stays until its last token has expired. The Ed25519 key signs heads of audit trails.
    GET "/.well-known/jwks.json" as getKeySet => keys {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: KeySet },
        refusals: [],
        events: [],
        place: Place::Both,
        cache: "public, max-age=300",
    }

    /// Describes the authorization server.
    ///
    /// The metadata of RFC 8414: where apps send users and where they get tokens. OAuth libraries read it by
    /// themselves.
    GET "/.well-known/oauth-authorization-server" as getAuthorizationServer => authorization_server {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: AuthorizationServer },
        refusals: [],
        events: [],
        place: Place::Both,
        cache: "public, max-age=300",
    }

    /// Describes the API as a protected resource.
    ///
    /// The metadata of RFC 9728, to which a 401 refers: whose tokens the API accepts and how they are sent.
    GET "/.well-known/oauth-protected-resource" as getProtectedResource => protected_resource {
        caller: Anyone,
        limits: [],
        takes: (),
        answers: { 200: ProtectedResource },
        refusals: [],
        events: [],
        place: Place::Both,
        cache: "public, max-age=300",
    }
}

reply! {
    /// An authorization server as RFC 8414 describes one.
    pub AuthorizationServer {
        /// The identifier of the server: the `iss` of its answers and tokens.
        issuer "issuer": required String = "https://example.com",
        /// Where apps send users.
        authorization_endpoint "authorization_endpoint": required String = "https://example.com/api/v1/oauth/authorize",
        /// Where apps get tokens.
        token_endpoint "token_endpoint": required String = "https://example.com/api/v1/oauth/token",
        /// Where apps revoke tokens.
        revocation_endpoint "revocation_endpoint": required String = "https://example.com/api/v1/oauth/revoke",
        /// Where apps check their tokens.
        introspection_endpoint "introspection_endpoint": required String = "https://example.com/api/v1/oauth/introspect",
        /// The keys that verify access tokens, if they are public.
        jwks_uri "jwks_uri": required String = "https://example.com/.well-known/jwks.json",
        /// All scopes.
        scopes_supported "scopes_supported": required Vec<AppScope>,
        /// The kinds of answers of the authorization endpoint.
        response_types_supported "response_types_supported": required Vec<String>,
        /// How these answers are returned.
        response_modes_supported "response_modes_supported": required Vec<String>,
        /// The supported grant types.
        grant_types_supported "grant_types_supported": required Vec<String>,
        /// How apps authenticate at the token endpoint.
        token_endpoint_auth_methods_supported "token_endpoint_auth_methods_supported": required Vec<String>,
        /// How apps authenticate at the revocation endpoint.
        revocation_endpoint_auth_methods_supported "revocation_endpoint_auth_methods_supported": required Vec<String>,
        /// How apps authenticate at the introspection endpoint.
        introspection_endpoint_auth_methods_supported "introspection_endpoint_auth_methods_supported": required Vec<String>,
        /// How a code is bound to the client that requested it.
        code_challenge_methods_supported "code_challenge_methods_supported": required Vec<String>,
        /// Whether answers contain the issuer.
        iss_in_response "authorization_response_iss_parameter_supported": required bool,
        /// The documentation of the API.
        service_documentation "service_documentation": required String = "https://example.com/docs",
    }
}

impl RouteReply for AuthorizationServer {}

reply! {
    /// A protected resource as RFC 9728 describes one.
    pub ProtectedResource {
        /// The identifier of the resource.
        resource "resource": required String = "https://example.com",
        /// The servers that issue tokens for it.
        authorization_servers "authorization_servers": required Vec<String>,
        /// All scopes.
        scopes_supported "scopes_supported": required Vec<AppScope>,
        /// How tokens are sent.
        bearer_methods_supported "bearer_methods_supported": required Vec<String>,
        /// The display name.
        resource_name "resource_name": required String = "Octavo",
        /// The documentation of the API.
        resource_documentation "resource_documentation": required String = "https://example.com/docs",
    }
}

impl RouteReply for ProtectedResource {}

reply! {
    /// A set of public keys.
    pub KeySet {
        /// The keys, each as a JSON Web Key.
        keys "keys": required Vec<Json>,
    }
}

impl RouteReply for KeySet {}

async fn keys(dispatcher: Dispatcher, call: Call) -> Answer {
    let of_tokens = dispatcher.signer().public_keys(call.now);
    let (backend, signatures) = (Arc::clone(dispatcher.backend()), dispatcher.signatures());
    dispatcher
        .flow(call, |engine, call| async move {
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

async fn authorization_server(dispatcher: Dispatcher, _: Call) -> Answer {
    let origin = dispatcher.backend().settings.origin.clone();
    let endpoint = |name: &str| format!("{origin}{BASE}/oauth/{name}");
    let with_and_without = texts(&["client_secret_basic", "client_secret_post", "none"]);
    plain(&AuthorizationServer {
        authorization_endpoint: endpoint("authorize"),
        token_endpoint: endpoint("token"),
        revocation_endpoint: endpoint("revoke"),
        introspection_endpoint: endpoint("introspect"),
        jwks_uri: format!("{origin}/.well-known/jwks.json"),
        scopes_supported: AppScope::ALL.to_vec(),
        response_types_supported: texts(&["code"]),
        response_modes_supported: texts(&["query", "form_post"]),
        grant_types_supported: texts(&["authorization_code", "refresh_token"]),
        token_endpoint_auth_methods_supported: with_and_without.clone(),
        revocation_endpoint_auth_methods_supported: with_and_without,
        introspection_endpoint_auth_methods_supported: texts(&["client_secret_basic", "client_secret_post"]),
        code_challenge_methods_supported: texts(&["S256"]),
        iss_in_response: true,
        service_documentation: format!("{origin}/docs"),
        issuer: origin,
    })
}

async fn protected_resource(dispatcher: Dispatcher, _: Call) -> Answer {
    let origin = dispatcher.backend().settings.origin.clone();
    plain(&ProtectedResource {
        authorization_servers: vec![origin.clone()],
        scopes_supported: AppScope::ALL.to_vec(),
        bearer_methods_supported: texts(&["header"]),
        resource_name: "Octavo".to_owned(),
        resource_documentation: format!("{origin}/docs"),
        resource: origin,
    })
}

fn texts(words: &[&str]) -> Vec<String> {
    words.iter().map(|word| (*word).to_owned()).collect()
}
