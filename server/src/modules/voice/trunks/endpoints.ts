// Trunks over HTTP: set up, watched, changed and removed; tried out where something is given that speaks SIP.
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { plainRoutes } from '../../../kernel/links/prefix_routes.ts'
import { newSettings } from '../../../kernel/links/settings.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type TrunkTesters, trunkKinds } from './kind.ts'
import { presentTrunks, sampleRoute, sampleTrunk } from './present.ts'
import { NewTrunk, SettingsReply, Trunk, TrunkPatch } from './schemas.ts'
import { sampleSettings } from './settings.ts'
import { trunkSpecs } from './specs.ts'
import { maxTrunks, type TrunkRow, trunkStore } from './store.ts'
import { checkTrunk, initialSettings, sealedSettings, settingsWith } from './stored_settings.ts'
import { testEndpoint } from './test_endpoint.ts'

/** Settings hold certificates, and routes are many. */
const bodyLimit = 256 * 1024

/** Anyone who watches trunks is woken by this name when they change. */
export const trunksQueue = 'trunks'

const own = resource<TrunkRow, typeof Trunk>({
  names: ['trunk', 'trunks'],
  id: ['trunkId', 'trk'],
  category: 'Voice',
  path: '/voice/trunks',
  permissions: { read: 'trunks:read', manage: 'trunks:manage' },
  rows: trunkStore,
  reply: Trunk,
  sample: sampleTrunk,
  present: (rows, { tx, principal, now }) => presentTrunks(tx, principal, rows, now),
  eventOf: ({ id: trunkId, name, enabled, routes, currency }) => ({ trunkId, name, enabled, routes, currency }),
  changed: ({ services }) => services.wake(trunksQueue),
})

const createTrunk = own.create({
  description:
    'Sets up a trunk, a carrier of calls: one that speaks SIP, or an Asterisk that is there already. Unless it is added switched off, it is watched (OPTIONS), registered where its settings ask for that, and within seconds carries calls to what its routes fit. Trunks belong to live mode; there are at most 50. The answer warns of settings that are less safe than they look.',
  bodyLimit,
  body: NewTrunk,
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
  async handle(body, { tx, principal, services }) {
    if (principal.mode !== 'live') throw new Problem('trunks_live_only')
    const routes = plainRoutes(body.routes ?? [{ prefix: '', priority: 10, weight: 1, cost: '0' }])
    const spec = trunkSpecs[body.kind ?? 'sip']
    const settings = initialSettings(spec, body.settings)
    checkTrunk(spec, settings, routes, body.currency)
    if ((await trunkStore.count(tx, principal)) >= maxTrunks) throw new Problem('too_many_trunks')
    const id = newId('trk')
    const row = await trunkStore.insert(tx, principal, {
      id,
      kind: spec.kind,
      name: body.name.trim(),
      ...sealedSettings(services, principal, id, spec, settings),
      routes,
      currency: body.currency ?? principal.settings.currency,
      enabled: body.enabled ?? true,
    })
    return { row }
  },
})

const listAll = own.list({
  description: 'The trunks of the organization with their states, newest first.',
  filters: {
    enabled: Type.Optional(Type.Boolean({ description: 'Only trunks that are switched on (true) or off (false).' })),
  },
  sample: { enabled: true },
})

const shownSettings = {
  settings: newSettings(trunkSpecs.sip.settings),
  kinds: trunkKinds.map(name => {
    const { kind, title, description, settings } = trunkSpecs[name]
    return { kind, title, description, settings: newSettings(settings) }
  }),
}

const describeSettings = endpoint({
  version: 'v2',
  category: 'Voice',
  id: 'trunks.settings',
  method: 'GET',
  path: '/voice/trunks/settings',
  name: 'Get the settings of trunks',
  description: 'The JSON Schema of the settings of a trunk of each kind: what a form is drawn from.',
  permission: 'trunks:read',
  reply: SettingsReply,
  envelope: 'data',
  sample: { reply: shownSettings },
  async handle() {
    return shownSettings
  },
})

const getTrunk = own.get({
  description: 'One trunk with its settings (without secrets), its state, and how many calls it carried and carries.',
})

const patchTrunk = own.update({
  description:
    'Changes what is named and leaves the rest; secrets that are left out stay. Changed settings count for the next call: those under way go on as they started. Calls that wait for a trunk that is switched off take another one.',
  bodyLimit,
  body: TrunkPatch,
  sample: {
    body: { settings: { callsPerSecond: 10 } },
    reply: { ...sampleTrunk, settings: { ...sampleTrunk.settings, callsPerSecond: 10 } },
  },
  async handle(old, { settings: patch, routes: asked, name, ...rest }, { tx, principal, services }) {
    const settings = patch === undefined ? undefined : settingsWith(services, principal, old, patch)
    const routes = asked === undefined ? undefined : plainRoutes(asked)
    const spec = trunkSpecs[old.kind]
    checkTrunk(spec, settings, routes, rest.currency)
    const row = await trunkStore.change(tx, principal, old, {
      ...rest,
      ...(name === undefined ? {} : { name: name.trim() }),
      ...(routes === undefined ? {} : { routes }),
      ...(settings === undefined
        ? {}
        : {
            ...sealedSettings(services, principal, old.id, spec, settings),
            settings_version: old.settings_version + 1,
          }),
    })
    return { row }
  },
})

const deleteTrunk = own.delete({
  description:
    'Takes the registration back and forgets the settings. Calls under way go on; those that wait for it take another trunk, and without one fail with no_route.',
})

/** The endpoints of trunks; with testers also the one that tries a trunk out. */
export function trunkEndpoints(testers: TrunkTesters): Endpoint[] {
  const all = [createTrunk, listAll, describeSettings, getTrunk, patchTrunk, deleteTrunk]
  return Object.keys(testers).length === 0 ? all : [...all, testEndpoint(testers)]
}
