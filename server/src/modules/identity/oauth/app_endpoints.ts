// Apps: registered, listed, changed, suspended, signed out and deleted by Admins.
import { type Static, Type } from 'typebox'
import { quotas } from '../../../kernel/data/quota.ts'
import { type Context, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { requireRecord, requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Deleted, Nullable, OneOf, RecordId } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Permission, Rights } from '../../../kernel/values/permission.ts'
import { type FieldFault, Problem } from '../../../kernel/values/problem.ts'
import { refuseRestricted } from '../../destinations/index.ts'
import { findUser, insertRevocation } from '../login/index.ts'
import { mailQueue, notify } from '../notices/index.ts'
import { findTenants } from '../organizations/index.ts'
import { revokeGrants, standingGrants } from './grants_store.ts'
import { appMadeNotice } from './notices.ts'
import { type AppKind, appKinds, redirectFaults } from './rules.ts'
import { App, modes, presentApp, sampleApp, vocabulary } from './schemas.ts'
import { type AppRow, changeApp, countApps, findApp, insertApp, listApps, lockApp, removeApp } from './store.ts'

export const AppParams = Type.Object({ appId: RecordId('app', 'Identifier of the app.') })
export const sampleParams = { appId: sampleApp.appId }

const text = (description: string, maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', errorMessage: 'must not be empty', description })
const address = (description: string) =>
  Type.Optional(Nullable(Type.String({ format: 'url', maxLength: 500, description })))

const fields = {
  name: text('What people read when they are asked to let it in.', 100),
  description: Type.Optional(Nullable(text('What it does, in a sentence.', 500))),
  homepageUrl: address('Where people read more about it.'),
  privacyUrl: address('What it does with the data of people.'),
  redirectUris: Type.Optional(
    Type.Array(Type.String({ minLength: 1, maxLength: 500 }), {
      maxItems: 20,
      uniqueItems: true,
      description:
        'Where people are sent back to: https, loopback http (any port), or a scheme of an app. Compared character by character.',
    }),
  ),
  scopes: Type.Array(OneOf(vocabulary), {
    minItems: 1,
    maxItems: 200,
    uniqueItems: true,
    description: 'The most that anyone can let it do. In its own name it may do all of it.',
  }),
  requirePar: Type.Optional(
    Type.Boolean({ description: 'Take only pushed requests for authorization (RFC 9126); false when left out.' }),
  ),
}

/** What anyone gets who holds a secret of the app: it acts in its own name, in either mode, for ever. */
export function rightsOf(scopes: readonly Permission[]): Rights {
  return { permissions: new Set(scopes), mode: 'live', endsAtMs: null, seesOthers: true }
}

/** @throws Problem `redirect_uri_not_allowed` */
function refuseRedirects(kind: AppKind, uris: readonly string[]): void {
  const details: FieldFault[] = redirectFaults(kind, uris)
  if (details.length === 0) return
  const [{ field, message } = { field: '', message: '' }] = details
  throw new Problem('redirect_uri_not_allowed', { message: `${field} ${message}.`, details })
}

const common = { version: 'v2', category: 'Authentication', permission: 'apps:manage', envelope: 'data' } as const

const create = endpoint({
  ...common,
  id: 'apps.create',
  recent: 'factor',
  keysToo: true,
  audit: 'app.created',
  method: 'POST',
  path: '/auth/apps',
  name: 'Create an app',
  description:
    'Registers a program that uses the API by OAuth, with a `client_id` for live and one for test mode, and a user of its own that ' +
    `it acts as with client credentials. A secret is made apart. An organization has at most ${quotas.apps.organization} apps. Done in live mode, by anyone who holds every scope of it.`,
  shared: true,
  handsOut: true,
  status: 201,
  versioned: true,
  body: Type.Object({ kind: OneOf(appKinds), ...fields }),
  reply: App,
  problems: ['redirect_uri_not_allowed', 'too_many_apps'],
  sample: {
    body: {
      kind: 'confidential',
      name: 'Invoice sync',
      description: 'Copies invoices into the ledger every night.',
      homepageUrl: 'https://sync.example.com/',
      redirectUris: ['https://sync.example.com/callback'],
      scopes: ['invoices:read', 'profile:read'],
    },
    reply: sampleApp,
  },
  async handle({ tx, principal, body, now, asked, handOut, setVersion, services, afterCommit }) {
    const redirect_uris = body.redirectUris ?? []
    refuseRedirects(body.kind, redirect_uris)
    await refuseRestricted(tx, principal, 'registers no apps')
    handOut(rightsOf(body.scopes), 'scopes')
    if ((await countApps(tx, principal)) >= quotas.apps.organization) throw new Problem('too_many_apps')
    const tenants = await findTenants(tx, principal)
    const row = await insertApp(tx, principal, {
      id: newId('app'),
      kind: body.kind,
      name: body.name.trim(),
      description: body.description?.trim() ?? null,
      homepage_url: body.homepageUrl ?? null,
      privacy_url: body.privacyUrl ?? null,
      redirect_uris,
      scopes: body.scopes,
      require_par: body.requirePar ?? false,
      created_by: principal.userId,
      clients: modes.map(mode => ({
        mode,
        tenant_id: tenants[mode],
        client_id: `tdm_app_${mode}_${newId('x').slice(2)}`,
      })),
    })
    setVersion(row.version)
    const record = presentApp(row)
    await emitChange(tx, principal, { type: 'app.created', resourceId: row.id, record })
    const maker = await findUser(tx, principal, principal.userId)
    if (maker !== undefined) {
      const said = { notice: appMadeNotice, to: maker, detail: row.name, asked, nowMs: now }
      await notify(tx, services, principal, said)
      afterCommit(() => services.wake(mailQueue))
    }
    return record
  },
})

const list = endpoint({
  ...common,
  id: 'apps.list',
  method: 'GET',
  path: '/auth/apps',
  name: 'List apps',
  description: 'The apps of the organization with their client ids and secrets in short, the newest first.',
  permission: 'apps:read',
  envelope: 'page',
  query: Type.Object({
    status: Type.Optional(OneOf(['active', 'suspended'], { description: 'Only apps of this status.' })),
    ...v2PageQuery,
  }),
  reply: App,
  sample: { query: { status: 'active' }, reply: sampleApp },
  async handle({ tx, principal, query }) {
    const { cursor, limit = 50, ...filter } = query
    const rows = await listApps(tx, principal, filter, { limit, beforeId: cursorId('app', cursor, filter) })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: cut.rows.map(presentApp), limit, nextCursor: cut.nextCursor }
  },
})

