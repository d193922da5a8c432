// What was said in a call: the SIP messages in the order they came and went, for the ladder that people look at.
import { type Static, Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { listTrace } from './store.ts'

const TraceMessage = Type.Object({
  position: Type.Integer({ minimum: 0, description: 'Counts the messages of the call.' }),
  at: Timestamp,
  direction: OneOf(['sent', 'received'], { description: 'As this server sees it.' }),
  transport: OneOf(['udp', 'tcp', 'tls']),
  remote: Type.String({ description: 'Address and port of the remote party.' }),
  summary: Type.String({
    description: 'Method or status, with the number of its request: `INVITE (1)`, `200 OK (1 INVITE)`.',
  }),
  message: Type.String({
    description: 'The whole message, without passwords and without the keys of encrypted sound.',
  }),
})

const sampleMessage: Static<typeof TraceMessage> = {
  position: 0,
  at: '2026-11-21T08:44:00.141Z',
  direction: 'sent',
  transport: 'udp',
  remote: '203.0.113.10:5060',
  summary: 'INVITE (1)',
  message: 'INVITE sip:+15550100002@sip.example.com SIP/2.0\r\nCSeq: 1 INVITE\r\n\r\n',
}

export const trace = endpoint({
  id: 'calls.trace',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/calls/{callId}/trace',
  name: 'Get the SIP messages of a call',
  description:
    'Every SIP message that was sent and received for a call by a trunk, oldest first: what a carrier asks for when a call went wrong. Up to 200 messages a call are kept, for 30 days after its end unless the organization chose otherwise. Calls of the simulator have none.',
  permission: 'calls:read',
  params: Type.Object({
    callId: RecordId('call', 'Identifier of the call.'),
  }),
  reply: Type.Object({ callId: Type.String(), messages: Type.Array(TraceMessage) }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3' },
    reply: { callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3', messages: [sampleMessage] },
  },
  async handle({ params, tx, principal }) {
    const messages = await listTrace(tx, principal, params.callId)
    if (messages === undefined) throw new Problem('not_found')
    return { callId: params.callId, messages: messages.map(row => ({ ...row, summary: summaryOf(row.message) })) }
  },
})

/** What is on a rung of the ladder. */
function summaryOf(message: string): string {
  const [first = ''] = message.split('\r\n', 1)
  const [, number = '', method = ''] = /^CSeq:\s*(\d+)\s+(\S+)/im.exec(message) ?? []
  const response = /^SIP\/2\.0 (\d{3} ?.*)$/.exec(first)
  return response === null ? `${first.split(' ')[0]} (${number})` : `${response[1]?.trim()} (${number} ${method})`
}

export const endpoints = [trace]
