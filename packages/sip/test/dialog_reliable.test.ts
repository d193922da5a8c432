// Reliable provisional responses (RFC 3262): numbers, order, PRACK, and both sides over a wire that loses and repeats.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  createReliableReceiver,
  createReliableSender,
  mayAnswer,
  mayProvide,
  provideReliably,
  receivePrack,
  receiveProvisional,
  reliabilityAsked,
} from '../src/dialog/reliable.ts'
import { nextRequest } from '../src/dialog/requests.ts'
import type { SipHeader } from '../src/message.ts'
import { headersOf, overWire, respond, setUp, valuesOf, via } from './dialog_support.ts'

const { caller, invite } = setUp()
const response = (headers: readonly SipHeader[]) => respond(invite, 183, { headers }).message
const prack = (...lines: string[]) =>
  overWire(nextRequest(caller, 'PRACK', { via, headers: headersOf(...lines) }).request).message

test('the first number is in the lower half, and each next one is one more (§3)', () => {
  const first = provideReliably(createReliableSender(1), true, 0.999999999)
  assert.ok(first.sender.rseq >= 1 && first.sender.rseq < 2 ** 31)
  assert.equal(provideReliably(createReliableSender(1), true, 0).sender.rseq, 1)
  assert.equal(mayProvide(first.sender), false)
  assert.throws(() => provideReliably(first.sender, true, 0), /no PRACK yet/)
  const done = receivePrack(first.sender, prack(`RAck: ${first.sender.rseq} 1 INVITE`))
  assert.equal(done.result, 'acknowledged')
  assert.equal(provideReliably(done.sender, false, 0.5).sender.rseq, first.sender.rseq + 1)
})

test('no 2xx goes before the PRACK of a description (§5)', () => {
  assert.equal(mayAnswer(provideReliably(createReliableSender(1), true, 0.5).sender), false)
  assert.equal(mayAnswer(provideReliably(createReliableSender(1), false, 0.5).sender), true)
})

test('a PRACK that fits nothing is 481, one without RAck 400 (§3, §7.2)', () => {
  const { sender } = provideReliably(createReliableSender(314_159), true, 0)
  assert.equal(receivePrack(sender, prack('RAck: 2 314159 INVITE')).result, 481)
  assert.equal(receivePrack(sender, prack('RAck: 1 314160 INVITE')).result, 481)
  assert.equal(receivePrack(sender, prack('Subject: none')).result, 400)
  const done = receivePrack(sender, prack('RAck: 1 314159 INVITE'))
  assert.equal(done.result, 'acknowledged')
  assert.equal(receivePrack(done.sender, prack('RAck: 1 314159 INVITE')).result, 481)
})

test('what the caller asks for', () => {
  const asked = (...lines: string[]) =>
    reliabilityAsked({ ...invite, headers: [...invite.headers, ...headersOf(...lines)] })
  assert.equal(asked(), 'none')
  assert.equal(asked('Supported: timer, 100rel'), 'supported')
  assert.equal(asked('Supported: 100rel', 'Require: 100rel'), 'required')
})

test('responses are taken in their order, each once (§4)', () => {
  const at = (rseq: number) => response(headersOf('Require: 100rel', `RSeq: ${rseq}`))
  const start = createReliableReceiver(1)
  assert.equal(receiveProvisional(start, response([])).result, 'unreliable')
  assert.equal(receiveProvisional(start, response(headersOf('RSeq: 4'))).result, 'unreliable')
  const first = receiveProvisional(start, at(988_789))
  assert.deepEqual(first.rack, { name: 'RAck', value: '988789 1 INVITE' })
  assert.equal(receiveProvisional(first.receiver, at(988_789)).result, 'repeated')
  assert.equal(receiveProvisional(first.receiver, at(988_791)).result, 'early')
  assert.equal(receiveProvisional(first.receiver, at(988_790)).result, 'new')
})

test('over a wire that loses and repeats, each response is handled once and in order', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 6 }),
      fc.array(fc.boolean(), { maxLength: 60 }),
      fc.nat(),
      (count, losses, seed) => {
        let sender = createReliableSender(1)
        let receiver = createReliableReceiver(1)
        const handled: number[] = []
        const sent: number[] = []
        const isLost = () => losses.pop() === true
        for (let index = 0; index < count; index++) {
          const provided = provideReliably(sender, true, (seed % 1000) / 1000)
          sender = provided.sender
          sent.push(sender.rseq)
          while (!mayProvide(sender)) {
            if (isLost()) continue
            const heard = receiveProvisional(receiver, response(provided.headers))
            receiver = heard.receiver
            if (heard.result === 'new') handled.push(receiver.rseq)
            assert.notEqual(heard.result, 'early')
            if (isLost()) continue
            // A repeated response finds the PRACK of its first time being repeated by its transaction.
            sender = receivePrack(sender, prack(`RAck: ${receiver.rseq} 1 INVITE`)).sender
          }
        }
        assert.deepEqual(handled, sent)
      },
    ),
    { numRuns: 100 },
  )
  assert.deepEqual(valuesOf(response(headersOf('Require: 100rel', 'RSeq: 1')), 'RSeq'), ['1'])
})
