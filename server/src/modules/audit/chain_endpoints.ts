// The chain of the audit log over the API: its seals, and exports that can be verified without the server.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../kernel/endpoint/page.ts'
import type { FileReply } from '../../kernel/endpoint/reply.ts'
import { FileBytes, OneOf, Timestamp } from '../../kernel/endpoint/schema.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { type FilterQuery, filterQuery, filtersOf, own } from './endpoints.ts'
import { exportOf, formats } from './export.ts'
import type { SealRow } from './present.ts'
import { listSeals } from './seal_store.ts'

const Seal = Type.Object({
  sealId: Type.String({ description: 'Identifier of the seal, `ase_…`.' }),
  at: Timestamp,
  from: Type.Integer({ description: 'Place of its first event in the chain.' }),
  to: Type.Integer({ description: 'Place of its last event.' }),
  previous: Type.String({ description: 'Hash of the event before its first, in hexadecimal.' }),
  head: Type.String({ description: 'Hash of its last event: it stands for that event and all before it.' }),
  signature: Type.String({
    description: 'Compact JWS (RFC 7515), ES256, of all of this; the keys are at /.well-known/jwks.json.',
  }),
})

const sampleSeal: Static<typeof Seal> = {
  sealId: 'ase_01k9r7d3w2v8e6q4n5m1b0c9xz',
  at: '2026-11-21T08:45:00.004Z',
  from: 1740,
  to: 1742,
  previous: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
  head: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
  signature: 'eyJhbGciOiJFUzI1NiJ9.eyJzZWFsSWQiOiJhc2VfMDEifQ.c2lnbmF0dXJl',
}

function presentSeal({ id, at, from_position, to_position, previous, head, signature }: SealRow) {
  return { sealId: id, at, from: from_position, to: to_position, previous, head, signature }
}

export const listAuditSeals = endpoint({
  ...own,
  id: 'audit_seals.list',
  method: 'GET',
  path: '/audit-events/seals',
  name: 'List seals of the audit log',
  description:
    'Signed statements of how far the chain of the organization went, newest first; there is one for each minute in which something was written. Keep one elsewhere: nobody can change, cut out or reorder what it holds without that it shows.',
  permission: 'audit:read',
  whileSuspended: true,
  query: Type.Object(v2PageQuery),
  reply: Seal,
  envelope: 'page',
  sample: { query: { limit: 20 }, reply: sampleSeal },
  async handle({ tx, principal, query: { cursor, limit = 50 } }) {
    const beforeId = cursorId('ase', cursor, {})
    const rows = await listSeals(tx, principal, { limit, beforeId })
    const cut = cutPage(rows, limit, row => [row.id], {})
    return { items: cut.rows.map(presentSeal), limit, nextCursor: cut.nextCursor }
  },
})

const mediaTypes = { ndjson: 'application/x-ndjson', csv: 'text/csv; charset=utf-8', ocsf: 'application/x-ndjson' }

export const exportAuditEvents = endpoint({
  ...own,
  id: 'audit_events.export',
  method: 'GET',
  path: '/audit-events/export',
  name: 'Export the audit log',
  description:
    'The audit log as a file, sent while it is read. `ndjson` without filters is the whole chain with its seals, as far as it is sealed, which `tandem audit verify` checks on any machine; with filters each event in it can be checked, and not what is left out. `csv` is for spreadsheets (a text that one would take for a formula has an apostrophe in front), `ocsf` for security programs (Open Cybersecurity Schema Framework, one event a line); both newest first. Is itself an event of the log.',
  permission: 'audit:export',
  whileSuspended: true,
  recent: 'login',
  keysToo: true,
  audit: 'audit_log.exported',
  logBody: 'refusals',
  envelope: 'file',
  mediaType: 'application/x-ndjson',
  hasRanges: false,
  query: Type.Object({
    format: Type.Optional(OneOf(formats, { default: 'ndjson', description: 'What kind of file.' })),
    ...filterQuery,
  }),
  reply: FileBytes('The lines of the file.'),
  sample: {
    query: { format: 'ndjson' },
    reply: `{"kind":"head","organizationId":1,"exportedAt":"${sampleSeal.at}","complete":true}\n`,
  },
  async handle({ principal, query: { format = 'ndjson', ...filters }, now, services }): Promise<FileReply> {
    return {
      mediaType: mediaTypes[format],
      fileName: `audit-${isoMs(now).slice(0, 10)}${format === 'ocsf' ? '-ocsf' : ''}.${format === 'csv' ? 'csv' : 'ndjson'}`,
      asDownload: true,
      open: async () => exportOf(services, principal, format, filtersOf(filters as FilterQuery)),
    }
  },
})

export const endpoints = [listAuditSeals, exportAuditEvents]
