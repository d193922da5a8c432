// The secrets of an installation and the key that seals them: made once, refused without the key, sealed where they lay in plain, and a root
// key that changes while processes die at the worst moment.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { type FreshDatabase, freshDatabase } from '../../../test/cluster.ts'
import type { ConnectionOptions } from '../data/db.ts'
import { connectClient } from '../data/session.ts'
import { isStartFault } from '../values/start_fault.ts'
import { loadInstance } from './instance.ts'
import { fingerprintOf, keysIn, type RootKeySettings, rootKeySource } from './root_key.ts'
import { rotateRoot, withoutRoot } from './root_rotation.ts'

function folder(t: TestContext): string {
  const made = mkdtempSync(join(tmpdir(), 'tandem-keys-'))
  t.after(() => rmSync(made, { recursive: true, force: true }))
  return made
}

async function database(t: TestContext): Promise<FreshDatabase> {
  const made = await freshDatabase()
  t.after(made.drop)
  return made
}

async function sql<Row extends object>(owner: ConnectionOptions, text: string): Promise<Row[]> {
  const client = await connectClient(owner)
  try {
    return (await client.query<Row>(text)).rows
  } finally {
    await client.end()
  }
}

const rowsOf = (owner: ConnectionOptions) =>
  sql<{ name: string; value: Buffer; sealed_by: string | null }>(
    owner,
    'select name, value, sealed_by from instance_secrets order by name',
  )

/** What an installation signs and seals with, to see whether it is still the same. */
async function marksOf(owner: ConnectionOptions, settings: RootKeySettings): Promise<string> {
  const { keyring, signing } = await loadInstance(owner, rootKeySource(settings))
  const kids = signing().published.map(({ kid }) => kid)
  return [keyring.mac('x').toString('hex'), keyring.lastingMac('x').toString('hex'), ...kids].join(' ')
}

async function refusal(work: Promise<unknown>): Promise<string> {
  const error = await work.then(
    () => assert.fail('it was accepted'),
    error => error,
  )
  assert.ok(isStartFault(error), String(error))
  return error.lines.join('\n')
}

const key = (fill: number) => Buffer.alloc(32, fill).toString('base64')

test('the first start makes the key, for its user alone, and seals all secrets with it', async t => {
  const { owner } = await database(t)
  const dataDir = folder(t)
  const first = await marksOf(owner, { dataDir })
  const path = join(dataDir, 'instance.key')
  assert.equal(statSync(path).mode & 0o777, 0o600)
  const [root] = keysIn(path, readFileSync(path, 'utf8'))
  const rows = await rowsOf(owner)
  assert.deepEqual(
    rows.map(({ name, sealed_by }) => [name, sealed_by]),
    ['lasting_key', 'pepper', 'sealing_key', 'signing_key'].map(name => [name, root!.fingerprint]),
  )
  assert.ok(!rows.some(({ value }) => value.toString('latin1').includes('"kid"')))
  assert.equal(await marksOf(owner, { dataDir }), first, 'the next start has the same')
  const moved = rows.find(({ name }) => name === 'pepper')!.value
  const client = await connectClient(owner)
  await client.query("update instance_secrets set value = $1 where name = 'lasting_key'", [moved])
  await client.end()
  await assert.rejects(marksOf(owner, { dataDir }), /unable to authenticate/i, 'a value opens in its own row only')
})

test('without the key, and with another, it refuses to start, says which it wants, and changes nothing', async t => {
  const { owner } = await database(t)
  const [one, other] = [folder(t), folder(t)]
  const first = await marksOf(owner, { dataDir: one, databaseUrl: 'x' })
  const before = await rowsOf(owner)
  const wanted = before[0]!.sealed_by as string
  const missing = await refusal(marksOf(owner, { dataDir: other, databaseUrl: 'x' }))
  assert.match(missing, new RegExp(`sealed with the root key ${wanted}, and there is no ${other}/instance.key`))
  assert.match(missing, /Copy instance.key of the first node.*TANDEM_ROOT_KEY_FILE/)
  assert.ok(!existsSync(join(other, 'instance.key')))
  const wrong = await refusal(marksOf(owner, { dataDir: one, rootKey: key(7) }))
  assert.match(wrong, new RegExp(`${wanted}, and TANDEM_ROOT_KEY has ${fingerprintOf(Buffer.alloc(32, 7))}`))
  assert.ok(!wrong.includes(key(7)))
  assert.deepEqual(await rowsOf(owner), before)
  writeFileSync(join(other, 'instance.key'), readFileSync(join(one, 'instance.key')))
  assert.equal(await marksOf(owner, { dataDir: other, databaseUrl: 'x' }), first, 'a copy of the file opens it')
})

