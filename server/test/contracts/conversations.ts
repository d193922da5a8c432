// How the contract test meets the shared inbox.
import { newId } from '../../src/kernel/values/ids.ts'
import { followTenant } from '../../src/modules/conversations/following.ts'
import { receiveInbound } from '../../src/modules/messaging/inbound/jobs.ts'
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp } from '../harness.ts'

const ours = '+15005550006'
const body = 'Monday suits us well.'
let made = 0
const freshPhone = () => `+1303555${String(1_000 + ++made)}`

type Whose = { tenantId: number; organizationId: number; as: string }
const live = (t: TestApp): Whose => ({
  tenantId: t.main.liveTenantId,
  organizationId: t.main.organizationId,
  as: t.main.tokens.Admin,
})
const test = (t: TestApp): Whose => ({
  tenantId: t.main.testTenantId,
  organizationId: t.main.organizationId,
  as: t.main.testKey,
})
const others = (t: TestApp): Whose => ({
  tenantId: t.other.liveTenantId,
  organizationId: t.other.organizationId,
  as: t.other.tokens.Admin,
})

/** A conversation with a number that wrote to one of ours. */
async function conversation(t: TestApp, { tenantId, organizationId, as }: Whose, from = freshPhone(), to = ours) {
  // What there was before is taken in first.
  const mode = tenantId === t.main.testTenantId ? 'test' : 'live'
  // Where the organization has numbers of its own, it answers from one of those.
  await t.call('POST', '/v2/numbers', { as, body: { number: ours } })
  const follow = () => followTenant(t.app.services, { tenantId, organizationId, mode }, () => false)
  await follow()
  await receiveInbound(t.app.services, 'simulator', [{ tenantId, reference: newId('ref'), from, to, body: 'Hello' }])
  await follow()
  const { json } = await t.call('GET', `/v2/conversations?view=all&address=${encodeURIComponent(from)}`, { as })
  return { conversationId: json.data[0].conversationId as string }
}

const withOne = async (t: TestApp): Promise<ContractRequest> => ({ params: await conversation(t, live(t)) })
const foreign = async (t: TestApp): Promise<ContractRequest> => ({ params: await conversation(t, others(t)) })
const not_found = async (): Promise<ContractRequest> => ({ params: { conversationId: newId('cnv') } })

/** One that has an e-mail address, too. */
async function withMail(t: TestApp, whose = live(t)): Promise<ContractRequest> {
  const phone = freshPhone()
  await t.call('POST', '/v1/api/leads', {
    as: whose.as,
    body: { name: 'Ada', phone, email: `ada${made}@contract.example` },
  })
  await t.ownerSql('delete from mail_rates')
  return { params: await conversation(t, whose, phone) }
}

async function answered(t: TestApp, path: 'texts' | 'mails'): Promise<ContractRequest> {
  const request = await withMail(t)
  const sent = { body, lastSeenItemId: newId('msg') }
  await t.call('POST', `/v2/conversations/${request.params!['conversationId']}/texts`, {
    as: t.main.tokens.Admin,
    body: sent,
  })
  const asked = { ...(path === 'texts' ? { body } : { text: body, subject: 'Monday' }), lastSeenItemId: null }
  return { ...request, body: asked }
}

async function unknownByMail(t: TestApp): Promise<ContractRequest> {
  const whose = live(t)
  const from = `stranger${++made}@contract.example`
  const rawBody = `From: <${from}>\r\nTo: office@example.com\r\nSubject: Hi\r\nDate: Sat, 21 Nov 2026 09:12:00 +0000\r\nMessage-ID: <${from}>\r\n\r\nHello.\r\n`
  await t.call('POST', '/v2/mail/inbound', { as: whose.as, headers: { 'content-type': 'message/rfc822' }, rawBody })
  await followTenant(t.app.services, { ...whose, mode: 'live' }, () => false)
  const { json } = await t.call('GET', `/v2/conversations?view=all&address=${from}`, { as: whose.as })
  return { params: { conversationId: json.data[0].conversationId } }
}

