// What phones in browsers are in requests and replies, with samples.
import { Type } from 'typebox'
import { Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { callStates } from '../call_records/index.ts'
import { CallId } from '../calls/index.ts'
import { maxIdentityLength } from '../instructions/index.ts'

export const Identity = Type.String({
  minLength: 1,
  maxLength: maxIdentityLength,
  pattern: '^[^\\s<>"\\p{Cc}]+$',
  errorMessage: 'must not contain blanks, quotes or brackets',
  description: 'Name of the phone, which `client:<identity>` rings. Case does not matter.',
})

export const IceServers = Type.Array(
  Type.Object({
    urls: Type.String({ description: 'Address of a STUN or TURN server.' }),
    username: Type.Optional(Type.String()),
    credential: Type.Optional(Type.String()),
  }),
  { description: 'What to give the RTCPeerConnection as `iceServers`.' },
)

export const Offer = Type.String({
  minLength: 20,
  maxLength: 20_000,
  description:
    '`localDescription.sdp` of an RTCPeerConnection with one audio track, once its `iceGatheringState` is `complete`.',
})

export const HandsetNumber = Type.String({
  pattern: '^\\+1500555[0-9]{4}$',
  errorMessage: 'must be a number of the simulator: +1500555 and four digits',
  description: 'Number of a handset: +1 500 555 and four digits.',
})

export const ClientCallParams = Type.Object({
  callId: RecordId('call', 'Identifier of the call, as `ringing` reported it.'),
})

export const ClientCallReply = Type.Object({
  callId: CallId,
  state: OneOf(callStates, { description: 'As it was before this request is carried out.' }),
})

export const PhoneStreamMessage = Type.Union([
  Type.Object({
    event: Type.Literal('ready'),
    data: Type.Object({
      identity: Type.String({ description: 'Which phone this is.' }),
      rings: Type.Array(Type.String(), {
        description: 'What it rings for: its identity, and the number of a handset.',
      }),
      iceServers: IceServers,
    }),
  }),
  Type.Object({
    event: Type.Literal('ringing'),
    data: Type.Object({
      callId: CallId,
      identity: Type.String({ description: 'Which of its identities is called.' }),
      from: Type.String({ description: 'Who calls: a number, a SIP address, or `client:<identity>`.' }),
      to: Type.String({ description: 'What they have called.' }),
      callerName: Nullable(Type.String()),
      leadId: Nullable(Type.Integer({ description: 'The lead with this number.' })),
    }),
  }),
  Type.Object({
    event: Type.Literal('answer'),
    data: Type.Object({ callId: CallId, sdp: Type.String({ description: 'For `setRemoteDescription`, as answer.' }) }),
  }),
  Type.Object({
    event: Type.Literal('state'),
    data: Type.Object({
      callId: CallId,
      state: OneOf(['connecting', 'taken', 'answered', 'talking'], {
        description:
          'connecting: a call that a browser makes has started. taken: a browser has answered; the others stop ringing. ' +
          'answered: sound flows. talking: with the call `peerCallId`.',
      }),
      peerCallId: Nullable(CallId),
    }),
  }),
  Type.Object({
    event: Type.Literal('ended'),
    data: Type.Object({
      callId: CallId,
      cause: Type.String({
        description: 'As `hangupCause` of calls, of the called party where nobody answered; or answered_elsewhere.',
      }),
    }),
  }),
  Type.Object({
    event: Type.Literal('end'),
    data: Type.Object({ reason: Type.String({ description: 'Why the stream ends, as of GET /v2/stream.' }) }),
  }),
])

export const NewClientCall = Type.Object({
  callId: CallId,
  from: Type.String({ description: 'Who is shown as caller.' }),
  to: Nullable(Type.String({ description: 'What is dialled.' })),
  identity: Type.String({ description: 'The phone that calls.' }),
  state: OneOf(callStates),
  createdAt: Timestamp,
})

export const sampleToken = {
  token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9.eyJzdWIiOiIxIn0.c2lnbmF0dXJl',
  identity: 'ada@example.com',
  expiresAt: '2026-11-21T09:44:00.000Z',
}

/** Of the right form; the keys and addresses are examples. */
export const sampleOffer = [
  'v=0',
  'o=- 4611731400430051336 2 IN IP4 127.0.0.1',
  's=-',
  't=0 0',
  'a=group:BUNDLE 0',
  'm=audio 50000 UDP/TLS/RTP/SAVPF 0 8 126',
  'c=IN IP4 192.0.2.17',
  'a=candidate:1 1 udp 2122260223 192.0.2.17 50000 typ host',
  'a=ice-ufrag:Zx3k',
  'a=ice-pwd:0123456789abcdefghijklmn',
  `a=fingerprint:sha-256 ${Array.from({ length: 32 }, () => 'AB').join(':')}`,
  'a=setup:actpass',
  'a=mid:0',
  'a=sendrecv',
  'a=rtcp-mux',
  'a=rtpmap:0 PCMU/8000',
  'a=rtpmap:8 PCMA/8000',
  'a=rtpmap:126 telephone-event/8000',
  '',
].join('\r\n')
