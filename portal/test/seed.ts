// Fills an organization of a test with what a small company has after some weeks, through the real API, so that no
// screen is checked by its empty state: leads, invoices in every status, messages and calls with every kind of end,
// keys, and some requests that were refused.
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, TestApp } from '../../server/test/harness.ts'

export type Mode = 'live' | 'test'

/** Ids of what was made, in the order in which it was made. */
export type Seeded = {
  mode: Mode
  leads: number[]
  companies: string[]
  contacts: string[]
  invoices: number[]
  messages: string[]
  calls: string[]
  keys: string[]
  /** Resolves when every message and call has come to its end (about 12 s after seeding), rejects after 30 s. */
  untilCarried(): Promise<void>
}

const names = [
  'Ada Lovelace',
  'Grace Hopper',
  'Zoë Müller',
  'Nguyễn Thị Hạnh',
  'Søren Ågård',
  "Siobhán O'Connor",
  'José Luis García-Fernández de la Vega',
  'محمد العلي',
  '山田 太郎',
  'Anna <b>Nowak</b>',
  'Kwame Mensah',
  'Priya Raghunathan',
  'Bob',
  'Chloé Lefèvre',
  'Ivan Petrov',
  'Fatima Zahra El Idrissi',
  'Lars Andersen',
  'Mei Lin',
  'Olga Kowalczyk-Wiśniewska',
  'Tom Baker',
  'Uma Krishnamurthy',
  'Victor Hugo Santos',
  'Wen Zhang',
  'Xiomara Ruiz',
]
const companies = ['Northwind Traders', 'Analytical Engines', 'Kaffeerösterei Müller & Söhne GmbH', 'Blue Yonder', null]
const customers = [
  ['Northwind Traders', 'Retail'],
  ['Kaffeerösterei Müller & Söhne GmbH', 'Manufacturing'],
  ['Stadtwerke', 'Public'],
] as const
const priorities = ['Hot', 'Warm', 'Cold']
const paths: { status: string; lost_reason?: string }[][] = [
  [],
  [{ status: 'Contacted' }],
  [{ status: 'Contacted' }, { status: 'Nurturing' }],
  [{ status: 'Contacted' }, { status: 'Qualified' }],
  [{ status: 'Contacted' }, { status: 'Unqualified', lost_reason: 'No budget until next year.' }],
  [{ status: 'Junk', lost_reason: 'Not a person.' }],
]

const recipients = ['0100', '0101', '0102', '0100', '0104', '0106', '0107', '0009', '0110', '0100']
const callees = ['0200', '0201', '0202', '0203', '0204', '0205', '0206', '0207']
const texts = [
  'Your code is 482913. It is valid for ten minutes.',
  'Your order 1182 leaves our warehouse today. Answer HELP for help, STOP to stop.',
  'Grüße aus Köln: Ihr Termin ist am Dienstag um 14:30 Uhr. 👋',
]

/** Makes it all with the key of all rights of the main organization; some seconds of work, none of waiting. */
export async function seedBelievable(t: TestApp, { mode = 'test' as Mode } = {}): Promise<Seeded> {
  const key = mode === 'live' ? t.main.liveKey : t.main.testKey
  const call = (method: string, path: string, body?: unknown) => t.call(method, path, { as: key, body })
  const leads = await seedLeads(call)
  const { companies, contacts } = await seedCustomers(call)
  const invoices = await seedInvoices(call, leads)
  const messages = await mapSequentially(recipients, async (last, i) => {
    const body = { from: '+15005550006', to: `+1500555${last}`, body: texts[i % texts.length] }
    return ok(await call('POST', '/v2/messages/sms', body)).messageId as string
  })
  const calls = await mapSequentially(callees, async last => {
    const body = { from: '+15550100001', to: `+1500555${last}`, timeoutSeconds: 5 }
    return ok(await call('POST', '/v2/voice/calls', body)).data.callId as string
  })
  const keys = await mapSequentially(['Website', 'Invoice export'], async (name, i) => {
    const scopes = i === 0 ? ['messages:send', 'messages:read'] : null
    return ok(await call('POST', '/v2/auth/api-keys', { name, mode, scopes })).data.keyId as string
  })
  await refusals(call)
  await t.app.flush()
  const untilCarried = () => untilEnded(call, messages, calls)
  return { mode, leads, companies, contacts, invoices, messages, calls, keys, untilCarried }
}

type Call = (method: string, path: string, body?: unknown) => Promise<Answer>

// biome-ignore lint/suspicious/noExplicitAny: answers of every shape
function ok(answer: Answer): any {
  assert.ok(answer.status < 300, `seeding met ${answer.status}: ${answer.text}`)
  return answer.json
}

async function mapSequentially<In, Out>(
  list: readonly In[],
  work: (item: In, i: number) => Promise<Out>,
): Promise<Out[]> {
  const made: Out[] = []
  for (const [i, item] of list.entries()) made.push(await work(item, i))
  return made
}

