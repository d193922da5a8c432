// Legal holds: what must not be deleted, of the organization or of one person, until the hold is released.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage, v2PageQuery } from '../../../kernel/endpoint/page.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Email, IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { findOrganization } from '../../identity/organizations/index.ts'
import { holdPattern, labelOf, resolvePerson, subjectOf } from '../person/index.ts'
import { privacyQueue, wakeHeld } from '../requests/index.ts'
import { type HoldRow, insertHold, listHolds, lockHold, releaseHold } from './store.ts'

const own = { version: 'v2', category: 'Organization' } as const

const Hold = Type.Object({
  holdId: Type.String(),
  scope: OneOf(['organization', 'person'], { description: 'What is kept: all of the organization, or one person.' }),
  about: Nullable(
    Type.String({ description: 'Of a person: the record, or the last digits or first letter of the address.' }),
  ),
  reason: Type.String(),
  placedBy: IntegerId,
  placedAt: Timestamp,
  releasedBy: Nullable(IntegerId),
  releasedAt: Nullable(Timestamp),
})

const sampleId = 'lgh_01k9r7d3w2v8e6q4n5m1b0c9xz'
const sample: Static<typeof Hold> = {
  holdId: sampleId,
  scope: 'person',
  about: 'lead:17',
  reason: 'Lawsuit 3 O 123/26.',
  placedBy: 1,
  placedAt: '2026-11-21T08:44:00.123Z',
  releasedBy: null,
  releasedAt: null,
}

function present(row: HoldRow): Static<typeof Hold> {
  return {
    holdId: row.id,
    scope: row.tenant_id === null ? 'organization' : 'person',
    about: row.subject?.label ?? null,
    reason: row.reason,
    placedBy: row.placed_by,
    placedAt: row.placed_at,
    releasedBy: row.released_by,
    releasedAt: row.released_at,
  }
}

const placeHold = endpoint({
  ...own,
  id: 'legal_holds.place',
  method: 'POST',
  path: '/privacy/holds',
  name: 'Place a legal hold',
  description:
    'Stops every purge and erasure of what it is about until it is released: of one person, named by a lead or contact, a telephone number or an e-mail address, in the mode of the credential; or, without any of these, of the whole organization in both modes.',
  permission: 'legal_holds:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  audit: 'legal_hold.placed',
  status: 201,
  logBody: 'never',
  body: Type.Object({
    recordId: Type.Optional(Type.String({ maxLength: 40, description: 'A lead (`lead:17`) or a contact (`con_…`).' })),
    phone: Type.Optional(Type.String({ maxLength: 64, description: 'Telephone number, in any usual spelling.' })),
    email: Type.Optional(Email),
    reason: Type.String({
      minLength: 3,
      maxLength: 500,
      description: 'Why, for those who look later; name nobody in it.',
    }),
  }),
  reply: Hold,
  envelope: 'data',
  problems: ['not_found'],
  sample: { body: { email: 'ada@example.com', reason: 'Lawsuit 3 O 123/26.' }, reply: { ...sample, about: 'a…@…' } },
  async handle({ tx, principal, body: { reason, ...asked }, now }) {
    const isOfPerson = Object.keys(asked).length > 0
    const { default_country } = await findOrganization(tx, principal)
    const subject = isOfPerson ? subjectOf(asked, default_country) : undefined
    const person = subject && (await resolvePerson(tx, principal, subject))
    const row = await insertHold(
      tx,
      principal,
      {
        id: newId('lgh', now),
        tenant_id: person === undefined ? null : principal.tenantId,
        subject: subject && person ? { subject, label: labelOf(subject), person } : null,
        pattern: person === undefined ? null : holdPattern(person, person.records),
        reason,
        placed_by: principal.userId,
      },
      now,
    )
    const record = present(row)
    await emitChange(tx, principal, { type: 'legal_hold.placed', resourceId: row.id, record })
    return record
  },
})

const listAll = endpoint({
  ...own,
  id: 'legal_holds.list',
  method: 'GET',
  path: '/privacy/holds',
  name: 'List legal holds',
  description:
    'Legal holds of the organization, and of persons in the mode of the credential: the newest first, those that stand unless `released` asks for all.',
  permission: 'legal_holds:read',
  query: Type.Object({
    ...v2PageQuery,
    released: Type.Optional(Type.Boolean({ description: 'Whether those that were released are listed too.' })),
  }),
  reply: Hold,
  envelope: 'page',
  sample: { reply: sample },
  async handle({ tx, principal, query: { limit = 50, cursor, released = false } }) {
    const filters = { released }
    const before = cursorId('lgh', cursor, filters)
    const rows = await listHolds(tx, principal, {
      standing: !released,
      ...(before !== undefined && { before }),
      limit: limit + 1,
    })
    const cut = cutPage(rows, limit, ({ id }) => [id], filters)
    return { items: cut.rows.map(present), limit, nextCursor: cut.nextCursor }
  },
})

const release = endpoint({
  ...own,
  id: 'legal_holds.release',
  method: 'POST',
  path: '/privacy/holds/{holdId}/release',
  name: 'Release a legal hold',
  description:
    'Ends a legal hold. What is older than it is kept goes with the next purge, and erasures that waited for it go on.',
  permission: 'legal_holds:manage',
  recent: 'factor',
  keysToo: true,
  shared: true,
  audit: 'legal_hold.released',
  params: Type.Object({ holdId: RecordId('lgh', 'Identifier of the hold.') }),
  reply: Hold,
  envelope: 'data',
  problems: ['not_found', 'hold_released'],
  sample: {
    params: { holdId: sampleId },
    reply: { ...sample, releasedBy: 1, releasedAt: '2026-12-21T08:44:00.123Z' },
  },
  async handle({ tx, principal, params: { holdId }, now, services, afterCommit }) {
    const standing = await lockHold(tx, principal, holdId)
    if (standing === undefined) throw new Problem('not_found')
    if (standing.released_at !== null) throw new Problem('hold_released')
    const row = await releaseHold(tx, principal, holdId, { userId: principal.userId, nowMs: now })
    await wakeHeld(tx, principal)
    afterCommit(() => services.wake(privacyQueue))
    const record = present(row)
    const before = present(standing)
    await emitChange(tx, principal, { type: 'legal_hold.released', resourceId: row.id, record, before })
    return record
  },
})

export const endpoints = [placeHold, listAll, release]
