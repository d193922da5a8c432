// What becomes of carriers and their links is in the log once a change, by name, and never by poll.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import type { LinkReport } from './kind.ts'
import { createReporter } from './reporter.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const counters = {
  submitted: 0,
  accepted: 0,
  throttled: 0,
  refused: 0,
  unanswered: 0,
  receipts: 0,
  inbound: 0,
  binds: 0,
}

async function addCarrier(): Promise<string> {
  const body = {
    kind: 'smpp',
    name: 'Example Telecom',
    settings: { host: 'smpp.invalid', systemId: 'tandem', password: 'secret12' },
    routes: [{ prefix: '+49', priority: 10, cost: '0.0750' }],
    currency: 'EUR',
  }
  const { json, text } = await t.call('POST', '/v2/carriers', { as: t.main.tokens.Admin, body })
  assert.ok(json.data?.carrierId, text)
  return json.data.carrierId
}

const report = (link: number, state: LinkReport['state'], lastError: string | null = null): LinkReport => ({
  link,
  role: 'transceiver',
  state,
  stateSinceMs: t.clock.now(),
  lastError,
  counters,
})

test('a carrier that goes down and comes back is two lines, a link of several one for each change', async () => {
  const id = await addCarrier()
  const lines: string[] = []
  const at =
    (level: string) =>
    ({ name, link, state, reason }: Record<string, unknown>, said: string) =>
      void lines.push([level, said, name ?? `link ${link} ${state}`, reason].filter(Boolean).join(', '))
  const log = { ...t.app.services.log, info: at('info'), warn: at('warn') } as unknown as typeof t.app.services.log
  const opening = {}
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  let reports = [report(0, 'connecting'), report(1, 'connecting')]
  const reporter = createReporter({ ...t.app.services, log }, 'test', () => [{ scope, id, opening, reports }])
  const now = async (...states: LinkReport[]) => {
    reports = states
    for (let n = 0; n < 5; n++) {
      t.clock.advance(1_000)
      await reporter.write([{ scope, id, opening, reports }])
      await reporter.round()
    }
  }
  await now(report(0, 'up'), report(1, 'up'))
  const refused = 'The carrier refused the password.'
  await now(report(0, 'up'), report(1, 'down', refused))
  await now(report(0, 'down', refused), report(1, 'connecting', refused))
  await now(report(0, 'down', refused), report(1, 'down', refused))
  await now(report(0, 'up'), report(1, 'up'))
  reporter.stop()
  assert.deepEqual(lines, [
    'info, a carrier is up, Example Telecom',
    `warn, a link of a carrier changed its state, link 1 down, ${refused}`,
    `warn, a link of a carrier changed its state, link 0 down, ${refused}`,
    `warn, a carrier is down, Example Telecom, ${refused}`,
    'info, a link of a carrier changed its state, link 0 up',
    'info, a link of a carrier changed its state, link 1 up',
    'info, a carrier is up, Example Telecom',
  ])
})

test('reports are written one after the other: the last word on a link stands', async () => {
  const id = await addCarrier()
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  const { db } = t.app.services
  const steps: string[] = []
  const go = Promise.withResolvers<void>()
  const slow: typeof db = {
    ...db,
    async work(name, text, values) {
      steps.push(`${values[5]} begins`)
      await go.promise
      const rows = await db.work(name, text, values)
      steps.push(`${values[5]} is written`)
      return rows as never
    },
  }
  const reportOf = (state: LinkReport['state']) => ({ scope, id, opening: {}, reports: [report(0, state)] })
  const reporter = createReporter({ ...t.app.services, db: slow }, 'test', () => [reportOf('up')])
  const first = reporter.round()
  const last = reporter.write([reportOf('stopped')])
  const settled = reporter.settled().then(() => steps.push('settled'))
  go.resolve()
  await Promise.all([first, last, settled])
  assert.deepEqual(steps, ['up begins', 'up is written', 'stopped begins', 'stopped is written', 'settled'])
  reporter.stop()
})
