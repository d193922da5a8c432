// The stream of a phone in a browser: being connected is being registered. It reports how the calls of the phone stand, so that a
// browser that connects again has missed nothing.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import type { Sink, StreamSource } from '../../../kernel/endpoint/stream.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { hasTrunk } from '../trunks/index.ts'
import { type PhoneListener, phoneFeedsOf } from './feed.ts'
import { iceServersFor } from './ice.ts'
import { identityOf, news, type SentState } from './rules.ts'
import { HandsetNumber, PhoneStreamMessage } from './schemas.ts'

export const openPhoneStream = endpoint({
  id: 'client_stream.open',
  version: 'v2',
  category: 'Voice',
  method: 'GET',
  path: '/voice/client-stream',
  name: 'Stream the calls of a browser phone',
  description:
    'As long as this stream (text/event-stream) is open, calls to the identity of the caller ring here, in every window ' +
    'that has one open; the first to answer has the call. The first message is `ready`, with the STUN and TURN servers ' +
    'to use. Then come `ringing`, `answer` (the SDP for a call this phone made or answered), `state` and `ended`. They ' +
    'say how the calls of the phone stand: after a reconnect all that are under way are reported again, so none is missed. ' +
    'A message may speak of a call that another window has; pass it over. With `number` it is a handset too: calls to ' +
    'that number of the simulator ring here, in live mode as long as the organization has no trunk. At most 20 streams a user.',
  permission: 'phone:use',
  query: Type.Object({
    incoming: Type.Optional(
      Type.Boolean({
        default: true,
        description: 'Whether calls to the identity ring here; false: own calls only.',
      }),
    ),
    number: Type.Optional(HandsetNumber),
  }),
  reply: PhoneStreamMessage,
  envelope: 'stream',
  problems: ['too_many_streams', 'handset_not_in_use'],
  sample: {
    reply: {
      event: 'ringing',
      data: {
        callId: 'call_01kahm3zr4q8n5t2w7x9y0b1c3',
        identity: 'ada@example.com',
        from: '+15550100002',
        to: '+15550100001',
        callerName: null,
        leadId: 42,
      },
    },
  },
  async handle({ principal, query, now, services }): Promise<StreamSource> {
    const { mode, phone } = principal
    const number = phone === null ? query.number : undefined
    if (number !== undefined && mode === 'live') {
      const isReal = await services.db.inTenant(principal, tx => hasTrunk(tx, principal))
      if (isReal) throw new Problem('handset_not_in_use')
    }
    const identity = identityOf(principal)
    const numbers = number === undefined ? [] : [number]
    const isRung = query.incoming !== false && phone?.incoming !== false
    const feeds = phoneFeedsOf(services)
    const sent = new Map<string, SentState>()
    let sink: Sink | undefined
    const listener: PhoneListener = {
      id: newId('reg', now),
      hears: [identity, ...numbers],
      rings: isRung ? [identity, ...numbers] : numbers,
      take(rows) {
        if (sink === undefined) return
        const heard = isRung ? rows : rows.filter(row => row.kind !== 'rings' || row.identity !== identity)
        for (const { event, data } of news(sent, heard)) sink.send({ event, data: JSON.stringify(data) })
      },
    }
    await feeds.join(principal, listener)
    return {
      kind: 'phone',
      start(given) {
        sink = given
        const iceServers = iceServersFor(services.webrtc, identity, now)
        sink.send({ event: 'ready', data: JSON.stringify({ identity, rings: listener.rings, iceServers }) })
        feeds.look(principal)
      },
      stop: () => feeds.leave(principal, listener),
      lastId: () => undefined,
    }
  },
})
