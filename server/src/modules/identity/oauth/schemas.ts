// Apps, their secrets and authorizations as the API shows them.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import type { Permission } from '../../../kernel/values/permission.ts'
import { permissions } from '../../../nouns.ts'
import { appKinds, endings } from './rules.ts'
import type { AppRow, SecretRow } from './store.ts'

export const vocabulary = Object.keys(permissions) as Permission[]
export const modes = ['live', 'test'] as const

const Secret = Type.Object({
  secretId: Type.String(),
  lastFour: Type.String({ description: 'The last four characters of the secret, to distinguish two.' }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'Exact to a minute.' })),
})

const Client = Type.Object({
  mode: OneOf(modes, { description: 'Which tenant its tokens act in.' }),
  clientId: Type.String({ description: 'The `client_id` of OAuth.' }),
  secrets: Type.Array(Secret),
})

export const App = Type.Object({
  appId: Type.String(),
  name: Type.String({ description: 'What people read when they are asked to let it in.' }),
  description: Nullable(Type.String()),
  homepageUrl: Nullable(Type.String()),
  privacyUrl: Nullable(Type.String()),
  kind: OneOf(appKinds, {
    description:
      'confidential: runs on a server and keeps a secret; public: runs where others can read it (a page, an app on a device); machine: acts in its own name only.',
  }),
  redirectUris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), { description: 'The most that anyone can let it do.' }),
  requirePar: Type.Boolean({ description: 'Whether it must push its requests for authorization (RFC 9126).' }),
  status: OneOf(['active', 'suspended']),
  clients: Type.Array(Client, { description: 'What it is called in live and in test mode.' }),
  userId: Type.Integer({ description: 'The user that it acts as in its own name; records show it as their author.' }),
  tokensNotBefore: Nullable(
    Type.String({
      format: 'date-time',
      description: 'Tokens made before are refused; null when it was never signed out.',
    }),
  ),
  createdBy: Type.Integer(),
  createdAt: Timestamp,
  updatedAt: Timestamp,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})

export const NewSecret = Type.Object({
  ...Secret.properties,
  clientId: Type.String(),
  secret: Type.String({ description: 'The client secret itself. It is not stored and never shown again.' }),
})

export const Authorization = Type.Object({
  authorizationId: Type.String(),
  clientId: Type.String(),
  clientName: Type.String(),
  appId: Nullable(Type.String({ description: 'The app, where the organization registered it.' })),
  userId: Type.Integer({ description: 'Who let it act for them.' }),
  userName: Type.String(),
  mode: OneOf(modes),
  scopes: Type.Array(Type.String(), { description: 'What it may do, as far as the role of the person may.' }),
  createdAt: Timestamp,
  lastUsedAt: Nullable(Type.String({ format: 'date-time', description: 'When it last got a token.' })),
  expiresAt: Timestamp,
  revokedAt: Nullable(Type.String({ format: 'date-time' })),
  revokedBecause: Nullable(
    OneOf(endings, {
      description:
        'Who or what ended it: the person, an Admin, the app itself, a refresh token that was used twice, the deletion of the app, a decision to block the client, a newer authorization.',
    }),
  ),
})

export const ClientPolicy = Type.Object({
  clientId: Type.String(),
  name: Type.String({ description: 'What the client calls itself. Nobody has verified it.' }),
  decision: Nullable(OneOf(['allowed', 'blocked'], { description: 'null while nobody has decided.' })),
  decidedBy: Nullable(Type.Integer()),
  decidedAt: Nullable(Type.String({ format: 'date-time' })),
  askedBy: Nullable(Type.Integer({ description: 'Who first wanted to use it.' })),
  createdAt: Timestamp,
})

export const sampleApp: Static<typeof App> = {
  appId: 'app_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Invoice sync',
  description: 'Copies invoices into the ledger every night.',
  homepageUrl: 'https://sync.example.com/',
  privacyUrl: null,
  kind: 'confidential',
  redirectUris: ['https://sync.example.com/callback'],
  scopes: ['invoices:read', 'profile:read'],
  requirePar: false,
  status: 'active',
  clients: [
    { mode: 'live', clientId: 'tdm_app_live_01k9r7d3w2v8e6q4n5m1b0c9xz', secrets: [] },
    { mode: 'test', clientId: 'tdm_app_test_01k9r7d3w2v8e6q4n5m1b0c9xy', secrets: [] },
  ],
  userId: 14,
  tokensNotBefore: null,
  createdBy: 1,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
  version: 1,
}

export const sampleAuthorization: Static<typeof Authorization> = {
  authorizationId: 'gra_01k9r7d3w2v8e6q4n5m1b0c9xz',
  clientId: 'tdm_app_live_01k9r7d3w2v8e6q4n5m1b0c9xz',
  clientName: 'Invoice sync',
  appId: 'app_01k9r7d3w2v8e6q4n5m1b0c9xz',
  userId: 1,
  userName: 'Administrator',
  mode: 'live',
  scopes: ['invoices:read'],
  createdAt: '2026-11-21T08:44:00.123Z',
  lastUsedAt: '2026-11-21T08:44:02.456Z',
  expiresAt: '2027-11-21T08:44:00.123Z',
  revokedAt: null,
  revokedBecause: null,
}

export const sampleClient: Static<typeof ClientPolicy> = {
  clientId: 'https://assistant.example.com/client.json',
  name: 'Assistant',
  decision: 'allowed',
  decidedBy: 1,
  decidedAt: '2026-11-21T08:45:00.456Z',
  askedBy: 2,
  createdAt: '2026-11-21T08:44:00.123Z',
}

export function presentSecret(row: SecretRow): Static<typeof Secret> {
  const { id, last_four, created_at, last_used_at } = row
  return { secretId: id, lastFour: last_four, createdAt: created_at, lastUsedAt: last_used_at }
}

export function presentApp(row: AppRow): Static<typeof App> {
  return {
    appId: row.id,
    name: row.name,
    description: row.description,
    homepageUrl: row.homepage_url,
    privacyUrl: row.privacy_url,
    kind: row.kind,
    redirectUris: row.redirect_uris,
    scopes: row.scopes,
    requirePar: row.require_par,
    status: row.status,
    clients: row.clients.map(({ mode, client_id, secrets }) => ({
      mode,
      clientId: client_id,
      secrets: secrets.map(presentSecret),
    })),
    userId: row.service_user_id,
    tokensNotBefore: row.tokens_not_before,
    createdBy: row.created_by,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    version: row.version,
  }
}
