// Claims of several processes at the same moment, on the real database and with what comes in between: jobs of any size of two
// tenants, long messages, little room, lost leases, messages that are taken back, that wait for their time, or that are gone.
// Whatever the order: each attempt of a message is handed out once, and what is not handed out waits in one job.
import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import fc from 'fast-check'
import { recipient, sender, startSteps } from '../../../../test/messages.ts'
import type { App } from '../../../app.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { maxJobMessages } from './intake_store.ts'
import { claimMoves } from './jobs.ts'
import { type MessageStatus, messageTable, partsOf } from './rules.ts'
import { type ClaimedRow, claimMessages } from './store.ts'

const { t, s } = await startSteps()
// Each has two connections for claims.
const nodes: App[] = [t.app]
before(async () => void nodes.push((await t.secondApp()).app))

/** `gone`: its job names it, and there is no such message. `paced`: its sender has its turn later. */
type Kind = 'queued' | 'resend' | 'scheduled' | 'paced' | 'canceled' | 'gone'
/** `lost`: a process died that had begun it. `kept`: one died that looked after stranded messages; nothing was begun. */
type Plan = { tenant: 0 | 1; lease: 'none' | 'lost' | 'kept'; messages: { kind: Kind; segments: number }[] }

const pacedSender = '+15005550010'
const often = <Value>(value: Value, weight = 12) => ({ arbitrary: fc.constant(value), weight })
const planOf = (maxLength: number) =>
  fc.record<Plan>({
    tenant: fc.constantFrom(0, 1),
    lease: fc.oneof(often('none' as const, 4), often('lost' as const, 1), often('kept' as const, 1)),
    messages: fc.array(
      fc.record({
        kind: fc.oneof<{ arbitrary: fc.Arbitrary<Kind>; weight: number }[]>(often('queued'), often('resend', 4), {
          arbitrary: fc.constantFrom('scheduled', 'paced', 'canceled', 'gone'),
          weight: 4,
        }),
        segments: fc.oneof(often(1, 6), { arbitrary: fc.integer({ min: 2, max: 5 }), weight: 1 }),
      }),
      { minLength: 1, maxLength },
    ),
  })
/** Most claims hold; the lease of one that dies is lost at once. */
const claimOf = fc.record({
  limit: fc.oneof(fc.integer({ min: 1, max: 4 }), fc.integer({ min: 5, max: 60 })),
  dies: fc.oneof(often(false, 9), often(true, 1)),
})

type Message = { tenantId: number; id: string; kind: Kind; segments: number; begun: boolean }

/** Writes the jobs of a plan, with their messages and what these went through. */
async function arrange(plans: readonly Plan[]): Promise<Message[]> {
  const messages: Message[] = []
  const rows: object[] = []
  const jobs: object[] = []
  const events: object[] = []
  for (const [n, { tenant, lease, messages: planned }] of plans.entries()) {
    const tenantId = tenant === 0 ? s.tenantId : t.other.testTenantId
    const ids: string[] = []
    for (const { kind: wanted, segments } of planned) {
      const id = newId('msg')
      // What a carrier may have had is neither scheduled nor taken back.
      const kind = lease === 'lost' && !['queued', 'resend', 'gone'].includes(wanted) ? 'queued' : wanted
      const begun = lease === 'lost' && kind !== 'gone'
      const later = kind === 'scheduled' || kind === 'paced'
      const path: MessageStatus[] = [later ? 'scheduled' : 'queued']
      if (begun) path.push('sending')
      if (kind === 'canceled') path.push('canceled')
      ids.push(id)
      messages.push({ tenantId, id, kind, segments, begun })
      if (kind === 'gone') continue
      rows.push({
        tenant_id: tenantId,
        id,
        segments,
        status: path.at(-1),
        sequence: path.length,
        attempts: begun ? 1 : 0,
        resend: kind === 'resend',
        from_address: kind === 'paced' ? pacedSender : sender,
        later,
      })
      for (const [index, status] of path.entries())
        events.push({
          tenant_id: tenantId,
          id: newId('evt'),
          type: `message.${status}`,
          resource_id: id,
          sequence: index + 1,
          data: { status, previousStatus: path[index - 1] ?? null },
        })
    }
    jobs.push({
      tenant_id: tenantId,
      id: newId('job'),
      age: 60 - n / 100,
      lease: lease === 'none' ? null : `dead${n}`,
      ids,
    })
  }
  await t.ownerSql(
    `insert into messages (tenant_id, id, segments, status, sequence, attempts, resend, from_address, send_at, created_at,
       validity_seconds, direction, encoding, carrier, to_address, body)
     select tenant_id, id, segments, status, sequence, attempts, resend, from_address, case when later then now() end, now(),
       14400, 'outbound', 'GSM-7', 'simulator', $2, id
     from json_to_recordset($1) as r (tenant_id bigint, id text, segments smallint, status text, sequence integer,
       attempts smallint, resend boolean, from_address text, later boolean)`,
    [JSON.stringify(rows), recipient],
  )
  await t.ownerSql(
    `insert into message_segments (tenant_id, message_id, part, attempt, state, carrier)
     select m.tenant_id, m.id, part, 1, 'submitting', 'simulator' from messages m, generate_series(1, m.segments) as part
     where m.status = 'sending'`,
  )
  await t.ownerSql(
    `insert into events (tenant_id, id, type, resource_id, sequence, data)
     select * from json_to_recordset($1) as r (tenant_id bigint, id text, type text, resource_id text, sequence integer, data json)`,
    [JSON.stringify(events)],
  )
  await t.ownerSql(
    `insert into message_jobs (tenant_id, id, carrier, due_at, lease_token, message_ids)
     select tenant_id, id, 'simulator', now() - make_interval(secs => age), lease, ids
     from json_to_recordset($1) as r (tenant_id bigint, id text, age float8, lease text, ids text[])`,
    [JSON.stringify(jobs)],
  )
  return messages
}

