// Offer and answer in a dialog: the exchanges of RFC 6337 §2, hold of RFC 3264 §8.4, glare of RFC 3261 §14, and two ends that
// never part with different codecs or payload types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Negotiation, SdpCarrier } from '../src/dialog/negotiation.ts'
import {
  createNegotiation,
  dropOffer,
  endInvite,
  glareDelayMs,
  makeAnswer,
  makeOffer,
  mayOffer,
  receiveAnswer,
  receiveInvite,
  receiveOffer,
  receivePreview,
  refuseGlare,
  roleOfSdp,
  sendBareInvite,
  streamInForce,
  withHold,
} from '../src/dialog/negotiation.ts'
import { isFault } from '../src/message.ts'
import type { AudioStream, LocalAudio } from '../src/offer_answer.ts'
import { good } from './dialog_support.ts'

const ours: LocalAudio = { sessionId: '100', address: { family: 'IP4', address: '192.0.2.1' }, port: 40_000 }
const theirs: LocalAudio = {
  sessionId: '900',
  address: { family: 'IP4', address: '192.0.2.2' },
  port: 50_000,
  codecs: ['PCMA', 'PCMU'],
  telephoneEvent: 96,
}
const version = (sdp: string) => Number(/^o=\S+ \d+ (\d+)/m.exec(sdp)?.[1])
const invite: SdpCarrier = { kind: 'request', method: 'INVITE' }
const answer200: SdpCarrier = { kind: 'response', method: 'INVITE', status: 200 }

/** INVITE with an offer, its answer in the 2xx. */
function agreed(): { a: Negotiation; b: Negotiation; stream: AudioStream } {
  const offer = makeOffer(createNegotiation(), ours, 'INVITE')
  const asked = good(receiveInvite(createNegotiation(), offer.sdp))
  const answer = good(makeAnswer(asked, theirs))
  const heard = good(receiveAnswer(offer.negotiation, answer.sdp, ours))
  return { a: endInvite(heard.negotiation), b: endInvite(answer.negotiation), stream: heard.stream }
}

test('offer in INVITE, answer in the 2xx', () => {
  const offer = makeOffer(createNegotiation(), ours, 'INVITE')
  assert.equal(roleOfSdp(createNegotiation(), invite), 'offer')
  assert.equal(roleOfSdp(offer.negotiation, answer200), 'answer')
  assert.equal(mayOffer(offer.negotiation, 'UPDATE'), false)
  const { a, b, stream } = agreed()
  assert.equal(stream.codec, 'PCMU')
  assert.deepEqual(stream.telephoneEvent, { send: 101, receive: 101, events: '0-16' })
  assert.deepEqual(streamInForce(a, ours), stream)
  assert.equal(streamInForce(b, theirs)?.remote?.port, 40_000)
  assert.equal(mayOffer(a, 'INVITE'), true)
  assert.deepEqual(JSON.parse(JSON.stringify(a)), a)
})

test('a bare INVITE: offer in the 2xx, answer in the ACK', () => {
  const bare = sendBareInvite(createNegotiation())
  const owing = good(receiveInvite(createNegotiation(), undefined))
  const offer = makeOffer(owing, theirs, 'response')
  assert.equal(roleOfSdp(bare, answer200), 'offer')
  assert.equal(roleOfSdp(bare, { kind: 'response', method: 'INVITE', status: 183 }), 'none')
  const answer = good(makeAnswer(good(receiveOffer(bare, offer.sdp, 'response')), ours))
  assert.equal(roleOfSdp(offer.negotiation, { kind: 'request', method: 'ACK' }), 'answer')
  const heard = good(receiveAnswer(offer.negotiation, answer.sdp, theirs))
  assert.equal(heard.stream.codec, answer.stream.codec)
  assert.equal(endInvite(heard.negotiation).invite, null)
})

