// The demo company, as the API shows it: everything the modules promise of their own records must hold of records
// that were written behind their back too; it is all there or not at all, once; and every login that is printed works.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import pg from 'pg'
import { offerDemo } from '../src/demo/demo.ts'
import { systemClock } from '../src/kernel/values/clock.ts'
import type { Role } from '../src/kernel/values/permission.ts'
import { isE164, isSimulatorNumber } from '../src/kernel/values/phone.ts'
import { leadStatuses, leadTable } from '../src/modules/crm/leads/rules.ts'
import { statuses } from '../src/modules/finance/invoices/rules.ts'
import { rolePermissions } from '../src/nouns.ts'
import { silentLog } from './cluster.ts'
import {
  type Call,
  callOn,
  countAll,
  endInstallations,
  type Filled,
  type Installation,
  install,
  type Json,
  listAll,
  logIn,
  rowsOf,
} from './demo_company.ts'
import { eventually } from './eventually.ts'

let home: Installation
let call: Call
let demo: Filled
const tokens = {} as Record<Role, string>

function rows(text: string, values: unknown[] = []): Promise<Json[]> {
  return rowsOf(home, text, values)
}

before(async () => {
  home = await install()
  call = callOn(home)
})

after(endInstallations)

test('a fill that is killed half-way leaves nothing, and the next one is whole', async t => {
  const empty = await countAll(home)
  const { owner } = home.database
  const dying = offerDemo({ owner, keyring: home.instance.keyring, clock: systemClock, log: silentLog })
  // As kill -9 of the server would: its connection ends in the midst of the transaction, when it has written leads.
  const endConnection = async () => {
    const [row] = await rows(
      `select pg_terminate_backend(pid) as killed from pg_stat_activity
       where datname = current_database() and application_name = 'tandem_engine'
         and query ~ 'into leads|''lead''|into invoices'`,
    )
    return row?.killed === true
  }
  await eventually('the end of its connection', endConnection, { withinMs: 60_000, everyMs: 5 })
  assert.equal((await dying).outcome, 'failed')
  assert.deepEqual(await countAll(home), empty)

  const statements = t.mock.method(pg.Client.prototype, 'query')
  demo = (await home.fill()) as Filled
  statements.mock.restore()
  assert.equal(demo.outcome, 'filled')
  assert.ok(statements.mock.callCount() < 200, `many records are written by each of ${statements.mock.callCount()}`)
  const counts = await countAll(home)
  assert.equal(counts['leads'], 2_000)
  assert.equal(counts['invoices'], 5_000)
  for (const name of Object.keys(demo.counts) as (keyof typeof demo.counts)[]) {
    const before = name === 'users' ? 1 : 0
    assert.equal(counts[name], demo.counts[name] + before, name)
  }
  for (const name of ['messages', 'calls'] as const) {
    assert.ok(demo.counts[name] > 300 && demo.counts[name] < 1_500, `${demo.counts[name]} ${name}`)
  }
})

test('everybody who is printed logs in, and sees what the role may see', async () => {
  for (const { email, role, password, adminId } of demo.logins) {
    const token = await logIn(call, email, password as string)
    tokens[role] ??= token
    if (adminId !== null) await logIn(call, adminId, password as string)
    const me = await call('GET', '/v1/api/auth/me', token)
    assert.deepEqual([me.json.user.email, me.json.user.role], [email, role])
  }
  assert.deepEqual(Object.keys(tokens).sort(), ['Admin', 'Finance Manager', 'Sales Executive', 'Sales Manager'])
  for (const [role, token] of Object.entries(tokens) as [Role, string][]) {
    for (const [path, permission] of [
      ['/v1/api/leads', 'leads:read'],
      ['/v1/api/finance/invoices', 'invoices:read'],
      ['/v2/messages', 'messages:read'],
      ['/v2/voice/calls', 'calls:read'],
      ['/v1/api/users', 'users:read'],
      ['/v2/events', 'events:read'],
    ] as const) {
      const { status } = await call('GET', path, token)
      assert.equal(status, rolePermissions[role].has(permission) ? 200 : 403, `${role} ${path}`)
    }
  }
  const [former] = await rows("select email from users where disabled_at is not null and role = 'Sales Executive'")
  assert.ok(!demo.logins.some(login => login.email === former.email), 'who has left is not offered as a login')
})