type Handed = { token: string; dies: boolean; row: ClaimedRow }
let tokens = 0

async function claim(node: App, handed: Handed[], limit: number, dies = false): Promise<number> {
  const token = `lease${++tokens}`
  const leaseMs = dies ? -1 : 60_000
  const rows = await claimMessages(node.services.db, 'simulator', { token, limit, leaseMs, moves: claimMoves })
  for (const row of rows) handed.push({ token, dies, row })
  return rows.length
}

/** Jobs and messages, compared with what was handed out. */
async function check(messages: readonly Message[], handed: readonly Handed[]): Promise<Map<string, MessageStatus>> {
  const ids = messages.map(message => message.id)
  const jobs = await s.jobs()
  const rows = await t.sql<{ id: string; status: MessageStatus; attempts: number; sequence: number }>(
    'select id, status, attempts, sequence from messages where id = any ($1)',
    [ids],
  )
  const events = await t.sql<{ id: string; resource_id: string; sequence: number; type: string; before: string }>(
    `select id, resource_id, sequence, type, 'message.' || (data ->> 'previousStatus') as before from event_log
     where resource_id = any ($1) order by resource_id, sequence`,
    [ids],
  )
  assert.ok(jobs.every(job => job.ids.length > 0 && job.ids.length <= maxJobMessages))
  assert.equal(new Set(events.map(event => event.id)).size, events.length, 'each event has an id of its own')

  const states = new Map(rows.map(row => [row.id, row]))
  const eventsOf = Map.groupBy(events, event => event.resource_id)
  const handedOf = Map.groupBy(handed, ({ row }) => row.id)
  const placesOf = Map.groupBy(
    jobs.flatMap(job => job.ids.map(id => ({ id, token: job.lease_token }))),
    place => place.id,
  )
  assert.ok([...handedOf.keys(), ...placesOf.keys()].every(id => ids.includes(id)))
  for (const message of messages) {
    const { id, kind, segments, begun } = message
    const state = states.get(id)
    const turns = (handedOf.get(id) ?? []).toSorted((a, b) => a.row.attempt - b.row.attempt)
    const reported = `${JSON.stringify({ ...message, ...state })} ${JSON.stringify(turns)} ${JSON.stringify(placesOf.get(id))}`

    const before = begun ? 1 : 0
    assert.deepEqual(
      turns.map(turn => turn.row.attempt),
      Array.from({ length: (state?.attempts ?? 0) - before }, (_, n) => before + n + 1),
      `each attempt is handed out once: ${reported}`,
    )
    assert.ok(kind === 'resend' || turns.length + before <= 1, `nobody asked for a second attempt: ${reported}`)
    for (const { row } of turns)
      assert.ok(row.tenant_id === message.tenantId && row.body === id && partsOf(row).length === segments, reported)

    const places = placesOf.get(id) ?? []
    const waits = places.every(({ token }) => token === null || token.startsWith('dead'))
    const status = state?.status
    if (status === 'queued' || status === 'scheduled') assert.ok(places.length === 1 && waits, `it waits: ${reported}`)
    else if (status === 'sending')
      assert.deepEqual(
        places.map(place => place.token?.replace(/^dead.*/, 'dead')),
        [turns.at(-1)?.token ?? 'dead'],
        `it is held by its last attempt: ${reported}`,
      )
    else if (status === 'unconfirmed') assert.equal(places.length, 0, reported)
    else
      assert.ok(places.length <= 1 && waits, `taken back or gone, it may be named where nobody looked yet: ${reported}`)

    const history = eventsOf.get(id) ?? []
    assert.deepEqual(
      history.map(event => event.sequence),
      Array.from({ length: state?.sequence ?? 0 }, (_, n) => n + 1),
      `no gap: ${reported}`,
    )
    assert.equal(history.at(-1)?.type, status && `message.${status}`)
    for (const [n, event] of history.entries()) assert.equal(event.before, history[n - 1]?.type ?? null, reported)
  }
  return new Map(rows.map(row => [row.id, row.status]))
}

