// The beginning of a day: what waits for whom, what happened since yesterday, and the week in figures; each by role.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { inboxOf, ours } from '../../../../test/inbox.ts'
import { createInvoice } from '../../../../test/invoices.ts'
import type { Role } from '../../../kernel/values/permission.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = async (method: string, path: string, body?: object, as = t.main.tokens.Admin) => {
  const answer = await t.call(method, path, { as, body })
  assert.ok(answer.status < 300, `${path}: ${answer.text}`)
  return answer.json
}
const home = async (role: Role | string = 'Admin') =>
  (await call('GET', '/v2/home', undefined, role in t.main.tokens ? t.main.tokens[role as Role] : role)).data

const lead = async (name: string, more: object = {}) =>
  (await call('POST', '/v1/api/leads', { name, email: `${name.replaceAll(' ', '.')}@example.com`, ...more })).lead

test('an organization that has nothing says what is to be begun, to whom it concerns', async () => {
  const admin = await home()
  assert.deepEqual(admin.begun, { leads: false, people: true, carriers: false, invoices: false })
  assert.deepEqual((await home('Sales Executive')).begun, {
    leads: false,
    people: null,
    carriers: null,
    invoices: null,
  })
  assert.equal((await home(t.main.testKey)).begun.carriers, null)
  assert.deepEqual(admin.waiting.leads, { count: 0, items: [] })
  assert.deepEqual(admin.waiting.invoices, { overdue: [], dueSoon: [], drafts: 0, items: [] })
})

test('new leads wait for their owner, or for everybody while they have none', async () => {
  const { id: mine } = await lead('Mine', { owner_id: t.main.users['Sales Executive'].id, phone: '+15005550190' })
  await lead('Of the manager', { owner_id: t.main.users['Sales Manager'].id })
  const { id: free } = await lead('Free', { company: 'Acme' })
  const { id: done } = await lead('Done', { owner_id: t.main.users['Sales Executive'].id })
  await call('PATCH', `/v1/api/leads/${done}`, { status: 'Contacted' })
  const { waiting, news, numbers } = await home('Sales Executive')
  assert.equal(waiting.leads.count, 2)
  assert.deepEqual(
    waiting.leads.items.map(({ leadId, isMine }: { leadId: number; isMine: boolean }) => [leadId, isMine]),
    [
      [free, false],
      [mine, true],
    ],
  )
  assert.equal(waiting.leads.items[0].company, 'Acme')
  assert.equal(news.leadsCreated.count, 3)
  assert.deepEqual(numbers.leadsCreated, { now: 2, before: 0 })
  assert.equal((await home('Sales Manager')).numbers.leadsCreated.now, 4)
  const { waiting: finance, news: financeNews, numbers: financeNumbers } = await home('Finance Manager')
  assert.deepEqual([finance.leads, finance.conversations], [null, null])
  assert.deepEqual([financeNews.leadsCreated, financeNews.textsReceived], [null, null])
  assert.deepEqual([financeNumbers.leadsCreated, financeNumbers.calls, financeNumbers.textsSent], [null, null, null])
})

test('who is not answered waits, longest first, until somebody answers; others see only theirs', async () => {
  const inbox = inboxOf(t)
  await lead('Texting Person', { phone: '+15005550111' })
  await lead('Of somebody else', { phone: '+15005550112', owner_id: t.main.users['Sales Manager'].id })
  await inbox.receive('+15005550111', 'An older one')
  await inbox.receive('+15005550111', 'Is it ready?')
  await inbox.receive('+15005550112', 'For the manager')
  await inbox.receive('+15005550113', 'Who are you?')
  const named = ({
    conversations,
  }: {
    conversations: { count: number; items: { party: { name: string }; lastActivity: { preview: string } }[] }
  }) => conversations.items.map(({ party, lastActivity }) => [party.name, lastActivity.preview])
  const { waiting, news } = await home('Sales Executive')
  assert.equal(waiting.conversations.count, 2)
  assert.deepEqual(named(waiting), [
    ['Texting Person', 'Is it ready?'],
    ['+15005550113', 'Who are you?'],
  ])
  assert.equal(news.textsReceived, 4)
  assert.equal((await home()).waiting.conversations.count, 3)
  await call('POST', '/v2/messages/sms', { from: ours, to: '+15005550111', body: 'It is.' })
  await inbox.follow()
  assert.equal((await home()).waiting.conversations.count, 2)
  assert.equal((await home('Finance Manager')).waiting.conversations, null)
})

test('calls either way are news, and their legs are not', async () => {
  const before = (await home('Sales Executive')).news.calls
  await t.sql(
    `insert into calls (tenant_id, id, parent_call_id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state,
       hangup_cause, hangup_by, changed_at, ended_at)
     select $1, id, parent, direction, '+15005550121', '+15005550006', 30, 600, 'no_answer', 'no_answer', 'callee', now(), now()
     from (values ('call_in', null, 'inbound'), ('call_out', null, 'outbound'), ('call_leg', 'call_in', 'outbound')) c (id, parent, direction)`,
    [t.main.liveTenantId],
  )
  assert.equal((await home('Sales Executive')).news.calls, before + 2)
})

