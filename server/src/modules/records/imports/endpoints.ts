// Imports over HTTP: a file is sent, its columns are mapped, a trial says what would come of it, and a job does it.
import { Type } from 'typebox'
import type { Tx } from '../../../kernel/data/db.ts'
import { type Endpoint, endpoint, type Services, type StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import { cursorId, cutPage } from '../../../kernel/endpoint/page.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import type { FileReply } from '../../../kernel/endpoint/reply.ts'
import { FileBytes } from '../../../kernel/endpoint/schema.ts'
import { importableTables } from '../../../kernel/noun/hosts.ts'
import { insertJob, recordQueue, removeJob } from '../../../kernel/noun/record_jobs.ts'
import { manyNamed, nounFaults } from '../../../kernel/noun/registry.ts'
import { requireRight } from '../../../kernel/noun/rights.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { type Asked, common, ImportParams, locked, presented, reply, report, whose } from './asked.ts'
import { update } from './change.ts'
import { storeOf } from './csv_file.ts'
import { draftOf, maxUploadBytes, type UploadQuery } from './draft.ts'
import { FileForm, Import, presentImport, presentWhole } from './present.ts'
import { refusedLines } from './refused.ts'
import { end } from './run.ts'
import { params, sample, whole } from './sample.ts'
import { changeImport, findImport, type ImportRow, insertImport, listImports, noCounts } from './store.ts'

const create = endpoint({
  ...common,
  versioned: true,
  id: 'imports.create',
  method: 'POST',
  path: '/api/imports',
  name: 'Create an import',
  description:
    'Takes a CSV file as the body: comma, semicolon or tab between the columns, UTF-8 (with or without byte order mark), Windows-1252 or UTF-16, its first line the names of the columns. Answers them with the first values and what each probably stands for; nothing is imported yet. Needs the right to create such records.',
  permission: 'imports:run',
  status: 201,
  transaction: 'none',
  upload: {
    mediaType: 'text/csv',
    maxBytes: maxUploadBytes,
    folder: 'imports',
    about: 'The bytes of the CSV file, up to 100 MiB and a million rows.',
  },
  query: Type.Object({
    noun: Type.String({ maxLength: 100, description: 'What the rows are: companies, contacts.' }),
    file_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200, description: 'What the file is called.' })),
    ...FileForm,
  }),
  check: ({ query }) => nounFaults(query['noun'], importableTables()),
  reply,
  problems: ['csv_unreadable'],
  sample: {
    query: { noun: 'contacts', file_name: 'contacts.csv' },
    body: 'Name,E-mail\r\nAda Lovelace,ada@example.com\r\n',
    reply: { import: whole },
  },
  async handle({ body, query, principal, now, services, transact, setVersion }) {
    const asked = query as UploadQuery
    requireRight(principal, asked.noun, 'create', `Importing ${asked.noun} needs`)
    const draft = await draftOf(services, principal, body as StoredUpload, asked, newId('imp', now), now)
    return transact(async tx => {
      const row = await insertImport(tx, principal, draft)
      await report(tx, principal, 'import.created', row)
      setVersion(row.version)
      return { import: presentWhole(principal.tenantId, row, []) }
    })
  },
})

const list = endpoint({
  ...common,
  id: 'imports.list',
  method: 'GET',
  path: '/api/imports',
  name: 'List imports',
  description: 'The newest first: own ones; an Admin and a Sales Manager see those of all.',
  permission: 'imports:read',
  query: Type.Object({
    noun: Type.Optional(Type.String({ maxLength: 100, description: 'Only those of these records, such as contacts.' })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: 'How many, 1 to 200.' })),
    cursor: Type.Optional(Type.String({ maxLength: 500, description: 'The `nextCursor` of the last answer.' })),
  }),
  check: ({ query }) => nounFaults(query['noun'], importableTables()),
  reply: Type.Object({
    imports: Type.Array(Import),
    pagination: Type.Object({
      limit: Type.Integer({ description: 'The limit used.' }),
      nextCursor: Type.Union([Type.String(), Type.Null()], {
        description: 'Cursor of the next page; null on the last.',
      }),
    }),
  }),
  sample: { reply: { imports: [sample], pagination: { limit: 50, nextCursor: null } } },
  async handle({ tx, query, principal }) {
    const { noun, limit = 50, cursor } = query
    const listed = { list: 'imports', noun }
    const behind = cursorId('imp', cursor, listed)
    const rows = await listImports(tx, principal, { noun, userId: whose(principal), behind, limit: limit + 1 })
    const page = cutPage(rows, limit, row => [row.id], listed)
    const imports = page.rows.map(row => presentImport(principal.tenantId, row))
    return { imports, pagination: { limit, nextCursor: page.nextCursor } }
  },
})

const get = endpoint({
  ...common,
  versioned: true,
  id: 'imports.get',
  method: 'GET',
  path: '/api/imports/{id}',
  name: 'Get an import',
  description:
    'How far it is and what came of its rows, with what columns can stand for and what is wrong with the first rows that are refused.',
  permission: 'imports:read',
  params: ImportParams,
  reply,
  problems: ['not_found'],
  sample: { params, reply: { import: whole } },
  async handle({ tx, params: { id }, principal, setVersion }) {
    const row = requireRecord(await findImport(tx, principal, id, { userId: whose(principal) }))
    setVersion(row.version)
    return { import: await presented(tx, principal, row) }
  },
})

const began = { ...whole, state: 'running' as const, batch_id: 'bat_01k9r7d3w2v8e6q4n5m1b0c9xz', version: 2 }

