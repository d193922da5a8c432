// What an organization of a test sends from: numbers, a messaging service with two of them, an opt-out; and in live mode a
// carrier that is switched off.
import assert from 'node:assert/strict'
import type { Answer, TestApp } from '../../server/test/harness.ts'

export type SeededMessaging = { numbers: string[]; service: string; optOut: string; carrier: string }

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function made(answer: Answer): any {
  assert.equal(answer.status, 201, `seeding met ${answer.status}: ${answer.text}`)
  return answer.json.data
}

/** A carrier that nobody answers for: no link of it is opened while it is off. */
export const quietCarrier = {
  kind: 'smpp',
  name: 'Example Telecom',
  enabled: false,
  currency: 'EUR',
  settings: { host: '127.0.0.1', port: 2775, systemId: 'example', password: 'secret' },
  routes: [
    { prefix: '+49', priority: 10, cost: '0.0750' },
    { prefix: '', priority: 20, cost: '0.0900' },
  ],
}

/** @param options.carrier false leaves the live mode to the virtual handset */
export async function seedMessaging(t: TestApp, { carrier = true } = {}): Promise<SeededMessaging> {
  const as = t.main.testKey
  const post = async (path: string, body: unknown, key = as) => made(await t.call('POST', path, { as: key, body }))
  const numbers: string[] = []
  for (const body of [
    { number: '+15005550006', label: 'Front desk', segmentsPerSecond: 10, createsLeads: true },
    { number: '+4930123456', label: 'Berlin' },
    { number: '72345', label: 'Codes' },
    { number: 'Tandem' },
  ])
    numbers.push((await post('/v2/numbers', body)).numberId)
  const senders = numbers.slice(0, 2)
  const service = await post('/v2/messages/services', { name: 'Appointments', senders, duplicateWindow: 60 })
  const optOut = await post('/v2/messages/opt-outs', { scope: service.serviceId, recipient: '+15005551999' })
  const ids = { numbers, service: service.serviceId, optOut: optOut.optOutId }
  if (!carrier) return { ...ids, carrier: '' }
  return { ...ids, carrier: (await post('/v2/carriers', quietCarrier, t.main.liveKey)).carrierId }
}