/** Claims until nothing is left that could be claimed, now or later. */
async function drain(handed: Handed[]): Promise<void> {
  for (let n = 0; n < 400; n++) {
    await t.ownerSql('update message_jobs set due_at = now() where lease_token is null and due_at > now()')
    await claim(nodes[n % 2]!, handed, 50)
    const due = (await s.jobs()).filter(job => job.lease_token === null || job.seconds <= 0)
    if (due.length === 0) return
  }
  assert.fail(`claims do not come to an end: ${JSON.stringify(await s.jobs())}`)
}

/** What happens at the same moment: the claims of each lane one after the other, and messages that are taken back. */
type Round = { lanes: { limit: number; dies: boolean }[][]; cancels: number[] }

async function take(plans: readonly Plan[], rounds: readonly Round[]): Promise<void> {
  await s.clear()
  await s.addNumber(pacedSender, { segments_per_second: 1 })
  const messages = await arrange(plans)
  const handed: Handed[] = []
  const takenBack = new Set<string>()
  const ours = messages.filter(message => message.tenantId === s.tenantId && /queued|resend/.test(message.kind))
  async function cancel(n: number): Promise<void> {
    const id = ours[n % Math.max(ours.length, 1)]?.id
    if (id === undefined) return
    const { status } = await t.call('POST', `/v2/messages/${id}/cancel`, { as: s.as })
    assert.ok(status === 200 || status === 409, String(status))
    if (status === 200) takenBack.add(id)
  }
  for (const { lanes, cancels } of rounds) {
    const claims = lanes.map(async (lane, n) => {
      for (const { limit, dies } of lane) await claim(nodes[n % 2]!, handed, limit, dies)
    })
    await Promise.all([...claims, ...cancels.map(cancel)])
    await check(messages, handed)
  }
  await drain(handed)
  const statuses = await check(messages, handed)
  assert.ok(messageTable.canceled.from.every(status => ![...statuses.values()].includes(status)))
  const died = new Set(handed.filter(({ dies }) => dies).map(({ row }) => row.id))
  for (const { id, kind, begun } of messages) {
    const ends: Partial<Record<Kind, MessageStatus>> = { gone: undefined, canceled: 'canceled', resend: 'sending' }
    const end = kind in ends ? ends[kind] : begun || died.has(id) ? 'unconfirmed' : 'sending'
    assert.equal(statuses.get(id), takenBack.has(id) ? 'canceled' : end, `${kind} ${id}`)
  }
}

test('claims of four connections hand out each attempt once and leave the rest in its jobs', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(planOf(24), { minLength: 3, maxLength: 30 }),
      fc.array(
        fc.record<Round>({
          lanes: fc.array(fc.array(claimOf, { minLength: 1, maxLength: 3 }), { minLength: 4, maxLength: 6 }),
          cancels: fc.array(fc.nat(), { maxLength: 5 }),
        }),
        { minLength: 2, maxLength: 5 },
      ),
      take,
    ),
    // What happens at the same moment is not the same the next time: nothing is gained by shrinking.
    { numRuns: 10, endOnFailure: true },
  )
})

test('claims of one segment share a single large job', async () => {
  const messages = Array.from({ length: maxJobMessages }, (_, n) => ({
    kind: 'queued' as const,
    segments: (n % 3) + 1,
  }))
  const lanes = Array.from({ length: 4 }, () => [1, 2].map(limit => ({ limit, dies: false })))
  const rounds = [[0], [5, 63], [31], []].map(cancels => ({ lanes, cancels }))
  await take([{ tenant: 0, lease: 'none', messages }], rounds)
})
