// How the contract test meets the endpoints of text messages.
import type { ModuleContract } from '../../../../test/contract_types.ts'
import type { TestApp } from '../../../../test/harness.ts'
import { newId } from '../../../kernel/ids.ts'

const from = '+15005550006'
const to = '+15005550100'
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
      recipient_opted_out: refusedBySimulator('0004'),
      sender_not_owned: refusedBySimulator('0007'),
      sender_queue_full: refusedBySimulator('0008'),
      sender_not_capable: async t => ({ as: t.main.testKey, body: { from: '+15005550009', to, body: text } }),
    },
  },
  'messages.get': {
    prepare: async t => ({ params: { messageId: await sent(t, t.main.tokens.Admin) } }),
    problems: { not_found: async () => ({ params: { messageId: newId('msg') } }) },
    foreign: async t => ({ params: { messageId: await sent(t, t.other.tokens.Admin) } }),
  },
}
