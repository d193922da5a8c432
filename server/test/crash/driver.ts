// Clients that send messages or make calls, and insist: each writes down what it means to send before it sends it, repeats it with the
// same Idempotency-Key until it gets a definite answer, and writes that down.
import { setTimeout as sleep } from 'node:timers/promises'

export type Intent = {
  key: string
  /** What only this one has, by which it is found again: a word of its text, or the number it calls. */
  word: string
  tries: number
  /** Every success it got: ids that must all be the same one. */
  ids: string[]
  /** A definite refusal. */
  refused: string | undefined
}

export type Driver = {
  intents: readonly Intent[]
  /** Begins nothing new; resolves when every intent has its answer, or rejects after `limitMs`. */
  finish(limitMs: number): Promise<void>
}

export type DriverOptions = {
  address(): string | undefined
  key: string
  perSecond: number
  run: string
  path: string
  /** What the n-th client asks for. */
  request(n: number): { word: string; body: object }
  /** The status of success; 200 when not said. */
  success?: 200 | 201
  /** The id in the body of a success. */
  idOf(reply: unknown): string
  /** How many have reached the remote peer: so that a machine that is slow gathers no backlog it cannot work off. */
  arrived(): number
  /** More than this are not under way at once. */
  maxUnderWay: number
}

export function startDriver(options: DriverOptions): Driver {
  const { address, key, perSecond, run, path, request, success = 200, idOf, arrived, maxUnderWay } = options
  const intents: Intent[] = []
  const open = new Set<Promise<void>>()
  let stopping = false

  const timer = setInterval(() => {
    const n = intents.length
    if (n - arrived() > maxUnderWay) return
    const { word, body } = request(n)
    const intent: Intent = { key: `${run}-${n}`, word, tries: 0, ids: [], refused: undefined }
    intents.push(intent)
    const sending = insist(intent, JSON.stringify(body)).finally(() => open.delete(sending))
    open.add(sending)
  }, 1_000 / perSecond)

  async function insist(intent: Intent, body: string): Promise<void> {
    for (;;) {
      if (await attempt(intent, body)) return
      await sleep(100)
    }
  }

  /** Whether there is a definite answer. */
  async function attempt(intent: Intent, body: string): Promise<boolean> {
    const base = address()
    if (base === undefined) return false
    intent.tries++
    try {
      const answer = await fetch(`${base}${path}`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${key}`,
          'content-type': 'application/json',
          'idempotency-key': intent.key,
        },
        body,
        signal: AbortSignal.timeout(5_000),
      })
      const text = await answer.text()
      if (answer.status === success) {
        intent.ids.push(idOf(JSON.parse(text)))
        // Now and then a client does not believe it.
        return intent.ids.length > 1 || intents.indexOf(intent) % 10 !== 0
      }
      if (answer.status < 500 && answer.status !== 429) {
        intent.refused = `${answer.status} ${text}`
        return true
      }
      return false
    } catch {
      return false
    }
  }

  return {
    intents,
    async finish(limitMs) {
      if (!stopping) clearInterval(timer)
      stopping = true
      const deadline = performance.now() + limitMs
      while (open.size > 0) {
        if (performance.now() > deadline) throw new Error(`${open.size} requests have no definite answer`)
        await sleep(50)
      }
    },
  }
}
