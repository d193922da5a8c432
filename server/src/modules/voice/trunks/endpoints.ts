// Trunks over HTTP: set up, watched, changed and removed; tried out where something is given that speaks SIP.
import { Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { type Endpoint, endpoint } from '../../../kernel/endpoint.ts'
import { emit } from '../../../kernel/events.ts'
import { newId } from '../../../kernel/ids.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/page.ts'
import { plainRoutes } from '../../../kernel/prefix_routes.ts'
import { Problem } from '../../../kernel/problem.ts'
import { newSettings } from '../../../kernel/settings.ts'
import { type TrunkTesters, trunkKinds } from './kind.ts'
import { presentTrunk, presentTrunks, sampleId, sampleRoute, sampleTrunk } from './present.ts'
import { NewTrunk, SettingsReply, Trunk, TrunkParams, TrunkPatch } from './schemas.ts'
import { sampleSettings } from './settings.ts'
import { trunkSpecs } from './specs.ts'
import {
  changeTrunk,
  countTrunks,
  findTrunk,
  insertTrunk,
  listTrunks,
  lockTrunk,
  maxTrunks,
  removeTrunk,
  type TrunkRow,
} from './store.ts'
import { begunSettings, checkTrunk, sealedSettings, settingsWith } from './stored_settings.ts'
import { testEndpoint } from './test_endpoint.ts'

/** Whoever watches trunks is woken by this name when they change. */
export const trunksQueue = 'trunks'

const own = { version: 'v2', category: 'Voice' } as const

const createTrunk = endpoint({
  ...own,
  id: 'trunks.create',
  method: 'POST',
  path: '/voice/trunks',
  name: 'Add a trunk',
  description:
    'Sets up a trunk, a carrier of calls: one that speaks SIP, or an Asterisk that is there already. Unless it is added switched off, it is watched (OPTIONS), registered where its settings ask for that, and within seconds carries calls to what its routes fit. Trunks belong to live mode; there are at most 50. The answer warns of settings that are less safe than they look.',
  permission: 'trunks:manage',
  bodyLimit: 256 * 1024,
  body: NewTrunk,
  reply: Trunk,
  envelope: 'data',
  status: 201,
  versioned: true,
  problems: ['trunks_live_only', 'too_many_trunks'],
  sample: {
    body: { name: 'Example Telecom', settings: sampleSettings, routes: [sampleRoute], enabled: false },
    reply: {
      ...sampleTrunk,
      enabled: false,
      state: 'disabled',
      since: null,
      counters: { calls: 0, failed: 0, active: 0 },
    },
  },
  async handle({ tx, principal, body, now, setVersion, afterCommit, services }) {
    if (principal.mode !== 'live') throw new Problem('trunks_live_only')
    const routes = plainRoutes(body.routes ?? [{ prefix: '', priority: 10, weight: 1, cost: '0' }])
    const spec = trunkSpecs[body.kind ?? 'sip']
    const settings = begunSettings(spec, body.settings)
    checkTrunk(spec, settings, routes, body.currency)
    if ((await countTrunks(tx, principal)) >= maxTrunks) throw new Problem('too_many_trunks')
    const id = newId('trk')
    const row = await insertTrunk(tx, principal, {
      id,
      kind: spec.kind,
      name: body.name.trim(),
      ...sealedSettings(services, principal, id, spec, settings),
      routes,
      currency: body.currency ?? principal.settings.currency,
      enabled: body.enabled ?? true,
    })
    await emitTrunk(tx, principal, 'trunk.created', row)
    afterCommit(() => services.wake(trunksQueue))
    setVersion(row.version)
    return presentTrunk(row, undefined, now)
  },
})

const listAll = endpoint({
  ...own,
  id: 'trunks.list',
  method: 'GET',
  path: '/voice/trunks',
  name: 'List trunks',
  description: 'The trunks of the organization with their states, newest first.',
  permission: 'trunks:read',
  query: Type.Object({
    enabled: Type.Optional(Type.Boolean({ description: 'Only trunks that are switched on (true) or off (false).' })),
    ...v2PageQuery,
  }),
  reply: Trunk,
  envelope: 'page',
  sample: { query: { enabled: true }, reply: sampleTrunk },
  async handle({ tx, principal, query, now }) {
    const { cursor, limit = 50, ...filter } = query
    const beforeId = cursorId('trk', cursor, filter)
    const rows = await listTrunks(tx, principal, filter, { limit, beforeId })
    const cut = cutPage(rows, limit, row => [row.id], filter)
    return { items: await presentTrunks(tx, principal, cut.rows, now), limit, nextCursor: cut.nextCursor }
  },
})

const shownSettings = {
  settings: newSettings(trunkSpecs.sip.settings),
  kinds: trunkKinds.map(name => {
    const { kind, title, description, settings } = trunkSpecs[name]
    return { kind, title, description, settings: newSettings(settings) }
  }),
}

const describeSettings = endpoint({
  ...own,
  id: 'trunks.settings',
  method: 'GET',
  path: '/voice/trunks/settings',
  name: 'Describe the settings of trunks',
  description: 'The JSON Schema of the settings of a trunk of each kind: what a form is drawn from.',
  permission: 'trunks:read',
  reply: SettingsReply,
  envelope: 'data',
  sample: { reply: shownSettings },
  async handle() {
    return shownSettings
  },
})

const getTrunk = endpoint({
  ...own,
  id: 'trunks.get',
  method: 'GET',
  path: '/voice/trunks/{trunkId}',
  name: 'Get a trunk',
  description: 'One trunk with its settings (without secrets), its state, and how many calls it carried and carries.',
  permission: 'trunks:read',
  params: TrunkParams,
  reply: Trunk,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { trunkId: sampleId }, reply: sampleTrunk },
  async handle({ tx, principal, params, now, setVersion }) {
    const row = await findTrunk(tx, principal, params.trunkId)
    if (row === undefined) throw new Problem('not_found')
    setVersion(row.version)
    return (await presentTrunks(tx, principal, [row], now))[0]
  },
})

