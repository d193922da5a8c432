// A carrier tried out: one link beside those in use, step by step, and which carriers a message to a number would take.
import { Type } from 'typebox'
import type { Scope } from '../../../kernel/data/db.ts'
import { type Endpoint, endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { allowedRanges } from '../../../kernel/outbound/egress.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import { recipientOf } from '../addresses.ts'
import { directoryOf } from '../directory.ts'
import { candidatesFor } from '../routing.ts'
import { sampleId } from './present.ts'
import { carrierState, explainRouting, presentState } from './rules.ts'
import { CarrierParams, TestReply } from './schemas.ts'
import { findCarrier, listCarriers, listLinks } from './store.ts'
import { type CarrierTools, maxCarriers, own } from './tools.ts'
import { unlistedLink } from './unlisted_link.ts'

/** Tries a carrier out, beside those in use. */
export function testCarrier({ kind, schemas: { ChangedSettings }, check, settingsWith }: CarrierTools): Endpoint {
  return endpoint({
    ...own,
    id: 'carriers.test',
    method: 'POST',
    path: '/carriers/{carrierId}/test',
    name: 'Test a carrier',
    description:
      'Opens one link beside those in use, sends enquire_link and unbinds, and answers what happened step by step: name look-up, connection, TLS, bind, enquire_link, unbind, with the first hundred protocol units of each step in readable form. Settings in the body are tried in place of the stored ones, and nothing is stored. With `to` it also lists the carriers that a message to that number would take, in order and with the reasons; nothing is sent. Takes eight seconds at most. A carrier that allows only as many links as are in use refuses one more; switch it off first.',
    permission: 'carriers:manage',
    bodyLimit: 256 * 1024,
    params: CarrierParams,
    body: Type.Object({
      settings: Type.Optional(ChangedSettings),
      to: Type.Optional({ ...PhoneInput, description: 'A recipient to find the carriers for.' }),
      bind: Type.Optional(
        Type.Boolean({
          default: true,
          description: 'False opens no link and answers no steps: only the way is answered.',
        }),
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
      const unlisted = unlistedLink(settings, services)
      if (unlisted !== undefined) throw invalid({ field: 'settings.host', code: 'not_allowed', message: unlisted })
      const steps =
        body.bind === false ? [] : await kind.test(settings, { allow: allowedRanges(services.egress.allow) })
      const routing = to === undefined ? null : await routingOf(services, principal, to, now)
      return { ok: steps.every(step => step.ok), steps, routing }
    },
  })
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
