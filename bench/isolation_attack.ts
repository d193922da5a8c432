/** The test tenant at its worst, in a thread of its own: everything at once and as fast as it is answered, until a message stops it. */
import { parentPort, workerData } from 'node:worker_threads'

/** Where, with whose keys (of several users of the test tenant), and by which service with a duplicate window. */
export type Attack = { address: string; keys: string[]; serviceId: string }

/** Answers by what was asked, and by whether it was a 2xx. */
export type AttackReport = Record<string, { ok: number; refused: number }>

const { address, keys, serviceId } = workerData as Attack
const stopping = new AbortController()
const report: AttackReport = {}

function count(what: string, ok: boolean): void {
  report[what] ??= { ok: 0, refused: 0 }
  report[what][ok ? 'ok' : 'refused']++
}

async function post(what: string, path: string, key: string, body: object): Promise<void> {
  try {
    const answer = await fetch(`${address}${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
      signal: stopping.signal,
    })
    await answer.arrayBuffer()
    count(what, answer.ok)
  } catch {
    if (!stopping.signal.aborted) count(what, false)
  }
}

async function lane(step: (n: number) => Promise<void>): Promise<void> {
  for (let n = 0; !stopping.signal.aborted; n++) await step(n)
}

/** Twenty streams a user, held open. */
async function openStreams(key: string): Promise<void> {
  for (let n = 0; n < 20; n++) {
    try {
      const answer = await fetch(`${address}/v2/stream`, {
        headers: { authorization: `Bearer ${key}` },
        signal: stopping.signal,
      })
      count('streams', answer.ok)
      if (!answer.ok) await answer.arrayBuffer()
    } catch {
      if (!stopping.signal.aborted) count('streams', false)
    }
  }
}

const [first = ''] = keys
const texts = (n: number) =>
  Array.from({ length: 1_000 }, (_, index) => ({
    serviceId,
    to: `+1500555${String(1_000 + (index % 9_000)).padStart(4, '0')}`,
    body: `Text ${n} ${index}`,
  }))
const lanes = [
  ...[1, 2, 3, 4].map(which =>
    lane(n => post('batches', '/v2/messages/sms/batch', first, { messages: texts(n * 4 + which) })),
  ),
  ...[1, 2, 3, 4].map(() => lane(n => post('keys', '/v2/auth/api-keys', first, { name: `flood ${n}`, mode: 'test' }))),
  ...[1, 2, 3, 4].map(which =>
    lane(n => post('leads', '/v1/api/leads', first, { name: `Lead ${n}`, email: `l${which}-${n}@flood.example` })),
  ),
  ...keys.slice(1).map(openStreams),
]

parentPort?.once('message', async () => {
  stopping.abort()
  await Promise.allSettled(lanes)
  parentPort?.postMessage(report)
})