/** Companies, and people who belong to them. */
async function seedCustomers(call: Call): Promise<{ companies: string[]; contacts: string[] }> {
  const made = await mapSequentially(customers, async ([name, industry], i) => {
    const body = { name, industry, domain: `customer${i}.example`, annual_revenue: { amount: 125_000.5 * (i + 1) } }
    return ok(await call('POST', '/v1/api/companies', body)).company.id as string
  })
  const contacts = await mapSequentially(names.slice(0, 6), async (name, i) => {
    const body = {
      name,
      emails: [{ value: `contact${i}@example.com`, label: 'work' }, { value: `home${i}@example.com` }],
      phones: [{ value: `+1555010${String(2000 + i)}` }],
      companies: [{ value: made[i % made.length] }],
      addresses: [{ value: { street: 'Alter Markt 3', postal_code: '50667', city: 'Köln', country: 'DE' } }],
      birthday: '1970-02-28',
      language: 'de',
      sms_consent: i % 2 === 0,
    }
    return ok(await call('POST', '/v1/api/contacts', body)).contact.id as string
  })
  return { companies: made, contacts }
}

function seedLeads(call: Call): Promise<number[]> {
  return mapSequentially(names, async (name, i) => {
    const { lead } = ok(
      await call('POST', '/v1/api/leads', {
        name,
        email: i % 6 === 4 ? null : `person${i}@example.com`,
        phone: i % 5 === 3 ? null : `+1555010${String(1000 + i)}`,
        company: companies[i % companies.length],
        priority: priorities[i % priorities.length],
        notes: i % 4 === 0 ? 'Met at the fair.\nWants a call on Tuesday.' : null,
      }),
    )
    for (const step of paths[i % paths.length]!) ok(await call('PATCH', `/v1/api/leads/${lead.id}`, step))
    return lead.id
  })
}

const invoicesAddress = '/v1/api/finance/invoices'

/** Draft, sent, overdue, partly paid, paid, cancelled, twice each. */
function seedInvoices(call: Call, leads: readonly number[]): Promise<number[]> {
  return mapSequentially(Array.from({ length: 12 }), async (_, i) => {
    const kind = i % 6
    const { invoice } = ok(
      await call('POST', invoicesAddress, {
        customer: { name: companies[i % 4], email: 'accounts@example.com' },
        lead_id: leads[i] ?? null,
        ...(kind === 2 ? { due_date: '2025-01-31' } : {}),
        lines: [
          { description: 'Consulting', quantity: 12.5, unit_price: 120, tax_rate: 19 },
          { description: `Licence, ${i + 1} seats`, quantity: i + 1, unit_price: 49.9, tax_rate: 19 },
        ],
      }),
    )
    const act = async (action: string, body?: unknown) =>
      ok(await call('POST', `${invoicesAddress}/${invoice.id}/${action}`, body))
    if (kind >= 1 && kind <= 4) await act('send')
    if (kind === 3) await act('payments', { amount: 100, method: 'bank_transfer', reference: `E2E-${i}` })
    if (kind === 4) await act('payments', { amount: invoice.amount, method: 'card' })
    if (kind === 5) await act('cancel', { reason: 'Ordered twice.' })
    return invoice.id
  })
}

/** So that logs and dashboard have errors of several kinds to show. */
async function refusals(call: Call): Promise<void> {
  const answers = [
    await call('POST', '/v2/messages/sms', { from: 'nobody', to: '+1', body: '' }),
    await call('POST', '/v2/messages/sms', { from: '+15005550006', to: '12345' }),
    await call('GET', '/v1/api/leads/999999999'),
    await call('GET', '/v2/messages/msg_00000000000000000000000000'),
    await call('POST', '/v1/api/leads', { name: '' }),
  ]
  for (const { status, text } of answers) assert.ok(status >= 400 && status < 500, `${status}: ${text}`)
}

/** Sends a text as a program would, to a number that gets it unless `body` says otherwise; its id. */
export async function sendText(t: TestApp, body: object = {}, mode: Mode = 'test'): Promise<string> {
  const as = mode === 'live' ? t.main.liveKey : t.main.testKey
  const whole = { from: '+15005550006', to: '+15005550100', body: 'Hello', ...body }
  const answer = await t.call('POST', '/v2/messages/sms', { as, body: whole })
  assert.equal(answer.status, 200, answer.text)
  return answer.json.messageId
}

/** Asks for a test record until one of its fields has a value; rejects after 15 s. */
export async function untilData(t: TestApp, path: string, field: string, wanted: string): Promise<void> {
  for (let tries = 0; tries < 150; tries++) {
    const { json } = await t.call('GET', path, { as: t.main.testKey })
    if (json.data[field] === wanted) return
    await sleep(100)
  }
  assert.fail(`${field} of ${path} did not come to ${wanted}`)
}

const stillMoving = ['queued', 'sending', 'initiated', 'ringing', 'answered']

async function untilEnded(call: Call, messages: readonly string[], calls: readonly string[]): Promise<void> {
  const addresses = [...messages.map(id => `/v2/messages/${id}`), ...calls.map(id => `/v2/voice/calls/${id}`)]
  // A limit that bounds a hang: beside programs that hold the processors a call of seconds takes many more.
  const deadlineMs = performance.now() + 120_000
  for (const address of addresses) {
    for (;;) {
      const { status, state } = ok(await call('GET', address)).data
      if (!stillMoving.includes(state ?? status)) break
      assert.ok(performance.now() < deadlineMs, `${address} is still ${state ?? status} after two minutes`)
      await sleep(100)
    }
  }
}
