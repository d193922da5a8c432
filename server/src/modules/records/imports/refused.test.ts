// The file of refused rows is given back when its reader leaves: an open file that nobody holds any more would end the process when its
// memory is collected, and a socket to an object store would stay for ever.
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { after, test } from 'node:test'
import { eventually } from '../../../../test/eventually.ts'
import type { Principal } from '../../../kernel/access/principal.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { createDiskStore } from '../../../kernel/objects/object_store_disk.ts'
import { systemClock } from '../../../kernel/values/clock.ts'
import { refusedLines } from './refused.ts'
import type { ImportRow } from './store.ts'

const folder = mkdtempSync(join(tmpdir(), 'tandem-test-'))
after(() => rmSync(folder, { recursive: true }))

const rowCount = 40_000
const store = createDiskStore(folder, systemClock)
await store.put('imports/1', rowsOf())
async function* rowsOf() {
  yield Buffer.from('Name,E-mail\n')
  for (let at = 0; at < rowCount; at++) yield Buffer.from(`person ${at},ada${at}@example.com\n`)
}

const services = {
  objects: { at: () => store },
  db: {
    inTenant: async () => [
      { place: 1, faults: [] },
      { place: rowCount, faults: [] },
    ],
  },
} as unknown as Services
const row = {
  id: 'imp_1',
  storage: 'disk',
  storage_key: 'imports/1',
  encoding: 'utf-8',
  delimiter: ',',
  columns: ['Name', 'E-mail'],
} as unknown as ImportRow

/** Files of the store that this process has open. */
const openFiles = () =>
  readdirSync('/proc/self/fd').filter(fd => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder)
    } catch {
      return false
    }
  }).length

const leave: [when: string, read: (lines: Readable) => Promise<unknown>][] = [
  ['before the first line', async () => {}],
  ['after the first line', async lines => lines.iterator({ destroyOnReturn: false }).next()],
  ['after the last line', async lines => lines.toArray()],
]
for (const [when, read] of leave) {
  test(`of a reader that leaves ${when} no file stays open`, async () => {
    const lines = await refusedLines(services, {} as Principal, row)
    assert.equal(openFiles(), 1)
    await read(lines)
    lines.destroy()
    await eventually('no file is open', () => openFiles() === 0)
  })
}
