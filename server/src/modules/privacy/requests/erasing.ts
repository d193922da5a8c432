// The steps of an erasure. Each does a bounded piece and writes down how far it is in the same transaction, so that another process goes on
// wherever this one stopped. Files go before the rows that name them; what is under way (a call, a message with its carrier) is waited for.
// When all is done it begins again, until it finds nothing any more: what was written meanwhile is found then.
import { hostOfTable } from '../../../kernel/noun/hosts.ts'
import { purgeRecords } from '../../../kernel/noun/purge.ts'
import { ownIdOf } from '../../../kernel/noun/record_ids.ts'
import { allTables, tableNamed } from '../../../kernel/noun/registry.ts'
import { deleteRecordings, recordingQueue } from '../../voice/recordings/index.ts'
import { findNamesakes, personPattern } from '../person/index.ts'
import { eraseArchives, eraseImportFile } from './erasing_files.ts'
import { eraseSources } from './erasing_sources.ts'
import {
  collectItems,
  countItems,
  countRecordingsLeft,
  eraseEvents,
  eraseFound,
  eraseWords,
  listFiles,
  listItems,
  listSweptTables,
  removeItems,
  sweepRows,
  trashRecords,
} from './item_store.ts'
import type { Counts, RequestRow } from './store.ts'
import { onePage, type Step, save, type Work } from './work.ts'

const rowsSwept = 1_000
const waitSeconds = 30

/** Found rows that are deleted as they are, and how many at once. */
const deletedAtOnce = { calls: 50, messages: 500, mails: 100, conversations: 100 } as const
type Deleted = keyof typeof deletedAtOnce

const order = [
  'collect',
  'recordings',
  'calls',
  'messages',
  'mails',
  'inbound_mails',
  'attachments',
  'notes',
  'tasks',
  'conversations',
  'invoices',
  'records',
  'sweep',
  'import_files',
  'mail_sources',
  'archives',
  'words',
  'check',
] as const
type StepName = (typeof order)[number]

const steps: Readonly<Record<StepName, Step>> = {
  collect,
  recordings: eraseRecordings,
  calls: deleteFound('calls'),
  messages: deleteFound('messages'),
  mails: deleteFound('mails'),
  inbound_mails: eraseInboundMails,
  attachments: erasePutOn('attachments', 'attachment.%'),
  notes: erasePutOn('notes', 'note.%'),
  tasks: erasePutOn('tasks', 'task.%'),
  conversations: deleteFound('conversations'),
  // They are kept, or lose what names the person, as the law has it: the sweep looks at each.
  invoices: passItems('invoices'),
  records: eraseRecords,
  sweep,
  import_files: eraseImportFile(following('import_files')),
  mail_sources: eraseSources(following('mail_sources')),
  archives: eraseArchives(following('archives')),
  words,
  check,
}

/** The first step. */
export const firstErasureStep: StepName = 'collect'

/** Does the next piece of an erasure; its step is `done` when nothing is left. */
export function eraseSome(work: Work, request: RequestRow): Promise<RequestRow> {
  const step = steps[request.step as StepName]
  if (step === undefined) throw new Error(`an erasure has no step ${request.step}`)
  return step(work, request)
}

function following(step: StepName): string {
  return order[order.indexOf(step) + 1] ?? 'done'
}

function personOf({ id, person }: RequestRow) {
  if (person === null) throw new Error(`${id} does not say whom it is about`)
  return person
}

async function collect(work: Work, request: RequestRow): Promise<RequestRow> {
  const { db } = work.services
  const person = personOf(request)
  return db.inTenant(work.scope, async tx => {
    const others = new Set(await findNamesakes(tx, work.scope, person.names, person.records))
    const names = person.names.filter(name => !others.has(name.toLowerCase()))
    const pattern = personPattern({ ...person, names }) ?? null
    await collectItems(tx, work.scope, request.id, person)
    const kept: Counts = request.pass === 1 && names.length < person.names.length ? { name_of_others_too: 1 } : {}
    return save(work, tx, request, { step: following('collect'), place: [], pattern, kept })
  })
}

