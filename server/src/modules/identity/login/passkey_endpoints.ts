// The login with a passkey, as one request: what the browser answered, for the tokens that a login brings.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Assertion, sampleAssertion } from '../factors/index.ts'
import { LoginUser, Mode, sampleLogin, TokenReply } from './endpoints.ts'
import { logInByPasskey } from './passkey.ts'

export const passkeyLogin = endpoint({
  id: 'auth.log_in_with_passkey',
  version: 'v2',
  category: 'Authentication',
  method: 'POST',
  path: '/auth/passkeys',
  name: 'Log in with a passkey',
  description:
    'Exchanges what a browser answered to the options of POST /v2/auth/passkeys/options for an access token. No password and no ' +
    'other factor is asked for. Of several organizations it is for the one used last, unless `organizationId` names one.',
  permission: 'public',
  idempotent: false,
  bodyLimit: 16_384,
  body: Type.Object({
    assertion: Assertion,
    mode: Mode,
    organizationId: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: Number.MAX_SAFE_INTEGER,
        description: 'Which organization it is for; the one used last when left out.',
      }),
    ),
  }),
  reply: Type.Object({ ...TokenReply, user: LoginUser }),
  envelope: 'data',
  transaction: 'none',
  audit: 'user.signed_in',
  problems: [
    'passkey_refused',
    'passkeys_unavailable',
    'membership_required',
    'password_change_required',
    'address_not_allowed',
    'sso_required',
  ],
  sample: { body: { assertion: sampleAssertion }, reply: sampleLogin },
  async handle({ body: { mode = 'live', ...sent }, now, ip, asked, services }) {
    const from = { ip, asked }
    const { user, sessions } = await logInByPasskey(services, { ...sent, modes: [mode], from, nowMs: now })
    return { ...sessions[0]!, user }
  },
})

export const endpoints = [passkeyLogin]
