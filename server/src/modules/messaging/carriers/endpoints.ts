// Carriers over HTTP: set up, watched, changed and removed. Trying one out stands in test_endpoint.ts.
import { Type } from 'typebox'
import { type Endpoint, endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { plainRoutes } from '../../../kernel/links/prefix_routes.ts'
import { completeSettings, partSettings, sealSecrets } from '../../../kernel/links/settings.ts'
import { type Resource, resource } from '../../../kernel/resource/resource.ts'
import { newId, randomToken } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { forgetDirectory } from '../directory.ts'
import { carrierLinksQueue } from './jobs.ts'
import type { CarrierKind } from './kind.ts'
import { KindsReply } from './schemas.ts'
import { secretsOf } from './secrets.ts'
import { type CarrierRow, carrierStore } from './store.ts'
import { testCarrier } from './test_endpoint.ts'
import { type CarrierTools, createTools, maxCarriers } from './tools.ts'

/** Settings hold certificates, and routes are many. */
const bodyLimit = 256 * 1024

type Carriers = Resource<CarrierRow, CarrierTools['schemas']['Carrier']>

/** The endpoints of carriers of one kind. */
export function carrierEndpoints(kind: CarrierKind): Endpoint[] {
  const tools = createTools(kind)
  const { schemas, presenter } = tools
  const own = resource<CarrierRow, typeof schemas.Carrier>({
    names: ['carrier', 'carriers'],
    id: ['carrierId', 'car'],
    category: 'Messaging',
    path: '/carriers',
    permissions: { read: 'carriers:read', manage: 'carriers:manage' },
    rows: carrierStore,
    reply: schemas.Carrier,
    sample: presenter.sampleCarrier,
    present: (rows, { tx, principal, now }) => presenter.presentAll(tx, principal, rows, now),
    eventOf({ id: carrierId, kind, name, enabled, routes, currency }) {
      return { carrierId, kind, name, enabled, routes, currency }
    },
    changed({ services, principal }) {
      forgetDirectory(services.db, principal.tenantId)
      services.wake(carrierLinksQueue)
    },
  })
  return [
    createCarrier(own, tools),
    own.list({
      description: 'The carriers of the organization with the state of their links, newest first.',
      filters: {
        enabled: Type.Optional(
          Type.Boolean({ description: 'Only carriers that are switched on (true) or off (false).' }),
        ),
      },
      sample: { enabled: true },
    }),
    listKinds(tools),
    own.get({
      description:
        'One carrier with its settings (without secrets), the state and the counters of each link, and how many messages wait for it.',
    }),
    updateCarrier(own, tools),
    own.delete({
      description:
        'Closes the links of a carrier and forgets its settings. What was handed over stays so. Messages that wait for it take another way; those without one fail with no_route. To let them wait, switch the carrier off instead: then they go out when it is on again, or expire when their validity ends.',
    }),
    testCarrier(tools),
  ]
}

function createCarrier(own: Carriers, { kind, schema, schemas, check, presenter }: CarrierTools): Endpoint {
  return own.create({
    description:
      'Sets up a carrier that takes messages by SMPP 3.4. Unless it is added switched off, its links are opened within seconds and messages whose recipient fits one of its routes go this way. Without a carrier that is switched on, live messages fail with `no_route`, and only numbers of the simulator get them, on the virtual handset. Carriers belong to live mode; there are at most 50.',
    bodyLimit,
    body: schemas.NewCarrier,
    problems: ['carriers_live_only', 'too_many_carriers'],
    sample: {
      body: {
        kind: kind.name,
        name: 'Example Telecom',
        settings: kind.sample,
        routes: [presenter.sampleRoute],
        currency: 'EUR',
        enabled: false,
      },
      reply: { ...presenter.sampleCarrier, enabled: false, state: 'disabled', links: [] },
    },
    async handle(body, { tx, principal, services }) {
      if (principal.mode !== 'live') throw new Problem('carriers_live_only')
      const routes = plainRoutes(body.routes ?? [{ prefix: '', priority: 10, cost: '0' }])
      const settings = completeSettings(schema, body.settings)
      check(settings, routes)
      if ((await carrierStore.count(tx, principal)) >= maxCarriers) throw new Problem('too_many_carriers')
      const id = newId('car')
      const { open, secret } = partSettings(schema, settings)
      const row = await carrierStore.insert(tx, principal, {
        id,
        kind: kind.name,
        name: body.name.trim(),
        settings: open,
        secrets: sealSecrets(secretsOf(services.keyring, principal.tenantId, id), secret),
        routes,
        currency: body.currency ?? principal.settings.currency,
        enabled: body.enabled ?? true,
        inbound_era: randomToken(6),
      })
      return { row }
    },
  })
}

function listKinds({ presenter: { shownKind } }: CarrierTools): Endpoint {
  return endpoint({
    version: 'v2',
    category: 'Messaging',
    id: 'carriers.kinds',
    method: 'GET',
    path: '/carriers/kinds',
    name: 'List kinds of carriers',
    description:
      'The kinds of carriers there are, each with the JSON Schema of its settings: what a form is drawn from.',
    permission: 'carriers:read',
    reply: KindsReply,
    envelope: 'data',
    sample: { reply: { kinds: [shownKind] } },
    async handle() {
      return { kinds: [shownKind] }
    },
  })
}

function updateCarrier(own: Carriers, { schemas, check, changeSettings, presenter }: CarrierTools): Endpoint {
  return own.update({
    description:
      'Changes what is named and leaves the rest; secrets that are left out stay. Changed settings open the links again, after what is under way was answered. Messages that wait for a carrier that is switched off take another way.',
    bodyLimit,
    body: schemas.CarrierPatch,
    sample: {
      body: { settings: { segmentsPerSecond: 50 } },
      reply: { ...presenter.sampleCarrier, settings: { ...presenter.shown, segmentsPerSecond: 50 } },
    },
    async handle(old, { settings, routes, name, ...rest }, { tx, principal, services }) {
      const change = {
        ...rest,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(routes === undefined ? {} : { routes: plainRoutes(routes) }),
        ...(settings === undefined ? {} : changeSettings(services, principal, old, settings)),
      }
      check(change.settings, change.routes)
      return { row: await carrierStore.change(tx, principal, old, change) }
    },
  })
}
