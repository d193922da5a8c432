// Fills the first organization with the demo company: its people, keys, leads, companies, contacts, invoices, messages and calls. All of
// it is one transaction, together with the event that says it was done: killed half-way, nothing is there, and the
// next start does it again; once it is there, nothing is ever added.

import { asEngine } from '../kernel/boot/instance.ts'
import type { ConnectionOptions, Scope } from '../kernel/data/db.ts'
import { connectClient } from '../kernel/data/session.ts'
import type { Log } from '../kernel/observe/log.ts'
import { newId } from '../kernel/values/ids.ts'
import type { Keyring } from '../kernel/values/keyring.ts'
import { makeCalls, makeTestCalls } from './call_stories.ts'
import { fillCalls } from './fill_calls.ts'
import { fillConversations } from './fill_conversations.ts'
import { fillInvoices } from './fill_invoices.ts'
import { fillLeads } from './fill_leads.ts'
import { fillMessages } from './fill_messages.ts'
import { fillRecords, tagNames } from './fill_records.ts'
import {
  companyName,
  type DemoKey,
  type DemoLogin,
  type DemoUser,
  insertKeys,
  insertUsers,
  listLogins,
  newLogins,
} from './fill_users.ts'
import { makeInboxTexts } from './inbox_stories.ts'
import { makeCustomers, makeInvoices } from './invoice_stories.ts'
import { makeLeads, type SalesTeam } from './lead_stories.ts'
import { makeMessages, makeTestMessages } from './message_stories.ts'
import { foundTown } from './people.ts'
import { makeRecords, type RecordStories } from './record_stories.ts'
import { type DemoTransaction, insertEvents, transactionOf } from './transaction.ts'

const leadCount = 2_000
const invoiceCount = 5_000
const testMessageCount = 48
const testCallCount = 36

/**
 * An organization with more leads, companies, contacts or invoices than this is at work: made-up ones among them could never be
 * distinguished.
 */
const maxOfItsOwn = 100

/** How much was made of what. */
export type DemoCounts = Record<
  'users' | 'leads' | 'companies' | 'contacts' | 'notes' | 'tasks' | 'invoices' | 'payments' | 'messages' | 'calls',
  number
>

/** What is there to work with: made now, there from before, or not there with a reason. */
export type Demo =
  | { outcome: 'filled'; company: string; counts: DemoCounts; logins: DemoLogin[]; keys: DemoKey[]; durationMs: number }
  | { outcome: 'there'; company: string; logins: DemoLogin[] }
  | { outcome: 'declined' | 'failed'; why: string }

export type DemoOptions = {
  /** A connection that may act as the engine and as the application. */
  owner: ConnectionOptions
  keyring: Keyring
  clock: { now(): number }
  log: Log
}

/** The same for a server that starts: it runs without demo data rather than not at all. */
export async function offerDemo(options: DemoOptions): Promise<Demo> {
  try {
    return await fillDemo(options)
  } catch (error) {
    options.log.error({ err: error }, 'filling the organization with demo data failed')
    return { outcome: 'failed', why: 'filling the organization failed, and left nothing behind; the log says why' }
  }
}

/**
 * Fills the first organization, unless that was done before or it has many records of its own. Safe on several nodes at
 * once: one does it, the others find it done.
 */
export async function fillDemo({ owner, keyring, clock, log }: DemoOptions): Promise<Demo> {
  const began = clock.now()
  const demo = await asEngine(owner, async (client): Promise<Demo> => {
    await client.query("set local timezone = 'UTC'")
    await client.query("select pg_advisory_xact_lock(hashtext('tandem demo'))")
    const transaction = transactionOf(client)
    const organization = await firstOrganization(transaction)
    const done = await findDone(transaction, organization)
    if (done !== undefined) {
      const logins = await listLogins(transaction, organization.id, done.userIds, keyring)
      return { outcome: 'there', company: organization.name, logins }
    }
    const why = await reasonAgainst(transaction, organization)
    if (why !== undefined) return { outcome: 'declined', why }
    return { outcome: 'filled', ...(await fill(transaction, organization, keyring, began)), durationMs: 0 }
  })
  if (demo.outcome !== 'filled') return demo
  await refreshStatistics(owner, log)
  const durationMs = clock.now() - began
  log.info({ ...demo.counts, durationMs }, 'filled the first organization with demo data')
  return { ...demo, durationMs }
}

type Organization = {
  id: number
  name: string
  time_zone: string
  invoice_numbering: 'on_create' | 'on_issue'
  version: number
  live_id: number
  test_id: number
}

async function firstOrganization(transaction: DemoTransaction): Promise<Organization> {
  const rows = await transaction.asEngine<Organization>(
    `select o.id, o.name, o.time_zone, o.invoice_numbering, o.version,
       (select id from tenants where organization_id = o.id and mode = 'live') as live_id,
       (select id from tenants where organization_id = o.id and mode = 'test') as test_id
     from organizations o order by o.id limit 1`,
  )
  return rows[0] as Organization
}

function scopesOf({ id, live_id, test_id }: Organization): Record<'live' | 'test', Scope> {
  return { live: { organizationId: id, tenantId: live_id }, test: { organizationId: id, tenantId: test_id } }
}

const doneType = 'organization.demo_filled'

