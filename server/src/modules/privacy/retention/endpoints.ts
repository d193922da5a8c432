// For how long the organization keeps what piles up, by class, within the bounds of the installation.
import { type Static, Type } from 'typebox'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { requireVersion } from '../../../kernel/endpoint/record.ts'
import { emitChange } from '../../../kernel/endpoint/record_event.ts'
import { Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { invalid } from '../../../kernel/values/problem.ts'
import { type RetentionClass, retentionClasses, retentionDefaults } from './classes.ts'
import { choiceFaults } from './rules.ts'
import { changeRetention, findRetention, lockRetention, type PolicyRow } from './store.ts'

const own = { version: 'v2', category: 'Organization', path: '/organization/retention' } as const

/** The audit log has a policy of its own, which says more. */
const chosenHere = retentionClasses.filter(name => name !== 'audit')

const Class = OneOf(chosenHere, { description: 'What is kept.' })

const Retention = Type.Object({
  classes: Type.Array(
    Type.Object({
      class: Class,
      holds: Type.String({ description: 'What is in the class.' }),
      days: Type.Integer({ description: 'Days that it is kept.' }),
      ownDays: Nullable(
        Type.Integer({ description: 'Days that the organization chose; null: it follows the installation.' }),
      ),
      defaultDays: Type.Integer({ description: 'Days that the installation says.' }),
      minDays: Type.Integer({ description: 'The fewest days that may be chosen.' }),
      maxDays: Type.Integer({ description: 'The most days that may be chosen.' }),
    }),
  ),
  version: Type.Integer({ description: 'Counts changes; the ETag.' }),
})

const sample: Static<typeof Retention> = {
  classes: [
    {
      class: 'messages',
      holds: retentionDefaults.messages.holds,
      days: 730,
      ownDays: 730,
      defaultDays: 1_095,
      minDays: 30,
      maxDays: 3_650,
    },
  ],
  version: 2,
}

function present({ days, version }: PolicyRow, { retention }: Services): Static<typeof Retention> {
  return {
    classes: chosenHere.map(name => {
      const { days: defaultDays, min, max } = retention[name]
      const ownDays = days[name] ?? null
      const { holds } = retentionDefaults[name]
      return { class: name, holds, days: ownDays ?? defaultDays, ownDays, defaultDays, minDays: min, maxDays: max }
    }) as Static<typeof Retention>['classes'],
    version,
  }
}

const getRetention = endpoint({
  ...own,
  id: 'retention.get',
  method: 'GET',
  name: 'Get the retention',
  description:
    'For how many days the organization keeps what piles up, by class, and what it may choose. The audit log is kept as GET /v2/audit-events/policy says.',
  permission: 'organization:read',
  whileSuspended: true,
  reply: Retention,
  envelope: 'data',
  versioned: true,
  sample: { reply: sample },
  async handle({ tx, principal, setVersion, services }) {
    const row = await findRetention(tx, principal)
    setVersion(row.version)
    return present(row, services)
  },
})

const updateRetention = endpoint({
  ...own,
  id: 'retention.update',
  method: 'PATCH',
  name: 'Update the retention',
  description:
    'Changes the days of the classes that are named, for live and test mode alike, and so is done in live mode. What is older than the new time is deleted within an hour or two, for good, unless a legal hold keeps it.',
  permission: 'retention:update',
  recent: 'factor',
  keysToo: true,
  audit: 'retention.updated',
  shared: true,
  body: Type.Object({
    classes: Type.Array(
      Type.Object({
        class: Class,
        days: Nullable(
          Type.Integer({ minimum: 1, maximum: 36_500, description: 'Days; null: as the installation says.' }),
        ),
      }),
      { minItems: 1, maxItems: chosenHere.length },
    ),
  }),
  reply: Retention,
  envelope: 'data',
  versioned: true,
  sample: { body: { classes: [{ class: 'messages', days: 730 }] }, reply: sample },
  async handle({ tx, principal, body, ifMatch, setVersion, services }) {
    const chosen = body.classes as { class: RetentionClass; days: number | null }[]
    const faults = choiceFaults(chosen, services.retention)
    if (faults.length > 0) throw invalid(...faults)
    const row = requireVersion(await lockRetention(tx, principal), ifMatch)
    const days = { ...row.days }
    for (const one of chosen) {
      if (one.days === null) delete days[one.class]
      else days[one.class] = one.days
    }
    const changed = await changeRetention(tx, principal, days)
    setVersion(changed.version)
    const [before, record] = [present(row, services), present(changed, services)]
    const type = 'retention.updated'
    await emitChange(tx, principal, { type, resourceId: principal.organizationId, record, change: body, before })
    return record
  },
})

export const endpoints = [getRetention, updateRetention]