test('reliable 183: its answer binds, and what the 2xx repeats is not heard; UPDATE may follow before the answer', () => {
  const offer = makeOffer(createNegotiation(), ours, 'INVITE')
  const answer = good(makeAnswer(good(receiveInvite(createNegotiation(), offer.sdp)), theirs))
  const reliable: SdpCarrier = { kind: 'response', method: 'INVITE', status: 183, isReliable: true }
  assert.equal(roleOfSdp(offer.negotiation, reliable), 'answer')
  const heard = good(receiveAnswer(offer.negotiation, answer.sdp, ours))
  assert.equal(roleOfSdp(heard.negotiation, answer200), 'none')
  assert.equal(mayOffer(heard.negotiation, 'UPDATE'), true)
  assert.equal(mayOffer(heard.negotiation, 'INVITE'), false, 'the INVITE has no final response')
  const update = makeOffer(heard.negotiation, ours, 'UPDATE')
  assert.equal(roleOfSdp(update.negotiation, { kind: 'response', method: 'UPDATE', status: 200 }), 'answer')
})

test('an offer in a reliable 183 is answered in its PRACK, and PRACK may offer too', () => {
  const offer = makeOffer(good(receiveInvite(createNegotiation(), undefined)), theirs, 'response')
  assert.equal(roleOfSdp(offer.negotiation, { kind: 'request', method: 'PRACK' }), 'answer')
  const { b } = agreed()
  assert.equal(roleOfSdp(b, { kind: 'request', method: 'PRACK' }), 'offer')
  const busy = makeOffer(b, theirs, 'UPDATE').negotiation
  assert.equal(roleOfSdp(busy, { kind: 'request', method: 'PRACK' }), 'none')
  const asked = good(receiveOffer(b, makeOffer(agreed().a, ours, 'PRACK').sdp, 'PRACK'))
  assert.equal(good(makeAnswer(asked, theirs)).negotiation.phase, 'stable')
})

test('an unreliable 183 is a preview: early media play, and the 2xx decides', () => {
  const offer = makeOffer(createNegotiation(), ours, 'INVITE')
  const early: LocalAudio = { ...theirs, address: { family: 'IP4', address: '203.0.113.1' } }
  const answer = good(makeAnswer(good(receiveInvite(createNegotiation(), offer.sdp)), early))
  assert.equal(roleOfSdp(offer.negotiation, { kind: 'response', method: 'INVITE', status: 183 }), 'preview')
  const preview = good(receivePreview(offer.negotiation, answer.sdp, ours))
  assert.equal(preview.stream.remote?.address, '203.0.113.1')
  assert.equal(preview.negotiation.phase, 'offered')
  assert.equal(roleOfSdp(preview.negotiation, answer200), 'answer')
  // A 2xx without a description: what was said before was the answer.
  const heard = good(receiveAnswer(preview.negotiation, preview.negotiation.preview!, ours))
  assert.equal(heard.negotiation.phase, 'stable')
})

test('hold and resume, and hold by both sides (RFC 3264 §8.4)', () => {
  let { a, b } = agreed()
  const exchange = (offerer: 'a' | 'b') => {
    const [from, to] = offerer === 'a' ? [a, b] : [b, a]
    const [mine, other] = offerer === 'a' ? [ours, theirs] : [theirs, ours]
    const offer = makeOffer(from, mine, 'INVITE')
    const answer = good(makeAnswer(good(receiveInvite(to, offer.sdp)), other))
    const heard = good(receiveAnswer(offer.negotiation, answer.sdp, mine))
    const [done, done2] = [endInvite(heard.negotiation), endInvite(answer.negotiation)]
    ;[a, b] = offerer === 'a' ? [done, done2] : [done2, done]
    return { offer: offer.sdp, offerer: heard.stream, answerer: answer.stream }
  }
  const first = version(a.local!)
  a = withHold(a, true)
  const held = exchange('a')
  assert.match(held.offer, /a=sendonly/)
  assert.equal(version(held.offer), first + 1)
  assert.deepEqual(
    [held.offerer.direction, held.answerer.direction, held.answerer.isHeld],
    ['sendonly', 'recvonly', true],
  )
  b = withHold(b, true)
  const both = exchange('b')
  assert.deepEqual([both.offerer.direction, both.answerer.direction], ['inactive', 'inactive'])
  a = withHold(a, false)
  const half = exchange('a')
  assert.deepEqual([half.offerer.direction, half.answerer.direction], ['recvonly', 'sendonly'])
  b = withHold(b, false)
  const back = exchange('b')
  assert.deepEqual([back.offerer.direction, back.answerer.direction], ['sendrecv', 'sendrecv'])
})

