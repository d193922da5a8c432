// The calendar of invoices beside others who lock several of them: all take them in the order of their ids, so that at midnight nobody
// waits in a circle. The invoices between which one waits are due in another order than they were made.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Answer, startTestApp, type TestApp } from '../../../../test/harness.ts'
import { act, createInvoice, invoicesAddress } from '../../../../test/invoices.ts'
import { whileHeld } from '../../../../test/record_races.ts'
import { addDays, dateIn } from '../../../kernel/values/clock.ts'
import { purgeTrash } from '../../records/trash/jobs.ts'

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: object) =>
  t.call(method, `/v1/api/${path}`, { as: t.main.liveKey, ...(body && { body }) })
async function lead(name: string): Promise<number> {
  const { json, text } = await call('POST', 'leads', { name, email: `${name}@example.com` })
  assert.ok(json.lead, text)
  return json.lead.id
}

/** Three of these leads: the last one is due before the first, and is less, and a draft is between. The day after both are overdue. */
async function threeOf(leadIds: readonly [number, number, number]) {
  const today = dateIn('Europe/Berlin', t.clock.now())
  const [later, sooner] = [addDays(today, 1), today]
  const first = await createInvoice(t, { due_date: later, lead_id: leadIds[0], amount: 200 })
  const between = await createInvoice(t, { lead_id: leadIds[1] })
  const last = await createInvoice(t, { due_date: sooner, lead_id: leadIds[2] })
  for (const { id } of [last, first]) assert.equal((await act(t, id, 'send')).status, 200)
  t.clock.advance(2 * 86_400_000)
  return {
    ids: [first.id, last.id],
    held: { text: 'select from invoices where id = $1 for update', values: [between.id] },
  }
}
const statuses = async (ids: readonly number[]) =>
  (await Promise.all(ids.map(id => call('GET', `finance/invoices/${id}`)))).map(({ json }) => json.invoice.status)
const roll = () => t.call('GET', invoicesAddress, { as: t.main.liveKey })

test('a merge of leads and the first list after midnight follow one another', async () => {
  const [into, gone] = [await lead('stays'), await lead('goes')]
  const { ids, held } = await threeOf([gone, gone, gone])
  const merge = () => call('POST', 'leads/merge', { into, others: [gone] })
  const answers = await whileHeld(t, held, merge, roll)
  assert.deepEqual(
    answers.map(({ status, text }) => [status, status === 200 ? '' : text]),
    [
      [200, ''],
      [200, ''],
    ],
  )
  assert.deepEqual(await statuses(ids), ['Overdue', 'Overdue'])
})

test('leads that are removed for good and the first list after midnight follow one another', async () => {
  const leads = [await lead('first'), await lead('second'), await lead('third')] as const
  const { ids, held } = await threeOf([leads[2], leads[1], leads[0]])
  for (const id of leads) assert.equal((await call('DELETE', `leads/${id}`)).status, 200)
  await t.ownerSql("update leads set deleted_at = now() - interval '31 days' where id = any($1)", [leads])
  const purge = async (): Promise<Answer> => {
    await purgeTrash(t.app.services).run()
    return call('GET', `finance/invoices/${ids[0]}`)
  }
  const [purged, listed] = await whileHeld(t, held, purge, roll)
  assert.deepEqual([purged!.json.invoice.lead_id, listed!.status], [null, 200])
  assert.deepEqual(await statuses(ids), ['Overdue', 'Overdue'])
})
