// Sends sealed events on: batches of lines in the order of the chain, signed as webhooks are, each stream by its own cursor. The cursor
// moves when a batch was taken, so each event is sent at least once, and none before those in front of it.

import { auditScope } from '../../kernel/audit/record.ts'
import { keyOf, sign } from '../../kernel/data/signature.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../kernel/jobs/background.ts'
import type { Keyring } from '../../kernel/values/keyring.ts'
import { createSeal } from '../../kernel/values/seal.ts'
import { eventLine } from './export.ts'
import { chainBehind } from './seal_store.ts'
import { beginBatch, claimStreams, failStream, findStream, moveStream } from './stream_store.ts'

export const streamQueue = 'audit_streams'
const eventsAtOnce = 200
/** Longer than a call may take. */
const leaseSeconds = 60
const [firstWait, longestWait] = [5, 3_600]

type Leased = { organization_id: number; id: string }

export const sendAuditStreams: QueueMaker = services => ({
  name: streamQueue,
  lanes: 4,
  batch: 1,
  pollMs: 5_000,
  claim: (token, limit) => claimStreams(services.db, token, limit, leaseSeconds),
  async work(streams: Leased[], token) {
    for (const stream of streams) await sendBatch(services, stream, token)
  },
})

/** The secret of a stream as it may lie in the database. */
export const streamSeal = (keyring: Keyring) => createSeal(keyring, 'audit_stream')
export const placeOfStream = (organizationId: number, id: string) => `${organizationId} ${id}`

async function sendBatch(services: Services, { organization_id, id }: Leased, token: string): Promise<void> {
  const { db, keyring, outbound, clock } = services
  const scope = auditScope(organization_id)
  const read = await db.inTenant(scope, async tx => {
    const upTo = await beginBatch(tx, scope, { id, token }, eventsAtOnce)
    const stream = upTo === undefined ? undefined : await findStream(tx, scope, id)
    return stream && { stream, events: await chainBehind(tx, scope, stream.position, eventsAtOnce, upTo) }
  })
  const last = read?.events.at(-1)
  if (read === undefined || last === undefined) return
  const { stream, events } = read
  const body = Buffer.from(events.map(event => eventLine(event)).join(''))
  // The same for every try of a batch, which ends where it did: receivers know it again, and drop it.
  const messageId = `${id}_${events[0]!.position}`
  const timestamp = Math.floor(clock.now() / 1_000)
  const key = keyOf(streamSeal(keyring).open(placeOfStream(organization_id, id), stream.secret))
  const signed = ['webhook-id', messageId, 'webhook-timestamp', String(timestamp)]
  const headers = [
    'content-type',
    'application/x-ndjson',
    'user-agent',
    'Tandem-Audit/1.0',
    'accept-encoding',
    'identity',
  ]
  const reply = await outbound.send({
    url: new URL(stream.url),
    headers: [...headers, ...signed, 'webhook-signature', sign([key], messageId, timestamp, body)],
    body,
  })
  const isTaken = reply.ok && reply.status >= 200 && reply.status < 300
  await db.inTenant(scope, tx => {
    if (isTaken) return moveStream(tx, scope, { id, token }, last.position)
    const error = reply.ok ? `HTTP ${reply.status}` : reply.error
    const afterSeconds = Math.min(longestWait, firstWait * 2 ** Math.min(stream.failures, 12))
    return failStream(tx, scope, { id, token }, { error, afterSeconds })
  })
}