test('the printed keys work within their scopes, and the ended ones are listed as such', async () => {
  for (const { secret, mode, scopes } of demo.keys) {
    assert.ok(secret.startsWith(`tdm_${mode}_`))
    const allowed = scopes === null || scopes.includes('leads:create')
    const { status } = await call('POST', '/v1/api/leads', secret, { name: 'Try', email: 'try@example.com' })
    assert.equal(status, allowed ? 201 : 403)
  }
  const { json } = await call('GET', '/v2/auth/api-keys', tokens.Admin)
  const names = json.data.map((key: Json) => key.name)
  for (const name of ['Old booking tool', 'Trade show app', 'Website lead form']) assert.ok(names.includes(name), name)
  // What was tried is put away again, so that the tests below find the demo data alone.
  await rows("delete from changes where record_id in (select 'lead:' || id from leads where email = 'try@example.com')")
  await rows("delete from events where data ->> 'email' = 'try@example.com'")
  await rows("delete from leads where email = 'try@example.com'")
})

test('totals of leads, by status, priority and owner, are what a count says', async () => {
  const total = async (query: string, token = tokens.Admin) => {
    const { status, json } = await call('GET', `/v1/api/leads?limit=5${query}`, token)
    assert.equal(status, 200)
    return json.pagination.totalCount
  }
  assert.equal(await total(''), 2_000)
  for (const column of ['status', 'priority', 'owner_id']) {
    for (const { key, count } of await rows(`select ${column} as key, count(*) from leads group by 1`)) {
      const parameter = `${column}=${key ?? 'none'}`
      assert.equal(await total(`&${parameter}`), count, parameter)
      assert.ok(column === 'owner_id' || count >= 30, `only ${count} leads with ${parameter}`)
    }
  }
  const executive = demo.logins.find(login => login.role === 'Sales Executive')
  const [own] = await rows(
    'select count(*) from leads l where owner_id is null or owner_id = (select id from users where email = $1)',
    [executive?.email],
  )
  assert.equal(await total('', tokens['Sales Executive']), own.count)
  const search = await call('GET', '/v1/api/leads?q=bakery&limit=5', tokens.Admin)
  assert.ok(search.json.pagination.totalCount > 20)
  const last = await call('GET', '/v1/api/leads?page=10&limit=200&sort=created_at', tokens.Admin)
  assert.equal(last.json.leads.length, 200)
})

test('every lead went only where the table lets it, in the past, and its history ends where it stands', async () => {
  const allowed = new Set(Object.values(leadTable).flatMap(({ from, to }) => from.map(state => `${state} ${to}`))).add(
    'null New',
  )
  const changes = await rows(
    "select *, substr(record_id, 6)::bigint as lead_id from changes where noun = 'lead' order by record_id, version",
  )
  const last = new Map<number, Json>()
  for (const change of changes) {
    const previous = last.get(change.lead_id)
    const [from, to] = change.difference.status ?? [null, 'New']
    assert.ok(allowed.has(`${from} ${to}`), `${from} to ${to}`)
    assert.equal(from, previous?.to ?? null)
    assert.equal(change.version, (previous?.version ?? 0) + 1)
    assert.notEqual(change.user_id, null)
    assert.ok(previous === undefined || change.at > previous.at)
    last.set(change.lead_id, { ...change, to })
  }
  const leads = await rows('select * from leads order by created_at, id')
  const sales = new Set((await rows("select id from users where role like 'Sales%'")).map(user => user.id))
  const reasons = await rows("select distinct lost_reason from leads where status = 'Unqualified'")
  let previousId = 0
  for (const lead of leads) {
    const change = last.get(lead.id)
    assert.equal(change.to, lead.status)
    assert.equal(change.version, lead.version)
    assert.equal(change.at, lead.updated_at)
    assert.ok(lead.created_at <= lead.updated_at && Date.parse(lead.updated_at) < Date.now())
    assert.ok(lead.id > previousId, 'ids follow the time of creation')
    assert.ok(lead.phone === null || isE164(lead.phone), lead.phone)
    assert.ok(lead.email === null || /^[a-z.]+@[a-z0-9-]+\.example$/.test(lead.email), lead.email)
    assert.ok(lead.owner_id === null || sales.has(lead.owner_id))
    assert.equal(lead.first_responded_at !== null, lead.version > 1)
    previousId = lead.id
  }
  assert.ok(reasons.length > 5)
  const ages = leads.map(lead => (Date.now() - Date.parse(lead.created_at)) / 86_400_000)
  const oldest = ages[0] as number
  assert.ok(oldest > 520 && oldest < 560, 'they go back 18 months')
  assert.deepEqual(new Set(leads.map(lead => lead.status)).size, leadStatuses.length)
  for (const column of ['email', 'phone']) {
    const [{ doubles }] = await rows(
      `select count(*) as doubles from (
         select from leads where ${column} is not null group by ${column} having count(*) > 1) d`,
    )
    assert.equal(doubles, 0, `two leads share their ${column}`)
  }
})