/** Begins a trial or a run: a job does the rest. */
async function begin(
  context: Asked & {
    tx: Tx
    services: Services
    afterCommit(action: () => void): void
    setVersion(version: number): void
  },
  event: 'check' | 'run',
) {
  const { tx, principal, now, services } = context
  const { row, state } = await locked(tx, context, event)
  requireRight(principal, row.noun, 'create', `Importing ${row.noun} needs`)
  requireMapped(row)
  storeOf(services, row)
  const batch = event === 'run' ? { batch_id: newId('bat', now) } : {}
  // Its rights are those of the one who begins it.
  const by = { user_id: principal.userId, key_id: principal.keyId }
  const changed = await changeImport(tx, principal, row, { state, ...noCounts, ...batch, ...by }, isoMs(now))
  await insertJob(tx, principal, { id: row.id, kind: event === 'run' ? 'import' : 'check', folder: row.folder })
  await report(tx, principal, 'import.started', changed)
  context.afterCommit(() => services.wake(recordQueue))
  context.setVersion(changed.version)
  return { import: presentWhole(principal.tenantId, changed, []) }
}

/** @throws Problem `import_unmapped` */
function requireMapped({ noun, mapping }: ImportRow): void {
  const { fields } = manyNamed(noun).spec
  if (mapping.includes('id')) return
  const missing = Object.entries(fields)
    .filter(([name, field]) => field.required && field.initial === undefined && !mapping.includes(name))
    .map(([name]) => name)
  if (missing.length > 0)
    throw new Problem('import_unmapped', {
      message: `No column stands for ${missing.join(', ')}, which every record needs. Map one to it with PATCH, or one to the id where the rows are records that are there.`,
    })
}

const dryRun = endpoint({
  ...common,
  versioned: true,
  id: 'imports.dry_run',
  method: 'POST',
  path: '/api/imports/{id}/dry-run',
  name: 'Check an import',
  description:
    'Reads and checks all rows and changes nothing: how many records would be created and changed, which rows are duplicates, and what is wrong with which. Goes on in the background; the event import.checked reports its end.',
  permission: 'imports:run',
  params: ImportParams,
  reply,
  problems: ['not_found', 'import_state', 'import_unmapped', 'import_file_gone', 'file_unreachable'],
  sample: { params, reply: { import: { ...whole, state: 'checking', version: 2 } } },
  handle: context => begin(context, 'check'),
})

const run = endpoint({
  ...common,
  versioned: true,
  id: 'imports.run',
  method: 'POST',
  path: '/api/imports/{id}/run',
  name: 'Start an import',
  description:
    'Creates and changes the records of all rows, as far as one may; rows that cannot be imported are left out. Goes on in the background, a thousand rows at a time; the event import.completed reports its end. Its `batch_id` takes it back.',
  permission: 'imports:run',
  audit: 'import.started',
  params: ImportParams,
  reply,
  problems: ['not_found', 'import_state', 'import_unmapped', 'import_file_gone', 'file_unreachable'],
  sample: { params, reply: { import: began } },
  handle: context => begin(context, 'run'),
})

const cancel = endpoint({
  ...common,
  versioned: true,
  id: 'imports.cancel',
  method: 'POST',
  path: '/api/imports/{id}/cancel',
  name: 'Cancel an import',
  description:
    'Ends what runs: rows that are done stay done and can be taken back by the batch. A trial that is ended leaves a draft, and a draft that is canceled is not imported any more.',
  permission: 'imports:run',
  audit: 'import.canceled',
  params: ImportParams,
  reply,
  problems: ['not_found', 'import_state'],
  sample: { params, reply: { import: { ...began, state: 'canceled', version: 3 } } },
  async handle(context) {
    const { tx, principal, now, setVersion } = context
    const userId = whose(principal)
    // Its job is locked first, as a worker does it.
    await removeJob(tx, principal, context.params.id)
    const found = requireRecord(await findImport(tx, principal, context.params.id, { userId, locked: true }))
    const event = found.state === 'checking' ? 'stop_check' : 'cancel'
    const { row } = await locked(tx, context, event)
    const ended = await end(tx, principal, row, event, event === 'stop_check' ? noCounts : {}, isoMs(now))
    setVersion(ended.version)
    return { import: await presented(tx, principal, ended) }
  },
})

const refused = endpoint({
  ...common,
  id: 'imports.refused',
  method: 'GET',
  path: '/api/imports/{id}/refused',
  name: 'Get refused rows of an import',
  description:
    'The rows that cannot be imported as CSV: the cells as the file has them, with the number of the row and what is wrong in two columns more. Mend them and send the file as a new import.',
  permission: 'imports:read',
  audit: 'import.exported',
  envelope: 'file',
  mediaType: 'text/csv',
  hasRanges: false,
  params: ImportParams,
  reply: FileBytes('The lines of the CSV file.'),
  problems: ['not_found', 'import_file_gone', 'file_unreachable'],
  sample: { params, reply: 'Name,E-mail,row,problem\r\n' },
  async handle({ tx, params: { id }, principal, services }): Promise<FileReply> {
    const row = requireRecord(await findImport(tx, principal, id, { userId: whose(principal) }))
    return {
      mediaType: 'text/csv; charset=utf-8',
      fileName: `${row.noun}-refused.csv`,
      asDownload: true,
      open: () => refusedLines(services, principal, row),
    }
  },
})

export const endpoints: readonly Endpoint[] = [create, list, get, update, dryRun, run, cancel, refused]
