// What the contract test needs of imports and batches.
import { newId } from '../../src/kernel/values/ids.ts'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'
import { importFile, sendFile, workOnRecords } from '../record_work.ts'

const csv = 'Name,E-mail\r\nAda Lovelace,ada@example.com\r\n'

async function made(t: TestApp, as = t.main.tokens.Admin, text: string | Buffer = csv): Promise<ContractRequest> {
  const { json } = await sendFile(t, 'contacts', text, { as })
  return { params: { id: json.import.id } }
}
const foreign = (t: TestApp) => made(t, t.other.tokens.Admin)
const nobody = async () => ({ params: { id: newId('imp') } })

async function begun(t: TestApp): Promise<ContractRequest> {
  const request = await made(t)
  await t.call('POST', `/v1/api/imports/${request.params!['id']}/run`, { as: t.main.tokens.Admin })
  return request
}
/** One that was thrown away. */
async function over(t: TestApp): Promise<ContractRequest> {
  const request = await made(t)
  await t.call('POST', `/v1/api/imports/${request.params!['id']}/cancel`, { as: t.main.tokens.Admin })
  return request
}

/** Of UTF-16, which is no text when it is read as UTF-8. */
async function misread(t: TestApp): Promise<ContractRequest> {
  const request = await made(t, undefined, Buffer.from(`\ufeff${csv}`, 'utf16le'))
  return { ...request, body: { encoding: 'utf-8' } }
}
const unmapped = (t: TestApp) => made(t, undefined, 'Nothing\r\nknown\r\n')

/** The file goes, as it does after a while. */
async function withoutFile(t: TestApp): Promise<ContractRequest> {
  const request = await made(t)
  await t.ownerSql('update imports set storage_key = null where id = $1', [request.params!['id'] as string])
  return request
}

/** It lies in a bucket that the settings cannot reach. */
async function outOfReach(t: TestApp): Promise<ContractRequest> {
  const request = await made(t)
  await t.ownerSql("update imports set storage = 's3://elsewhere' where id = $1", [request.params!['id'] as string])
  return request
}

async function imported(t: TestApp): Promise<ContractRequest> {
  const { batch_id } = await importFile(t, 'contacts', `Name\r\nAda ${newId('x')}\r\n`, { duplicates: 'create' })
  return { params: { id: batch_id } }
}

async function bulk(t: TestApp, as = t.main.tokens.Admin): Promise<ContractRequest> {
  const { json } = await t.call('POST', '/v1/api/contacts', { as, body: { name: 'Ada' } })
  const changed = await t.call('POST', '/v1/api/contacts/bulk', {
    as,
    body: { ids: [json.contact.id], set: { source: 'fair' } },
  })
  return { params: { id: changed.json.batch_id } }
}

/** A revert that no worker has begun. */
async function running(t: TestApp): Promise<ContractRequest> {
  const { params } = await bulk(t)
  const { json } = await t.call('POST', `/v1/api/batches/${params!['id']}/revert`, { as: t.main.tokens.Admin })
  return { params: { id: json.batch.id } }
}

async function merged(t: TestApp): Promise<ContractRequest> {
  const as = t.main.tokens.Admin
  const ids: string[] = []
  for (const name of ['One', 'Other'])
    ids.push((await t.call('POST', '/v1/api/contacts', { as, body: { name } })).json.contact.id)
  await t.call('POST', '/v1/api/contacts/merge', { as, body: { into: ids[0], others: [ids[1]] } })
  const { json } = await t.call('GET', `/v1/api/contacts/${ids[0]}/history`, { as })
  return { params: { id: json.changes[0].batch_id } }
}
const noBatch = async () => ({ params: { id: newId('bat') } })

export const contract: ModuleContract = {
  'imports.create': {
    unknownField: 'unsupported_media_type',
    problems: { csv_unreadable: async () => ({ body: '\n\n' }) },
  },
  'imports.list': {},
  'imports.get': { prepare: made, problems: { not_found: nobody }, foreign },
  'imports.update': {
    prepare: made,
    problems: {
      not_found: nobody,
      import_state: begun,
      csv_unreadable: misread,
      import_file_gone: async t => ({ ...(await withoutFile(t)), body: { encoding: 'utf-16le' } }),
      file_unreachable: async t => ({ ...(await outOfReach(t)), body: { encoding: 'utf-16le' } }),
    },
    foreign,
  },
  'imports.dry_run': {
    prepare: made,
    problems: {
      not_found: nobody,
      import_state: begun,
      import_unmapped: unmapped,
      import_file_gone: withoutFile,
      file_unreachable: outOfReach,
    },
    foreign,
  },
  'imports.run': {
    prepare: made,
    problems: {
      not_found: nobody,
      import_state: begun,
      import_unmapped: unmapped,
      import_file_gone: withoutFile,
      file_unreachable: outOfReach,
    },
    foreign,
  },
  'imports.cancel': { prepare: begun, problems: { not_found: nobody, import_state: over }, foreign },
  'imports.refused': {
    prepare: made,
    problems: { not_found: nobody, import_file_gone: withoutFile, file_unreachable: outOfReach },
    foreign,
  },
  'batches.list': {},
  'batches.get': { prepare: bulk, problems: { not_found: noBatch }, foreign: t => bulk(t, t.other.tokens.Admin) },
  'batches.cancel': {
    prepare: running,
    problems: {
      not_found: noBatch,
      batch_over: async t => {
        const request = await running(t)
        await workOnRecords(t)
        return request
      },
    },
    foreign: t => bulk(t, t.other.tokens.Admin),
  },
  'batches.revert': {
    prepare: imported,
    problems: { not_found: noBatch, batch_not_revertible: merged },
    foreign: t => bulk(t, t.other.tokens.Admin),
  },
}
