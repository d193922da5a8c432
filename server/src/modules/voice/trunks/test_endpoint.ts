// A trunk tried out over HTTP: what happens step by step with its settings or others, and which way a call would take.
import type { Scope } from '../../../kernel/data/db.ts'
import { type Endpoint, endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { allowedRanges } from '../../../kernel/outbound/egress.ts'
import { parsePhone } from '../../../kernel/values/phone.ts'
import { invalid, Problem } from '../../../kernel/values/problem.ts'
import type { AsteriskSettings } from './asterisk_settings.ts'
import type { TrunkTesters } from './kind.ts'
import { sampleId } from './present.ts'
import { explainRouting, presentState, trunksFor } from './rules.ts'
import { TestBody, TestReply, TrunkParams } from './schemas.ts'
import type { TrunkSettings } from './settings.ts'
import { trunkSpecs } from './specs.ts'
import { findTrunk, listStates, listTrunks, maxTrunks } from './store.ts'
import { checkTrunk, settingsWith, unlistedTrunk } from './stored_settings.ts'

const optionsText = 'OPTIONS sip:sip.example.com SIP/2.0\r\nCSeq: 1 OPTIONS\r\n…'

/** @param testers speak with the remote party */
export function testEndpoint(testers: TrunkTesters): Endpoint {
  return endpoint({
    version: 'v2',
    category: 'Voice',
    id: 'trunks.test',
    method: 'POST',
    path: '/voice/trunks/{trunkId}/test',
    name: 'Test a trunk',
    description:
      'Speaks with the carrier beside whatever is in use and answers what happened step by step: name look-up, connection, TLS, OPTIONS and, where the settings ask for it, a registration that is taken back at once, with the first hundred SIP messages of each step in readable form; of an Asterisk, whether ARI knows user and password, and reports calls. Settings in the body are tried in place of the stored ones, and nothing is stored. With `to` it also reports which trunks a call to that number would take, in their order and why; nobody is called. Takes eight seconds at most.',
    permission: 'trunks:manage',
    bodyLimit: 256 * 1024,
    params: TrunkParams,
    body: TestBody,
    reply: TestReply,
    envelope: 'data',
    // It asks the network, so it must not hold a transaction meanwhile; and it leaves nothing that could be repeated.
    transaction: 'none',
    idempotent: false,
    problems: ['not_found', 'invalid_to_number'],
    sample: {
      params: { trunkId: sampleId },
      body: { to: '+4930123456' },
      reply: {
        ok: true,
        steps: [
          { step: 'resolve', ok: true, durationMs: 1.2, message: 'sip.example.com is 192.0.2.10.', messages: [] },
          {
            step: 'options',
            ok: true,
            durationMs: 20.1,
            message: 'The carrier answered 200 OK.',
            messages: [
              { direction: 'sent', text: optionsText },
              { direction: 'received', text: 'SIP/2.0 200 OK\r\nCSeq: 1 OPTIONS\r\n…' },
            ],
          },
        ],
        routing: [
          {
            trunkId: sampleId,
            name: 'Example Telecom',
            position: 1,
            prefix: '+49',
            priority: 10,
            weight: 1,
            cost: '0.009',
            state: 'up',
            reason: 'Its route for +49 fits.',
          },
        ],
      },
    },
    async handle({ principal, params, body, now, services }) {
      const to = body.to === undefined ? undefined : calledNumber(body.to, principal.settings.defaultCountry)
      const row = await services.db.inTenant(principal, tx => findTrunk(tx, principal, params.trunkId))
      if (row === undefined) throw new Problem('not_found')
      const settings = settingsWith(services, principal, row, body.settings ?? {})
      checkTrunk(trunkSpecs[row.kind], settings, undefined)
      const unlisted = unlistedTrunk(settings, services.egress)
      if (unlisted !== undefined) throw invalid({ field: 'settings', code: 'not_allowed', message: unlisted })
      const allow = allowedRanges(services.egress.allow)
      const surroundings = { allow, sip: services.sip, outbound: services.outbound }
      // Checked by the schema of their kind, and complete.
      const test = () =>
        row.kind === 'sip'
          ? testers.sip?.(settings as TrunkSettings, surroundings)
          : testers.asterisk?.(settings as AsteriskSettings, surroundings)
      const steps = body.connect === false ? [] : ((await test()) ?? [])
      const routing = to === undefined ? null : await routingOf(services, principal, to, now)
      return { ok: steps.every(step => step.ok), steps, routing }
    },
  })
}

/** @throws Problem `invalid_to_number` */
function calledNumber(text: string, country: string | null): string {
  const number = parsePhone(text, country ?? undefined)
  if (number === undefined) throw new Problem('invalid_to_number')
  return number
}

/** Which trunks a call to this number would take. */
async function routingOf(services: Services, scope: Scope, to: string, nowMs: number) {
  const trunks = await services.db.inTenant(scope, async tx => {
    const rows = await listTrunks(tx, scope, {}, { limit: maxTrunks, beforeId: undefined })
    const ids = rows.map(row => row.id)
    const states = new Map((await listStates(tx, scope, ids)).map(reported => [reported.trunk_id, reported]))
    return rows.map(({ id, name, enabled, routes }) => {
      return { id, name, routes, state: presentState(enabled, states.get(id), nowMs) }
    })
  })
  return explainRouting(trunks, trunksFor(to, trunks))
}
