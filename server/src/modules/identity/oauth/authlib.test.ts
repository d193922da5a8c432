// Authlib, a client of Python by others, unmodified: it finds the authorization server by its metadata, gets tokens in each way, refreshes,
// asks about and revokes them, and verifies one by the keys that are published.
// test: programs
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { createInterface } from 'node:readline'
import { test } from 'node:test'
import { startOAuth, walk } from '../../../../test/oauth.ts'

const python = '/usr/bin/python3'
const isThere = spawnSync(python, ['-c', 'import authlib, requests']).status === 0
const skip = !isThere && 'NOT TESTED: authlib needs python3-authlib installed: bash scripts/system_tools.sh'

/** Prints the address to send the person to, and reads where they came back; prints what it has seen as JSON at the end. */
const program = `
import json, os, sys
import requests
from authlib.integrations.requests_client import OAuth2Session
from authlib.jose import JsonWebKey, jwt

given = json.loads(os.environ['GIVEN'])
base = given['base']
resource = requests.get(base + '/.well-known/oauth-protected-resource').json()
issuer = resource['authorization_servers'][0]
path = issuer[len(base):]
server = requests.get(base + '/.well-known/oauth-authorization-server' + path).json()
assert server['issuer'] == issuer
seen = {}

def api(session, path='/v1/api/auth/me'):
    return session.get(base + path)

for method in ('client_secret_basic', 'client_secret_post'):
    machine = OAuth2Session(given['id'], given['secret'], scope='leads:read profile:read',
                            token_endpoint_auth_method=method)
    token = machine.fetch_token(server['token_endpoint'], grant_type='client_credentials')
    assert token['expires_in'] == 3600 and 'refresh_token' not in token
    seen[method] = api(machine).status_code

keys = JsonWebKey.import_key_set(requests.get(server['jwks_uri']).json())
claims = jwt.decode(token['access_token'], keys, claims_options={
    'iss': {'essential': True, 'value': issuer}, 'aud': {'essential': True, 'value': base}})
claims.validate()
seen['client'] = claims['client_id']

person = OAuth2Session(given['id'], given['secret'], scope='leads:read offline_access', redirect_uri=given['redirect'],
                       code_challenge_method='S256')
verifier = 'a' * 64
url, state = person.create_authorization_url(server['authorization_endpoint'], code_verifier=verifier)
print(url, flush=True)
back = sys.stdin.readline().strip()
token = person.fetch_token(server['token_endpoint'], authorization_response=back, code_verifier=verifier)
seen['scope'] = token['scope']
seen['leads'] = api(person, '/v1/api/leads').status_code
next = person.refresh_token(server['token_endpoint'], refresh_token=token['refresh_token'])
assert next['refresh_token'] != token['refresh_token'] and next['access_token'] != token['access_token']
about = lambda: person.introspect_token(server['introspection_endpoint'], token=next['access_token']).json()
seen['active'] = about()['active']
seen['revoked'] = person.revoke_token(server['revocation_endpoint'], token=next['refresh_token']).status_code
seen['after'] = about()['active']
seen['refused'] = api(person).json()['code']
try:
    person.refresh_token(server['token_endpoint'], refresh_token=next['refresh_token'])
except Exception as error:
    seen['error'] = getattr(error, 'error', str(error))
print(json.dumps(seen), flush=True)
`

test('authlib gets tokens in its own name and for a person, refreshes, asks about, revokes and verifies them', {
  skip,
  timeout: 60_000,
}, async () => {
  const { t, base, newApp } = await startOAuth()
  const redirect = 'https://sync.example.com/callback'
  const { live } = await newApp({ redirectUris: [redirect] })
  const given = JSON.stringify({ base, id: live.clientId, secret: live.secret, redirect })
  // It refuses http otherwise, as it should.
  const env = { ...process.env, GIVEN: given, AUTHLIB_INSECURE_TRANSPORT: '1' }
  const child = spawn(python, ['-c', program], { env, stdio: ['pipe', 'pipe', 'pipe'] })
  let faults = ''
  child.stderr.setEncoding('utf8').on('data', text => {
    faults += text
  })
  const lines: string[] = []
  for await (const line of createInterface(child.stdout)) {
    lines.push(line)
    if (lines.length > 1) continue
    const back = await walk({ base, t }, line)
    child.stdin.write(`${back.href}\n`)
  }
  assert.equal(lines.length, 2, faults)
  assert.deepEqual(JSON.parse(lines[1]!), {
    client_secret_basic: 200,
    client_secret_post: 200,
    client: live.clientId,
    scope: 'leads:read',
    leads: 200,
    active: true,
    revoked: 200,
    after: false,
    refused: 'token_revoked',
    error: 'invalid_grant',
  })
})
