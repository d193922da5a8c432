// What a trial found is true of what it read: behind a change of the import nothing of it is answered any more.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { sendFile, workOnRecords } from '../../../../test/record_work.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: object) =>
  t.call(method, path, { as: t.main.tokens.Admin, ...(body && { body }) })

/** An import of which a trial refused a row; its path. */
async function checked(): Promise<string> {
  const { json } = await sendFile(t, 'contacts', 'Name,Mail,Other\nAda,no address,ada@change.example\nBoth,,\n')
  const path = `/v1/api/imports/${json.import.id}`
  await call('PATCH', path, { mapping: ['name', 'emails', null] })
  await call('POST', `${path}/dry-run`)
  await workOnRecords(t)
  const { state, created, refused, faults } = (await call('GET', path)).json.import
  assert.deepEqual([state, created, refused, faults[0].column], ['checked', 1, 1, 'Mail'])
  return path
}

async function assertUnknown(path: string): Promise<void> {
  const { state, done, created, refused, faults } = (await call('GET', path)).json.import
  assert.deepEqual([state, done, created, refused, faults], ['draft', 0, 0, 0, []])
  assert.equal((await call('GET', `${path}/refused`)).text, 'Name,Mail,Other,row,problem\r\n')
}

test('a changed import knows nothing of its old trial, and all of its next one', async () => {
  const path = await checked()
  const { json } = await call('PATCH', path, { mapping: ['name', null, 'emails'] })
  assert.deepEqual([json.import.refused, json.import.faults], [0, []])
  await assertUnknown(path)
  await call('POST', `${path}/dry-run`)
  await workOnRecords(t)
  const again = (await call('GET', path)).json.import
  assert.deepEqual([again.state, again.created, again.refused, again.faults], ['checked', 2, 0, []])
  await call('PATCH', path, { mapping: ['name', 'emails', null] })
  await call('POST', `${path}/run`)
  await workOnRecords(t)
  const run = (await call('GET', path)).json.import
  assert.deepEqual([run.state, run.created, run.refused, run.faults.length], ['completed', 1, 1, 1])
})

test('a trial that is canceled leaves nothing of the one before it', async () => {
  const path = await checked()
  const begun = (await call('POST', `${path}/dry-run`)).json.import
  assert.deepEqual([begun.state, begun.created, begun.refused], ['checking', 0, 0])
  const { json } = await call('POST', `${path}/cancel`)
  assert.deepEqual([json.import.created, json.import.refused, json.import.faults], [0, 0, []])
  await assertUnknown(path)
})
