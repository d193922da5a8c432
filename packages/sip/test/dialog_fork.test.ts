// Forked INVITEs (RFC 3261 §12.1.2, §13.2.2.4, RFC 6228): several telephones ring, one call is kept, and no other is left open.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Fork, ForkEvent } from '../src/dialog/fork.ts'
import {
  abandonFork,
  createFork,
  dialogInFork,
  receiveForkResponse,
  settleFork,
  updateFork,
} from '../src/dialog/fork.ts'
import { ackOf2xx, nextRequest } from '../src/dialog/requests.ts'
import { planCall } from '../src/dialog/state.ts'
import type { SipRequest } from '../src/message.ts'
import { alice, overWire, respond, valuesOf, via } from './dialog_support.ts'

function begin(): { fork: Fork; invite: SipRequest } {
  const { request, dialog } = nextRequest(planCall(alice), 'INVITE', { via })
  return { fork: createFork(dialog), invite: request }
}

function reported(fork: Fork, invite: SipRequest, status: number, toTag: string): { fork: Fork; event: ForkEvent } {
  const { message, core } = respond(invite, status, { toTag, contact: `<sip:${toTag}@192.0.2.4>` })
  return receiveForkResponse(fork, message, core)
}

test('two telephones ring, one answers, the other answers too: it gets ACK and BYE', () => {
  const { fork, invite } = begin()
  const one = reported(fork, invite, 180, 'one')
  assert.ok(one.event.kind === 'progress' && one.event.isNew)
  const again = reported(one.fork, invite, 183, 'one')
  assert.ok(again.event.kind === 'progress' && !again.event.isNew)
  const two = reported(again.fork, invite, 180, 'two')
  assert.equal(two.fork.early.length, 2)
  const answer = reported(two.fork, invite, 200, 'one')
  assert.ok(answer.event.kind === 'answered')
  assert.equal(answer.event.dialog.remoteTarget, 'sip:one@192.0.2.4')
  assert.equal(reported(answer.fork, invite, 200, 'one').event.kind, 'answered_again')
  const late = reported(answer.fork, invite, 200, 'two')
  assert.ok(late.event.kind === 'unwanted')
  assert.deepEqual(valuesOf(ackOf2xx(late.event.dialog, { via }).request, 'CSeq'), ['1 ACK'])
  const bye = nextRequest(late.event.dialog, 'BYE', { via })
  assert.deepEqual(valuesOf(bye.request, 'CSeq'), ['2 BYE'])
  const after = updateFork(late.fork, bye.dialog)
  const repeated = reported(after, invite, 200, 'two')
  assert.ok(repeated.event.kind === 'unwanted_again')
  assert.deepEqual(valuesOf(ackOf2xx(repeated.event.dialog, { via }).request, 'To')[0]?.endsWith(';tag=two'), true)
  assert.equal(reported(after, invite, 180, 'three').event.kind, 'stale')
  assert.equal(reported(after, invite, 486, 'two').event.kind, 'stale')
  assert.deepEqual(settleFork(after).early, [])
})

test('an answer that crosses our CANCEL is hung up, not lost', () => {
  const { fork, invite } = begin()
  const ringing = reported(fork, invite, 180, 'one')
  const crossed = reported(abandonFork(ringing.fork), invite, 200, 'one')
  assert.equal(crossed.event.kind, 'unwanted')
  assert.equal(crossed.fork.chosen, null)
  assert.equal(reported(abandonFork(ringing.fork), invite, 487, 'one').event.kind, 'refused')
})

test('199 ends one early dialog, and a refusal all of them', () => {
  const { fork, invite } = begin()
  const both = reported(reported(fork, invite, 180, 'one').fork, invite, 180, 'two')
  const gone = reported(both.fork, invite, 199, 'one')
  assert.ok(gone.event.kind === 'gone')
  assert.deepEqual(
    gone.fork.early.map(({ remoteTag }) => remoteTag),
    ['two'],
  )
  const refused = reported(gone.fork, invite, 486, 'two')
  assert.equal(refused.event.kind, 'refused')
  assert.deepEqual(refused.fork.early, [])
})

test('PRACK in an early dialog counts on, and its 2xx keeps the count', () => {
  const { fork, invite } = begin()
  const ringing = reported(fork, invite, 183, 'one')
  assert.ok(ringing.event.kind === 'progress')
  const prack = nextRequest(ringing.event.dialog, 'PRACK', { via })
  const answer = reported(updateFork(ringing.fork, prack.dialog), invite, 200, 'one')
  assert.ok(answer.event.kind === 'answered')
  assert.deepEqual(valuesOf(nextRequest(answer.event.dialog, 'BYE', { via }).request, 'CSeq'), ['3 BYE'])
  assert.deepEqual(valuesOf(ackOf2xx(answer.event.dialog, { via }).request, 'CSeq'), ['1 ACK'])
})

test('responses to an INVITE before the last one are stale; a provisional one without a tag makes nothing', () => {
  const { fork, invite } = begin()
  const second = nextRequest(fork.call, 'INVITE', { via })
  assert.equal(reported(createFork(second.dialog), invite, 200, 'one').event.kind, 'stale')
  const { message } = respond(invite, 100)
  const { core } = overWire(message)
  assert.equal(receiveForkResponse(fork, message, core).event.kind, 'trying')
})

test('whatever comes in whatever order: one dialog at most is kept, and every other answer is hung up once', () => {
  const response = fc.record({
    status: fc.constantFrom(180, 183, 199, 200, 486),
    toTag: fc.constantFrom('one', 'two', 'three'),
    isCancelled: fc.nat(9).map(value => value === 0),
    isStored: fc.boolean(),
  })
  fc.assert(
    fc.property(fc.array(response, { maxLength: 20 }), responses => {
      let { fork, invite } = begin()
      const wanted = new Set<string>()
      const hungUp = new Set<string>()
      const heard = new Set<string>()
      for (const { status, toTag, isCancelled, isStored } of responses) {
        if (isCancelled) fork = abandonFork(fork)
        if (isStored) fork = JSON.parse(JSON.stringify(fork)) as Fork
        const result = reported(fork, invite, status, toTag)
        fork = result.fork
        if (status === 200) heard.add(toTag)
        if (result.event.kind === 'answered') wanted.add(toTag)
        if (result.event.kind === 'unwanted') {
          assert.ok(!hungUp.has(toTag), 'hung up twice')
          hungUp.add(toTag)
          fork = updateFork(fork, nextRequest(result.event.dialog, 'BYE', { via }).dialog)
        }
      }
      assert.ok(wanted.size <= 1)
      assert.deepEqual(new Set([...wanted, ...hungUp]), heard)
      assert.equal(wanted.size + hungUp.size, heard.size, 'kept and hung up at once')
      if (fork.chosen !== null) assert.ok(wanted.has(fork.chosen.remoteTag!))
      for (const { remoteTag } of fork.early) assert.ok(!heard.has(remoteTag!))
    }),
    { numRuns: 300 },
  )
})

test('the dialog of a later request is found by its tag', () => {
  const { fork, invite } = begin()
  const ringing = reported(fork, invite, 180, 'one')
  const { core } = respond(invite, 183, { toTag: 'one' })
  assert.equal(dialogInFork(ringing.fork, core)?.remoteTag, 'one')
  assert.equal(dialogInFork(ringing.fork, { ...core, toTag: 'two' }), undefined)
  assert.equal(dialogInFork(ringing.fork, { ...core, toTag: undefined }), undefined)
})
