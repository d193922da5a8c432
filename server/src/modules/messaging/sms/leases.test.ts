// Who holds a message, step by step on the real database: claims take what the carrier has room for, a lost lease puts in
// doubt what was being handed over and nothing else, and what a process says of an older attempt changes nothing.
import assert from 'node:assert/strict'
import { beforeEach, describe, test } from 'node:test'
import {
  longText,
  recipient,
  refused,
  sender,
  startSteps,
  taken,
  throttled,
  unknown,
} from '../../../../test/messages.ts'
import { maxJobMessages } from './intake_store.ts'
import { partsOf } from './rules.ts'
import { renewMessages } from './store.ts'

const { t, s } = await startSteps()

const takenAs = (row: { id: string; attempt: number }, part: number) => taken(`${row.id}/${row.attempt}/${part}`)
const idsOf = (rows: readonly { id: string }[]) => rows.map(row => row.id)

async function sendMany(count: number): Promise<string[]> {
  const messages = Array.from({ length: count }, () => ({ from: sender, to: recipient, body: 'x' }))
  const { json } = await t.call('POST', '/v2/messages/sms/batch', { as: s.as, body: { messages } })
  return json.data.messages.map((item: { messageId: string }) => item.messageId)
}

/** Each message that waits or is held is in one job. */
async function placesOf(ids: readonly string[]): Promise<number[]> {
  const jobs = await s.jobs()
  return ids.map(id => jobs.filter(job => job.ids.includes(id)).length)
}

describe('claims', () => {
  test('split jobs to the room of the carrier, and leave nothing and nobody out', async () => {
    const ids = await sendMany(150)
    const seen: string[] = []
    for (const limit of [1, 1, 7, 64, 65, 5, 200]) {
      const rows = await s.claim(`of ${limit} after ${seen.length}`, { limit })
      assert.ok(rows.length <= limit, `${rows.length} of ${limit}`)
      seen.push(...idsOf(rows))
    }
    assert.deepEqual(seen.toSorted(), ids.toSorted())
    assert.deepEqual(await s.claim('more'), [])
    assert.deepEqual(new Set(await placesOf(ids)), new Set([1]))
  })

  test('at the same moment share the messages', async () => {
    const ids = await sendMany(300)
    const claims = await Promise.all(Array.from({ length: 10 }, (_, n) => s.claim(`c${n}`, { limit: 40 })))
    const rest: string[] = []
    for (let n = 0; n < 20 && rest.length + claims.flat().length < 300; n++)
      rest.push(...idsOf(await s.claim(`r${n}`, { limit: 40 })))
    assert.deepEqual([...idsOf(claims.flat()), ...rest].toSorted(), ids.toSorted())
  })

  test('hand over the oldest first', async () => {
    const ids: string[] = []
    for (let n = 0; n < 5; n++) ids.push(await s.send())
    assert.deepEqual(idsOf(await s.claim('t', { limit: 3 })).toSorted(), ids.slice(0, 3))
  })

  test('jobs of what waits again are no larger than others', async () => {
    const ids = await sendMany(200)
    await s.conclude('t', await s.claim('t'), () => throttled)
    const jobs = await s.jobs()
    assert.ok(jobs.every(job => job.ids.length <= maxJobMessages))
    assert.deepEqual(jobs.flatMap(job => job.ids).toSorted(), ids.toSorted())
  })

  test('a job holds as many messages as share a commit', async () => {
    const last = [0, 1].map(more => maxJobMessages + more)
    const rows = await t.ownerSql('select job_of(n)::integer as job from unnest($1::integer[]) as n', [[1, ...last]])
    assert.deepEqual(
      rows.map(row => row['job']),
      [0, 0, 1],
    )
  })
})

describe('a lease', () => {
  test('that is renewed is not lost', async () => {
    await s.send()
    await s.claim('one', { leaseMs: -1 })
    await renewMessages(s.db, 'one', 60_000)
    assert.deepEqual(await s.claim('two'), [])
    const [job] = await s.jobs()
    assert.ok(job!.lease_token === 'one' && job!.seconds > 30)
  })

  test('that is lost puts all its messages in doubt, also with little room', async () => {
    const ids = await sendMany(150)
    await s.claim('dead', { leaseMs: -1 })
    for (let n = 0; n < 5; n++) assert.deepEqual(await s.claim(`c${n}`, { limit: 1 }), [])
    const statuses = await t.sql('select distinct status from messages where id = any ($1)', [ids])
    assert.deepEqual(statuses, [{ status: 'unconfirmed' }])
    assert.deepEqual(await s.jobs(), [])
  })

  test('that is lost does not speak for what was answered', async () => {
    const [a, b, c] = (await sendMany(3)) as [string, string, string]
    const rows = await s.claim('dead', { leaseMs: -1 })
    const [first] = rows.filter(row => row.id === a)
    await s.conclude(null, [first!], takenAs, { leases: ['dead'] })
    await s.claim('other')
    const statuses = await Promise.all([a, b, c].map(async id => (await s.read(id)).status))
    assert.deepEqual(statuses, ['sent', 'unconfirmed', 'unconfirmed'])
  })

  test('that is lost does not speak for what waits again, or is with another process by then', async () => {
    const [a, b] = (await sendMany(2)) as [string, string]
    const rows = await s.claim('dies later')
    await s.conclude(
      null,
      rows.filter(row => row.id === a),
      () => throttled,
      { leases: ['dies later'] },
    )
    assert.deepEqual(await placesOf([a, b]), [1, 1])
    const again = await s.claim('another')
    assert.deepEqual(idsOf(again), [a])
    await t.ownerSql("update message_jobs set due_at = now() - interval '1 second' where lease_token = 'dies later'")
    assert.deepEqual(await s.claim('finds it'), [])
    assert.deepEqual([(await s.read(a)).status, (await s.read(b)).status], ['sending', 'unconfirmed'])
    await s.conclude('another', again, () => throttled)
    assert.equal((await s.read(a)).status, 'queued', 'what certainly was not taken is tried again')
    assert.deepEqual(await placesOf([a]), [1])
  })

  test('holds what is being handed over and nothing else', async () => {
    const [canceled, sentOne] = (await sendMany(2)) as [string, string]
    assert.equal((await t.call('POST', `/v2/messages/${canceled}/cancel`, { as: s.as })).status, 200)
    await s.claim('t')
    assert.deepEqual(
      (await s.jobs()).map(job => job.ids),
      [[sentOne]],
    )
  })

  test('of who looks after stranded messages is not in doubt when it is lost: nothing was begun', async () => {
    const id = await s.send()
    await t.ownerSql("update message_jobs set lease_token = 'dead', due_at = now() - interval '1 second'")
    assert.deepEqual(idsOf(await s.claim('finds it')), [id])
    assert.equal((await s.read(id)).status, 'sending')
  })
})

