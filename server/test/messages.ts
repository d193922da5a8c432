// What the tests of messaging share: a way to do each step of a message's life by hand (claim, answer, receipt, settle) as
// any number of processes would, and carriers, links, numbers and services made by inserting their rows.
import assert from 'node:assert/strict'
import { after, beforeEach } from 'node:test'
import type { Db } from '../src/kernel/data/db.ts'
import { newId } from '../src/kernel/values/ids.ts'
import type { PartResult, Receipt } from '../src/modules/messaging/carrier.ts'
import { forgetDirectory } from '../src/modules/messaging/directory.ts'
import { claimMoves, receiveLateAnswers, receiveReceipts } from '../src/modules/messaging/sms/jobs.ts'
import { settleRoutes } from '../src/modules/messaging/sms/receipt_store.ts'
import type { RouteMemory } from '../src/modules/messaging/sms/route_memory.ts'
import { movesOf, outcomeOf, partsOf } from '../src/modules/messaging/sms/rules.ts'
import {
  type ClaimedRow,
  type Conclusion,
  claimMessages,
  concludeMessages,
} from '../src/modules/messaging/sms/store.ts'
import { startTestApp, type TestApp } from './harness.ts'

export const sender = '+15005550006'
export const recipient = '+15005550999'

/** A text of `count` segments in GSM-7. */
export const longText = (count: number, letter = 'a') => letter.repeat(count === 1 ? 10 : 153 * (count - 1) + 10)

type Answer = PartResult extends infer Result ? (Result extends PartResult ? Omit<Result, 'part'> : never) : never

export const taken = (carrierMessageId: string): Answer => ({ outcome: 'accepted', carrierMessageId })
export const throttled: Answer = { outcome: 'throttled', retryAfterMs: 0 }
export const refused: Answer = { outcome: 'refused', code: 'unknown_subscriber' }
export const unknown: Answer = { outcome: 'unknown' }

const concludeMoves = movesOf(
  ...(['accepted', 'throttled', 'refused', 'answer_lost', 'asked_again'] as const),
  ...(['receipt_delivered', 'receipt_undelivered', 'receipt_expired', 'receipt_missing'] as const),
)

/** What these messages came to by what a carrier answered to each part. */
export function conclusionsOf(
  rows: readonly ClaimedRow[],
  answer: (row: ClaimedRow, part: number) => Answer,
): Conclusion[] {
  return rows.map(row => {
    const parts = partsOf(row).map(part => ({ part, ...answer(row, part) }) as PartResult)
    const outcome = outcomeOf(parts, { attempt: row.attempt, resend: row.resend })
    return { tenantId: row.tenant_id, id: row.id, attempt: row.attempt, segments: row.segments, ...outcome, parts }
  })
}

export type Steps = ReturnType<typeof stepsOf>

/**
 * What a file of tests begins with: an application that runs no queues itself, and the steps on its database. Before each test
 * nothing waits and nobody is known; after the last the application ends.
 */
export async function startSteps(mode: 'live' | 'test' = 'test') {
  const t = await startTestApp()
  const s = stepsOf(t, mode)
  after(() => t.close())
  beforeEach(() => s.clear())
  return { t, s }
}

