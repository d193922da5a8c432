// Carriers over HTTP: set up, watched, changed, tried out and removed.
import { Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { allowedRanges } from '../../../kernel/egress.ts'
import { type Endpoint, endpoint, type Services } from '../../../kernel/endpoint.ts'
import { emit } from '../../../kernel/events.ts'
import { newId, randomToken } from '../../../kernel/ids.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/page.ts'
import { parsePhone } from '../../../kernel/phone.ts'
import { plainRoutes, routeFaults } from '../../../kernel/prefix_routes.ts'
import { type FieldFault, invalid, Problem } from '../../../kernel/problem.ts'
import { PhoneInput } from '../../../kernel/schema.ts'
import {
  completeSettings,
  mergedSettings,
  partSettings,
  readableSecrets,
  type Settings,
  type SettingsSchema,
  sealSecrets,
  secretNames,
} from '../../../kernel/settings.ts'
import { directoryOf, forgetDirectory } from '../directory.ts'
import { candidatesFor } from '../routing.ts'
import { carrierLinksQueue } from './jobs.ts'
import type { CarrierKind } from './kind.ts'
import { createPresenter, sampleId } from './present.ts'
import { carrierState, explainRouting, presentState } from './rules.ts'
import { CarrierParams, carrierSchemas, KindsReply, TestReply } from './schemas.ts'
import { secretsOf } from './secrets.ts'
import {
  type CarrierRow,
  changeCarrier,
  countCarriers,
  findCarrier,
  insertCarrier,
  listCarriers,
  listLinks,
  lockCarrier,
  removeCarrier,
} from './store.ts'

/** Each holds connections open, and all of them share the process. */
const maxCarriers = 50

/** The endpoints of carriers of one kind. */
export function carrierEndpoints(kind: CarrierKind): Endpoint[] {
  const schema = kind.settings as unknown as SettingsSchema
  const { Carrier, NewCarrier, CarrierPatch, ChangedSettings } = carrierSchemas(kind)
  const own = { version: 'v2', category: 'Messaging' } as const

  const { shown, shownKind, sampleRoute, sampleCarrier, present, presentAll } = createPresenter(kind)

  /** @throws Problem `validation_failed` naming the fields below `settings` and `routes` */
  function check(settings: Settings | undefined, routes: CarrierRow['routes'] | undefined): void {
    const faults: FieldFault[] = [
      ...(settings === undefined ? [] : kind.faultsOf(settings)).map(fault => ({
        ...fault,
        field: `settings.${fault.field}`,
      })),
      ...routeFaults(routes ?? []),
    ]
    if (faults.length > 0) throw invalid(...faults)
  }

  const createCarrier = endpoint({
    ...own,
    id: 'carriers.create',
    method: 'POST',
    path: '/carriers',
    name: 'Add a carrier',
    description:
      'Sets up a carrier that takes messages by SMPP 3.4. Unless it is added switched off, its links are opened within seconds and messages whose recipient fits one of its routes go this way. Without a carrier that is switched on, live messages fail with `no_route`, and only numbers of the simulator get them, on the virtual handset. Carriers belong to live mode; there are at most 50.',
    permission: 'carriers:manage',
    bodyLimit: 256 * 1024,
    body: NewCarrier,
    reply: Carrier,
    envelope: 'data',
    status: 201,
    versioned: true,
    problems: ['carriers_live_only', 'too_many_carriers'],
    sample: {
      body: {
        kind: kind.name,
        name: 'Example Telecom',
        settings: kind.sample,
        routes: [sampleRoute],
        currency: 'EUR',
        enabled: false,
      },
      reply: { ...sampleCarrier, enabled: false, state: 'disabled', links: [] },
    },
    async handle({ tx, principal, body, now, setVersion, afterCommit, services }) {
      if (principal.mode !== 'live') throw new Problem('carriers_live_only')
      const routes = plainRoutes(body.routes ?? [{ prefix: '', priority: 10, cost: '0' }])
      const settings = completeSettings(schema, body.settings)
      check(settings, routes)
      if ((await countCarriers(tx, principal)) >= maxCarriers) throw new Problem('too_many_carriers')
      const id = newId('car')
      const { open, secret } = partSettings(schema, settings)
      const row = await insertCarrier(tx, principal, {
        id,
        kind: kind.name,
        name: body.name.trim(),
        settings: open,
        secrets: sealSecrets(secretsOf(services.pepper, principal.tenantId, id), secret),
        routes,
        currency: body.currency ?? principal.settings.currency,
        enabled: body.enabled ?? true,
        inbound_era: randomToken(6),
      })
      await emitCarrier(tx, principal, 'carrier.created', row)
      afterCommit(() => carriersChanged(services, principal))
      setVersion(row.version)
      return present(row, [], undefined, now)
    },
  })

  const listAll = endpoint({
    ...own,
    id: 'carriers.list',
    method: 'GET',
    path: '/carriers',
    name: 'List carriers',
    description: 'The carriers of the organization with the state of their links, newest first.',
    permission: 'carriers:read',
    query: Type.Object({
      enabled: Type.Optional(
        Type.Boolean({ description: 'Only carriers that are switched on (true) or off (false).' }),
      ),
      ...v2PageQuery,
    }),
    reply: Carrier,
    envelope: 'page',
    sample: { query: { enabled: true }, reply: sampleCarrier },
    async handle({ tx, principal, query, now }) {
      const { cursor, limit = 50, ...filter } = query
      const beforeId = cursorId('car', cursor, filter)
      const rows = await listCarriers(tx, principal, filter, { limit, beforeId })
      const cut = cutPage(rows, limit, row => [row.id], filter)
      return { items: await presentAll(tx, principal, cut.rows, now), limit, nextCursor: cut.nextCursor }
    },
  })

  const listKinds = endpoint({
    ...own,
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

  const getCarrier = endpoint({
    ...own,
    id: 'carriers.get',
    method: 'GET',
    path: '/carriers/{carrierId}',
    name: 'Get a carrier',
    description:
      'One carrier with its settings (without secrets), the state and the counters of each link, and how many messages wait for it.',
    permission: 'carriers:read',
    params: CarrierParams,
    reply: Carrier,
    envelope: 'data',
    versioned: true,
    problems: ['not_found'],
    sample: { params: { carrierId: sampleId }, reply: sampleCarrier },
    async handle({ tx, principal, params, now, setVersion }) {
      const row = await findCarrier(tx, principal, params.carrierId)
      if (row === undefined) throw new Problem('not_found')
      setVersion(row.version)
      return (await presentAll(tx, principal, [row], now))[0]
    },
  })

  const patchCarrier = endpoint({
    ...own,
    id: 'carriers.update',
    method: 'PATCH',
    path: '/carriers/{carrierId}',
    name: 'Change a carrier',
    description:
      'Changes what is named and leaves the rest; secrets that are left out stay. Changed settings open the links anew, after what is under way was answered. Messages that wait for a carrier that is switched off take another way.',
    permission: 'carriers:manage',
    bodyLimit: 256 * 1024,
    params: CarrierParams,
    body: CarrierPatch,
    reply: Carrier,
    envelope: 'data',
    versioned: true,
    problems: ['not_found'],
    sample: {
      params: { carrierId: sampleId },
      body: { settings: { segmentsPerSecond: 50 } },
      reply: { ...sampleCarrier, settings: { ...shown, segmentsPerSecond: 50 } },
    },
    async handle({ tx, principal, params, body, now, ifMatch, setVersion, afterCommit, services }) {
      const row = found(await lockCarrier(tx, principal, params.carrierId), ifMatch)
      const { settings, routes, name, ...rest } = body
      const change = {
        ...rest,
        ...(name === undefined ? {} : { name: name.trim() }),
        ...(routes === undefined ? {} : { routes: plainRoutes(routes) }),
        ...(settings === undefined ? {} : changeSettings(services, principal, row, settings)),
      }
      check(change.settings, change.routes)
      const changed = await changeCarrier(tx, principal, row, change)
      await emitCarrier(tx, principal, 'carrier.updated', changed)
      afterCommit(() => carriersChanged(services, principal))
      setVersion(changed.version)
      return (await presentAll(tx, principal, [changed], now))[0]
    },
  })

  function changeSettings(services: Services, scope: Scope, row: CarrierRow, patch: Settings) {
    const settings = settingsWith(services, scope, row, patch)
    const { open, secret } = partSettings(schema, settings)
    return {
      settings: open,
      secrets: sealSecrets(secretsOf(services.pepper, scope.tenantId, row.id), secret),
      settings_version: row.settings_version + 1,
    }
  }

  /** The stored settings, secrets included, with those of the patch in their place. */
  function settingsWith(services: Services, { tenantId }: Scope, row: CarrierRow, patch: Settings): Settings {
    const secrets = readableSecrets(secretsOf(services.pepper, tenantId, row.id), row.secrets)
    const known = completeSettings(schema, { ...row.settings, ...secrets })
    return mergedSettings({ known, patch, secrets: secretNames(schema), place: kind.secretsFor })
  }

  const deleteCarrier = endpoint({
    ...own,
    id: 'carriers.delete',
    method: 'DELETE',
    path: '/carriers/{carrierId}',
    name: 'Remove a carrier',
    description:
      'Closes the links of a carrier and forgets its settings. What was handed over stays so. Messages that wait for it take another way; those without one fail with no_route. To let them wait, switch the carrier off instead: then they go out when it is on again, or expire when their validity ends.',
    permission: 'carriers:manage',
    params: CarrierParams,
    reply: Type.Object({ carrierId: Type.String(), deleted: Type.Literal(true) }),
    envelope: 'data',
    versioned: true,
    problems: ['not_found'],
    sample: { params: { carrierId: sampleId }, reply: { carrierId: sampleId, deleted: true } },
    async handle({ tx, principal, params, ifMatch, setVersion, afterCommit, services }) {
      const row = found(await lockCarrier(tx, principal, params.carrierId), ifMatch)
      await emitCarrier(tx, principal, 'carrier.deleted', { ...row, sequence: row.sequence + 1 })
      await removeCarrier(tx, principal, row.id)
      setVersion(row.version)
      afterCommit(() => carriersChanged(services, principal))
      return { carrierId: row.id, deleted: true }
    },
  })

  const testCarrier = endpoint({
    ...own,
    id: 'carriers.test',
    method: 'POST',
    path: '/carriers/{carrierId}/test',
    name: 'Test a carrier',
    description:
      'Opens one link beside those in use, says hello and leaves, and answers what happened step by step: name look-up, connection, TLS, bind, enquire_link, unbind, with each protocol unit in readable form. Settings in the body are tried in place of the stored ones, and nothing is stored. With `to` it also tells which carriers a message to that number would take, in their order and why; nothing is sent. Takes eight seconds at most. A carrier that allows only as many links as are in use refuses one more; switch it off first.',
    permission: 'carriers:manage',
    bodyLimit: 256 * 1024,
    params: CarrierParams,
    body: Type.Object({
      settings: Type.Optional(ChangedSettings),
      to: Type.Optional({ ...PhoneInput, description: 'A recipient whose way is to be told.' }),
      bind: Type.Optional(
        Type.Boolean({ default: true, description: 'False opens no link and answers no steps: only the way is told.' }),
      ),
    }),
    reply: TestReply,
    envelope: 'data',
    // It asks the network, so it must not hold a transaction meanwhile; and it leaves nothing that could be repeated.
    transaction: 'none',
    idempotent: false,
    problems: ['not_found', 'invalid_to_number'],
    sample: {
      params: { carrierId: sampleId },
      body: { to: '+4915112345678' },
      reply: {
        ok: true,
        steps: [
          { step: 'resolve', ok: true, durationMs: 1.2, message: 'smpp.example.com is 192.0.2.10.', pdus: [] },
          { step: 'connect', ok: true, durationMs: 12.5, message: 'Connected to 192.0.2.10, port 2775.', pdus: [] },
          {
            step: 'bind',
            ok: true,
            durationMs: 20.1,
            message: 'The carrier took the bind.',
            pdus: [
              { direction: 'sent', text: 'bind_transceiver sequence=1 system_id="example" password=***' },
              { direction: 'received', text: 'bind_transceiver_resp sequence=1 status=ESME_ROK system_id="SMSC"' },
            ],
          },
        ],
        routing: [
          {
            carrierId: sampleId,
            name: 'Example Telecom',
            position: 1,
            prefix: '+49',
            priority: 10,
            cost: '0.0750',
            state: 'up',
            reason: 'Its route for +49 fits.',
          },
        ],
      },
    },
    async handle({ principal, params, body, now, services }) {
      const to = body.to === undefined ? undefined : recipientOf(body.to, principal.settings.defaultCountry)
      const row = await services.db.inTenant(principal, tx => findCarrier(tx, principal, params.carrierId))
      if (row === undefined) throw new Problem('not_found')
      const settings = settingsWith(services, principal, row, body.settings ?? {})
      check(settings, undefined)
      const steps =
        body.bind === false ? [] : await kind.test(settings, { allow: allowedRanges(services.egress.allow) })
      const routing = to === undefined ? null : await routingOf(services, principal, to, now)
      return { ok: steps.every(step => step.ok), steps, routing }
    },
  })

  return [createCarrier, listAll, listKinds, getCarrier, patchCarrier, deleteCarrier, testCarrier]
}

function recipientOf(text: string, country: string | null): string {
  const number = parsePhone(text, country ?? undefined)
  if (number === undefined) throw new Problem('invalid_to_number')
  return number
}

/** Which carriers a message to this number would take. */
async function routingOf(services: Services, scope: Scope, to: string, nowMs: number) {
  const directory = await directoryOf(services.db, scope.tenantId, { fresh: true })
  const carriers = await services.db.inTenant(scope, async tx => {
    const rows = await listCarriers(tx, scope, {}, { limit: maxCarriers, beforeId: undefined })
    const links = await listLinks(
      tx,
      scope,
      rows.map(row => row.id),
    )
    return rows.map(({ id, name, enabled }) => {
      const own = links.filter(link => link.carrier_id === id)
      return {
        id,
        name,
        state: carrierState(
          enabled,
          own.map(link => ({ state: presentState(link, nowMs) })),
        ),
      }
    })
  })
  return explainRouting(carriers, candidatesFor(directory, to))
}

function carriersChanged(services: Services, { tenantId }: Scope): void {
  forgetDirectory(services.db, tenantId)
  services.wake(carrierLinksQueue)
}

/** @throws Problem `not_found`, `version_mismatch` */
function found(row: CarrierRow | undefined, ifMatch: number | undefined): CarrierRow {
  if (row === undefined) throw new Problem('not_found')
  if (ifMatch !== undefined && ifMatch !== row.version) throw new Problem('version_mismatch')
  return row
}

async function emitCarrier(tx: Tx, scope: Scope, type: string, row: CarrierRow): Promise<void> {
  const { id: carrierId, kind, name, enabled, routes, currency, sequence } = row
  await emit(tx, scope, {
    type,
    resourceId: carrierId,
    sequence,
    data: { carrierId, kind, name, enabled, routes, currency },
  })
}