test('totals of invoices by status are what a count by the rule says, and pages hold what they should', async () => {
  const today = new Date().toISOString().slice(0, 10)
  const overdue = `state = 'Sent' and due_date < '${today}' and paid_minor < total_minor`
  const status = `case when ${overdue} then 'Overdue' else state end`
  const naive = new Map(
    (await rows(`select ${status} as status, count(*) from invoices group by 1`)).map(r => [r.status, r.count]),
  )
  const all = await call('GET', '/v1/api/finance/invoices?page=1&limit=20', tokens['Finance Manager'])
  assert.deepEqual(
    { ...all.json.pagination, nextCursor: null },
    { page: 1, limit: 20, totalCount: 5_000, nextCursor: null },
  )
  for (const wanted of statuses) {
    const count = naive.get(wanted) ?? 0
    assert.ok(count >= 15, `only ${count} ${wanted}`)
    const first = await call('GET', `/v1/api/finance/invoices?status=${wanted}&limit=20`, tokens['Finance Manager'])
    assert.equal(first.json.pagination.totalCount, count, wanted)
    assert.ok(first.json.invoices.every((invoice: Json) => invoice.status === wanted))
    const pages = Math.ceil(count / 20)
    const last = await call('GET', `/v1/api/finance/invoices?status=${wanted}&limit=20&page=${pages}`, tokens.Admin)
    assert.equal(last.json.invoices.length, count - (pages - 1) * 20, wanted)
  }
  const newest = all.json.invoices.map((invoice: Json) => invoice.created_at)
  assert.deepEqual(newest, newest.toSorted().reverse(), 'newest first')
  const [open] = await rows("select count(*) from invoices where state = 'Sent' and paid_minor > 0")
  assert.ok(open.count > 5, 'some are paid in part')
})

test('numbers have no gap in any year, and the next invoice takes the next one', async () => {
  const years = await rows('select year, count(*) from invoices group by 1 order by 1')
  assert.ok(years.length >= 3)
  for (const { year, count } of years) {
    const { json } = await call('GET', `/v1/api/finance/invoices/number-audit?year=${year}`, tokens.Admin)
    assert.deepEqual(
      [json.lastSequence, json.assigned, json.gaps, json.duplicates],
      [count, count, [], []],
      `the numbers of ${year}`,
    )
  }
  const [disorder] = await rows(
    `select count(*) from (select created_at < lag(created_at) over (partition by year order by sequence) as wrong,
       ordinal <> row_number() over (order by created_at, ordinal) as misplaced from invoices) i
     where wrong or misplaced`,
  )
  assert.equal(disorder.count, 0, 'numbers and ordinals follow the time of creation')
})

