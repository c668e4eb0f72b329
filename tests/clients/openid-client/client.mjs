// Goes through the code flow as an app written with openid-client does. The test that starts it plays the browser.

import assert from 'node:assert/strict'
import { createInterface } from 'node:readline/promises'
import * as client from 'openid-client'

const { AUTH_METHOD, BASE, CLIENT_ID, CLIENT_SECRET, ISSUER, REDIRECT_URI, SCOPE } = process.env
const authentication = {
  client_secret_basic: () => client.ClientSecretBasic(CLIENT_SECRET),
  client_secret_post: () => client.ClientSecretPost(CLIENT_SECRET),
  none: () => client.None(),
}[AUTH_METHOD]()

const config = await client.discovery(new URL(ISSUER), CLIENT_ID, {}, authentication, {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
})
const verifier = client.randomPKCECodeVerifier()
const state = client.randomState()
const url = client.buildAuthorizationUrl(config, {
  redirect_uri: REDIRECT_URI,
  scope: SCOPE,
  state,
  code_challenge: await client.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
})
console.log(`OPEN ${url}`)
const lines = createInterface({ input: process.stdin })
const back = new URL(await new Promise((resolve) => lines.once('line', resolve)))
lines.close()

// Checks state and, because the metadata says that it is sent, the issuer.
let tokens = await client.authorizationCodeGrant(config, back, { pkceCodeVerifier: verifier, expectedState: state })
assert.equal(tokens.expires_in, 900)
assert.equal(tokens.scope, SCOPE)

const me = async () => (await client.fetchProtectedResource(config, tokens.access_token, new URL(`${BASE}/auth/me`), 'GET')).status
assert.equal(await me(), 200)

const first = tokens.refresh_token
tokens = await client.refreshTokenGrant(config, first)
assert.notEqual(tokens.refresh_token, first, 'a refresh token works once')
assert.equal(await me(), 200)

if (AUTH_METHOD !== 'none') {
  const known = await client.tokenIntrospection(config, tokens.access_token)
  assert.equal(known.active, true)
}
await client.tokenRevocation(config, tokens.refresh_token)
await assert.rejects(me(), (fault) => fault.status === 401 || fault.cause?.[0]?.scheme === 'bearer')
await assert.rejects(client.refreshTokenGrant(config, tokens.refresh_token), (fault) => fault.error === 'invalid_grant')
console.log('DONE')
