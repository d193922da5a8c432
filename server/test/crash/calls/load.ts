// The calls of a crash run: what each client asks for, in rotation, so that every kind of call is under way when something dies.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Driver, startDriver } from '../driver.ts'
import type { Behaviour } from './scripts.ts'
import { type CallWorld, prefixOf } from './world.ts'

const hungUpByApi = 'hung up by the API'
const hangUpAfterMs = 2_500

export type Kind = { name: string; at: Behaviour; body(world: CallWorld, n: number): Record<string, unknown> }

/** Longer than a remote party talks that is to end the call, or that an API hangs up. */
const wait = { verb: 'pause', seconds: 60 }

export const kinds: readonly Kind[] = [
  {
    name: 'recorded, until the callee hangs up',
    at: 'hangs_up',
    body: () => ({
      instructions: [{ verb: 'record', mode: 'call', channels: 'dual' }, { verb: 'play', tone: 'hold' }, wait],
    }),
  },
  {
    name: 'spoken to',
    at: 'waits',
    body: () => ({
      instructions: [{ verb: 'say', text: 'Hello.' }, { verb: 'pause', seconds: 2 }, { verb: 'hangup' }],
    }),
  },
  {
    name: 'instructed by its callback address',
    at: 'waits',
    body: ({ callbacks }) => ({ callbackUrl: callbacks.url, fallbackUrl: callbacks.fallbackUrl }),
  },
  {
    name: 'bridged',
    at: 'waits',
    body: (_world, n) => ({
      instructions: [
        { verb: 'dial', targets: [{ type: 'number', number: numberAt('hangs_up', n + bridged) }] },
        { verb: 'hangup' },
      ],
    }),
  },
  {
    name: 'asked for digits',
    at: 'waits',
    body: () => ({ instructions: [{ verb: 'gather', timeoutSeconds: 2 }, { verb: 'hangup' }] }),
  },
  { name: 'busy', at: 'busy', body: () => ({ instructions: [wait] }) },
  { name: 'not answered', at: 'rings', body: () => ({ timeoutSeconds: 6, instructions: [wait] }) },
  { name: 'carried by the second trunk', at: 'unavailable', body: () => ({ instructions: [wait] }) },
  {
    name: 'long',
    at: 'waits',
    body: ({ patience: { lostMs } }) => ({
      instructions: [{ verb: 'pause', seconds: 4 + lostMs / 2_000 }, { verb: 'hangup' }],
    }),
  },
  {
    name: 'silent',
    at: 'silent',
    // Longer than its silence is allowed, so that one whose silence is not seen ends otherwise.
    body: ({ patience: { silenceMs } }) => ({ instructions: [{ verb: 'pause', seconds: 8 + silenceMs / 1_000 }] }),
  },
  { name: 'held', at: 'held', body: () => ({ instructions: [wait] }) },
  { name: hungUpByApi, at: 'waits', body: () => ({ instructions: [wait] }) },
]

/** Numbers of legs that a call dials are those of other calls plus this. */
const bridged = 50_000_000

function numberAt(behaviour: Behaviour, n: number): string {
  return `${prefixOf(behaviour)}${String(n).padStart(8, '0')}`
}

export type CallLoad = Driver & {
  kindOf(word: string): string | undefined
}

export type CallLoadOptions = {
  world: CallWorld
  seed: number
  perSecond: number
  maxUnderWay: number
  over(): number
}

export function startCallLoad({ world, seed, perSecond, maxUnderWay, over }: CallLoadOptions): CallLoad {
  const { api } = world.parts
  const kindByWord = new Map<string, string>()
  const driver = startDriver({
    address: api.address,
    key: world.liveKey,
    perSecond,
    run: `c${seed}`,
    path: '/v2/voice/calls',
    request(n) {
      const kind = kinds[n % kinds.length] as Kind
      const word = numberAt(kind.at, n)
      kindByWord.set(word, kind.name)
      return { word, body: { from: world.numbers.from, to: word, ...kind.body(world, n) } }
    },
    idOf: reply => (reply as { data: { callId: string } }).data.callId,
    arrived: over,
    maxUnderWay,
  })

  const hungUp = new Set<string>()
  const seenMs = new Map<string, number>()
  let isHangingUp = false

  /** Calls that are to be hung up and were not, started a while ago. */
  function toHangUp(leastMs = hangUpAfterMs): string[] {
    const ids = driver.intents
      .filter(({ word }) => kindByWord.get(word) === hungUpByApi)
      .flatMap(({ ids: [id] }) => id ?? [])
    for (const id of ids) if (!seenMs.has(id)) seenMs.set(id, performance.now())
    return ids.filter(id => !hungUp.has(id) && performance.now() - (seenMs.get(id) ?? 0) >= leastMs)
  }

  const hanging = setInterval(async () => {
    if (isHangingUp) return
    isHangingUp = true
    for (const id of toHangUp()) {
      try {
        const answer = await fetch(`${api.address()}/v2/voice/calls/${id}/hangup`, {
          method: 'POST',
          headers: { authorization: `Bearer ${world.liveKey}` },
          signal: AbortSignal.timeout(5_000),
        })
        if (answer.status < 500 && answer.status !== 429) hungUp.add(id)
      } catch {
        // It is tried again.
      }
    }
    isHangingUp = false
  }, 300)

  return {
    ...driver,
    kindOf: word => kindByWord.get(word),
    async finish(limitMs) {
      try {
        await driver.finish(limitMs)
      } finally {
        const deadline = performance.now() + Math.min(limitMs, 20_000)
        while (performance.now() < deadline && toHangUp(0).length > 0) await sleep(100)
        clearInterval(hanging)
      }
    },
  }
}
