// Backups that end before they are done: one that is given up leaves nothing, and one whose process was killed is ended by the next.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../test/harness.ts'
import { backUp } from '../../backup.ts'
import { loadConfig } from '../../config/config.ts'
import { connectClient } from '../data/session.ts'
import { holdBackup } from './backup_lock.ts'
import { listBackups, recordBegin } from './backup_store.ts'

let t: TestApp
const shelf = mkdtempSync(join(tmpdir(), 'tandem-'))
before(async () => {
  t = await startTestApp()
})
after(async () => {
  await t?.close()
  rmSync(shelf, { recursive: true })
})

test('the next backup ends those whose process was killed; one that is given up leaves nothing', async () => {
  for (const id of ['killed', 'held', 'begun']) {
    await recordBegin(t.asEngine, { id, destination: join(shelf, id), isSealed: true, isPlanned: true })
    writeFileSync(join(shelf, `${id}.part`), 'half of it')
  }
  await t.ownerSql(`update backups set started_at = started_at - interval '2 minutes' where id <> 'begun'`)
  const held = await connectClient(t.owner)
  await holdBackup(held, 'held')
  const signal = AbortSignal.abort(new Error('the backup was given up (SIGTERM)'))
  const options = { place: shelf, seal: undefined, isPlanned: false, withoutObjects: true, signal }
  await assert.rejects(backUp(t.owner, loadConfig({ TANDEM_DATA: shelf }), options), /given up \(SIGTERM\)/)
  await held.end()
  const rows = await listBackups(t.asEngine, 10)
  assert.deepEqual(
    rows.map(({ state, error }) => [state, error]),
    [
      ['failed', 'the backup was given up (SIGTERM)'],
      ['running', null],
      ['running', null],
      ['failed', 'Its process was killed before it was done.'],
    ],
  )
  assert.deepEqual(readdirSync(shelf).sort(), ['begun.part', 'held.part'])
})