/** What the event of an earlier fill contains. */
async function findDone(
  transaction: DemoTransaction,
  organization: Organization,
): Promise<{ userIds: number[] } | undefined> {
  const rows = await transaction.inTenant<{ data: { userIds: number[] } }>(
    scopesOf(organization).live,
    'select data from events where tenant_id = $1 and resource_id = $2 and type = $3 limit 1',
    [organization.live_id, String(organization.id), doneType],
  )
  return rows[0]?.data
}

/** Why the organization must be left alone. */
async function reasonAgainst(transaction: DemoTransaction, organization: Organization): Promise<string | undefined> {
  const { live } = scopesOf(organization)
  const tables = ['leads', 'companies', 'contacts', 'invoices']
  const rows = await transaction.inTenant<{ count: number }>(
    live,
    tables
      .map(table => `select count(*) from (select from ${table} where tenant_id = $1 limit $2) r`)
      .join(' union all '),
    [live.tenantId, maxOfItsOwn + 1],
  )
  if (rows.every(({ count }) => count <= maxOfItsOwn)) return undefined
  return `${organization.name} holds records of its own, among which made-up ones would stay for good`
}

async function fill(transaction: DemoTransaction, organization: Organization, keyring: Keyring, nowMs: number) {
  // Ids are made in the order of time within a minute: all of the past come after one of the present.
  const doneId = newId('evt', nowMs)
  const scopes = scopesOf(organization)
  const { live } = scopes
  await nameCompany(transaction, organization)
  const users = await insertUsers(transaction, live, keyring, nowMs)
  const admin = users.find(user => user.role === 'Admin') as DemoUser
  const keys = await insertKeys(transaction, scopes, keyring, admin.id, nowMs)

  const town = foundTown()
  const leads = makeLeads(leadCount, nowMs, town, teamOf(users))
  const customers = makeCustomers(leads, nowMs, town)
  const records = makeRecords(leads, customers, nowMs, {
    tenantId: live.tenantId,
    timeZone: organization.time_zone,
    team: teamOf(users),
    takenTags: await tagNames(transaction, live),
  })
  await fillRecords(transaction, live, records)
  const leadIds = await fillLeads(transaction, live, leads, records.links)
  const books = { timeZone: organization.time_zone, numbering: organization.invoice_numbering, leadIds }
  const invoices = await fillInvoices(
    transaction,
    live,
    makeInvoices(invoiceCount, nowMs, customers, books.timeZone),
    books,
    nowMs,
  )

  const colleagues = new Map(users.map(user => [user.id, user.name.split(' ')[0] as string]))
  const written = makeMessages(nowMs, { leads, leadIds, invoices, colleagues })
  const messages = [...written, ...makeInboxTexts(nowMs, leads)].sort((a, b) => a.atMs - b.atMs)
  const testMessages = makeTestMessages(testMessageCount, nowMs)
  await fillMessages(transaction, live, 'live', messages)
  await fillMessages(transaction, scopes.test, 'test', testMessages)
  const calls = makeCalls(nowMs, { leads, leadIds, invoices })
  const testCalls = makeTestCalls(testCallCount, nowMs)
  await fillCalls(transaction, live, calls)
  await fillCalls(transaction, scopes.test, testCalls)
  await fillConversations(transaction, live, teamOf(users), nowMs)

  const counts: DemoCounts = {
    users: users.length,
    leads: leads.length,
    companies: createdOf(records, 'company'),
    contacts: createdOf(records, 'contact'),
    notes: createdOf(records, 'note'),
    tasks: createdOf(records, 'task'),
    invoices: invoices.length,
    payments: invoices.reduce((sum, { story }) => sum + story.steps.filter(step => step.kind === 'payment').length, 0),
    messages: messages.length + testMessages.length,
    calls: calls.length + testCalls.length,
  }
  const data = JSON.stringify({ ...counts, userIds: users.map(user => user.id) })
  const resourceId = String(organization.id)
  await insertEvents(transaction, live, [{ id: doneId, type: doneType, resourceId, sequence: 1, atMs: nowMs, data }])
  return { company: companyName, counts, logins: newLogins(users, keyring), keys }
}

const createdOf = ({ writes }: RecordStories, one: string) =>
  writes.filter(({ noun, before }) => before === undefined && noun.spec.names[0] === one).length

/** An organization that nobody has named yet gets the name of the demo company. */
async function nameCompany(transaction: DemoTransaction, { id, version }: Organization): Promise<void> {
  if (version !== 1) return
  await transaction.asEngine(
    'update organizations set name = $2, version = version + 1, updated_at = now() where id = $1',
    [id, companyName],
  )
}

function teamOf(users: readonly DemoUser[]): SalesTeam {
  const ids = (role: DemoUser['role'], left = false) =>
    users.filter(user => user.role === role && user.left === left).map(user => user.id)
  return {
    admin: ids('Admin')[0] as number,
    managers: ids('Sales Manager'),
    executives: ids('Sales Executive'),
    former: ids('Sales Executive', true)[0] as number,
  }
}

const filledTables =
  'leads, companies, contacts, notes, tasks, record_keys, record_tags, changes, noun_counts, noun_words, invoices, invoice_lines, payments, messages, calls, conversations, events, users'

/** Plans for the tables as they are now, not as they were when they were empty. Without it they are only slower. */
async function refreshStatistics(owner: ConnectionOptions, log: Log): Promise<void> {
  try {
    const client = await connectClient(owner)
    await client.query(`analyze ${filledTables}`).finally(() => client.end())
  } catch (error) {
    log.warn({ err: error }, 'the statistics of the demo data could not be refreshed')
  }
}
