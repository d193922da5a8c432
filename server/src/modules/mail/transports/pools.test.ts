// Connections to mail servers: mails are made when one is free, so that however many wait, few are in memory; urgent ones go first.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { type Sink, startSink } from '../../../../test/smtp_sink.ts'
import { createPools, installationRoute, type SmtpRoute } from './index.ts'

let t: TestApp
let sink: Sink
before(async () => {
  sink = await startSink()
  t = await startTestApp()
})
after(async () => {
  await t?.close()
  await sink?.close()
})

function routeToSink(): SmtpRoute {
  const route = installationRoute({ smtpUrl: sink.url })
  assert.ok(route.kind === 'smtp')
  return route.smtp
}
const handover = (n: number) => ({
  tenantId: 1,
  envelopeId: `mail_${n}`,
  from: 'office@example.com',
  to: [`ada${n}@example.com`],
  raw: Buffer.from(`Subject: ${n}\r\n\r\nHello.\r\n`),
})

test('no more mails are in memory than connections are open', async () => {
  const pools = createPools(t.app.services)
  sink.tricks.push(...Array.from({ length: 20 }, () => ({ lateMs: 30 })))
  const made: string[] = []
  let inMemory = 0
  let most = 0
  const send = async (n: number, isUrgent = false) => {
    const make = async () => {
      made.push(`${isUrgent ? 'urgent' : 'usual'} ${n}`)
      most = Math.max(most, ++inMemory)
      return { handover: handover(n) }
    }
    const result = await pools.send('sink', routeToSink(), { make, isUrgent })
    inMemory--
    return result.outcome
  }
  const usual = Array.from({ length: 18 }, (_, n) => send(n))
  const urgent = [send(18, true), send(19, true)]
  assert.deepEqual(new Set(await Promise.all([...usual, ...urgent])), new Set(['accepted']))
  // One that was just sent is counted until its promise has been heard.
  assert.ok(most <= 10, `${most} at once`)
  // The first five had connections when they came.
  const waited = made.filter(one => !/^usual [0-4]$/.test(one))
  assert.deepEqual(waited.slice(0, 3), ['urgent 18', 'urgent 19', 'usual 5'])
  await pools.close()
})

test('what cannot be made is answered, and its connection takes the next one', async () => {
  const pools = createPools(t.app.services)
  const before = sink.connections()
  const none = { host: null, replyCode: null, enhancedStatus: null, reply: null, rejected: [] }
  const result = { ...none, outcome: 'refused' as const, code: 'mail_unsigned' }
  const unmade = await pools.send('other', routeToSink(), { make: async () => ({ result }), isUrgent: false })
  assert.deepEqual(unmade, result)
  const make = async () => ({ handover: handover(1) })
  assert.equal((await pools.send('other', routeToSink(), { make, isUrgent: false })).outcome, 'accepted')
  assert.equal(sink.connections(), before + 1)
  await pools.close()
})
