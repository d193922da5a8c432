// How the contract test meets the endpoints of text messages.

import { newId } from '../../src/kernel/values/ids.ts'
import type { ModuleContract } from '../contract_types.ts'
import { keyWithPolicy } from '../destinations.ts'
import type { TestApp } from '../harness.ts'

const from = '+15005550006'
const to = '+15005550100'
const premium = '+19005551234'
const text = 'Your table is ready.'
/** Digits only, and more than any number has: no country makes it one. */
const noNumber = '1234567890123456789012345'

async function sent(t: TestApp, as: string): Promise<string> {
  const { json } = await t.call('POST', '/v2/messages/sms', { as, body: { from, to, body: text } })
  return json.messageId
}

/** Fixed outcomes belong to the test tenant. */
const refusedBySimulator = (last: string) => async (t: TestApp) => ({
  as: t.main.testKey,
  body: { from, to: `+1500555${last}`, body: text },
})

/** A message that waits for tomorrow. */
async function scheduled(t: TestApp, as: string): Promise<string> {
  const sendAt = new Date(Date.now() + 24 * 3_600_000).toISOString()
  const { json } = await t.call('POST', '/v2/messages/sms', { as, body: { from, to, body: text, sendAt } })
  return json.messageId
}

async function canceled(t: TestApp, as: string): Promise<string> {
  const messageId = await scheduled(t, as)
  await t.call('POST', `/v2/messages/${messageId}/cancel`, { as })
  return messageId
}

/** A message that came in. */
async function received(t: TestApp): Promise<string> {
  const body = { from: to, to: from, body: text }
  const { json } = await t.call('POST', '/v2/test/inbound', { as: t.main.testKey, body })
  return json.data.messageId
}

/** A messaging service of the test tenant, with or without a sender. */
async function service(t: TestApp, more: object = {}): Promise<string> {
  const { json } = await t.call('POST', '/v2/messages/services', {
    as: t.main.testKey,
    body: { name: `Service ${newId('x')}`, ...more },
  })
  return json.data.serviceId
}

let senders = 0
async function ownNumber(t: TestApp): Promise<{ numberId: string; number: string }> {
  const { json } = await t.call('POST', '/v2/numbers', {
    as: t.main.testKey,
    body: { number: `+4915112${String(340_000 + senders++)}` },
  })
  return json.data
}

export const contract: ModuleContract = {
  'messages.sms.send': {
    problems: {
      invalid_from_number: async () => ({ body: { from: noNumber, to, body: text } }),
      invalid_to_number: async () => ({ body: { from, to: noNumber, body: text } }),
      body_too_long: async () => ({ body: { from, to, body: '月'.repeat(1_000) } }),
      invalid_callback_url: async () => ({
        body: { from, to, body: text, callbackUrl: 'http://169.254.169.254/meta' },
      }),
      no_route: refusedBySimulator('0002'),
      destination_not_allowed: refusedBySimulator('0003'),
      destination_premium: async () => ({ body: { from, to: premium, body: text } }),
      daily_spend_exceeded: async t => ({
        as: (await keyWithPolicy(t, { dailySpend: [{ currency: 'USD', amount: '0' }] })).secret,
      }),
      recipient_opted_out: refusedBySimulator('0004'),
      sender_not_owned: refusedBySimulator('0007'),
      sender_queue_full: refusedBySimulator('0008'),
      sender_not_capable: async t => ({ as: t.main.testKey, body: { from: '+15005550009', to, body: text } }),
      invalid_schedule: async () => ({ body: { from, to, body: text, sendAt: '2020-01-01T00:00:00Z' } }),
      service_not_found: async () => ({ body: { serviceId: newId('msv'), to, body: text } }),
      service_without_senders: async t => ({
        as: t.main.testKey,
        body: { serviceId: await service(t), to, body: text },
      }),
      duplicate_suppressed: async t => {
        const { numberId, number } = await ownNumber(t)
        await service(t, { senders: [numberId], duplicateWindow: 3600 })
        const body = { from: number, to, body: 'Only once.' }
        await t.call('POST', '/v2/messages/sms', { as: t.main.testKey, body })
        return { as: t.main.testKey, body }
      },
    },
  },
  'messages.sms.batch': { problems: {} },
  'messages.preview': {
    problems: {
      invalid_from_number: async () => ({ body: { from: noNumber, to, body: text } }),
      invalid_to_number: async () => ({ body: { from, to: noNumber, body: text } }),
      service_not_found: async () => ({ body: { serviceId: newId('msv'), to, body: text } }),
      service_without_senders: async t => ({
        as: t.main.testKey,
        body: { serviceId: await service(t), to, body: text },
      }),
      no_route: refusedBySimulator('0002'),
      destination_not_allowed: refusedBySimulator('0003'),
      destination_premium: async () => ({ body: { from, to: premium, body: text } }),
      sender_not_owned: refusedBySimulator('0007'),
      sender_not_capable: async t => ({ as: t.main.testKey, body: { from: '+15005550009', to, body: text } }),
    },
  },
  'messages.cancel': {
    prepare: async t => ({ params: { messageId: await scheduled(t, t.main.tokens.Admin) } }),
    problems: {
      not_found: async () => ({ params: { messageId: newId('msg') } }),
      not_cancelable: async t => ({ as: t.main.testKey, params: { messageId: await received(t) } }),
    },
    foreign: async t => ({ params: { messageId: await scheduled(t, t.other.tokens.Admin) } }),
  },
  'messages.redact': {
    prepare: async t => ({ params: { messageId: await canceled(t, t.main.tokens.Admin) } }),
    problems: {
      not_found: async () => ({ params: { messageId: newId('msg') } }),
      invalid_transition: async t => ({ params: { messageId: await scheduled(t, t.main.tokens.Admin) } }),
    },
    foreign: async t => ({ params: { messageId: await canceled(t, t.other.tokens.Admin) } }),
  },
  'messages.get': {
    prepare: async t => ({ params: { messageId: await sent(t, t.main.tokens.Admin) } }),
    problems: { not_found: async () => ({ params: { messageId: newId('msg') } }) },
    foreign: async t => ({ params: { messageId: await sent(t, t.other.tokens.Admin) } }),
  },
}