const patchTrunk = endpoint({
  ...own,
  id: 'trunks.update',
  method: 'PATCH',
  path: '/voice/trunks/{trunkId}',
  name: 'Change a trunk',
  description:
    'Changes what is named and leaves the rest; secrets that are left out stay. Changed settings count for the next call: those under way go on as they began. Calls that wait for a trunk that is switched off take another one.',
  permission: 'trunks:manage',
  bodyLimit: 256 * 1024,
  params: TrunkParams,
  body: TrunkPatch,
  reply: Trunk,
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: {
    params: { trunkId: sampleId },
    body: { settings: { callsPerSecond: 10 } },
    reply: { ...sampleTrunk, settings: { ...sampleTrunk.settings, callsPerSecond: 10 } },
  },
  async handle({ tx, principal, params, body, now, ifMatch, setVersion, afterCommit, services }) {
    const row = found(await lockTrunk(tx, principal, params.trunkId), ifMatch)
    const { settings: patch, routes: asked, name, ...rest } = body
    const settings = patch === undefined ? undefined : settingsWith(services, principal, row, patch)
    const routes = asked === undefined ? undefined : plainRoutes(asked)
    const spec = trunkSpecs[row.kind]
    checkTrunk(spec, settings, routes, body.currency)
    const changed = await changeTrunk(tx, principal, row, {
      ...rest,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(routes === undefined ? {} : { routes }),
      ...(settings === undefined
        ? {}
        : {
            ...sealedSettings(services, principal, row.id, spec, settings),
            settings_version: row.settings_version + 1,
          }),
    })
    await emitTrunk(tx, principal, 'trunk.updated', changed)
    afterCommit(() => services.wake(trunksQueue))
    setVersion(changed.version)
    return (await presentTrunks(tx, principal, [changed], now))[0]
  },
})

const deleteTrunk = endpoint({
  ...own,
  id: 'trunks.delete',
  method: 'DELETE',
  path: '/voice/trunks/{trunkId}',
  name: 'Remove a trunk',
  description:
    'Takes the registration back and forgets the settings. Calls under way go on; those that wait for it take another trunk, and without one fail with no_route.',
  permission: 'trunks:manage',
  params: TrunkParams,
  reply: Type.Object({ trunkId: Type.String(), deleted: Type.Literal(true) }),
  envelope: 'data',
  versioned: true,
  problems: ['not_found'],
  sample: { params: { trunkId: sampleId }, reply: { trunkId: sampleId, deleted: true } },
  async handle({ tx, principal, params, ifMatch, setVersion, afterCommit, services }) {
    const row = found(await lockTrunk(tx, principal, params.trunkId), ifMatch)
    await emitTrunk(tx, principal, 'trunk.deleted', { ...row, sequence: row.sequence + 1 })
    await removeTrunk(tx, principal, row.id)
    setVersion(row.version)
    afterCommit(() => services.wake(trunksQueue))
    return { trunkId: row.id, deleted: true }
  },
})

/** @throws Problem `not_found`, `version_mismatch` */
function found(row: TrunkRow | undefined, ifMatch: number | undefined): TrunkRow {
  if (row === undefined) throw new Problem('not_found')
  if (ifMatch !== undefined && ifMatch !== row.version) throw new Problem('version_mismatch')
  return row
}

async function emitTrunk(tx: Tx, scope: Scope, type: string, row: TrunkRow): Promise<void> {
  const { id: trunkId, name, enabled, routes, currency, sequence } = row
  await emit(tx, scope, { type, resourceId: trunkId, sequence, data: { trunkId, name, enabled, routes, currency } })
}

/** The endpoints of trunks; with testers also the one that tries a trunk out. */
export function trunkEndpoints(testers: TrunkTesters): Endpoint[] {
  const all = [createTrunk, listAll, describeSettings, getTrunk, patchTrunk, deleteTrunk]
  return Object.keys(testers).length === 0 ? all : [...all, testEndpoint(testers)]
}
