// Connections to identity providers over HTTP: set up, changed, switched on, enforced, switched off, removed. The test is in sso/.
import { type Static, Type } from 'typebox'
import { constraintOf } from '../../../kernel/data/db.ts'
import { customerUrl } from '../../../kernel/endpoint/callback_url.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf } from '../../../kernel/endpoint/schema.ts'
import { type Asking, resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { type Rights, type Role, roles } from '../../../kernel/values/permission.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { rolePermissions } from '../../../nouns.ts'
import { hasVerified } from '../domains/index.ts'
import { refuseShuttingOut } from '../members/index.ts'
import { lockOrganization } from '../organizations/index.ts'
import { beginNotifying } from './notify_store.ts'
import {
  askedStatuses,
  type ConnectionRow,
  connectionStatuses,
  connectionsAtMost,
  isWorking,
  nextStatus,
  noticesQueue,
} from './rules.ts'
import { Connection, faultsOf, fields, sampleConnection } from './schemas.ts'
import { connections, endOtherSessions, listStanding, removeIdentities, secretSeal } from './store.ts'

/** Where the provider sends people back to, and where a login begins. */
export function addressesOf(services: Pick<Services, 'ownAddress'>, id: string) {
  const base = `${services.ownAddress() ?? ''}/sso/${id}`
  return { redirectUri: `${base}/callback`, startUrl: `${base}/start` }
}

export function presentConnection(
  row: ConnectionRow,
  services: Pick<Services, 'ownAddress'>,
): Static<typeof Connection> {
  const { test_log: log, tested_at, tested_by } = row
  return {
    connectionId: row.id,
    name: row.name,
    status: row.status,
    issuer: row.issuer,
    clientId: row.client_id,
    hasClientSecret: row.client_secret !== null,
    scopes: row.scopes,
    roleClaim: row.role_claim,
    roleMap: row.role_map,
    createsMembers: row.creates_members,
    defaultRole: row.default_role,
    strongMethods: row.strong_methods,
    breakGlassUserIds: row.break_glass,
    ...addressesOf(services, row.id),
    test:
      log === null || tested_at === null
        ? null
        : { at: tested_at, userId: tested_by, passed: log.every(({ outcome }) => outcome !== 'wrong'), log },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

const own = resource<ConnectionRow, typeof Connection>({
  names: ['sso_connection', 'sso_connections'],
  words: 'single sign-on connection',
  id: ['connectionId', 'sso'],
  category: 'Organization',
  path: '/organization/sso-connections',
  permissions: { read: 'sso:manage', manage: 'sso:manage' },
  guarded: { shared: true, recent: 'factor' },
  handsOut: true,
  rows: connections,
  reply: Connection,
  sample: sampleConnection,
  present: (rows, { services }) => rows.map(row => presentConnection(row, services)),
})

const list = own.list({
  description:
    'The identity providers of the organization (OpenID Connect), with the addresses to register at each and the log of its last test. At most one is in use.',
  filters: { status: Type.Optional(OneOf(connectionStatuses, { description: 'Only connections of this status.' })) },
})

const get = own.get({ description: 'One identity provider, without its secret.' })

const { name, issuer, clientId, clientSecret, breakGlassUserIds, ...more } = fields
const optional = {
  scopes: Type.Optional(more.scopes),
  roleClaim: Type.Optional(more.roleClaim),
  roleMap: Type.Optional(more.roleMap),
  createsMembers: Type.Optional(more.createsMembers),
  defaultRole: Type.Optional(more.defaultRole),
  strongMethods: Type.Optional(more.strongMethods),
  breakGlassUserIds: Type.Optional(breakGlassUserIds),
}

const create = own.create({
  description: `Sets an identity provider up, as a draft: register its redirectUri at the provider, run the test, then switch it on. At most ${connectionsAtMost}. By anyone who holds all that an Admin holds, for the provider says who logs in.`,
  bodyLimit: 32_768,
  body: Type.Object({ name, issuer, clientId, clientSecret: Type.Optional(clientSecret), ...optional }),
  check: faultsOf,
  problems: ['too_many_connections', 'sso_misconfigured'],
  sample: {
    body: {
      name: 'Example Okta',
      issuer: 'https://example.okta.com',
      clientId: '0oa1b2c3d4',
      clientSecret: 'kept at the provider as well',
      roleClaim: 'groups',
      roleMap: [{ value: 'tandem-admins', role: 'Admin' }],
      createsMembers: true,
    },
  },
  async handle(body, asking) {
    const { tx, principal, now, services, handOut } = asking
    handOut(...rightsOf(body))
    if ((await connections.count(tx, principal)) >= connectionsAtMost) throw new Problem('too_many_connections')
    await refuseStrangers(asking, body.breakGlassUserIds ?? [])
    const id = newId('sso')
    const values = { id, name: body.name.trim(), ...changesOf(body, id, services), ...stampsOf(now) }
    return { row: (await connections.insert(tx, principal, values)) as ConnectionRow }
  },
})

const statusAsked = OneOf(['active', 'enforced', 'disabled', 'draft'], {
  description:
    'active: people may come by it, once it is tested. enforced: people with an address at a verified domain must; their other sessions end, and each gets a mail that says so. disabled: nobody does. draft: to be tested again.',
})

const update = own.update({
  description:
    'Changes an identity provider, or its state. Another issuer or client id has to be tested again, so these are changed in a connection that is not in use; with another issuer all that it called people is forgotten. All but another name and switching it off is for anyone who holds all that an Admin holds; of one that is in use, or would be, only the client secret while the ownership is offered and for 72 hours after it changed, but for who offered it.',
  bodyLimit: 32_768,
  body: Type.Object({
    name: Type.Optional(name),
    issuer: Type.Optional(issuer),
    clientId: Type.Optional(clientId),
    clientSecret: Type.Optional(Type.Unsafe<string | null>({ ...clientSecret, type: ['string', 'null'] })),
    ...optional,
    status: Type.Optional(statusAsked),
  }),
  check: faultsOf,
  problems: [
    'sso_misconfigured',
    'sso_state_not_allowed',
    'sso_connection_active',
    'domain_not_verified',
    'transfer_open',
  ],
  sample: { body: { name: 'Example Okta (production)' } },
  async handle(row, body, asking) {
    const { tx, principal, now, services, handOut, afterCommit } = asking
    handOut(...rightsOf(body))
    const isOfUse = isWorking(row) || body.status === 'active' || body.status === 'enforced'
    // Anyone replaces a secret that ran out: it gets nobody in, nor out.
    const { clientSecret: _secret, ...others } = body
    if (isOfUse && givingField(others) !== undefined) {
      await lockOrganization(tx, principal)
      await refuseShuttingOut(tx, principal, now)
    }
    if (body.breakGlassUserIds !== undefined) await refuseStrangers(asking, body.breakGlassUserIds)
    const values = changesOf(body, row.id, services)
    const isOther = (values.issuer ?? row.issuer) !== row.issuer
    const again = isOther || (values.client_id ?? row.client_id) !== row.client_id
    if (again && (row.status === 'active' || row.status === 'enforced'))
      throw new Problem('sso_state_not_allowed', {
        message: 'Issuer and client id are changed in a connection that nobody uses. Disable it first.',
      })
    if (isOther) await removeIdentities(tx, principal, row.id)
    const begun = again ? { ...row, status: 'draft' as const } : row
    const status = await statusAfter(begun, body, asking)
    const all = { ...values, name: body.name?.trim(), status, ...(again && { test_log: null, tested_at: null }) }
    try {
      const changed = await connections.change(tx, principal, row.id, all, now)
      const isNew = row.status !== 'enforced'
      if (status === 'enforced' && (isNew || body.breakGlassUserIds !== undefined)) {
        await beginNotifying(tx, principal, row.id, isNew ? isoMs(now) : null)
        afterCommit(() => services.wake(noticesQueue))
      }
      return { row: changed }
    } catch (error) {
      if (constraintOf(error) === 'sso_connections_working') throw new Problem('sso_connection_active')
      throw error
    }
  },
})

const remove = own.delete({
  description:
    'Removes an identity provider with all that it called people. Who has no password sets one by a mail (POST /v2/auth/password-resets).',
  async handle(row, { tx, principal }) {
    await removeIdentities(tx, principal, row.id)
  },
})

type Changes = {
  issuer?: string
  clientId?: string
  clientSecret?: string | null
  scopes?: string[]
  roleClaim?: string | null
  roleMap?: { value: string; role: Role }[]
  createsMembers?: boolean
  defaultRole?: Role
  strongMethods?: string[]
  breakGlassUserIds?: number[]
}

/** @throws Problem `sso_misconfigured` for an issuer that we may not go to */
function changesOf(body: Changes, id: string, { egress, keyring }: Services) {
  if (body.issuer !== undefined) {
    const options = { mode: 'live', field: 'issuer', problem: 'sso_misconfigured' } as const
    customerUrl(body.issuer, egress, options)
    if (/[?#]/.test(body.issuer))
      throw invalid({ field: 'issuer', code: 'not_allowed', message: 'must have no query and no fragment' })
  }
  const secret = body.clientSecret
  return {
    issuer: body.issuer,
    client_id: body.clientId,
    client_secret: typeof secret === 'string' ? secretSeal(keyring).close(id, secret) : secret,
    scopes: body.scopes,
    role_claim: body.roleClaim,
    role_map: body.roleMap,
    creates_members: body.createsMembers,
    default_role: body.defaultRole,
    strong_methods: body.strongMethods,
    break_glass: body.breakGlassUserIds,
  }
}

/** What gives nobody anything: a name, and switching it off. */
const givesNothing = (field: string, value: unknown) =>
  field === 'name' || (field === 'status' && (value === 'disabled' || value === 'draft'))

/** The first field that gives somebody something. */
const givingField = (body: object) =>
  Object.entries(body).find(([name, value]) => value !== undefined && !givesNothing(name, value))?.[0]

/**
 * Who says which provider it is, what it is believed and when it is asked, decides who logs in as anybody, Admins among them; whatever the
 * change names, it is worth all that they hold.
 * @returns the rights, and the first field that gives them
 */
function rightsOf(body: object): [Rights, string] {
  const field = givingField(body)
  if (field === undefined) return [{ permissions: new Set(), mode: 'live', endsAtMs: 0 }, 'name']
  const permissions = new Set(roles.flatMap(role => [...rolePermissions[role]]))
  return [{ permissions, mode: 'live', endsAtMs: null, seesOthers: true }, field]
}

/** @throws Problem `validation_failed` for who is no active member */
async function refuseStrangers({ tx, principal }: Asking, ids: readonly number[]): Promise<void> {
  const known = new Set((await listStanding(tx, principal, ids)).map(({ id }) => id))
  const faults = ids.flatMap((id, index) =>
    known.has(id)
      ? []
      : [
          {
            field: `breakGlassUserIds[${index}]`,
            code: 'not_found',
            message: 'is no active member of the organization',
          },
        ],
  )
  if (faults.length > 0) throw invalid(...faults)
}

/** @throws Problem `sso_state_not_allowed`, `domain_not_verified`, `validation_failed` */
async function statusAfter(
  row: ConnectionRow,
  body: Changes & { status?: keyof typeof askedStatuses },
  { tx, principal }: Asking,
): Promise<ConnectionRow['status']> {
  const asked = body.status ?? row.status
  const status =
    asked === row.status ? asked : nextStatus(row.status, askedStatuses[asked as keyof typeof askedStatuses])
  if (status === undefined)
    throw new Problem('sso_state_not_allowed', {
      message: `The connection is ${row.status}, which does not lead to ${asked}. It is tested first, then active, then enforced.`,
    })
  const isSame = status === row.status
  if (!isSame && isWorking({ status }) && !(await hasVerified(tx, principal))) throw new Problem('domain_not_verified')
  if (status === 'enforced' && (!isSame || body.breakGlassUserIds !== undefined)) {
    const kept = body.breakGlassUserIds ?? row.break_glass
    const standing = await listStanding(tx, principal, kept)
    if (!standing.some(({ isAdmin }) => isAdmin)) {
      const message = 'must name an active Admin, who gets in on the day when the provider is down'
      throw invalid({ field: 'breakGlassUserIds', code: 'required', message })
    }
    await endOtherSessions(tx, principal, kept, principal.person?.loginId ?? null)
  }
  return status
}

export const endpoints = [list, create, get, update, remove]