test('where the key cannot be written nothing is made, and it says what to do', async t => {
  const { owner } = await database(t)
  const blocked = join(folder(t), 'file')
  writeFileSync(blocked, '')
  assert.match(
    await refusal(marksOf(owner, { dataDir: blocked })),
    /cannot be written to .*instance\.key \(E\w+\)\. Make the folder/,
  )
  assert.deepEqual(await rowsOf(owner), [])
})

test('two nodes that start at once over one database make one key', async t => {
  const { owner } = await database(t)
  const dataDirs = [folder(t), folder(t)]
  const starts = await Promise.allSettled(dataDirs.map(dataDir => marksOf(owner, { dataDir, databaseUrl: 'x' })))
  assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  assert.equal(dataDirs.filter(dataDir => existsSync(join(dataDir, 'instance.key'))).length, 1)
})

/** As a version before root keys leaves them. */
async function inPlain(owner: ConnectionOptions): Promise<void> {
  await loadInstance(owner, rootKeySource({ dataDir: '/nowhere', rootKey: key(1) }))
  await withoutRoot(owner, rootKeySource({ dataDir: '/nowhere', rootKey: key(1) }))
  await sql(owner, "delete from instance_secrets where name in ('sealing_key', 'lasting_key')")
}

test('secrets in plain are sealed, with the embedded database or a key that is set; nodes of one database go on without', async t => {
  const { owner } = await database(t)
  await inPlain(owner)
  const [pepper] = await sql<{ value: Buffer }>(owner, "select value from instance_secrets where name = 'pepper'")
  const dataDir = folder(t)
  const shared = await loadInstance(owner, rootKeySource({ dataDir, databaseUrl: 'x' }))
  assert.equal(shared.isPlain, true)
  assert.ok(!existsSync(join(dataDir, 'instance.key')))
  const rows = await rowsOf(owner)
  assert.ok(
    rows.every(({ value, name }) => name === 'signing_key' || value.equals(pepper!.value)),
    'one for everything',
  )
  const before = await marksOf(owner, { dataDir, databaseUrl: 'x' })
  const set = { dataDir, databaseUrl: 'x', rootKey: key(2) }
  assert.equal(await marksOf(owner, set), before)
  assert.ok((await rowsOf(owner)).every(({ sealed_by }) => sealed_by !== null))
  await withoutRoot(owner, rootKeySource(set))
  assert.equal(await marksOf(owner, { dataDir }), before, 'embedded: the key is made')
  assert.ok((await rowsOf(owner)).every(({ sealed_by }) => sealed_by !== null))
})

test('the key comes from a program, run without a shell; what it complains of is said, and what it prints is not', async t => {
  const dataDir = folder(t)
  const program = join(dataDir, 'vault')
  const command = (script: string) => {
    writeFileSync(program, `#!/bin/sh\n${script}\n`)
    chmodSync(program, 0o700)
    return rootKeySource({ dataDir, rootKeyCommand: `${program} read $HOME;true` }).read()
  }
  const [read] = await command(`test "$2" = '$HOME;true' && echo ${key(3)}`)
  assert.equal(read!.fingerprint, fingerprintOf(Buffer.alloc(32, 3)))
  assert.match(
    await refusal(command(`echo ${key(3)}; echo 'vault is sealed' >&2; exit 2`)),
    /failed \(2\): vault is sealed$/,
  )
  const odd = await refusal(command('echo secret-but-short'))
  assert.match(odd, /takes 32 bytes in base64 or hexadecimal. Make one with: openssl rand -base64 32/)
  assert.ok(!odd.includes('secret-but-short'))
  assert.deepEqual(keysIn('x', `${Buffer.alloc(32, 4).toString('hex')}\n${key(5)}\n`).length, 2)
})

