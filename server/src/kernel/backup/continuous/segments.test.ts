// Guards: what PostgreSQL hands over is archived whole or not at all, never over another file, and comes back as it was; our program says so
// by its exit code.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, describe, test } from 'node:test'
import { commandOfPostgres } from '../../boot/postgres_programs.ts'
import { newKeyPair, openWith, sealWith } from '../seal.ts'
import { archiveSettings, recoverySettings } from './archive_settings.ts'
import { fetchWal, findWal, putWal } from './segments.ts'
import { pathOfWal } from './shelf.ts'

const place = mkdtempSync(join(tmpdir(), "tandem wal's 100% "))
after(() => rmSync(place, { recursive: true, force: true }))
let count = 0
function freshShelf(): { shelf: string; source(name: string, content: Uint8Array): string } {
  const folder = join(place, String(++count))
  mkdirSync(join(folder, 'shelf'), { recursive: true })
  return {
    shelf: join(folder, 'shelf'),
    source(name, content) {
      const path = join(folder, name)
      writeFileSync(path, content)
      return path
    },
  }
}

const name = '00000001000000000000000A'
const content = Buffer.concat([randomBytes(100_000), Buffer.alloc(16 * 1024 * 1024 - 100_000)])

describe('a segment', () => {
  test('is archived small and comes back as it was, encrypted or not', async () => {
    const { identity, recipient } = await newKeyPair()
    for (const seal of [undefined, sealWith({ recipients: [recipient] })]) {
      const { shelf, source } = freshShelf()
      const path = source(name, content)
      const file = await putWal(shelf, path, seal)
      assert.ok(readFileSync(pathOfWal(shelf, { wal: name, file })).length < 110_000)
      assert.equal(await putWal(shelf, path, seal), file, 'once more is done already')
      const open = seal && openWith({ identities: [identity] })
      assert.equal(await fetchWal(shelf, name, `${path}.back`, open), true)
      assert.ok(readFileSync(`${path}.back`).equals(content))
      assert.equal(await fetchWal(shelf, '00000001000000000000000B', `${path}.back`, open), false)
      if (seal !== undefined)
        await assert.rejects(fetchWal(shelf, name, path, undefined), /nothing was named that opens/)
    }
  })

  test('never replaces another of its name, and one that was damaged is not given out', async () => {
    const { shelf, source } = freshShelf()
    const file = await putWal(shelf, source(name, content), undefined)
    await assert.rejects(putWal(shelf, source(name, Buffer.from('other')), undefined), /two databases write into/)
    assert.deepEqual(readdirSync(join(shelf, 'wal', name.slice(0, 16))), [file])
    const { file: partial } = { file: await putWal(shelf, source(`${name}.partial`, Buffer.from('p')), undefined) }
    assert.notEqual((await findWal(shelf, name))!.file, partial)
    const path = pathOfWal(shelf, { wal: name, file })
    writeFileSync(path, readFileSync(path).subarray(0, 50_000))
    await assert.rejects(fetchWal(shelf, name, join(shelf, 'back'), undefined))
  })
})

describe('the commands of PostgreSQL', () => {
  /** As PostgreSQL does: placeholders are filled in, and a shell runs it in the folder of the cluster. */
  function run(command: string, cwd: string, words: Record<string, string>) {
    const line = command.replaceAll(/%(.)/g, (_, letter: string) => (letter === '%' ? '%' : words[letter]!))
    return spawnSync('sh', ['-c', line], { cwd, env: { PATH: '/usr/bin:/bin' }, encoding: 'utf8' })
  }

  test('archive and fetch below any path, and fail where there is no folder, or a file is damaged', () => {
    const root = join(place, 'root')
    const cluster = join(place, 'cluster')
    mkdirSync(join(cluster, 'global'), { recursive: true })
    mkdirSync(join(cluster, 'pg_wal'))
    const control = Buffer.alloc(8_192)
    control.writeBigUInt64LE(7_713_050_728_486_654_265n)
    writeFileSync(join(cluster, 'global/pg_control'), control)
    writeFileSync(join(cluster, 'pg_wal', name), content)
    const command = archiveSettings(root, {})['archive_command']!
    const words = { p: `pg_wal/${name}`, f: name }
    const missing = run(command, cluster, words)
    assert.deepEqual(
      [missing.status, /the folder .* is not there: mount/.test(missing.stderr)],
      [1, true],
      missing.stderr,
    )
    assert.throws(() => readdirSync(root), 'a disk that is not mounted gets no folder')
    mkdirSync(root)
    const archived = run(command, cluster, words)
    assert.deepEqual([archived.status, archived.stderr], [0, ''])

    const shelf = join(root, '7713050728486654265')
    const fetch = recoverySettings({ shelf, timeline: 1, atMs: undefined, identityFile: undefined })['restore_command']!
    const back = { f: name, p: 'pg_wal/RECOVERYXLOG' }
    assert.equal(run(fetch, cluster, back).status, 0)
    assert.ok(readFileSync(join(cluster, back.p)).equals(content))
    assert.equal(run(fetch, cluster, { ...back, f: '00000002.history' }).status, 1)
    const folder = join(shelf, 'wal', name.slice(0, 16))
    writeFileSync(join(folder, readdirSync(folder)[0]!), 'damaged')
    // Above 125 PostgreSQL gives the recovery up, instead of taking this for the end of the archive.
    assert.equal(run(fetch, cluster, back).status, 200)
  })

  test('are quoted for settings and shell', () => {
    const script = join(place, 'print.mjs')
    writeFileSync(script, 'console.log(JSON.stringify(process.argv.slice(2)))')
    const words = ["it's", '50 % of $HOME', '"`id`"']
    const line = commandOfPostgres(script, [...words, '%f']).replaceAll(/%(.)/g, (_, letter) =>
      letter === '%' ? '%' : 'F',
    )
    assert.deepEqual(JSON.parse(execFileSync('sh', ['-c', line], { encoding: 'utf8' })), [...words, 'F'])
  })
})
