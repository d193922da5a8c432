// A request of a person as the API shows it: never who the person is.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { type RequestRow, requestKinds, requestStates } from './store.ts'

const Numbers = (description: string) =>
  Type.Array(
    Type.Object({ what: Type.String({ description: 'A kind of record, or a table.' }), count: Type.Integer() }),
    {
      description,
    },
  )

export const PrivacyRequest = Type.Object({
  privacyRequestId: Type.String(),
  kind: OneOf(requestKinds),
  state: OneOf(requestStates),
  recordId: Nullable(Type.String({ description: 'The lead or contact that was named; null where it was an address.' })),
  about: Type.String({ description: 'The record, or the last digits or first letter of the address.' }),
  reason: Type.String(),
  requestedBy: IntegerId,
  waitsFor: Nullable(
    Type.String({
      description:
        'What an erasure waits for: `legal_hold`, or what is under way, such as `calls` and `messages`; it goes on by itself.',
    }),
  ),
  done: Numbers(
    'How much was exported or erased of each kind; `texts` are rows of others in which the person was named, `mail_sources` mails of others of which the files are left.',
  ),
  kept: Numbers(
    'What an erasure left, and why: `invoices`, `invoice_lines` and `payments`, as the law asks; `name_of_others_too`, where somebody else is called the same; `shared_address`, which somebody else has too.',
  ),
  sizeBytes: Nullable(Type.Integer({ description: 'Of the archive of an export.' })),
  sha256: Nullable(Type.String({ description: 'Of the archive, in hexadecimal.' })),
  error: Nullable(Type.String({ description: 'Why it failed.' })),
  createdAt: Timestamp,
  finishedAt: Nullable(Timestamp),
  expiresAt: Nullable({ ...Timestamp, description: 'Until when the archive can be downloaded: for a week.' }),
})

export const sampleRequest: Static<typeof PrivacyRequest> = {
  privacyRequestId: 'dsr_01k9r7d3w2v8e6q4n5m1b0c9xz',
  kind: 'erasure',
  state: 'completed',
  recordId: 'lead:17',
  about: 'lead:17',
  reason: 'Asked for by letter of 20 November.',
  requestedBy: 1,
  waitsFor: null,
  done: [
    { what: 'records', count: 2 },
    { what: 'messages', count: 14 },
    { what: 'texts', count: 6 },
  ],
  kept: [{ what: 'invoices', count: 1 }],
  sizeBytes: null,
  sha256: null,
  error: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  finishedAt: '2026-11-21T08:44:09.456Z',
  expiresAt: null,
}

export function presentRequest(row: RequestRow): Static<typeof PrivacyRequest> {
  const listed = (counts: Readonly<Record<string, number>>) =>
    Object.entries(counts).map(([what, count]) => ({ what, count: Number(count) }))
  return {
    privacyRequestId: row.id,
    kind: row.kind,
    state: row.state,
    recordId: row.record_id,
    about: row.label,
    reason: row.reason,
    requestedBy: row.requested_by,
    waitsFor: row.waits_for,
    done: listed(row.counts),
    kept: listed(row.kept),
    sizeBytes: row.size_bytes,
    sha256: row.sha256,
    error: row.error,
    createdAt: row.created_at,
    finishedAt: row.finished_at,
    expiresAt: row.expires_at,
  }
}
