// For tests of text messages over the API: a message sent, read, and waited for, and carriers that carry it.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSimulatorCarrier } from '../src/carriers/simulator/simulator.ts'
import { type Queue, startQueue } from '../src/kernel/jobs/queue.ts'
import { newId } from '../src/kernel/values/ids.ts'
import type { CarrierMaker } from '../src/modules/messaging/carrier.ts'
import { messageQueues } from '../src/modules/messaging/carrier_context.ts'
import { startTestApp, type TestApp } from './harness.ts'

export const sender = '+15005550006'

export const number = (last: string) => `+1500555${last}`

/** Runs carriers on an app that runs no queues itself; ends with the returned function. */
export function carry(app: TestApp['app'], makers: readonly CarrierMaker[]): () => Promise<void> {
  const { services } = app
  const queues = new Map<string, Queue>()
  for (const make of messageQueues(makers)) {
    const options = make(services)
    queues.set(
      options.name,
      startQueue({ ...options, pollMs: 20 }, { log: services.log, newToken: () => newId('lse') }),
    )
  }
  services.wake = name => queues.get(name)?.wake()
  return async () => {
    services.wake = () => {}
    await Promise.all([...queues.values()].map(queue => queue.stop()))
  }
}

export const fast = [
  createSimulatorCarrier({ speed: 50 }),
  createSimulatorCarrier({ name: 'handset', scripted: false, speed: 50 }),
]

/** What a file of tests begins with: an application that runs no queues itself, closed after the last test. */
export async function startSms() {
  const t = await startTestApp()
  after(() => t.close())
  async function send(to: string, body = 'Hello', as = t.main.testKey, more: object = {}) {
    const answer = await t.call('POST', '/v2/messages/sms', { as, body: { from: sender, to, body, ...more } })
    assert.equal(answer.status, 200, answer.text)
    return answer.json.messageId as string
  }

  async function read(id: string, as = t.main.testKey) {
    const answer = await t.call('GET', `/v2/messages/${id}`, { as })
    assert.equal(answer.status, 200, answer.text)
    return answer.json.data
  }

  /** Reads a message until it has the status, for at most 5 s. */
  async function until(id: string, status: string, as = t.main.testKey) {
    const deadline = performance.now() + 5_000
    for (;;) {
      const message = await read(id, as)
      if (message.status === status) return message
      if (performance.now() > deadline)
        assert.fail(`${id} is ${message.status}, not ${status}: ${JSON.stringify(message.history)}`)
      await sleep(10)
    }
  }

  return { t, send, read, until }
}

export const statuses = (message: { history: { status: string }[] }) => message.history.map(entry => entry.status)