test('lines, payments and sums of every invoice agree, and none comes from the future', async () => {
  const [faults] = await rows(
    `select count(*) filter (where lines.net is distinct from i.net_minor) as net,
       count(*) filter (where lines.n not between 1 and 5) as lines,
       count(*) filter (where coalesce(paid.sum, 0) <> i.paid_minor) as paid,
       count(*) filter (where i.state = 'Cancelled' and i.paid_minor > 0) as cancelled,
       count(*) filter (where i.updated_at > now() or paid.last > now()) as future,
       count(*) filter (where i.issue_date > i.due_date or i.created_at > coalesce(i.sent_at, now())
         or i.sent_at > coalesce(i.paid_at, i.cancelled_at, now())) as times,
       count(*) filter (where i.lead_id is not null and not exists (select from changes c
         where c.tenant_id = i.tenant_id and c.record_id = 'lead:' || i.lead_id
           and c.difference -> 'status' ->> 1 = 'Converted' and c.at <= i.created_at)) as unconverted,
       count(*) filter (where i.lead_id is not null) as linked
     from invoices i
     join (select invoice_id, count(*) as n, sum(net_minor) as net from invoice_lines group by 1) lines
       on lines.invoice_id = i.id
     left join (select invoice_id, sum(amount_minor), max(created_at) as last from payments group by 1) paid
       on paid.invoice_id = i.id`,
  )
  const { linked, ...none } = faults
  assert.deepEqual(none, { net: 0, lines: 0, paid: 0, cancelled: 0, future: 0, times: 0, unconverted: 0 })
  assert.ok(linked > 300)
  const { json } = await call('GET', '/v1/api/finance/invoices?status=Paid&limit=3', tokens.Admin)
  for (const { id } of json.invoices) {
    const { invoice } = (await call('GET', `/v1/api/finance/invoices/${id}`, tokens.Admin)).json
    const paid = invoice.payments.reduce((sum: number, payment: Json) => sum + payment.amount_minor, 0)
    assert.equal(paid, invoice.amount_minor)
    assert.ok(invoice.lines.length > 0 && invoice.customer.name !== '')
  }
})

test('the event log reports every history without a gap, and its last word is what the API shows', async () => {
  const [faults] = await rows(
    `select count(*) filter (where events <> i.event_count or first <> 1 or last <> events) as counts,
       count(*) filter (where last_at > now()) as future
     from invoices i left join (
       select resource_id, count(*) as events, min(sequence) as first, max(sequence) as last, max(at) as last_at
       from event_log where type like 'invoice.%' group by 1) e on e.resource_id = i.id::text`,
  )
  assert.deepEqual(faults, { counts: 0, future: 0 })
  const [unordered] = await rows(
    `select count(*) from (select
       at < lag(at) over (partition by resource_id, split_part(type, '.', 1) order by sequence) as wrong,
       id < lag(id) over (order by at, id) as misplaced from event_log) e where wrong or misplaced`,
  )
  assert.equal(unordered.count, 0, 'events and their ids follow time')

  for (const wanted of statuses) {
    const list = await call('GET', `/v1/api/finance/invoices?status=${wanted}&limit=4`, tokens.Admin)
    for (const invoice of list.json.invoices) {
      const [event] = await rows(
        "select data from event_log where type like 'invoice.%' and resource_id = $1 order by sequence desc limit 1",
        [String(invoice.id)],
      )
      const { previousStatus: _, payment: __, ...reported } = event.data
      assert.deepEqual(reported, invoice)
    }
  }
  for (const path of ['/v2/events?type=lead.*&limit=200', '/v2/events?type=call.*', '/v2/events?type=message.*']) {
    const { json } = await call('GET', path, tokens.Admin)
    assert.ok(json.data.length >= 50, path)
  }
  const leads = await call('GET', '/v1/api/leads?limit=30', tokens.Admin)
  for (const lead of leads.json.leads) {
    const [event] = await rows(
      "select data from event_log where type like 'lead.%' and resource_id = $1 order by sequence desc limit 1",
      [String(lead.id)],
    )
    const { previousStatus: _, notes: __, ...reported } = event.data
    assert.deepEqual(reported, lead)
  }
})

const testKey = () => (demo.keys.find(key => key.mode === 'test') as { secret: string }).secret

