// For tests of the inbox: what comes in, and conversations that have followed it.
import assert from 'node:assert/strict'
import { followTenant } from '../src/modules/conversations/following.ts'
import { receiveInbound } from '../src/modules/messaging/inbound/jobs.ts'
import type { TestApp } from './harness.ts'

export const ours = '+15005550006'

let made = 0
/** A number that nobody has yet. */
export const freshPhone = () => `+1202555${String(1_000 + ++made)}`

/** The shared inbox of the first organization in live mode. */
export function inboxOf(t: TestApp) {
  const tenantId = t.main.liveTenantId
  const tenant = { tenantId, organizationId: t.main.organizationId, mode: 'live' as const }
  const admin = () => t.main.tokens.Admin

  /**
   * Until all that is committed is taken in, by us or by a worker: the first who holds the position may have read before the commit, who
   * holds it behind that one has not.
   */
  async function follow(): Promise<void> {
    for (const _ of ['before', 'behind']) {
      await followTenant(t.app.services, tenant, () => false)
      await t.sql('select from conversation_positions where tenant_id = $1 for update', [tenantId])
    }
  }

  const call = (method: string, path: string, body?: object, as = admin(), headers: Record<string, string> = {}) =>
    t.call(method, path, { as, headers, ...(body && { body }) })

  async function data(method: string, path: string, body?: object, as = admin()) {
    const answer = await call(method, path, body, as)
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
    return answer.json.data
  }

  let texts = 0
  /** A text that comes in, and its conversation. */
  async function receive(from: string, body: string, to = ours) {
    await receiveInbound(t.app.services, 'simulator', [{ tenantId, reference: `inbox${++texts}`, from, to, body }])
    await follow()
  }

  async function conversationWith(address: string, as = admin()) {
    await follow()
    const [found] = await data(
      'GET',
      `/v2/conversations?view=all&address=${encodeURIComponent(address)}`,
      undefined,
      as,
    )
    return found
  }

  const items = (id: string, as = admin()) => data('GET', `/v2/conversations/${id}/items`, undefined, as)

  async function lead(body: object, as = admin()): Promise<string> {
    const { json, text } = await call('POST', '/v1/api/leads', { name: 'Ada Lovelace', ...body }, as)
    assert.ok(json.lead, text)
    return `lead:${json.lead.id}`
  }

  return { tenant, follow, call, data, receive, conversationWith, items, lead }
}
