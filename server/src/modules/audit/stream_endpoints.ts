// Streams of the audit log: addresses that sealed events are sent on to as they come.
import { type Static, Type } from 'typebox'
import type { Principal } from '../../kernel/access/principal.ts'
import { newSecret } from '../../kernel/data/signature.ts'
import { customerUrl } from '../../kernel/endpoint/callback_url.ts'
import { Nullable, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { resource } from '../../kernel/resource/resource.ts'
import { newId } from '../../kernel/values/ids.ts'
import { Problem } from '../../kernel/values/problem.ts'
import { findLastSeal } from './seal_store.ts'
import { changeStream, countStreams, insertStream, type StreamRow, streamRows } from './stream_store.ts'
import { placeOfStream, streamQueue, streamSeal } from './streaming.ts'

const maxStreams = 5

const url = Type.String({
  minLength: 1,
  maxLength: 2_048,
  description: 'Where events are sent to: a public https address on port 443 or 8443.',
})
const description = Nullable(Type.String({ maxLength: 500, description: 'What it is for; null for nothing.' }))

const fields = {
  streamId: Type.String({ description: 'Identifier of the stream, `ast_…`.' }),
  url: Type.String(),
  description,
  enabled: Type.Boolean({ description: 'Whether anything is sent.' }),
  position: Type.Integer({ description: 'The last event that was taken, by its place in the chain.' }),
  behind: Type.Integer({ description: 'Sealed events that were not taken yet.' }),
  deliveredAt: Nullable(Timestamp),
  failuresInRow: Type.Integer(),
  failingSince: Nullable(Timestamp),
  lastError: Nullable(Type.String({ description: 'Why the last try failed.' })),
  version: Type.Integer({ description: 'Counts changes of its settings; the ETag.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const Stream = Type.Object(fields)
const NewStream = Type.Object({
  ...fields,
  secret: Type.String({
    description: 'Signs what is sent, as that of a webhook (Standard Webhooks). Shown in this answer only.',
  }),
})

const sample: Static<typeof Stream> = {
  streamId: 'ast_01k9r7d3w2v8e6q4n5m1b0c9xz',
  url: 'https://siem.example.com/tandem',
  description: 'To the security team',
  enabled: true,
  position: 1742,
  behind: 0,
  deliveredAt: '2026-11-21T08:46:00.123Z',
  failuresInRow: 0,
  failingSince: null,
  lastError: null,
  version: 1,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

function present(row: StreamRow): Static<typeof Stream> {
  return {
    streamId: row.id,
    url: row.url,
    description: row.description,
    enabled: row.enabled,
    position: row.position,
    behind: row.behind,
    deliveredAt: row.delivered_at,
    failuresInRow: row.failures,
    failingSince: row.failing_since,
    lastError: row.last_error,
    version: row.version,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

/** It sends on what is of live and test mode alike. @throws Problem `live_mode_required` */
function requireLive({ mode }: Principal): void {
  if (mode !== 'live') throw new Problem('live_mode_required')
}

const own = resource<StreamRow, typeof Stream>({
  names: ['audit_stream', 'audit_streams'],
  words: 'audit stream',
  id: ['streamId', 'ast'],
  category: 'Organization',
  path: '/audit-events/streams',
  permissions: { read: 'audit:read', manage: 'audit:manage' },
  rows: streamRows,
  reply: Stream,
  sample,
  present: rows => rows.map(present),
  changed: ({ services }) => services.wake(streamQueue),
})

const list = own.list({
  description: 'Where the audit log is sent on to, with how far each stream has come, newest first.',
})
const get = own.get({ description: 'A stream with how far it has come, and why it does not go on.' })

const create = own.create({
  description: `From now on what is sealed is sent to the address: batches of up to 200 events as NDJSON, in the order of the chain, signed as webhooks are (webhook-id, webhook-timestamp, webhook-signature over the body). Any 2xx takes a batch; until then it is sent again, after 5 seconds at first and an hour at last, and nothing behind it. An event may come twice: webhook-id is the same for the same first event. An organization has at most ${maxStreams}; they are made in live mode.`,
  body: Type.Object({
    url,
    description: Type.Optional(description),
    from: Type.Optional(
      OneOf(['now', 'start'], {
        default: 'now',
        description: 'Whether all that is there is sent first, or only what comes.',
      }),
    ),
  }),
  reply: NewStream,
  recent: 'login',
  keysToo: true,
  secretReply: true,
  problems: ['live_mode_required', 'invalid_callback_url', 'too_many_audit_streams'],
  sample: {
    body: { url: sample.url, description: sample.description, from: 'start' },
    reply: { ...sample, secret: 'whsec_C2FVsBQIhrscChlQIMV+b5sSYspob7oDxuWOqbtrhTA=' },
  },
  async handle(body, { tx, principal, services }) {
    requireLive(principal)
    const address = customerUrl(body.url, services.egress, { mode: 'live', field: 'url' })
    if ((await countStreams(tx, principal)) >= maxStreams) throw new Problem('too_many_audit_streams')
    const id = newId('ast')
    const secret = newSecret()
    const last = body.from === 'start' ? undefined : await findLastSeal(tx, principal)
    const row = await insertStream(tx, principal, {
      id,
      url: address,
      description: body.description ?? null,
      secret: streamSeal(services.keyring).close(placeOfStream(principal.organizationId, id), secret),
      position: last?.to_position ?? 0,
    })
    return { row, more: { secret } }
  },
})

const update = own.update({
  description:
    'Changes what is named, in live mode; a stream that was failing is tried again at once. `enabled: false` stops it where it is.',
  body: Type.Object({
    url: Type.Optional(url),
    description: Type.Optional(description),
    enabled: Type.Optional(Type.Boolean()),
  }),
  problems: ['live_mode_required', 'invalid_callback_url'],
  sample: { body: { enabled: false }, reply: { ...sample, enabled: false, version: 2 } },
  async handle(old, body, { tx, principal, services }) {
    requireLive(principal)
    const stored = { mode: 'live', field: 'url', stored: old.url } as const
    const address = body.url === undefined ? old.url : customerUrl(body.url, services.egress, stored)
    const { description = old.description, enabled = old.enabled } = body
    return { row: await changeStream(tx, principal, { id: old.id, url: address, description, enabled }) }
  },
})

const remove = own.delete({
  description: 'Ends a stream for good, in live mode. What it has sent stays where it is.',
  problems: ['live_mode_required'],
  handle: async (_row, { principal }) => requireLive(principal),
})

export const endpoints = [create, list, get, update, remove]