test('messages are all listed, over, and have a history that ends as they did', async () => {
  const live = await listAll(call, '/v2/messages', tokens.Admin)
  const trials = await listAll(call, '/v2/messages', testKey())
  assert.equal(live.length + trials.length, demo.counts.messages)
  assert.ok(trials.length >= 24 && trials.length < 100, `${trials.length} in the test mode`)
  assert.deepEqual([...new Set(live.map(message => message.status))].sort(), ['delivered', 'failed', 'received'])
  assert.ok(live.length > 300, `${live.length} in the live mode`)
  for (const message of [...live, ...trials]) {
    assert.ok(message.finalAt !== null && Date.parse(message.finalAt) < Date.now())
    assert.equal(message.status === 'delivered', message.deliveredAt !== null)
    assert.equal(message.createdAt <= message.finalAt, true)
  }
  for (const [messages, token] of [
    [live.slice(0, 12), tokens.Admin],
    [trials.slice(0, 12), testKey()],
  ] as const) {
    for (const { messageId, status, code, attempts } of messages) {
      const { json } = await call('GET', `/v2/messages/${messageId}`, token)
      const { history } = json.data
      assert.equal(history.at(-1).status, status)
      assert.equal(history.at(-1).code, code)
      assert.equal(history[0].status, status === 'received' ? 'received' : 'queued')
      assert.equal(history.filter((entry: Json) => entry.status === 'sending').length, attempts)
    }
  }
  const [jobs] = await rows('select count(*) from message_jobs')
  assert.equal(jobs.count, 0, 'nothing of them is left to do')
})

// The company has neither carrier nor trunk: only the virtual handset and the simulator were there.
test('live mode reports no delivery and no answer that did not happen', async () => {
  const partnerOf = ({ direction, from, to }: Json) => (direction === 'inbound' ? from : to)
  for (const message of await listAll(call, '/v2/messages', tokens.Admin)) {
    const { carrier, status, code, sentAt } = message
    const reported = { carrier, status, code, isSent: sentAt !== null }
    if (!isSimulatorNumber(partnerOf(message)))
      assert.deepEqual(reported, { carrier: 'none', status: 'failed', code: 'no_route', isSent: false })
    else if (message.direction === 'inbound')
      assert.deepEqual(reported, { carrier: 'handset', status: 'received', code: null, isSent: false })
    else assert.deepEqual(reported, { carrier: 'handset', status: 'delivered', code: null, isSent: true })
  }
  const calls = await listAll(call, '/v2/voice/calls', tokens.Admin)
  for (const call of calls) {
    const { simulated, state, hangupCause, dialedAt, ringingAt } = call
    if (isSimulatorNumber(partnerOf(call))) assert.equal(simulated, true, call.callId)
    else
      assert.deepEqual(
        { direction: call.direction, simulated, state, hangupCause, dialedAt, ringingAt },
        {
          direction: 'outbound',
          simulated: false,
          state: 'failed',
          hangupCause: 'no_route',
          dialedAt: null,
          ringingAt: null,
        },
      )
  }
})

test('calls are all listed, over, and have a history that ends as they did', async () => {
  const live = await listAll(call, '/v2/voice/calls', tokens.Admin)
  const trials = await listAll(call, '/v2/voice/calls', testKey())
  assert.equal(live.length + trials.length, demo.counts.calls)
  assert.ok(trials.length >= 24 && trials.length < 100, `${trials.length} in the test mode`)
  const states = new Set(live.map(call => call.state))
  for (const state of ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled'])
    assert.ok(states.has(state), state)
  for (const { endedAt, state, billableSeconds, answeredAt, direction } of [...live, ...trials]) {
    assert.ok(endedAt !== null && Date.parse(endedAt) < Date.now())
    assert.equal(state === 'completed', answeredAt !== null)
    assert.equal(billableSeconds > 0, state === 'completed')
    assert.ok(['inbound', 'outbound'].includes(direction))
  }
  for (const { callId, state } of live.slice(0, 12)) {
    const { json } = await call('GET', `/v2/voice/calls/${callId}`, tokens.Admin)
    assert.equal(json.data.history[0].type, 'call.initiated')
    const steps = json.data.history.filter(({ type }: { type: string }) => type !== 'call.outcome_set')
    assert.equal(steps.at(-1).type, `call.${state}`)
  }
  const [jobs] = await rows('select count(*) from call_jobs')
  assert.equal(jobs.count, 0, 'nothing of them is left to do')
})
