// An inbound text without a phone: what the virtual handset answers with, and how inbound texts are tried in the test mode.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { PhoneInput } from '../../../kernel/endpoint/schema.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { addressProblem, readReceiver, readTelephone } from '../addresses.ts'
import { directoryIn } from '../directory.ts'
import { messagesAccepted } from '../meters.ts'
import { Message, presentMessage, sampleMessage } from '../sms/index.ts'
import { assertInjectable } from './handset.ts'
import { takeIn } from './jobs.ts'

export const injectInbound = endpoint({
  id: 'messages.test_inbound',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/test/inbound',
  name: 'Inject an inbound text',
  description:
    'Lets a text come in as if a phone had sent it, with all that follows: keywords, leads, events, callbacks. In the test mode always; in the live mode as long as the organization has no carrier of its own, and only from numbers of the simulator (+1 500 555 xxxx): no live text is reported that no phone sent. Writes the event message.received.',
  permission: 'messages:send',
  status: 201,
  body: Type.Object({
    from: Type.Unsafe<string>({
      ...PhoneInput,
      description:
        'The phone it comes from: a telephone number in any usual spelling, best E.164; in the live mode one of the simulator.',
    }),
    to: Type.String({
      minLength: 1,
      maxLength: 40,
      description: 'The number or short code of yours that it goes to; in the test mode any will do.',
    }),
    body: Type.String({ minLength: 1, maxLength: 1_600, description: 'The text.' }),
  }),
  reply: Message,
  envelope: 'data',
  problems: ['invalid_from_number', 'invalid_to_number', 'handset_not_in_use'],
  sample: {
    body: { from: '+15005550100', to: '+15005550006', body: 'Is the table by the window?' },
    reply: {
      ...sampleMessage,
      direction: 'inbound',
      from: '+15005550100',
      to: '+15005550006',
      body: 'Is the table by the window?',
      status: 'received',
      attempts: 0,
      segmentsDelivered: 0,
      price: null,
      currency: null,
      tags: [],
      metadata: {},
      validityPeriod: null,
      sentAt: null,
      deliveredAt: null,
      finalAt: '2026-11-21T08:44:00.123Z',
    },
  },
  async handle({ tx, principal, body, now, services, afterCommit }) {
    const home = principal.settings.defaultCountry
    const from = readTelephone(body.from, home)
    if (from === undefined) throw addressProblem('invalid_from_number', { field: 'from', expects: 'telephone', home })
    const to = readReceiver(body.to, home)
    if (to === undefined) throw addressProblem('invalid_to_number', { field: 'to', expects: 'receiver', home })
    const isLive = principal.mode === 'live'
    if (isLive && (await directoryIn(tx, principal.tenantId)).carriers.length > 0)
      throw new Problem('handset_not_in_use')
    assertInjectable(principal.mode, from)
    const carrier = isLive ? 'handset' : 'simulator'
    const text = { tenantId: principal.tenantId, reference: newId('inb'), from, to, body: body.body }
    const { rows, carriers } = await takeIn(tx, principal, carrier, [text], now)
    afterCommit(() => {
      for (const carrier of carriers) messagesAccepted(services, carrier)
    })
    return presentMessage(rows[0]!)
  },
})

export const endpoints = [injectInbound]
