// Signing up, where the server lets people: a mail shows whose the address is, and its link makes the account and its organization. To an
// address that has an account the answer is the same; only its mail says so.
import { Type } from 'typebox'
import { clientKey } from '../../../kernel/access/limit.ts'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { Email, IntegerId, OneOf } from '../../../kernel/endpoint/schema.ts'
import { accountEmail } from '../../../kernel/values/email.ts'
import { randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { hashPassword, passwordMaxLength, refuseWeakOwn } from '../login/index.ts'
import { signUpModes } from '../organizations/index.ts'
import { makeAnother, requireMode, sendSignUpMail, signUp } from './making.ts'
import { findSignUp, openSignUp } from './store.ts'

const goodForMs = 86_400_000
const hourSeconds = 3_600
const perPlace = 5

const Name = Type.String({ minLength: 1, maxLength: 200, pattern: '\\S', errorMessage: 'must not be empty' })
const Code = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Of an operator: needed where sign-up is by invitation, and good once.',
})
const sampleToken = 'Zk1lWm5zYW1wbGV0b2tlbm9mYW1haWwtc2FtcGxldG9r'

const common = {
  version: 'v2',
  category: 'Authentication',
  permission: 'public',
  envelope: 'data',
  transaction: 'none',
} as const

export const getSignUp = endpoint({
  ...common,
  id: 'auth.get_sign_up',
  method: 'GET',
  path: '/auth/sign-up',
  name: 'Get who may sign up',
  description:
    'Who may make an organization on this server: operators alone (`closed`), anyone with a code of theirs (`invite`), or anyone (`open`).',
  reply: Type.Object({ signUp: OneOf(signUpModes) }),
  sample: { reply: { signUp: 'open' } },
  handle: async ({ services }) => ({ signUp: services.organizations.signUp }),
})

export const requestSignUp = endpoint({
  ...common,
  id: 'auth.sign_up',
  method: 'POST',
  path: '/auth/sign-up',
  name: 'Sign up',
  description:
    'Sends a mail with a link, good for a day and once, that makes an account and an organization; nothing is made before. To an address ' +
    'that has an account the mail says so. The answer is the same, as soon, for every address. At most five an hour from a network, and to an address.',
  bodyLimit: 4_096,
  body: Type.Object({ email: Email, name: Name, organization: Name, code: Type.Optional(Code) }),
  reply: Type.Object({
    accepted: Type.Literal(true, { description: 'That it was asked for; the mail says how to go on.' }),
  }),
  problems: ['sign_up_closed', 'organization_code_refused', 'sign_up_throttled'],
  sample: {
    body: { email: 'grace@example.com', name: 'Grace Hopper', organization: 'Example GmbH' },
    reply: { accepted: true },
  },
  async handle({ body, ip, now, services }) {
    await requireMode(services, body.code, now)
    const token = randomToken(32)
    const asked = {
      token,
      email: accountEmail(body.email),
      name: body.name.trim(),
      organization: body.organization.trim(),
    }
    const place = services.keyring.lastingMac(`sign-up from ${clientKey(ip)}`).toString('base64url')
    const times = { nowMs: now, untilMs: now + goodForMs }
    if (!(await openSignUp(services.db, { ...asked, code: body.code, place, ...times }, perPlace)))
      throw new Problem('sign_up_throttled', { headers: { 'retry-after': String(hourSeconds) } })
    // Behind the answer: whether the address has an account shows in nothing that it waits for.
    void sendSignUpMail(services, asked).catch(err => services.log.error({ err }, 'no mail of a sign-up'))
    return { accepted: true as const }
  },
})

const Made = Type.Object({
  organizationId: IntegerId,
  userId: IntegerId,
  email: Type.String({ description: 'Of the account, to log in with.' }),
})
const sampleMade = { organizationId: 2, userId: 12, email: 'grace@example.com' }

export const confirmSignUp = endpoint({
  ...common,
  id: 'auth.confirm_sign_up',
  method: 'POST',
  path: '/auth/sign-up/confirm',
  name: 'Confirm a sign-up',
  description:
    'Takes the token of the mail, which is behind the # of its link, and a password of at least 15 characters, and makes the account and the ' +
    'organization that it owns. An organization that was made without a code sends 50 mails a day, until an operator lets it send more. Then log in.',
  status: 201,
  bodyLimit: 4_096,
  audit: 'organization.created',
  body: Type.Object({
    token: Type.String({ minLength: 1, maxLength: 100 }),
    password: Type.String({ minLength: 1, maxLength: passwordMaxLength }),
  }),
  reply: Made,
  problems: ['sign_up_closed', 'link_expired', 'organization_code_refused', 'weak_password'],
  sample: { body: { token: sampleToken, password: 'seven brass lanterns drift' }, reply: sampleMade },
  async handle({ body: { token, password }, now, asked, services }) {
    if (services.organizations.signUp === 'closed') throw new Problem('sign_up_closed')
    const found = await findSignUp(services.db, token, now)
    if (found === undefined) throw new Problem('link_expired')
    if (found.code_hash === null && services.organizations.signUp === 'invite')
      throw new Problem('organization_code_refused')
    const owner = { email: found.email, names: [found.name, found.organization], hasSecondFactor: false }
    await refuseWeakOwn(services, password, owner, 'password')
    return signUp(services, token, found, await hashPassword(password), { asked, nowMs: now })
  },
})

export const createOwnOrganization = endpoint({
  id: 'own_organizations.create',
  version: 'v2',
  category: 'User',
  method: 'POST',
  path: '/users/me/organizations',
  name: 'Create an organization',
  description:
    'One more organization, which the person owns, where the server lets people make them: three at most, and, without a code, from a verified ' +
    'address. POST /v2/auth/switch goes to it.',
  permission: 'profile:update',
  personOnly: true,
  status: 201,
  audit: 'organization.created',
  body: Type.Object({ name: Name, code: Type.Optional(Code) }),
  reply: Made,
  envelope: 'data',
  problems: ['sign_up_closed', 'organization_code_refused', 'email_not_verified', 'too_many_organizations'],
  sample: { body: { name: 'Example GmbH' }, reply: sampleMade },
  async handle({ tx, body: { name, code }, principal, now, asked, services }) {
    await requireMode(services, code, now)
    const given = { name: name.trim(), code }
    return makeAnother(tx, principal, given, { asked, nowMs: now })
  },
})

export const endpoints = [getSignUp, requestSignUp, confirmSignUp, createOwnOrganization]