const get = endpoint({
  ...common,
  id: 'apps.get',
  method: 'GET',
  path: '/auth/apps/{appId}',
  name: 'Get an app',
  description: 'One app, with an ETag for a later change.',
  permission: 'apps:read',
  params: AppParams,
  reply: App,
  versioned: true,
  problems: ['not_found'],
  sample: { params: sampleParams, reply: sampleApp },
  async handle({ tx, principal, params, setVersion }) {
    const row = requireRecord(await findApp(tx, principal, params.appId))
    setVersion(row.version)
    return presentApp(row)
  },
})

const { scopes, name, ...optional } = fields
const update = endpoint({
  ...common,
  id: 'apps.update',
  recent: 'factor',
  keysToo: true,
  audit: 'app.updated',
  method: 'PATCH',
  path: '/auth/apps/{appId}',
  name: 'Update an app',
  description:
    'Changes an app. Fewer scopes and `status: suspended` act on every token that is out within two seconds; a suspended app gets ' +
    'none, and goes on where it was when it is active again.',
  shared: true,
  handsOut: true,
  versioned: true,
  params: AppParams,
  body: Type.Object({
    ...optional,
    name: Type.Optional(name),
    scopes: Type.Optional(scopes),
    status: Type.Optional(OneOf(['active', 'suspended'])),
  }),
  reply: App,
  problems: ['not_found', 'redirect_uri_not_allowed'],
  sample: {
    params: sampleParams,
    body: { name: 'Ledger sync' },
    reply: { ...sampleApp, name: 'Ledger sync', version: 2 },
  },
  async handle(context) {
    const { tx, principal, params, body, ifMatch, handOut } = context
    const row = requireVersion(await lockApp(tx, principal, params.appId), ifMatch)
    if (body.redirectUris !== undefined) refuseRedirects(row.kind, body.redirectUris)
    await refuseRestricted(tx, principal, 'changes no apps')
    // Anyone who says where codes go to could act as the app.
    handOut(rightsOf([...row.scopes, ...(body.scopes ?? [])]), body.scopes === undefined ? 'appId' : 'scopes')
    const change = {
      name: body.name?.trim(),
      description: body.description === undefined ? undefined : (body.description?.trim() ?? null),
      homepage_url: body.homepageUrl,
      privacy_url: body.privacyUrl,
      redirect_uris: body.redirectUris,
      scopes: body.scopes,
      require_par: body.requirePar,
      status: body.status,
    }
    const changed = await changeApp(tx, principal, row.id, change)
    return changedApp(context, row, changed, body)
  },
})