test('a refresh offers the same description with the same version (RFC 4028 §7.4)', () => {
  const { a } = agreed()
  const refresh = makeOffer(a, ours, 'INVITE')
  assert.equal(refresh.sdp, a.local)
  assert.equal(dropOffer(refresh.negotiation).local, a.local)
})

test('a refused offer leaves what was agreed, and its version is not used again', () => {
  const { a } = agreed()
  const hold = makeOffer(withHold(a, true), ours, 'INVITE')
  const refused = endInvite(hold.negotiation)
  assert.equal(refused.local, a.local)
  assert.equal(refused.phase, 'stable')
  const next = makeOffer(refused, { ...ours, direction: 'recvonly' }, 'INVITE')
  assert.equal(version(next.sdp), version(hold.sdp) + 1)
})

test('glare: 491 to both, and they wait apart (RFC 3261 §14.1 and §14.2, RFC 3311 §5.2)', () => {
  const { a } = agreed()
  const open = makeOffer(a, ours, 'INVITE').negotiation
  assert.equal(refuseGlare(open, 'INVITE', true, 3)?.status, 491)
  assert.equal(refuseGlare(open, 'UPDATE', true, 3)?.status, 491)
  assert.equal(refuseGlare(open, 'UPDATE', false, 3), undefined, 'a session refresh without a description')
  assert.equal(refuseGlare(a, 'INVITE', true, 3), undefined)
  const asked = good(receiveInvite(a, makeOffer(agreed().b, theirs, 'INVITE').sdp))
  const twice = refuseGlare(asked, 'INVITE', true, 3)
  assert.equal(twice?.status, 500)
  assert.deepEqual(twice?.headers, [{ name: 'Retry-After', value: '3' }])
  assert.equal(refuseGlare(asked, 'UPDATE', true, 3)?.status, 500)
  assert.equal(mayOffer(asked, 'INVITE'), false)
  assert.throws(() => makeOffer(asked, ours, 'INVITE'), /no offer may be made/)
  fc.assert(
    fc.property(fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true }), part => {
      const [owner, other] = [glareDelayMs('uac', part), glareDelayMs('uas', part)]
      assert.ok(owner >= 2_100 && owner <= 4_000 && owner % 10 === 0)
      assert.ok(other >= 0 && other <= 2_000 && other % 10 === 0)
    }),
  )
})

test('an offer of nothing we can take is 488, and the call goes on as it was', () => {
  const { a } = agreed()
  const video = a.local!.replace(/m=audio (\d+) RTP\/AVP.*/, 'm=audio $1 RTP/AVP 9').replace(/a=rtpmap.*\r\n/g, '')
  const asked = good(receiveInvite(a, video))
  const made = makeAnswer(asked, ours)
  assert.ok(isFault(made) && made.status === 488)
  const after = endInvite(dropOffer(asked))
  assert.deepEqual(after, a)
  const unreadable = receiveInvite(a, 'v=1')
  assert.ok(isFault(unreadable) && unreadable.status === 400)
})

/** A message on its way: an offer, or what comes back to it. */
type Letter = { to: 'a' | 'b'; method: 'INVITE' | 'UPDATE'; sdp?: string; status?: number }