test('the root key is replaced: by its own file, by a second key of a setting, by another file', async t => {
  const { owner } = await database(t)
  const dataDir = folder(t)
  const first = await marksOf(owner, { dataDir })
  const before = readFileSync(join(dataDir, 'instance.key'), 'utf8')
  const own = await rotateRoot({ owner, source: rootKeySource({ dataDir }) })
  assert.equal(own.isElsewhere, false)
  assert.notEqual(readFileSync(join(dataDir, 'instance.key'), 'utf8'), before)
  assert.ok(!existsSync(join(dataDir, 'instance.key.next')))
  assert.equal(await marksOf(owner, { dataDir }), first)

  const toFile = join(dataDir, 'elsewhere')
  const moved = await rotateRoot({ owner, source: rootKeySource({ dataDir }), toFile })
  assert.deepEqual([moved.place, moved.isElsewhere, statSync(toFile).mode & 0o777], [toFile, true, 0o600])
  assert.match(await refusal(marksOf(owner, { dataDir })), /Nothing was changed/)
  assert.equal(await marksOf(owner, { dataDir, rootKeyFile: toFile }), first)

  const lone = rootKeySource({ dataDir, rootKeyFile: toFile })
  assert.match(await refusal(rotateRoot({ owner, source: lone })), /gives one root key. Let it give two/)
  const both = `${readFileSync(toFile, 'utf8').trim()} ${key(9)}`
  await rotateRoot({ owner, source: rootKeySource({ dataDir, rootKey: both }) })
  assert.equal(await marksOf(owner, { dataDir, rootKey: both }), first, 'both, until all nodes have the next one')
  assert.equal(await marksOf(owner, { dataDir, rootKey: key(9) }), first)
})

/** A process of its own that replaces the root key and is killed at a step. */
async function killedAt(owner: ConnectionOptions, dataDir: string, step: string): Promise<void> {
  const here = (name: string) => JSON.stringify(join(import.meta.dirname, name))
  const script = `
    const { rotateRoot } = await import(${here('root_rotation.ts')})
    const { rootKeySource } = await import(${here('root_key.ts')})
    const passed = step => { if (step === ${JSON.stringify(step)}) process.kill(process.pid, 'SIGKILL') }
    await rotateRoot({ owner: ${JSON.stringify(owner)}, source: rootKeySource({ dataDir: ${JSON.stringify(dataDir)} }), passed })`
  const child = spawn(process.execPath, ['--conditions=source', '--input-type=module', '--eval', script], {
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [, signal] = await once(child, 'exit')
  assert.equal(signal, 'SIGKILL')
}

test('a process that is killed while it replaces the root key leaves a key that fits', async t => {
  const { owner } = await database(t)
  const dataDir = folder(t)
  const first = await marksOf(owner, { dataDir })
  const sealer = async () => (await rowsOf(owner))[0]!.sealed_by
  const before = await sealer()
  await killedAt(owner, dataDir, 'written')
  assert.equal(await sealer(), before, 'no row was sealed with a key that might be lost')
  assert.equal(await marksOf(owner, { dataDir }), first)
  await killedAt(owner, dataDir, 'sealed')
  const next = await sealer()
  assert.notEqual(next, before)
  assert.ok(existsSync(join(dataDir, 'instance.key.next')), 'it died before it had put the file in its place')
  // Once more before anything was started: the only copy of the key in use must not be written over.
  await killedAt(owner, dataDir, 'written')
  assert.equal(await sealer(), next)
  assert.equal(await marksOf(owner, { dataDir }), first)
  await rotateRoot({ owner, source: rootKeySource({ dataDir }) })
  assert.equal(await marksOf(owner, { dataDir }), first)
  assert.ok(!existsSync(join(dataDir, 'instance.key.next')))
})

test('of two who replace the root key at once, neither loses the key', async t => {
  const { owner } = await database(t)
  const dataDir = folder(t)
  const first = await marksOf(owner, { dataDir })
  const both = [1, 2, 3, 4].map(() => rotateRoot({ owner, source: rootKeySource({ dataDir }) }))
  await Promise.all(both)
  assert.equal(await marksOf(owner, { dataDir }), first)
})
