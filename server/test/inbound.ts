// For tests of what comes in: texts and parts as a carrier delivers them, and what can be seen of them afterwards.
import assert from 'node:assert/strict'
import { after, beforeEach } from 'node:test'
import type { InboundMessage } from '../src/modules/messaging/carrier.ts'
import { receiveInbound } from '../src/modules/messaging/inbound/jobs.ts'
import { startTestApp } from './harness.ts'

export const carrier = 'simulator'

export const ours = '+15005550006'

export const theirs = '+4915123456789'

type Shown = {
  body: string
  direction: string
  partial: boolean
  segments: number
  serviceId: string | null
  to: string
}

/** What a file of tests begins with: an application whose first organization has got nothing yet, before each test. */
export async function startInbound() {
  const t = await startTestApp()
  after(() => t.close())
  beforeEach(async () => {
    await t.ownerSql(
      'truncate messages, message_jobs, inbound_parts, opt_outs, leads, noun_counts, changes, events cascade',
    )
    // By name, so that anyone who keeps them in memory hears of it.
    await t.ownerSql('delete from numbers')
    await t.ownerSql('delete from messaging_services')
  })

  let reported = 0

  function text(body: string, more: Partial<InboundMessage> = {}): InboundMessage {
    return { tenantId: t.main.testTenantId, reference: `r${++reported}`, from: theirs, to: ours, body, ...more }
  }

  /** The parts of one message, each with an id of its own. */
  function parts(texts: string[], more: Partial<InboundMessage> = {}, reference = 7): InboundMessage[] {
    return texts.map((body, index) =>
      text(body, { ...more, part: { reference, part: index + 1, total: texts.length } }),
    )
  }

  const receive = (...batch: InboundMessage[]) => receiveInbound(t.app.services, carrier, batch)

  async function call(method: string, path: string, body?: unknown, as = t.main.testKey) {
    const answer = await t.call(method, path, { as, ...(body === undefined ? {} : { body }) })
    assert.ok(answer.status < 300, answer.text)
    return answer.json.data
  }

  /** What came in, oldest first. */
  async function inbox(as = t.main.testKey): Promise<Shown[]> {
    return (await call('GET', '/v2/messages?limit=200&direction=inbound', undefined, as)).toReversed()
  }

  const bodies = async () => (await inbox()).map(message => message.body)

  /** What was answered, oldest first. */
  async function answers(): Promise<string[]> {
    const sent: Shown[] = await call('GET', '/v2/messages?limit=200&direction=outbound')
    return sent.toReversed().map(message => message.body)
  }

  async function eventTypes(like = '%'): Promise<string[]> {
    const rows = await t.sql<{ type: string }>(
      "select type from event_log where tenant_id = $1 and type like $2 and type <> 'message.queued' order by id",
      [t.main.testTenantId, like],
    )
    return rows.map(row => row.type)
  }

  return { t, text, parts, receive, call, inbox, bodies, answers, eventTypes }
}
