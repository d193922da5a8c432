// Connections to identity providers as requests and answers have them.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { roles } from '../../../kernel/values/permission.ts'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import { connectionStatuses } from './rules.ts'

const outcomes = ['ok', 'note', 'wrong'] as const

const Rule = Type.Object({
  value: Type.String({ minLength: 1, maxLength: 200, description: 'What the claim says, or holds among others.' }),
  role: OneOf(roles),
})

export const fields = {
  name: Type.String({ minLength: 1, maxLength: 100, pattern: '\\S', errorMessage: 'must not be empty' }),
  issuer: Type.String({
    minLength: 8,
    maxLength: 500,
    description:
      'The issuer, exactly as its document says (`/.well-known/openid-configuration` is below it). Of Entra the one with the id of the tenant, never `common`.',
  }),
  clientId: Type.String({ minLength: 1, maxLength: 300, description: 'What the provider calls this application.' }),
  clientSecret: Type.String({ minLength: 1, maxLength: 500, description: 'Kept sealed, and never shown.' }),
  scopes: Type.Array(Type.String({ pattern: '^[\\x21\\x23-\\x5B\\x5D-\\x7E]{1,100}$' }), {
    minItems: 1,
    maxItems: 20,
    uniqueItems: true,
    description: 'What is asked for; `openid` and `email` at least. openid, email, profile when left out.',
  }),
  roleClaim: Nullable(
    Type.String({
      minLength: 1,
      maxLength: 200,
      description: 'The claim of the ID token that says what somebody is: `groups`, `roles`, `realm_access.roles`.',
    }),
  ),
  roleMap: Type.Array(Rule, {
    maxItems: 50,
    description:
      'Which role it gives: the first rule that fits, asked at every login. Nobody becomes Admin but by a rule.',
  }),
  createsMembers: Type.Boolean({
    description:
      'Whether somebody whom the provider knows, with an address at a verified domain, becomes a member at their first login.',
  }),
  defaultRole: OneOf(roles, { description: 'Of new members whom no rule fits; not Admin.' }),
  strongMethods: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 20,
    uniqueItems: true,
    description:
      'Values of `amr` or `acr` that stand for the second factor of an account, such as `mfa`; none: its own is asked for.',
  }),
  breakGlassUserIds: Type.Array(IntegerId, {
    maxItems: 10,
    uniqueItems: true,
    description:
      'Members who log in with their password although everybody else must come by the provider: at least one active Admin, for the day when the provider is down.',
  }),
}

export const Connection = Type.Object({
  connectionId: Type.String({ description: 'Identifier, `sso_…`.' }),
  name: Type.String(),
  status: OneOf(connectionStatuses, {
    description:
      'draft: to be tested. tested: to be switched on. active: people may come by it. enforced: they must. disabled: nobody comes by it.',
  }),
  issuer: Type.String(),
  clientId: Type.String(),
  hasClientSecret: Type.Boolean(),
  scopes: Type.Array(Type.String()),
  roleClaim: Nullable(Type.String()),
  roleMap: Type.Array(Type.Object({ value: Type.String(), role: OneOf(roles) })),
  createsMembers: Type.Boolean(),
  defaultRole: OneOf(roles),
  strongMethods: Type.Array(Type.String()),
  breakGlassUserIds: Type.Array(Type.Integer()),
  redirectUri: Type.String({ description: 'To be registered at the provider, as it is.' }),
  startUrl: Type.String({ description: 'Where a login by it begins, for the list of applications of the provider.' }),
  test: Nullable(
    Type.Object({
      at: Timestamp,
      userId: Nullable(Type.Integer({ description: 'Who ran it.' })),
      passed: Type.Boolean(),
      log: Type.Array(Type.Object({ step: Type.String(), outcome: OneOf(outcomes), text: Type.String() })),
    }),
  ),
  createdAt: Timestamp,
  updatedAt: Timestamp,
})

export const sampleConnection: Static<typeof Connection> = {
  connectionId: 'sso_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Example Okta',
  status: 'draft',
  issuer: 'https://example.okta.com',
  clientId: '0oa1b2c3d4',
  hasClientSecret: true,
  scopes: ['openid', 'email', 'profile'],
  roleClaim: 'groups',
  roleMap: [{ value: 'tandem-admins', role: 'Admin' }],
  createsMembers: true,
  defaultRole: 'Sales Executive',
  strongMethods: [],
  breakGlassUserIds: [1],
  redirectUri: 'https://crm.example.com/sso/sso_01k9r7d3w2v8e6q4n5m1b0c9xz/callback',
  startUrl: 'https://crm.example.com/sso/sso_01k9r7d3w2v8e6q4n5m1b0c9xz/start',
  test: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

/** What a schema cannot say of them. */
export function faultsOf(body: { scopes?: string[]; defaultRole?: string }): FieldFault[] {
  const faults: FieldFault[] = []
  const refuse = (field: string, message: string) => faults.push({ field, code: 'not_allowed', message })
  for (const scope of ['openid', 'email'])
    if (body.scopes !== undefined && !body.scopes.includes(scope)) refuse('scopes', `must hold ${scope}`)
  if (body.defaultRole === 'Admin') refuse('defaultRole', 'must not be Admin; name who is one in roleMap')
  return faults
}
