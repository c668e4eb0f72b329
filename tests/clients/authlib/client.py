"""Goes through the code flow as an app written with Authlib does. The test that starts it plays the browser."""

import os
import sys

import requests
from authlib.common.security import generate_token
from authlib.integrations.base_client.errors import OAuthError
from authlib.integrations.requests_client import OAuth2Session

issuer = os.environ["ISSUER"]
secret = os.environ["CLIENT_SECRET"]
method = os.environ["AUTH_METHOD"]

metadata = requests.get(f"{issuer}/.well-known/oauth-authorization-server", timeout=60).json()
assert metadata["issuer"] == issuer, metadata
session = OAuth2Session(
    os.environ["CLIENT_ID"],
    secret or None,
    scope=os.environ["SCOPE"],
    redirect_uri=os.environ["REDIRECT_URI"],
    code_challenge_method="S256",
    token_endpoint_auth_method=method,
    revocation_endpoint_auth_method=method,
)
verifier = generate_token(64)
url, state = session.create_authorization_url(metadata["authorization_endpoint"], code_verifier=verifier)
print(f"OPEN {url}", flush=True)
back = sys.stdin.readline().strip()

token = session.fetch_token(
    metadata["token_endpoint"], authorization_response=back, state=state, code_verifier=verifier
)
assert token["token_type"] == "Bearer" and token["expires_in"] == 900, token
assert token["scope"] == os.environ["SCOPE"], token


def me():
    return session.get(f"{os.environ['BASE']}/auth/me", timeout=60)


assert me().status_code == 200, me().text
first = token["refresh_token"]
token = session.refresh_token(metadata["token_endpoint"], refresh_token=first)
assert token["refresh_token"] != first, "a refresh token works once"
assert me().status_code == 200, me().text

answer = session.revoke_token(
    metadata["revocation_endpoint"], token=token["refresh_token"], token_type_hint="refresh_token"
)
assert answer.status_code == 200, answer.text
assert me().status_code == 401, me().text
try:
    session.refresh_token(metadata["token_endpoint"], refresh_token=token["refresh_token"])
    sys.exit("a revoked refresh token still works")
except OAuthError as fault:
    assert fault.error == "invalid_grant", fault
print("DONE", flush=True)
