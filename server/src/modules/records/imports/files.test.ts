// The files of imports after they were sent: a store that does not answer for a while ends nothing. They go after 30 days, but where
// something is on hold, and with them what imports know of their rows goes when it is time.
import assert from 'node:assert/strict'
import { after, before, mock, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { sendFile, workOnRecords } from '../../../../test/record_work.ts'
import { purgeFinished } from '../../privacy/retention/jobs.ts'
import { removeImportFiles } from '../batches/jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const as = () => t.main.tokens.Admin

/** A draft; its path. */
async function draft(csv: string): Promise<{ id: string; path: string }> {
  const { json } = await sendFile(t, 'companies', csv)
  return { id: json.import.id, path: `/v1/api/imports/${json.import.id}` }
}

test('an import waits for a store that does not answer, and does each row once', async () => {
  const { id, path } = await draft('name\nWaiting\n')
  await t.call('POST', `${path}/run`, { as: as() })
  const { current } = t.app.services.objects
  const read = mock.method(current, 'read', () => Promise.reject(new Error('the store does not answer')), { times: 1 })
  await workOnRecords(t)
  assert.equal(read.mock.callCount(), 1)
  const waiting = await t.call('GET', path, { as: as() })
  assert.deepEqual([waiting.json.import.state, waiting.json.import.problem], ['running', null])
  await t.sql('update record_jobs set leased_until = now() where id = $1', [id])
  await workOnRecords(t)
  const ended = await t.call('GET', path, { as: as() })
  assert.deepEqual([ended.json.import.state, ended.json.import.created], ['completed', 1])
  const { json } = await t.call('GET', '/v1/api/companies?name=Waiting', { as: as() })
  assert.equal(json.companies.length, 1)
})

const filesOf = async () =>
  (await Array.fromAsync(t.app.services.objects.current.list('imports/'))).map(({ key }) => key)
const keyOf = async (id: string) =>
  (await t.ownerSql<{ storage_key: string | null }>('select storage_key from imports where id = $1', [id]))[0]
    ?.storage_key
const age = (id: string, days: number) =>
  t.ownerSql('update imports set created_at = now() - make_interval(days => $2) where id = $1', [id, days])

test('a file goes after 30 days, and the import with its faults 400 days after its end', async () => {
  const { id, path } = await draft('name,phone\nBad,no number\n')
  await t.call('POST', `${path}/run`, { as: as() })
  await workOnRecords(t)
  const young = await draft('name\nYoung\n')
  const key = await keyOf(id)
  await age(id, 31)
  await age(young.id, 29)
  const unused = await draft('name\nUnused\n')
  await age(unused.id, 31)
  await removeImportFiles(t.app.services).run()
  assert.equal(await keyOf(id), null)
  assert.ok(!(await filesOf()).includes(key!))
  assert.ok((await filesOf()).includes((await keyOf(young.id))!))
  const late = await t.call('POST', `${unused.path}/run`, { as: as() })
  assert.equal(late.json.code, 'import_file_gone', late.text)
  await t.ownerSql("update imports set finished_at = now() - interval '401 days' where id = $1", [id])
  await purgeFinished(t.app.services).run()
  assert.equal(await keyOf(id), undefined)
  assert.deepEqual(await t.ownerSql('select from import_faults where import_id = $1', [id]), [])
})

test('one that is at work keeps its file, and so does every one where somebody is on hold', async () => {
  const { id, path } = await draft('name\nHeld\n')
  await t.call('POST', `${path}/run`, { as: as() })
  await age(id, 31)
  await removeImportFiles(t.app.services).run()
  const key = await keyOf(id)
  assert.ok((await filesOf()).includes(key!))
  await workOnRecords(t)
  const held = await t.call('POST', '/v2/privacy/holds', { as: as(), body: { reason: 'A lawsuit.' } })
  assert.equal(held.status, 201, held.text)
  await removeImportFiles(t.app.services).run()
  assert.equal(await keyOf(id), key)
  assert.ok((await filesOf()).includes(key!))
  await t.call('POST', `/v2/privacy/holds/${held.json.data.holdId}/release`, { as: as() })
  await removeImportFiles(t.app.services).run()
  assert.equal(await keyOf(id), null)
})
