// What was said in a call: the SIP messages in the order they came and went, for the ladder that people look at.
import { sql } from 'kysely'
import { Type } from 'typebox'
import type { Scope, Tx } from '../../../kernel/db.ts'
import { endpoint } from '../../../kernel/endpoint.ts'
import { isId } from '../../../kernel/ids.ts'
import { Problem } from '../../../kernel/problem.ts'
import { OneOf, Timestamp } from '../../../kernel/schema.ts'

const TraceMessage = Type.Object({
  position: Type.Integer({ minimum: 0, description: 'Counts the messages of the call.' }),
  at: Timestamp,
  direction: OneOf(['sent', 'received'], { description: 'As this server sees it.' }),
  transport: OneOf(['udp', 'tcp', 'tls']),
  remote: Type.String({ description: 'Address and port of the far side.' }),
  summary: Type.String({
    description: 'Method or status, with the number of its request: `INVITE (1)`, `200 OK (1 INVITE)`.',
  }),
  message: Type.String({
    description: 'The whole message, without passwords and without the keys of encrypted sound.',
  }),
})

const sampleMessage = {
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
    'Every SIP message that was sent and received for a call by a trunk, oldest first: what a carrier asks for when a call went wrong. Up to 200 messages a call are kept, for 30 days after its end unless the server is set otherwise (TANDEM_CALL_TRACE_DAYS). Calls of the simulator have none.',
  permission: 'calls:read',
  params: Type.Object({
    callId: Type.String({ minLength: 1, maxLength: 64, description: 'Identifier of the call.' }),
  }),
  reply: Type.Object({ callId: Type.String(), messages: Type.Array(TraceMessage) }),
  envelope: 'data',
  problems: ['not_found'],
  sample: {
    params: { callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3' },
    reply: { callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3', messages: [sampleMessage] },
  },
  async handle({ params, tx, principal }) {
    if (!isId('call', params.callId)) throw new Problem('not_found')
    const messages = await listTrace(tx, principal, params.callId)
    if (messages === undefined) throw new Problem('not_found')
    return { callId: params.callId, messages: messages.map(row => ({ ...row, summary: summaryOf(row.message) })) }
  },
})

type TraceRow = { position: number; at: string; direction: string; transport: string; remote: string; message: string }

/** Undefined when there is no such call. */
async function listTrace(tx: Tx, { tenantId }: Scope, callId: string): Promise<TraceRow[] | undefined> {
  const { rows } = await sql<TraceRow | { position: null }>`
    select t.position, t.at, t.direction, t.transport, t.remote, t.message
    from calls c left join call_traces t on t.tenant_id = c.tenant_id and t.call_id = c.id
    where c.tenant_id = ${tenantId} and c.id = ${callId} order by t.position`.execute(tx)
  if (rows.length === 0) return undefined
  return rows.filter((row): row is TraceRow => row.position !== null)
}

/** What stands on a rung of the ladder. */
function summaryOf(message: string): string {
  const [first = ''] = message.split('\r\n', 1)
  const [, number = '', method = ''] = /^CSeq:\s*(\d+)\s+(\S+)/im.exec(message) ?? []
  const response = /^SIP\/2\.0 (\d{3} ?.*)$/.exec(first)
  return response === null ? `${first.split(' ')[0]} (${number})` : `${response[1]?.trim()} (${number} ${method})`
}

export const endpoints = [trace]