test('own tasks that are due by the end of today wait, and say what they are about', async () => {
  const { id } = await lead('Task Person', { owner_id: t.main.users['Sales Executive'].id })
  const assignee_id = t.main.users['Sales Executive'].id
  const { today } = await home()
  const task = (title: string, more: object) => call('POST', '/v1/api/tasks', { title, assignee_id, ...more })
  await task('Late', { due_on: '2026-01-05', record_id: `lead:${id}` })
  await task('Today', { due_on: today })
  await task('Some day', { due_on: '2099-01-01' })
  await task('Never', {})
  await task('Of others', { due_on: today, assignee_id: t.main.users.Admin.id })
  const { tasks } = (await home('Sales Executive')).waiting
  assert.deepEqual([tasks.count, tasks.overdue], [2, 1])
  assert.deepEqual(
    tasks.items.map((item: { title: string; record: unknown }) => [item.title, item.record]),
    [
      ['Late', { kind: 'lead', id: String(id), name: 'Task Person' }],
      ['Today', null],
    ],
  )
})

test('a task about a record that is in the trash waits for nobody until that is restored', async () => {
  const assignee_id = t.main.users['Sales Manager'].id
  const { id } = await lead('Given Up', { owner_id: assignee_id })
  await call('POST', '/v1/api/tasks', { title: 'Too late', assignee_id, record_id: `lead:${id}`, due_on: '2026-01-05' })
  const waiting = async () => {
    const { tasks } = (await home('Sales Manager')).waiting
    return [tasks.count, tasks.overdue, tasks.items.length]
  }
  assert.deepEqual(await waiting(), [1, 1, 1])
  await call('DELETE', `/v1/api/leads/${id}`)
  assert.deepEqual(await waiting(), [0, 0, 0])
  await call('POST', `/v1/api/leads/${id}/restore`)
  assert.deepEqual(await waiting(), [1, 1, 1])
})

test('invoices that are due wait with their sums by currency; payments are news, and figures', async () => {
  const { today } = await home()
  const send = async (customer: string, due: string, more: object = {}) => {
    const { id } = await createInvoice(t, { customer: { name: customer }, amount: 100, due_date: due, ...more })
    await call('POST', `/v1/api/finance/invoices/${id}/send`)
    return id
  }
  const day = (days: number) => new Date(Date.parse(today) + days * 86_400_000).toISOString().slice(0, 10)
  const oldest = await send('Oldest', day(-40))
  await send('Yesterday', day(-1), { currency: 'EUR', amount: 50 })
  await send('Today', day(0))
  await send('Within a week', day(7))
  await send('Later', day(8))
  await createInvoice(t, { customer: { name: 'Draft' }, amount: 9 })
  await call('POST', `/v1/api/finance/invoices/${oldest}/payments`, { amount: 30 })
  const { waiting, news, numbers } = await home('Finance Manager')
  const { overdue, dueSoon, drafts, items } = waiting.invoices
  assert.deepEqual(
    overdue.toSorted((a: { amount: number }, b: { amount: number }) => a.amount - b.amount),
    [
      { currency: 'EUR', invoices: 1, amount: 50 },
      { currency: 'USD', invoices: 1, amount: 70 },
    ],
  )
  assert.deepEqual(dueSoon, [{ currency: 'USD', invoices: 2, amount: 200 }])
  assert.equal(drafts, 1)
  assert.deepEqual(
    items.map(({ customer, amountDue, isOverdue }: { customer: string; amountDue: number; isOverdue: boolean }) => [
      customer,
      amountDue,
      isOverdue,
    ]),
    [
      ['Oldest', 70, true],
      ['Yesterday', 50, true],
      ['Today', 100, false],
      ['Within a week', 100, false],
    ],
  )
  assert.deepEqual(news.paymentsReceived.sums, [{ currency: 'USD', invoices: 1, amount: 30 }])
  assert.equal(news.paymentsReceived.items[0].customer, 'Oldest')
  assert.deepEqual(news.invoicesOverdue.sums, [{ currency: 'EUR', invoices: 1, amount: 50 }])
  assert.deepEqual(numbers.payments, [{ currency: 'USD', now: 30, before: 0 }])
  assert.equal((await home('Sales Executive')).waiting.invoices, null)
  // After midnight, nobody has listed invoices yet.
  t.clock.advance(86_400_000)
  const next = await home(t.main.liveKey)
  assert.equal(next.waiting.invoices.items.filter(({ isOverdue }: { isOverdue: boolean }) => isOverdue).length, 3)
  t.clock.advance(-86_400_000)
})

test('sums are said whatever they come to', async () => {
  const { id } = await createInvoice(t, { customer: { name: 'Enormous' }, amount: 999_999_999_999.99, currency: 'IRR' })
  await t.ownerSql(
    `insert into payments (tenant_id, invoice_id, amount_minor, currency, method, paid_at)
     select $1, $2, 99999999999999, 'IRR', 'other', now() from generate_series(1, 200)`,
    [t.main.liveTenantId, id],
  )
  const { news, numbers } = await home('Finance Manager')
  const inRials = ({ currency }: { currency: string }) => currency === 'IRR'
  const isAbout = (amount: number) => assert.ok(Math.abs(amount - 2e14) < 1e3, String(amount))
  isAbout(news.paymentsReceived.sums.find(inRials).amount)
  isAbout(numbers.payments.find(inRials).now)
})

test('the other organization sees nothing of it', async () => {
  const { waiting, news } = await home(t.other.tokens.Admin)
  assert.deepEqual([waiting.leads.count, waiting.conversations.count, waiting.invoices.items.length], [0, 0, 0])
  assert.deepEqual([news.leadsCreated.count, news.textsReceived, news.calls], [0, 0, 0])
})