/** The simulator refuses what goes to these numbers. */
const refusedBySimulator =
  (last: string) =>
  async (t: TestApp): Promise<ContractRequest> => {
    const params = await conversation(t, test(t), `+1500555${last}`)
    // An earlier test may have answered it.
    return { as: t.main.testKey, params, body: { body, lastSeenItemId: newId('msg') } }
  }

async function inTest(t: TestApp, more: object, from = freshPhone()): Promise<ContractRequest> {
  return {
    as: t.main.testKey,
    params: await conversation(t, test(t), from),
    body: { body, lastSeenItemId: newId('msg'), ...more },
  }
}

async function duplicate(t: TestApp): Promise<ContractRequest> {
  const as = t.main.testKey
  const number = `+4915113${String(340_000 + ++made)}`
  const { json } = await t.call('POST', '/v2/numbers', { as, body: { number } })
  const service = { name: newId('x'), senders: [json.data.numberId], duplicateWindow: 3600 }
  await t.call('POST', '/v2/messages/services', { as, body: service })
  const phone = freshPhone()
  await t.call('POST', '/v2/messages/sms', { as, body: { from: number, to: phone, body } })
  return inTest(t, { from: number }, phone)
}

export const contract: ModuleContract = {
  'conversations.list': {},
  'conversations.counts': {},
  'conversations.get': { prepare: withOne, problems: { not_found }, foreign },
  'conversations.items': { prepare: withOne, problems: { not_found }, foreign },
  'conversations.update': { prepare: withOne, problems: { not_found }, foreign },
  'conversations.read': { prepare: withOne, problems: { not_found }, foreign },
  'conversations.presence': { prepare: withOne, problems: { not_found }, foreign },
  'conversations.attach': {
    prepare: withOne,
    problems: {
      not_found,
      record_not_found: async t => ({ ...(await withOne(t)), body: { recordId: 'lead:999999999' } }),
      conversation_has_record: async t => withMail(t),
    },
    foreign,
  },
  'conversations.write_note': { prepare: withOne, problems: { not_found }, foreign },
  'conversations.reply_by_mail': {
    prepare: t => withMail(t),
    problems: {
      not_found,
      conversation_answered: t => answered(t, 'mails'),
      conversation_not_reachable: withOne,
      mail_too_large: async t => {
        const request = await withMail(t)
        const content = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64')
        const attachments = [{ fileName: 'large.bin', mediaType: 'application/octet-stream', content }]
        return { ...request, body: { text: 'Large.', subject: 'Large', lastSeenItemId: null, attachments } }
      },
      mail_rate_reached: async t => {
        const request = await withMail(t, others(t))
        await t.ownerSql(
          `insert into mail_rates (tenant_id, is_urgent, minute, minute_count, day, day_count)
           select id, false, now(), 0, (now() at time zone 'UTC')::date, 2000 from tenants where mode = 'live' and organization_id = $1`,
          [t.other.organizationId],
        )
        return { ...request, as: t.other.tokens.Admin }
      },
    },
    foreign,
  },
  'conversations.reply_by_text': {
    prepare: withOne,
    problems: {
      not_found,
      conversation_answered: t => answered(t, 'texts'),
      conversation_not_reachable: unknownByMail,
      invalid_from_number: t => inTest(t, { from: '1234567890123456789012345' }),
      body_too_long: t => inTest(t, { body: '月'.repeat(1_000) }),
      no_route: refusedBySimulator('0002'),
      destination_not_allowed: refusedBySimulator('0003'),
      destination_premium: t => inTest(t, {}, '+19005551234'),
      daily_spend_exceeded: async t => ({
        ...(await inTest(t, {})),
        as: (await keyWithPolicy(t, { dailySpend: [{ currency: 'USD', amount: '0' }] })).secret,
      }),
      recipient_opted_out: refusedBySimulator('0004'),
      sender_not_owned: refusedBySimulator('0007'),
      sender_queue_full: refusedBySimulator('0008'),
      sender_not_capable: t => inTest(t, { from: '+15005550009' }),
      duplicate_suppressed: duplicate,
    },
    foreign,
  },
}
