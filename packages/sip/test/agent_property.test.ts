// Whatever both sides do at whatever moment: each is notified of the end of a call once and of nothing after it, sends only what the
// standards ask for after it, and keeps nothing of it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { SipCall } from '../src/agent/types.ts'
import { header } from '../src/headers.ts'
import {
  type Agent,
  accept,
  chanceOf,
  dial,
  ended,
  forgotten,
  note,
  openAgent,
  openNetwork,
  type Reported,
  sleep,
} from './agent_support.ts'

type Act = (call: SipCall) => unknown

const anytime: Act[] = [
  call => call.end(),
  call => call.hold(true),
  call => call.hold(false),
  call => call.sendInfo('5', 100),
  call => call.refer('sip:carol@tandem.example'),
  call => call.stored,
]
/** What may still be sent for a call that is over; of others copies only. */
const tail = ['BYE', 'ACK', 'CANCEL']

for (const [name, loss, seed] of [
  ['a good network', 0, 11],
  ['a bad network', 0.08, 12],
] as const) {
  test(`random acts of both sides at random moments, over ${name}`, async context => {
    const random = chanceOf(seed)
    const pick = <Item>(items: readonly Item[]) => items[Math.floor(random() * items.length)]!
    const all: Reported[] = []
    const endings = new Map<string, number>()
    const watched = (agent: () => Agent, id: () => string, more = {}) => {
      const reported = note({
        onEnded: () => endings.set(`${agent().bound[0]?.port} ${id()}`, agent().traces.length),
        onRefer: (_referral, report) => report(pick([100, 180, 200, 486])),
        ...more,
      })
      all.push(reported)
      return reported
    }

    async function live(call: SipCall, acts: readonly Act[], count: number): Promise<void> {
      const waiting: unknown[] = []
      for (let done = 0; done < count; done++) {
        await sleep(random() * 25)
        waiting.push(pick(acts)(call))
      }
      await sleep(random() * 60)
      call.end({ q850: 31 })
      call.end()
      await Promise.all(waiting)
    }

    const lives: Promise<void>[] = []
    const bob: Agent = await openAgent(context, call => {
      const acts: Act[] = [
        ...anytime,
        () => call.ring(),
        () => call.ring(true),
        () => call.answer(),
        () => call.answer(),
        () => call.reject(486),
      ]
      accept(
        call,
        watched(
          () => bob,
          () => call.callId,
        ),
      )
      if (random() < 0.5) void call.answer()
      lives.push(live(call, acts, 4))
    })
    const alice: Agent = await openAgent(context)
    const network = await openNetwork(context, bob.bound[0]!.port, {
      loss,
      doubling: loss,
      swapping: loss,
      random: chanceOf(seed),
    })
    const target = `sip:bob@127.0.0.1:${network.port}`
    for (let made = 0; made < 120; made++) {
      const headers = random() < 0.3 ? [{ name: 'Require', value: '100rel' }] : []
      const reported: Reported = watched(
        () => alice,
        () => call.callId,
      )
      const { call } = dial(
        alice,
        target,
        { routes: [`<${target};lr>`], headers, store: () => sleep(random() * 10) },
        reported,
      )
      lives.push(live(call, anytime, 3))
      if (made % 10 === 0) await sleep(10)
    }
    for (let seen = 0; seen < lives.length; seen++) await lives[seen]
    await ended(...all)
    await forgotten(alice, bob)
    for (const reported of all) {
      assert.equal(reported.ends.length, 1)
      assert.match(reported.log.at(-1)!, /^ended/)
    }
    for (const agent of [alice, bob]) {
      assert.deepEqual(agent.errors, [])
      const sent = new Set<string>()
      for (const [index, { direction, message, callId }] of agent.traces.entries()) {
        if (direction === 'in' || message.kind !== 'request') continue
        const key = `${callId} ${header(message, 'CSeq')}`
        const over = endings.get(`${agent.bound[0]?.port} ${callId}`) ?? Number.POSITIVE_INFINITY
        assert.ok(index < over || tail.includes(message.method) || sent.has(key), `${key} after the end`)
        sent.add(key)
      }
    }
    // It is not all refusals.
    assert.ok(all.some(reported => reported.log.includes('answered')))
  })
}