/** Steps on the database of an app that runs no queues itself, in the test mode unless `mode` says live. */
export function stepsOf(t: TestApp, mode: 'live' | 'test' = 'test') {
  const db: Db = t.app.services.db
  const as = mode === 'live' ? t.main.liveKey : t.main.testKey
  const tenantId = mode === 'live' ? t.main.liveTenantId : t.main.testTenantId

  function post(body: object = {}, headers: Record<string, string> = {}) {
    const whole = { from: sender, to: recipient, body: 'Hello', ...body }
    return t.call('POST', '/v2/messages/sms', { as, headers, body: whole })
  }

  return {
    db,
    as,
    tenantId,
    post,
    conclusionsOf,

    async send(body: object = {}): Promise<string> {
      const answer = await post(body)
      assert.equal(answer.status, 200, answer.text)
      return answer.json.messageId
    },

    /** The problem code of a refused message, with the status: `403 sender_not_owned`. */
    async refusal(body: object = {}): Promise<string> {
      const { status, json } = await post(body)
      return `${status} ${json.error?.code}`
    },

    async read(id: string) {
      const answer = await t.call('GET', `/v2/messages/${id}`, { as })
      assert.equal(answer.status, 200, answer.text)
      const { data } = answer.json
      return {
        ...data,
        path: data.history.map((entry: { status: string }) => entry.status).join(' '),
        states: data.parts.map((part: { state: string }) => part.state).join(' '),
      }
    },

    /** Begins what is due, as a process whose lease is `token` does. */
    claim(token: string, { carrier = 'simulator', limit = 200, leaseMs = 60_000 } = {}): Promise<ClaimedRow[]> {
      return claimMessages(db, carrier, { token, limit, leaseMs, moves: claimMoves })
    },

    /** Writes down what a carrier answered to each part of these messages. */
    conclude(
      token: string | null,
      rows: readonly ClaimedRow[],
      answer: (row: ClaimedRow, part: number) => Answer,
      { carrier = 'simulator', receiptTimeoutMs = 60_000, leases = [] as string[] } = {},
    ): Promise<number> {
      const tokens = token === null ? [] : [token]
      const options = { tokens, leases, receiptTimeoutMs, moves: concludeMoves }
      return concludeMessages(db, carrier, conclusionsOf(rows, answer), options)
    },

    /** As `conclude`, as the process does that holds the links of the carrier and keeps routes in memory. */
    async concludeHolding(
      routes: RouteMemory,
      rows: readonly ClaimedRow[],
      answer: (row: ClaimedRow, part: number) => Answer,
      { token = 'lease', receiptTimeoutMs = 60_000, before = async () => {} } = {},
    ): Promise<void> {
      const conclusions = conclusionsOf(rows, answer)
      for (const conclusion of conclusions) routes.hold(conclusion, receiptTimeoutMs)
      await routes.write(conclusions, async begins => {
        await before()
        const options = { tokens: [token], receiptTimeoutMs, moves: concludeMoves, holding: { begins } }
        await concludeMessages(db, 'simulator', conclusions, options)
      })
    },

    late(row: ClaimedRow, part: number, answer: Answer, carrier = 'simulator'): Promise<void> {
      const result = { part, ...answer } as PartResult
      const { tenant_id, id, attempt, segments } = row
      return receiveLateAnswers(db, carrier, [{ tenantId: tenant_id, messageId: id, attempt, segments, result }])
    },

    receive(
      carrierMessageId: string,
      more: Partial<Receipt> = {},
      carrier = 'simulator',
      routes?: RouteMemory,
    ): Promise<void> {
      return receiveReceipts(db, carrier, [{ tenantId, carrierMessageId, status: 'delivered', ...more }], routes)
    },

    settle: (on = db) => settleRoutes(on, { lateMs: 60_000, moves: concludeMoves }),

    /** Lets everything that waits for its time be due. */
    async ripen(table: 'message_jobs' | 'message_routes'): Promise<void> {
      await t.ownerSql(`update ${table} set due_at = now() - interval '1 second'`)
    },

    jobs: () =>
      t.sql<{ carrier: string; ids: string[]; lease_token: string | null; seconds: number }>(
        `select carrier, message_ids as ids, lease_token, extract(epoch from due_at - clock_timestamp())::float8 as seconds
         from message_jobs order by due_at, id`,
      ),

    async addCarrier(
      id: string,
      routes: { prefix: string; priority?: number; cost?: string }[],
      { enabled = true, currency = 'EUR', up = true } = {},
    ): Promise<void> {
      const whole = routes.map(route => ({ priority: 10, cost: '0.01', ...route }))
      await t.ownerSql(
        `insert into carriers (tenant_id, id, kind, name, settings, routes, currency, enabled, updated_at)
         values ($1, $2, 'smpp', $2, '{}', $3, $4, $5, now() - interval '1 hour')`,
        [tenantId, id, JSON.stringify(whole), currency, enabled],
      )
      if (up) await this.link(id, 'up')
      forgetDirectory(db, tenantId)
    },

    /** What the owner of a carrier's link reported last, some seconds ago. */
    async link(
      carrier: string,
      state: string,
      { role = 'transceiver', ageSeconds = 0, sinceSeconds = 3_600 } = {},
    ): Promise<void> {
      await t.ownerSql(
        `insert into carrier_links (tenant_id, carrier_id, link, role, state, state_since, owner, counters, updated_at)
         values ($1, $2, 0, $3, $4, now() - make_interval(secs => $6), 'test', '{}',
           clock_timestamp() - make_interval(secs => $5))
         on conflict (tenant_id, carrier_id, link) do update set state = excluded.state, role = excluded.role,
           state_since = excluded.state_since, updated_at = excluded.updated_at`,
        [tenantId, carrier, role, state, ageSeconds, sinceSeconds],
      )
    },

    /** A sender: a long code unless `kind` says otherwise. */
    async addNumber(address: string, more: Record<string, string | number | boolean | null> = {}): Promise<void> {
      const row = {
        tenant_id: tenantId,
        id: newId('num'),
        kind: 'long_code',
        address,
        sms: true,
        voice: false,
        created_at: new Date().toISOString(),
        updated_at: new Date().toISOString(),
        ...more,
      }
      const names = Object.keys(row)
      await t.ownerSql(
        `insert into numbers (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
        Object.values(row),
      )
      forgetDirectory(db, tenantId)
    },

    async addService(more: Record<string, string | number | boolean | null> = {}): Promise<string> {
      const id = newId('msv')
      const now = new Date().toISOString()
      const row = {
        tenant_id: tenantId,
        id,
        name: 'Service',
        keywords: '[]',
        created_at: now,
        updated_at: now,
        ...more,
      }
      const names = Object.keys(row)
      await t.ownerSql(
        `insert into messaging_services (${names.join(', ')}) values (${names.map((_, n) => `$${n + 1}`).join(', ')})`,
        Object.values(row),
      )
      forgetDirectory(db, tenantId)
      return id
    },

    async optOut(scope: string, to = recipient): Promise<void> {
      await t.ownerSql(
        `insert into opt_outs (tenant_id, id, scope, recipient, source, created_at) values ($1, $2, $3, $4, 'api', now())`,
        [tenantId, newId('opt'), scope, to],
      )
    },

    /** Changes senders or carriers, which this node then reads again. */
    async change(text: string, values: unknown[] = []): Promise<void> {
      await t.ownerSql(text, values)
      forgetDirectory(db, tenantId)
    },

    /** Nothing waits, nobody is known: each test begins there. */
    async clear(): Promise<void> {
      await t.ownerSql(
        `truncate messages, message_segments, message_jobs, message_routes, route_marks, sender_pace, service_contacts, message_references, opt_outs;
         delete from numbers; delete from carriers; delete from messaging_services`,
      )
      forgetDirectory(db, tenantId)
    },
  }
}
