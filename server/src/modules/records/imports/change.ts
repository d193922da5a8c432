// The endpoint that corrects an import before it runs: how its file is read, what columns stand for, what becomes of duplicates.
import { type TSchema, Type } from 'typebox'
import { endpoint, type Services } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { manyNamed } from '../../../kernel/noun/registry.ts'
import { rowTargets } from '../../../kernel/noun/row_reader.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { type FieldFault, invalid, Problem } from '../../../kernel/values/problem.ts'
import { type Asked, common, ImportParams, locked, presented, reply, report, whose } from './asked.ts'
import { formOf } from './draft.ts'
import { FileForm, type FileFormAsked, Mapping, nameOfDelimiter, Options } from './present.ts'
import { params, whole } from './sample.ts'
import { changeImport, findImport, type ImportChange, type ImportRow, noCounts } from './store.ts'

const ChangeFields = Type.Object({
  ...FileForm,
  mapping: Type.Optional(Mapping),
  ...Object.fromEntries(Object.entries(Options).map(([name, schema]) => [name, Type.Optional(schema as TSchema)])),
})
type ChangeBody = FileFormAsked & Partial<ImportRow['options']> & { mapping?: ImportRow['mapping'] }

export const update = endpoint({
  ...common,
  versioned: true,
  id: 'imports.update',
  method: 'PATCH',
  path: '/api/imports/{id}',
  name: 'Update an import',
  description:
    'Says what its columns stand for, what becomes of duplicates, and how the file, its dates and its numbers are read. Where the file has other columns when it is read so, they are guessed again. What a trial found is not known any more.',
  permission: 'imports:run',
  transaction: 'none',
  params: ImportParams,
  body: ChangeFields,
  reply,
  problems: ['not_found', 'import_state', 'csv_unreadable', 'import_file_gone', 'file_unreachable'],
  sample: { params, body: { mapping: ['name', 'emails'], duplicates: 'update' }, reply: { import: whole } },
  async handle(context) {
    const { principal, now, setVersion } = context
    const { mapping, encoding, delimiter, ...options } = context.body as ChangeBody
    // The file is read before the import is locked: it may lie far away, and never changes.
    const form = await formAsked(context, { encoding, delimiter })
    return context.transact(async tx => {
      const { row, state } = await locked(tx, context, 'change')
      const next = form === undefined ? row : { ...row, ...form, mapping: keptMapping(row, form) }
      const faults = [...mappingFaults(next, mapping), ...matchFaults(row, options.match)]
      if (faults.length > 0) throw invalid(...faults)
      const change: ImportChange = {
        ...noCounts,
        state,
        options: { ...row.options, ...options },
        ...(form && { ...form, mapping: next.mapping }),
        ...(mapping && { mapping }),
      }
      const changed = await changeImport(tx, principal, row, change, isoMs(now))
      await report(tx, principal, 'import.updated', changed)
      setVersion(changed.version)
      return { import: await presented(tx, principal, changed) }
    })
  },
})

type Form = Pick<ImportRow, 'encoding' | 'delimiter' | 'columns' | 'mapping' | 'row_count'>

/** The file as it is read by what is asked for; undefined where nothing of that changes. */
async function formAsked(
  { principal, params: { id }, services }: Asked & { services: Services },
  asked: FileFormAsked,
): Promise<Form | undefined> {
  if (asked.encoding === undefined && asked.delimiter === undefined) return undefined
  const row = requireRecord(
    await services.db.inTenant(principal, tx => findImport(tx, principal, id, { userId: whose(principal) })),
  )
  const encoding = asked.encoding ?? (row.encoding as FileFormAsked['encoding'])
  const delimiter = asked.delimiter ?? nameOfDelimiter(row.delimiter)
  if (encoding === row.encoding && delimiter === nameOfDelimiter(row.delimiter)) return undefined
  if (row.storage_key === null) throw new Problem('import_file_gone')
  const file = { storage: row.storage ?? '', key: row.storage_key, size: row.size_bytes }
  const { spec } = manyNamed(row.noun)
  const { samplesOf: _, ...form } = await formOf(services, file, { spec, delimiter, encoding })
  return form
}

/** What was chosen for the columns stays where they are called as before. */
function keptMapping(row: ImportRow, form: Form): ImportRow['mapping'] {
  const isSame =
    row.columns.length === form.columns.length && row.columns.every(({ name }, at) => name === form.columns[at]?.name)
  return isSame ? row.mapping : form.mapping
}

function mappingFaults({ noun, columns }: ImportRow, mapping: ImportRow['mapping'] | undefined): FieldFault[] {
  if (mapping === undefined) return []
  if (mapping.length !== columns.length)
    return [
      {
        field: 'mapping',
        code: 'wrong_length',
        message: `must have ${columns.length} entries, one for each column of the file`,
      },
    ]
  const targets = new Map(rowTargets(manyNamed(noun).spec).map(target => [target.name, target]))
  return mapping.flatMap((name, at): FieldFault[] => {
    if (name === null) return []
    const field = `mapping[${at}]`
    const target = targets.get(name)
    if (target === undefined)
      return [{ field, code: 'not_allowed', message: `must be null or one of: ${[...targets.keys()].join(', ')}` }]
    if (target.several || mapping.indexOf(name) === at) return []
    return [{ field, code: 'repeated', message: `is ${name} once more: map one column to it` }]
  })
}

function matchFaults({ noun }: ImportRow, match: readonly string[] | undefined): FieldFault[] {
  const known = manyNamed(noun).spec.match ?? []
  return (match ?? []).flatMap((name, at) =>
    known.includes(name)
      ? []
      : [{ field: `match[${at}]`, code: 'not_allowed', message: `must be one of: ${known.join(', ')}` }],
  )
}
