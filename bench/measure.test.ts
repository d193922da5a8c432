/**
 * Guards the measuring: processor time is charged to the right group, the bare floor refuses what Tandem refuses, and the servers under
 * load can be started.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { passwordWeakness } from '../server/src/modules/identity/login/password_rules.ts'
import { buildFloor } from './floor.ts'
import { formatTaken, machineFacts, markdownTable, median, processTree, takenFrom, watchProcesses } from './measure.ts'
import { admin } from './servers.ts'

const linux = process.platform === 'linux'

// The parent idles, its child works: what a server and its database look like.
const idleParent = `
  const { spawn } = require('node:child_process')
  const child = spawn(process.execPath, ['-e', process.argv[1]], { stdio: 'ignore' })
  child.once('exit', () => console.log('ended'))
  console.log(child.pid)
  setInterval(() => {}, 1000)`
const busyChild = 'const end = performance.now() + 20_000; while (performance.now() < end);'

test('processor time goes to the group that spent it, also of children that ended', { skip: !linux }, async t => {
  const parent = spawn(process.execPath, ['-e', idleParent, busyChild], { stdio: ['ignore', 'pipe', 'inherit'] })
  t.after(() => parent.kill('SIGKILL'))
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const child = Number(line.toString())
  assert.deepEqual(processTree(parent.pid!), [parent.pid, child])
  assert.deepEqual(processTree(parent.pid!, [child]), [parent.pid])
  const measure = watchProcesses({
    all: { root: parent.pid! },
    parent: { root: parent.pid!, without: [child] },
    child: { root: child },
  })
  const spent = () => measure().groups['child']!.cpuSeconds!
  for (let polls = 0; spent() < 0.3 && polls < 400; polls++) await sleep(25)
  const running = measure()
  assert.ok(running.groups['child']!.cpuSeconds! >= 0.3, `child ${running.groups['child']!.cpuSeconds}`)
  assert.ok(running.groups['parent']!.cpuSeconds! < running.groups['child']!.cpuSeconds!)
  assert.equal(running.groups['all']!.memory!.processes, 2)
  const { memory } = running.groups['child']!
  assert.ok(memory!.pssBytes > 1e6 && memory!.pssBytes <= memory!.rssBytes)
  assert.ok(running.machine!.busySeconds > 0)
  const exited = once(parent.stdout, 'data')
  process.kill(child)
  await exited
  const ended = measure()
  assert.ok(ended.groups['all']!.cpuSeconds! >= running.groups['child']!.cpuSeconds!, 'an ended child is not forgotten')
  assert.equal(ended.groups['all']!.memory!.processes, 1)
})

test('what a run did not get is counted: what others used, and what the hypervisor gave to other machines', () => {
  const group = (cpuSeconds: number) => ({ cpuSeconds, memory: null })
  const measured = { groups: { a: group(3), b: group(2) }, machine: { busySeconds: 8, stolenSeconds: 4 } }
  assert.deepEqual(takenFrom(measured, 1, 4), { others: 0.5, stolen: 1 })
  assert.equal(takenFrom({ ...measured, machine: null }, 1, 4), null)
  assert.equal(formatTaken([{ others: 0.5, stolen: 1 }, null]), '0.50 + 1.00')
  assert.equal(formatTaken([null]), '–')
})

test('the facts of the machine are measured, tables line up', () => {
  const facts = machineFacts(tmpdir(), '18.4')
  assert.ok(facts.sync.perSecond > 0 && facts.sync.p50Us <= facts.sync.p99Us)
  assert.ok(facts.cores > 0 && facts.memoryBytes > 0)
  assert.equal(markdownTable(['a', 'b'], [['xxxx', '1']]), '| a    |   b |\n|------|----:|\n| xxxx |   1 |')
  assert.equal(median([3, 1, 2]), 2)
  assert.equal(median([4, 1, 2, 3]), 2.5)
})

test('the floor answers and refuses as Tandem does', async () => {
  const floor = buildFloor()
  const post = async (url: string, payload: object) => {
    const { statusCode, body } = await floor.inject({ method: 'POST', url, payload })
    return { statusCode, body: JSON.parse(body) as Record<string, unknown> }
  }
  const sms = { from: '+15005550006', to: '+15005550100', body: 'hello' }
  const accepted = await post('/v2/messages/sms', sms)
  assert.deepEqual(Object.keys(accepted.body), ['messageId', 'status', 'deliveredAt'])
  assert.deepEqual([accepted.body['status'], accepted.body['deliveredAt']], ['queued', null])
  for (const fault of [
    { ...sms, extra: 1 },
    { ...sms, to: '15005550100' },
    { from: sms.from, to: sms.to },
  ]) {
    assert.equal((await post('/v2/messages/sms', fault)).statusCode, 400)
  }
  const lead = { name: 'A', email: 'a@b.example', phone: '+4915100000001', company: 'C', priority: 'Hot' }
  const created = await post('/v1/api/leads', lead)
  assert.equal(created.body['success'], true)
  assert.deepEqual({ ...(created.body['lead'] as object), ...lead }, created.body['lead'])
  for (const fault of [{ ...lead, priority: 'hot' }, { ...lead, email: 'no' }, { ...lead, name: 5 }, { name: 'A' }]) {
    assert.equal((await post('/v1/api/leads', fault)).statusCode, 400)
  }
  const page = await floor.inject('/v1/api/finance/invoices?status=Paid&page=3&limit=20')
  const { invoices, pagination } = page.json() as { invoices: unknown[]; pagination: { page: number } }
  assert.deepEqual([invoices.length, pagination.page], [20, 3])
  assert.equal((await floor.inject('/v1/api/finance/invoices?page=0')).statusCode, 400)
  await floor.close()
})

test('the first Admin of the servers under load has a password that Tandem takes', () => {
  assert.equal(passwordWeakness(admin.password, admin.email), undefined)
})