describe('services that ask for it', () => {
  let serviceId: string
  beforeEach(async () => {
    serviceId = await s.addService({ unknown_outcome: 'resend' })
    await s.addNumber(sender, { service_id: serviceId })
  })
  const send = (body = 'x') => s.send({ from: undefined, serviceId, body })

  test('have a message of unknown outcome handed over again: only the parts nobody has spoken of', async () => {
    const id = await send(longText(3))
    await s.conclude('one', await s.claim('one'), (row, part) => (part === 2 ? unknown : takenAs(row, part)))
    const message = await s.read(id)
    assert.deepEqual([message.status, message.code], ['queued', 'submit_unconfirmed'])
    assert.deepEqual(await s.claim('too early'), [], 'after a while')
    await s.ripen('message_jobs')
    const rows = await s.claim('two')
    assert.deepEqual(rows.map(partsOf), [[2]])
    await s.conclude('two', rows, takenAs)
    assert.equal((await s.read(id)).path, 'queued sending queued sending sent')
  })

  test('have a lost lease handed over again; what the old process says later of the older attempt changes nothing', async () => {
    for (const answer of [throttled, refused, unknown]) {
      const id = await send()
      const old = await s.claim('dead', { leaseMs: -1 })
      assert.deepEqual(await s.claim('finds it'), [], 'first it waits again')
      const current = await s.claim('again')
      assert.deepEqual(
        current.map(row => [row.id, row.attempt]),
        [[id, 2]],
      )
      assert.equal(await s.conclude('dead', old, () => answer), 0)
      const during = await s.read(id)
      assert.deepEqual([during.status, during.states, during.parts[0].attempt], ['sending', 'submitting', 2])
      assert.deepEqual(await placesOf([id]), [1])
      await s.conclude('again', current, takenAs)
      assert.equal((await s.read(id)).path, 'queued sending queued sending sent')
    }
  })

  test('and when the old process was taken after all, its receipt counts and nothing is sent a third time', async () => {
    const id = await send()
    const old = await s.claim('dead', { leaseMs: -1 })
    await s.claim('finds it')
    const current = await s.claim('again')
    await s.conclude('dead', old, takenAs)
    assert.equal((await s.read(id)).status, 'sending')
    await s.receive(`${id}/1/1`)
    await s.conclude('again', current, takenAs)
    await s.receive(`${id}/2/1`)
    assert.equal((await s.read(id)).path, 'queued sending queued sending sent delivered')
    assert.deepEqual(await s.jobs(), [])
  })

  test('a late acceptance while it waits again ends that: it is with the carrier, and its receipt counts', async () => {
    const [quiet, reported] = [await send(longText(2)), await send(longText(2, 'b'))]
    const rows = await s.claim('slow')
    await s.conclude('slow', rows, () => unknown)
    for (const row of rows) for (const part of [1, 2]) await s.late(row, part, takenAs(row, part))
    for (const part of [1, 2]) await s.receive(`${reported}/1/${part}`)
    await s.ripen('message_jobs')
    assert.deepEqual(await s.claim('again'), [], 'nothing is left to be handed over')
    assert.deepEqual(
      [(await s.read(quiet)).path, (await s.read(reported)).path],
      ['queued sending queued sending sent', 'queued sending queued sending sent delivered'],
    )
    assert.deepEqual(await s.jobs(), [])
  })

  test('others are held: unconfirmed, with their parts as they are', async () => {
    await s.change("update messaging_services set unknown_outcome = 'hold'")
    const id = await s.send({ from: '+15005550016' })
    await s.conclude('t', await s.claim('t'), () => unknown)
    assert.equal((await s.read(id)).status, 'unconfirmed')
    assert.deepEqual(await s.jobs(), [])
  })
})