async function eraseRecordings(work: Work, request: RequestRow): Promise<RequestRow> {
  const { services, scope } = work
  const saved = await services.db.inTenant(scope, async tx => {
    const [behind = ''] = request.place
    const ids = await listItems(tx, scope, request.id, { kind: 'recordings', limit: 20, behind })
    if (ids.length > 0) {
      const gone = await deleteRecordings(tx, scope, ids, 'erasure', services.clock.now())
      return save(work, tx, request, { place: [ids.at(-1) as string], counts: { recordings: gone.length } })
    }
    // Their files are removed by the queue of recordings, on the machine that has them.
    const all = await listItems(tx, scope, request.id, { kind: 'recordings', limit: 10_000 })
    if ((await countRecordingsLeft(tx, scope, all)) > 0)
      return save(work, tx, request, { place: [], waits_for: 'recordings', releaseSeconds: waitSeconds })
    await removeItems(tx, scope, request.id, { kind: 'recordings', ids: all })
    const isMore = all.length === 10_000
    return save(work, tx, request, {
      step: isMore ? request.step : following('recordings'),
      place: [],
      waits_for: null,
    })
  })
  services.wake(recordingQueue)
  return saved
}

function deleteFound(kind: Deleted): Step {
  return (work, request) =>
    onePage(work, { table: kind, most: deletedAtOnce[kind] }, limit =>
      work.services.db.inTenant(work.scope, async tx => {
        const ids = await listItems(tx, work.scope, request.id, { kind, limit })
        if (ids.length === 0) return save(work, tx, request, { step: following(kind), place: [], waits_for: null })
        const gone = await eraseFound(tx, work.scope, request.id, { kind, ids })
        if (gone === 0 && (await listItems(tx, work.scope, request.id, { kind, limit: 1 })).length > 0)
          return save(work, tx, request, { waits_for: kind, releaseSeconds: waitSeconds })
        return save(work, tx, request, { counts: { [kind]: gone }, waits_for: null })
      }),
    )
}

async function eraseInboundMails(work: Work, request: RequestRow): Promise<RequestRow> {
  const { db, objects } = work.services
  const kind = 'inbound_mails'
  const ids = await db.inTenant(work.scope, tx => listItems(tx, work.scope, request.id, { kind, limit: 20 }))
  const files = await db.inTenant(work.scope, tx => listFiles(tx, work.scope, kind, ids))
  for (const { storage, storage_key } of files) await objects.at(storage)?.remove(storage_key)
  return db.inTenant(work.scope, async tx => {
    if (ids.length === 0) return save(work, tx, request, { step: following(kind), place: [] })
    const gone = await eraseFound(tx, work.scope, request.id, { kind, ids })
    return save(work, tx, request, { counts: { [kind]: gone } })
  })
}

/** Files of attachments; and of all that was put on records the events, as the rows go with their records. */
function erasePutOn(kind: 'attachments' | 'notes' | 'tasks', events: string): Step {
  return async (work, request) => {
    const { db, objects } = work.services
    const ids = await db.inTenant(work.scope, tx => listItems(tx, work.scope, request.id, { kind, limit: 50 }))
    if (kind === 'attachments') {
      const files = await db.inTenant(work.scope, tx => listFiles(tx, work.scope, kind, ids))
      for (const { storage, storage_key } of files) await objects.at(storage)?.remove(storage_key)
    }
    return db.inTenant(work.scope, async tx => {
      if (ids.length === 0) return save(work, tx, request, { step: following(kind), place: [] })
      await eraseEvents(tx, work.scope, ids, events)
      await removeItems(tx, work.scope, request.id, { kind, ids })
      return save(work, tx, request, { counts: { [kind]: ids.length } })
    })
  }
}

