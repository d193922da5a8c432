// Guards: one server at a time uses a data folder, a lock outlives nobody, and a folder that cannot be used is one clear line.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { lockDataFolder } from './data_folder.ts'

function temporaryFolder(context: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-folder-'))
  context.after(() => rmSync(folder, { recursive: true }))
  return folder
}

const module = JSON.stringify(new URL('./data_folder.ts', import.meta.url).href)
const script = `
  const { lockDataFolder } = await import(${module})
  try { lockDataFolder(process.argv[1]); console.log('locked') } catch (error) { console.log(error.lines?.join('|') ?? error.stack); process.exit(1) }
  setInterval(() => {}, 1000)`

/** A process that locks the folder and stays, or says why it cannot and ends. */
function startHolder(folder: string, prefix: string[] = []): ChildProcess {
  const [file, ...args] = [...prefix, process.execPath, '--input-type=module', '-e', script, folder]
  return spawn(file!, args, { stdio: ['ignore', 'pipe', 'inherit'] })
}

async function firstLine(holder: ChildProcess): Promise<string> {
  const [data] = (await once(holder.stdout!, 'data')) as [Buffer]
  return data.toString().trim()
}

test('the folder is made for this user only, and its holder is named in server.pid', t => {
  const folder = join(temporaryFolder(t), 'deep', 'data')
  const held = lockDataFolder(folder)
  assert.equal(held.path, folder)
  assert.equal(readFileSync(join(folder, 'server.pid'), 'utf8'), `${process.pid}\n`)
  held.release()
  held.release()
  assert.ok(!existsSync(join(folder, 'server.pid')))
  lockDataFolder(folder).release()
})

test('a second server on the folder is refused in one line that names the first', async t => {
  const folder = temporaryFolder(t)
  const holder = startHolder(folder)
  t.after(() => holder.kill('SIGKILL'))
  assert.equal(await firstLine(holder), 'locked')
  assert.throws(() => lockDataFolder(folder), {
    message: `Another Tandem (process ${holder.pid}) already uses the data folder ${folder}. Stop it, or set TANDEM_DATA to another folder.`,
  })
})

test('the lock of a process that was killed is free at once', async t => {
  const folder = temporaryFolder(t)
  const holder = startHolder(folder)
  assert.equal(await firstLine(holder), 'locked')
  holder.kill('SIGKILL')
  await once(holder, 'exit')
  assert.ok(existsSync(join(folder, 'server.pid')), 'the killed process could not clear up')
  lockDataFolder(folder).release()
})

test('of many that start at once after a crash, exactly one gets the folder', async t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'server.pid'), '1\n')
  const holders = Array.from({ length: 6 }, () => startHolder(folder))
  t.after(() => holders.forEach(holder => void holder.kill('SIGKILL')))
  const lines = await Promise.all(holders.map(firstLine))
  assert.equal(lines.filter(line => line === 'locked').length, 1, lines.join('\n'))
  assert.equal(lines.filter(line => line.startsWith('Another Tandem')).length, 5, lines.join('\n'))
})

test('a path through a file is refused in one line', t => {
  const folder = temporaryFolder(t)
  writeFileSync(join(folder, 'file'), '')
  for (const path of [join(folder, 'file'), join(folder, 'file', 'data')]) {
    assert.throws(() => lockDataFolder(path), {
      name: 'StartFault',
      message: /is a file, or lies below one.*set TANDEM_DATA to another folder\.$/,
    })
  }
})

/** Root reads everything; in a user namespace of its own it is an ordinary user and meets closed doors. */
const isRoot = process.getuid!() === 0
const asOrdinaryUser = isRoot ? ['unshare', '--user', '--map-user=65534', '--map-group=65534'] : []
const canBeOrdinary = !isRoot || spawnSync('unshare', [...asOrdinaryUser.slice(1), 'true']).status === 0

for (const mode of [0o000, 0o500]) {
  const skip = canBeOrdinary ? false : 'root, and this system refuses user namespaces'
  test(`a folder of mode ${mode.toString(8)} is refused in one line that says what to do`, { skip }, async t => {
    const folder = join(temporaryFolder(t), 'closed')
    mkdirSync(folder)
    if (isRoot) chownSync(folder, 12_345, 12_345)
    chmodSync(folder, mode)
    const holder = startHolder(folder, asOrdinaryUser)
    t.after(() => holder.kill('SIGKILL'))
    const line = await firstLine(holder)
    chmodSync(folder, 0o700)
    assert.match(line, /^The data folder \S+ cannot be read and written by user \d+: give it to this user/)
    assert.match(line, /Or set TANDEM_DATA to another folder\.$/)
    assert.ok(!line.includes('|'))
  })
}