type Changing = Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'setVersion' | 'afterCommit' | 'services'>

/** What follows a change: its event, and that every node forgets what it knows of the tokens of the app. */
async function changedApp(
  context: Changing,
  standing: AppRow,
  row: AppRow,
  change?: object,
): Promise<Static<typeof App>> {
  const { tx, principal, setVersion } = context
  const [before, record] = [presentApp(standing), presentApp(row)]
  await emitChange(tx, principal, {
    type: 'app.updated',
    resourceId: row.id,
    record,
    before,
    ...(change && { change }),
  })
  await forgetTokens(context, row.id)
  setVersion(row.version)
  return record
}

/** Every node asks again what tokens are worth, within two seconds of the commit. */
export async function forgetTokens(
  { tx, afterCommit, services }: Pick<Changing, 'tx' | 'afterCommit' | 'services'>,
  subject: string,
): Promise<void> {
  await insertRevocation(tx, 'oauth', subject)
  afterCommit(() => services.authenticator.forget())
}

const remove = endpoint({
  ...common,
  id: 'apps.delete',
  audit: 'app.deleted',
  method: 'DELETE',
  path: '/auth/apps/{appId}',
  name: 'Delete an app',
  description:
    'Deletes an app for good, with its secrets and everything that people let it do: its tokens are refused on every node within two ' +
    'seconds. Records go on naming its user as their author.',
  shared: true,
  versioned: true,
  params: AppParams,
  reply: Deleted('appId'),
  problems: ['not_found'],
  sample: { params: sampleParams, reply: { appId: sampleApp.appId, deleted: true } },
  async handle(context) {
    const { tx, principal, params, ifMatch } = context
    const row = requireVersion(await lockApp(tx, principal, params.appId), ifMatch)
    await revokeGrants(tx, principal, await standingGrants(tx, principal, { appId: row.id }), 'app_deleted', principal)
    await removeApp(tx, principal, row)
    await emitChange(tx, principal, { type: 'app.deleted', resourceId: row.id, record: presentApp(row) })
    await forgetTokens(context, row.id)
    return { appId: row.id, deleted: true as const }
  },
})

const signOut = endpoint({
  ...common,
  id: 'apps.sign_out',
  audit: 'app.signed_out',
  method: 'DELETE',
  path: '/auth/apps/{appId}/tokens',
  name: 'Revoke all tokens of an app',
  description:
    'Ends every access token of an app on every node within two seconds, and every authorization: people must let it in again. Its secrets stay.',
  shared: true,
  versioned: true,
  params: AppParams,
  reply: App,
  problems: ['not_found'],
  sample: {
    params: sampleParams,
    reply: { ...sampleApp, tokensNotBefore: '2026-11-21T08:45:00.456Z', version: 2 },
  },
  async handle(context) {
    const { tx, principal, params, ifMatch, now } = context
    const row = requireVersion(await lockApp(tx, principal, params.appId), ifMatch)
    await revokeGrants(tx, principal, await standingGrants(tx, principal, { appId: row.id }), 'admin', principal)
    const changed = await changeApp(tx, principal, row.id, { tokens_not_before: new Date(now).toISOString() })
    return changedApp(context, row, changed)
  },
})

export const appEndpoints = [create, list, get, update, remove, signOut]