function passItems(kind: 'invoices'): Step {
  return (work, request) =>
    work.services.db.inTenant(work.scope, async tx => {
      const ids = await listItems(tx, work.scope, request.id, { kind, limit: 1_000 })
      await removeItems(tx, work.scope, request.id, { kind, ids })
      return save(work, tx, request, ids.length === 0 ? { step: following(kind), place: [] } : {})
    })
}

/** Leads before contacts, which they name. One after the other: what names a record may be much. */
async function eraseRecords(work: Work, request: RequestRow): Promise<RequestRow> {
  const { scope, services } = work
  return services.db.inTenant(scope, async tx => {
    const ids = await listItems(tx, scope, request.id, { kind: 'records', limit: 200 })
    const id = ids.find(one => one.startsWith('lead:')) ?? ids[0]
    if (id === undefined) return save(work, tx, request, { step: following('records'), place: [] })
    const noun = hostOfTable(tableNamed(id.startsWith('lead:') ? 'lead' : 'contact'))
    const own = ownIdOf(noun, id)
    await trashRecords(tx, scope, noun.table, [own])
    const { removed, isMore } = await purgeRecords(tx, scope, noun, [String(own)], services.clock.now(), 0)
    if (isMore) return save(work, tx, request, {})
    await eraseEvents(tx, scope, [own], `${noun.name}.%`)
    await removeItems(tx, scope, request.id, { kind: 'records', ids: [id] })
    return save(work, tx, request, { counts: { records: removed } })
  })
}

/** Takes what names the person out of the texts of all other rows, table by table, behind the key where it stopped. */
async function sweep(work: Work, request: RequestRow): Promise<RequestRow> {
  const { scope, services } = work
  const { pattern } = request
  const tables = await services.db.inTenant(scope, listSweptTables)
  const [table = tables[0] as string, ...behind] = request.place
  const fiscalMs = services.clock.now() - services.organizations.fiscalYears * 365.25 * 86_400_000
  const fiscalFrom = new Date(fiscalMs).toISOString().slice(0, 10)
  return onePage(work, { table: `swept ${table}`, most: rowsSwept }, limit =>
    services.db.inTenant(scope, async tx => {
      if (pattern === null) return save(work, tx, request, { step: following('sweep'), place: [] })
      const found = await sweepRows(tx, scope, { table, behind, pattern, fiscalFrom, limit })
      const counts: Counts = found.erased === 0 ? {} : { texts: found.erased }
      const kept: Counts = request.pass === 1 && found.kept > 0 ? { [table]: found.kept } : {}
      const isOver = found.seen < limit || found.place === null
      const next = tables[tables.indexOf(table) + 1]
      if (isOver && next === undefined)
        return save(work, tx, request, { step: following('sweep'), place: [], counts, kept })
      const place = isOver ? [next as string] : [table, ...(found.place ?? [])]
      return save(work, tx, request, { place, counts, kept })
    }),
  )
}

async function words(work: Work, request: RequestRow): Promise<RequestRow> {
  const { names, emails } = personOf(request)
  return work.services.db.inTenant(work.scope, async tx => {
    for (const { spec, table } of allTables())
      await eraseWords(tx, work.scope, { noun: spec.names[0], table, texts: [...names, ...emails] })
    return save(work, tx, request, { step: following('words'), place: [] })
  })
}

/** Looks for more a second time, and as often as it finds something, but not for ever. */
async function check(work: Work, request: RequestRow): Promise<RequestRow> {
  return work.services.db.inTenant(work.scope, async tx => {
    await collectItems(tx, work.scope, request.id, { ...personOf(request), records: [] })
    const found = Object.keys(await countItems(tx, work.scope, request.id)).length
    const isDone = request.pass >= 2 && found === 0
    if (request.pass >= 10) throw new Error('there is always more of the person')
    return save(work, tx, request, isDone ? { step: 'done' } : { step: 'collect', pass: request.pass + 1, place: [] })
  })
}