test('two ends that offer as they like, at once too, agree on codec, payload types and directions', () => {
  const move = fc.record({
    who: fc.constantFrom('a' as const, 'b' as const),
    what: fc.constantFrom('INVITE' as const, 'UPDATE' as const, 'hold' as const, 'resume' as const, 'deliver' as const),
    isRefused: fc.nat(5).map(value => value === 0),
    isStored: fc.boolean(),
  })
  const codecs = fc.shuffledSubarray(['PCMU', 'PCMA'] as const, { minLength: 1 })
  const side = fc.record({
    codecs,
    telephoneEvent: fc.constantFrom(96, 101, null),
    prefer: fc.constantFrom('offer', 'local'),
  })
  fc.assert(
    fc.property(side, side, fc.array(move, { maxLength: 40 }), (one, other, moves) => {
      const locals = { a: { ...ours, ...one }, b: { ...theirs, ...other } } as Record<'a' | 'b', LocalAudio>
      const first = makeOffer(createNegotiation(), locals.a, 'INVITE')
      const start = makeAnswer(good(receiveInvite(createNegotiation(), first.sdp)), locals.b)
      if (isFault(start)) return
      const ends = {
        a: endInvite(good(receiveAnswer(first.negotiation, start.sdp, locals.a)).negotiation),
        b: endInvite(start.negotiation),
      }
      const wire: Letter[] = []
      for (const { who, what, isRefused, isStored } of moves) {
        if (isStored) ends[who] = JSON.parse(JSON.stringify(ends[who])) as Negotiation
        if (what === 'hold' || what === 'resume') ends[who] = withHold(ends[who], what === 'hold')
        else if (what === 'deliver') deliver(isRefused)
        else if (mayOffer(ends[who], what)) {
          const { negotiation, sdp } = makeOffer(ends[who], locals[who], what)
          ends[who] = negotiation
          wire.push({ to: who === 'a' ? 'b' : 'a', method: what, sdp })
        }
      }
      while (wire.length > 0) deliver(false)
      assert.deepEqual([ends.a.phase, ends.b.phase, ends.a.invite, ends.b.invite], ['stable', 'stable', null, null])
      assert.equal(ends.a.local, ends.b.remote)
      assert.equal(ends.b.local, ends.a.remote)
      const [a, b] = [streamInForce(ends.a, locals.a)!, streamInForce(ends.b, locals.b)!]
      assert.equal(a.codec, b.codec)
      assert.equal(a.payloadTypes.send, b.payloadTypes.receive)
      assert.equal(b.payloadTypes.send, a.payloadTypes.receive)
      assert.equal(a.telephoneEvent?.send, b.telephoneEvent?.receive)
      assert.equal(b.telephoneEvent?.send, a.telephoneEvent?.receive)
      assert.equal(/^(sendrecv|sendonly)$/.test(a.direction), /^(sendrecv|recvonly)$/.test(b.direction))
      assert.equal(/^(sendrecv|sendonly)$/.test(b.direction), /^(sendrecv|recvonly)$/.test(a.direction))

      function deliver(isRefused: boolean): void {
        const letter = wire.shift()
        if (letter === undefined) return
        const { to, method, sdp, status } = letter
        const back = to === 'a' ? 'b' : 'a'
        if (status !== undefined) {
          ends[to] = status < 300 ? good(receiveAnswer(ends[to], sdp!, locals[to])).negotiation : dropOffer(ends[to])
          if (method === 'INVITE') ends[to] = endInvite(ends[to])
          return
        }
        const glare = refuseGlare(ends[to], method, true, 0)
        if (glare !== undefined) {
          wire.push({ to: back, method, status: glare.status })
          return
        }
        const before = ends[to]
        const asked = method === 'INVITE' ? receiveInvite(before, sdp!) : receiveOffer(before, sdp!, method)
        const made = isRefused ? undefined : makeAnswer(good(asked), locals[to])
        if (made === undefined || isFault(made)) {
          ends[to] = before
          wire.push({ to: back, method, status: 488 })
          return
        }
        ends[to] = method === 'INVITE' ? endInvite(made.negotiation) : made.negotiation
        wire.push({ to: back, method, status: 200, sdp: made.sdp })
      }
    }),
    { numRuns: 500 },
  )
})
