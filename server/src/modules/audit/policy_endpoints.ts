// What an organization wants of its audit log: how long it is kept, and whether it is noted who hears recordings; and the erasure of
// what names somebody.
import { type Static, Type } from 'typebox'
import { endpoint, type Services } from '../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../kernel/endpoint/record.ts'
import { emitChange } from '../../kernel/endpoint/record_event.ts'
import { IntegerId, Nullable } from '../../kernel/endpoint/schema.ts'
import { own } from './endpoints.ts'
import { changePolicy, eraseLabels, findPolicy, lockPolicy, type PolicyRow } from './policy_store.ts'

const retentionDays = Nullable(
  Type.Integer({
    minimum: 90,
    maximum: 3_650,
    description: 'Days that events are kept, from 90 to 3,650; null for as long as the server says (effectiveDays).',
  }),
)
const legalHold = Type.Boolean({ description: 'Whether nothing is deleted, however old, until it is taken off.' })
const recordListens = Type.Boolean({
  description: 'Whether each look at the sound of a recording is an event, recording.heard.',
})

const Policy = Type.Object({
  retentionDays,
  effectiveDays: Type.Integer({ description: 'Days that events are kept.' }),
  legalHold,
  recordListens,
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})

const samplePolicy: Static<typeof Policy> = {
  retentionDays: 730,
  effectiveDays: 730,
  legalHold: false,
  recordListens: true,
  version: 2,
}

function present({ retention_days, legal_hold, listens, version }: PolicyRow, { auditDays }: Services) {
  return {
    retentionDays: retention_days,
    effectiveDays: retention_days ?? auditDays,
    legalHold: legal_hold,
    recordListens: listens,
    version,
  }
}

const getPolicy = endpoint({
  ...own,
  id: 'audit_policy.get',
  method: 'GET',
  path: '/audit-events/policy',
  name: 'Get the policy of the audit log',
  description: 'How long the audit log is kept, and what is in it by choice.',
  permission: 'audit:read',
  whileSuspended: true,
  reply: Policy,
  envelope: 'data',
  versioned: true,
  sample: { reply: samplePolicy },
  async handle({ tx, principal, setVersion, services }) {
    const row = await findPolicy(tx, principal)
    setVersion(row.version)
    return present(row, services)
  },
})

const updatePolicy = endpoint({
  ...own,
  id: 'audit_policy.update',
  method: 'PATCH',
  path: '/audit-events/policy',
  name: 'Update the policy of the audit log',
  description:
    'Changes what is named, for live and test mode alike, and so is done in live mode. What is older than the new time is deleted with the next night, and that is recorded.',
  permission: 'audit:manage',
  recent: 'factor',
  keysToo: true,
  audit: 'audit_policy.updated',
  shared: true,
  body: Type.Object({
    retentionDays: Type.Optional(retentionDays),
    legalHold: Type.Optional(legalHold),
    recordListens: Type.Optional(recordListens),
  }),
  reply: Policy,
  envelope: 'data',
  versioned: true,
  sample: { body: { retentionDays: 730, recordListens: true }, reply: samplePolicy },
  async handle({ tx, principal, body, ifMatch, setVersion, services }) {
    const row = requireVersion(await lockPolicy(tx, principal), ifMatch)
    const changed = await changePolicy(tx, principal, {
      retention_days: body.retentionDays === undefined ? row.retention_days : body.retentionDays,
      legal_hold: body.legalHold ?? row.legal_hold,
      listens: body.recordListens ?? row.listens,
    })
    setVersion(changed.version)
    const [before, record] = [present(row, services), present(changed, services)]
    const type = 'audit_policy.updated'
    await emitChange(tx, principal, { type, resourceId: principal.organizationId, record, change: body, before })
    return record
  },
})

const eraseNames = endpoint({
  ...own,
  id: 'audit_events.erase',
  method: 'POST',
  path: '/audit-events/erasures',
  name: "Erase a person's names from the audit log",
  description:
    'Takes away what names a user in the audit log, for good: name and e-mail in what was done to them, and with what they did their address, program and e-mail. The events stay, with the number of the user, and verify as before. Done in live mode; is itself an event.',
  permission: 'audit:manage',
  recent: 'factor',
  keysToo: true,
  audit: 'audit_log.names_erased',
  shared: true,
  body: Type.Object({
    userId: { ...IntegerId, description: 'Whose names.' },
    reason: Type.String({ minLength: 3, maxLength: 200, description: 'Why, for the log; name nobody in it.' }),
  }),
  reply: Type.Object({ erased: Type.Integer({ description: 'How many names and addresses went.' }) }),
  envelope: 'data',
  sample: { body: { userId: 12, reason: 'asked for by letter' }, reply: { erased: 27 } },
  async handle({ tx, body, audited }) {
    const erased = await eraseLabels(tx, { type: 'user', id: String(body.userId) })
    const targets = [{ type: 'user', id: body.userId }]
    audited({ targets, more: { reason: body.reason, erased }, after: null })
    return { erased }
  },
})

export const endpoints = [getPolicy, updatePolicy, eraseNames]
