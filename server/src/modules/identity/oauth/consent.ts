// What a person is asked when a client wants to act for them, and what their answer becomes: a grant of the organization, which
// everything that the client gets hangs on.
import type { Principal } from '../../../kernel/access/principal.ts'
import { type Asked, recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { quotas } from '../../../kernel/data/quota.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Permission } from '../../../kernel/values/permission.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { permissions } from '../../../nouns.ts'
import { mailQueue, queueMail } from '../../mail/mails/index.ts'
import { findOrganization, findTenants } from '../organizations/index.ts'
import {
  findGrant,
  type GrantRow,
  insertGrant,
  notePolicy,
  presentGrant,
  revokeGrants,
  standingGrants,
} from './grants_store.ts'
import { replacedMail } from './mails.ts'
import type { OAuthServer } from './provider.ts'
import { isLoopbackAddress, playgroundClient, refreshLife } from './rules.ts'

export type Wish = {
  clientId: string
  /** Where the answer goes; undefined for a device. */
  redirectUri: string | undefined
  scopes: readonly string[]
  resources: readonly string[]
}

type Mode = 'live' | 'test'
export type Answer = { allow: true; mode: Mode; scopes: readonly string[] } | { allow: false }

/** The client as this organization knows it. */
type Known = {
  name: string
  uri: string | null
  appId: string | null
  /** Only the test or live client of an app acts in one mode; others in the one that the person chooses. */
  mode: Mode | null
  isPublic: boolean
}

/** @throws Problem `app_not_allowed` for an app of another organization */
async function knownClient({ provider, records }: OAuthServer, principal: Principal, clientId: string): Promise<Known> {
  const client = await provider.Client.find(clientId)
  if (client === undefined) throw new Problem('authorization_request_over')
  const isPublic = client.tokenEndpointAuthMethod === 'none'
  const app = clientId.startsWith('tdm_app_') ? await records.findClient(clientId) : undefined
  if (app === undefined)
    return {
      name: client.clientName ?? hostOf(clientId),
      uri: client.clientUri ?? null,
      appId: null,
      mode: null,
      isPublic,
    }
  if (app.organization_id !== principal.organizationId) {
    throw new Problem('app_not_allowed', {
      message: 'The app was registered by another organization, and only its people can use it.',
    })
  }
  return { name: app.name, uri: null, appId: app.app_id, mode: app.mode, isPublic }
}

const hostOf = (clientId: string) => URL.parse(clientId)?.host ?? clientId

/** Whether this person may let the client in: an app of the organization, what an Admin allowed, or an Admin themselves. */
async function decisionOn(tx: Tx, principal: Principal, clientId: string, { name, appId }: Known) {
  if (appId !== null || clientId === playgroundClient) return 'allowed'
  const asked = { client_id: clientId, client_name: name.slice(0, 100), asked_by: principal.userId }
  const { decision } = await notePolicy(tx, principal, asked)
  if (decision !== null) return decision
  return principal.permissions.has('apps:manage') ? 'allowed' : 'undecided'
}

/** What the page shows. */
export async function describeWish(services: Services, server: OAuthServer, principal: Principal, wish: Wish) {
  const client = await knownClient(server, principal, wish.clientId)
  const { decision, organization } = await services.db.inTenant(principal, async tx => ({
    decision: await decisionOn(tx, principal, wish.clientId, client),
    organization: (await findOrganization(tx, principal)).name,
  }))
  const { redirectUri } = wish
  return {
    client: {
      clientId: wish.clientId,
      name: client.name,
      homepageUrl: client.uri,
      isRegistered: client.appId !== null || wish.clientId === playgroundClient,
    },
    // A scheme of an app has no host that says anything.
    redirectTo: redirectUri === undefined ? null : URL.parse(redirectUri)?.host || `${redirectUri.split(':')[0]}:`,
    isLoopback: redirectUri !== undefined && isLoopbackAddress(redirectUri),
    organization,
    person: principal.email,
    mode: client.mode,
    decision,
    days: refreshLife(client.isPublic).most / 86_400,
    scopes: wish.scopes.map(name => ({
      name,
      allows: permissions[name as Permission],
      held: principal.permissions.has(name as Permission),
    })),
  }
}

/**
 * Makes a grant of what the person allows.
 * @throws Problem `app_not_allowed`, `live_mode_required`, `validation_failed`
 */
export async function grantWish(
  services: Services,
  server: OAuthServer,
  principal: Principal,
  wish: Wish,
  { mode: chosen, scopes }: Extract<Answer, { allow: true }>,
  asked: Asked,
): Promise<GrantRow> {
  const client = await knownClient(server, principal, wish.clientId)
  const mode = client.mode ?? chosen
  if (mode === 'live' && principal.mode !== 'live') throw new Problem('live_mode_required')
  const granted = wish.scopes.filter(scope => scopes.includes(scope) && principal.permissions.has(scope as Permission))
  if (granted.length === 0)
    throw invalid({
      field: 'scopes',
      code: 'required',
      message: 'must name at least one of those that were asked for and that you hold',
    })
  const tenantId = (await services.db.inTenant(principal, tx => findTenants(tx, principal)))[mode]
  const scope = { organizationId: principal.organizationId, tenantId }
  const row = await services.db.inTenant(scope, async tx => {
    if ((await decisionOn(tx, principal, wish.clientId, client)) !== 'allowed') throw new Problem('app_not_allowed')
    const own = { clientId: wish.clientId, userId: principal.userId }
    const standing = await standingGrants(tx, scope, own)
    const surplus = standing.slice(0, Math.max(0, standing.length + 1 - quotas.apps.grants))
    await revokeGrants(tx, scope, surplus, 'newer', principal)
    for (const id of surplus) await mailReplaced(tx, scope, { id, principal, client, mode, base: server.base })
    const made = await insertGrant(tx, scope, {
      id: newId('gra'),
      mode,
      client_id: wish.clientId,
      client_name: client.name.slice(0, 100),
      app_id: client.appId,
      user_id: principal.userId,
      scopes: granted,
      resource: wish.resources[0] ?? server.base,
      ip: asked.ip ?? '',
      expires_at: new Date(services.clock.now() + refreshLife(client.isPublic).most * 1000).toISOString(),
    })
    const data = { ...presentGrant(made), by: { userId: principal.userId, keyId: null } }
    await emit(tx, scope, { type: 'authorization.created', resourceId: made.id, data })
    const targets = [{ type: 'authorization', id: made.id }]
    await recordAudit(tx, principal, { action: 'authorization.created', targets, after: presentGrant(made) }, asked)
    return made
  })
  services.wake(mailQueue)
  await keepGrant(server, row, wish)
  if (wish.clientId.startsWith('dyn_')) await server.records.claimForeignClient(wish.clientId)
  return row
}

type Replaced = { id: string; principal: Principal; client: Known; mode: Mode; base: string }

/** Says to the person by mail that their oldest authorization has ended: otherwise something is logged out, and nobody knows why. */
async function mailReplaced(tx: Tx, scope: Scope, { id, principal, client, mode, base }: Replaced): Promise<void> {
  const { created_at, user_name } = (await findGrant(tx, scope, { userId: principal.userId }, id))!
  await queueMail(tx, scope, {
    template: replacedMail,
    to: { address: principal.email, name: user_name },
    data: {
      name: user_name,
      client: client.name,
      most: String(quotas.apps.grants),
      since: new Date(created_at).toISOString().slice(0, 10),
      mode,
      url: `${base}/authorizations`,
    },
  })
}

/** The grant as the library knows it: what was not allowed is refused by name, or it would ask for it again. */
async function keepGrant({ provider }: OAuthServer, { id, scopes, user_id, client_id }: GrantRow, wish: Wish) {
  const grant = new provider.Grant({ accountId: String(user_id), clientId: client_id })
  grant.jti = id
  const [given, refused] = [scopes.join(' '), wish.scopes.filter(scope => !scopes.includes(scope)).join(' ')]
  grant.addOIDCScope(`${given} offline_access`)
  if (refused !== '') grant.rejectOIDCScope(refused)
  for (const resource of wish.resources) {
    grant.addResourceScope(resource, given)
    if (refused !== '') grant.rejectResourceScope(resource, refused)
  }
  await grant.save()
}
