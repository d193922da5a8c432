// The timeline of a record of any noun that holds others: what was changed of it, what was put on it, and where it has telephone numbers,
// what was written and said with these.
import { type Endpoint, endpoint } from '../../kernel/endpoint/endpoint.ts'
import { readCursor } from '../../kernel/endpoint/page.ts'
import type { NounRecord } from '../../kernel/noun/field.ts'
import { hostTables } from '../../kernel/noun/hosts.ts'
import { namesOf } from '../../kernel/noun/noun_names.ts'
import { idsOf, recordIdOf } from '../../kernel/noun/record_ids.ts'
import { fieldsOf } from '../../kernel/noun/records.ts'
import type { NounTable } from '../../kernel/noun/registry.ts'
import { paramsSchema, pathId } from '../../kernel/noun/schemas.ts'
import type { AnySpec } from '../../kernel/noun/spec.ts'
import { findRecord } from '../../kernel/noun/verbs_read.ts'
import { takesMails } from '../mail/timeline/index.ts'
import { entryOfChange, type LeftOutKind, leftOutKinds } from './entries.ts'
import { exchangedWith, mailsOf, pageOf, putOn } from './parts.ts'
import { TimelineQuery, TimelineReply } from './schemas.ts'
import { listChanges } from './store.ts'

export function recordTimelines(): Endpoint[] {
  return hostTables().map(timelineOf)
}

function timelineOf(noun: NounTable): Endpoint {
  const { spec } = noun
  const names = namesOf(spec)
  const sampleId = recordIdOf(idsOf(spec), names.sampleId)
  const hasPhones = phoneFields(spec).length > 0
  const hasMails = takesMails(spec)
  const isShown = (kind: LeftOutKind) => (kind === 'mail' ? hasMails : hasPhones || !ofPhones.includes(kind))
  const shown = leftOutKinds.filter(isShown)
  const exchanged = hasPhones
    ? ' Messages to and from its telephone numbers as they are now, and calls with their recordings, stand among them.'
    : ''
  const mails = hasMails ? ' So do mails that were written to it, and that came from it.' : ''
  const [one, many] = spec.names
  return endpoint({
    ...names.common,
    id: `${many}.timeline`,
    method: 'GET',
    path: `${names.path}/{id}/timeline`,
    name: `Get the timeline of ${names.aOne}`,
    description: `What was changed, and the notes, tasks and files that were put on it, newest first.${exchanged}${mails} What one may not read is left out, and left_out names it.`,
    permission: names.permission('read'),
    logBody: 'refusals',
    params: paramsSchema(spec),
    query: TimelineQuery,
    reply: TimelineReply,
    problems: ['not_found', 'invalid_cursor'],
    sample: {
      params: { id: names.sampleId },
      query: { limit: 3 },
      reply: {
        entries: [
          entryOfChange(
            {
              id: `${sampleId}.000000001`,
              at: '2026-11-21T08:44:00.123Z',
              version: 1,
              user_id: 1,
              source: 'request',
              difference: {},
            },
            spec,
            sampleId,
          ),
        ],
        left_out: [],
        pagination: { limit: 3, nextCursor: null },
      },
    },
    async handle({ tx, params, query, principal }) {
      const record = await findRecord(tx, principal, noun, pathId(spec, params))
      const { limit = 20 } = query
      const phones = phonesOf(spec, record)
      // A cursor belongs to this record and its numbers: with others the story is another.
      const listed = { [one]: record.id, phones: phones.join() }
      const behind = readCursor(query.cursor, listed, 'time', 'text')
      const most = limit + 1
      const lists = await Promise.all([
        listChanges(tx, principal, record.id, behind, most).then(changes =>
          changes.map(change => entryOfChange(change, spec, record.id)),
        ),
        putOn(tx, principal, record.id, behind, most),
        exchangedWith(tx, principal, phones, behind, most),
        hasMails ? mailsOf(tx, principal, record.id, behind, most) : [],
      ])
      return pageOf(principal, lists, { limit, shown, listed })
    },
  })
}

const ofPhones: readonly LeftOutKind[] = ['message', 'call', 'recording']
const phoneFields = (spec: AnySpec) => fieldsOf(spec).filter(([, { kind }]) => kind === 'phone' || kind === 'phones')

/** The numbers of a record, each once. */
function phonesOf(spec: AnySpec, record: NounRecord): string[] {
  const numbers = phoneFields(spec).flatMap(([name, { kind }]) => {
    const value = record[name]
    if (kind === 'phones') return ((value ?? []) as { value: string }[]).map(entry => entry.value)
    return value === null ? [] : [value as string]
  })
  return [...new Set(numbers)].sort()
}
