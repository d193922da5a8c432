// Two transaction layers and a network between them that loses, doubles, delays and reorders, in a time of its own; and two
// users who ring, answer, cancel and acknowledge as RFC 3261 and RFC 3262 ask of them, and count what they hear.
import assert from 'node:assert/strict'
import { readOne } from '../src/headers.ts'
import type { SipMessage, SipRequest, SipResponse } from '../src/message.ts'
import { isFault } from '../src/message.ts'
import { parseMessage } from '../src/parse.ts'
import { createAck } from '../src/replies.ts'
import { serializeMessage } from '../src/serialize.ts'
import type { TransactionLayer } from '../src/transaction/layer.ts'
import { createTransactionLayer } from '../src/transaction/layer.ts'
import { createChance } from './rtp_support.ts'
import { coreOf, createRandom, createRequest, respondTo } from './transaction_support.ts'

/** One request and what becomes of it; times in ms after it was sent or came. */
export type Call = {
  method: 'INVITE' | 'OPTIONS' | 'BYE'
  startMs: number
  ringMs: number | undefined
  isReliableRing: boolean
  answerMs: number
  status: number
  cancelMs: number | undefined
  /** Whose messages do not get away. */
  broken: 'client' | 'server' | 'nobody'
}

/**
 * Of a hundred messages: how many are lost, how many come twice. Each takes `delayMs`, and over an unreliable transport up to
 * `jitterMs` more, which is below T1: else the last copy of a request that nobody heard the answer of could come when timers
 * H, J and L have run out, and be a new one.
 */
export type Weather = {
  seed: number
  reliable: boolean
  loss: number
  doubles: number
  delayMs: number
  jitterMs: number
}

export type Outcome = {
  call: Call
  client: { finals: number[]; failures: string[]; ends: number; strays: number }
  server: { requests: number; acks: number; cancels: number; failures: string[]; ends: number; answered: boolean }
}

export type World = { outcomes: Outcome[]; client: TransactionLayer; server: TransactionLayer; sent: number }

type Job = { atMs: number; order: number; run(): void }

/** Runs all calls until nothing is left to happen. */
export function runWorld(calls: readonly Call[], weather: Weather): World {
  const chance = createChance(weather.seed)
  const flow = { reliable: weather.reliable }
  const outcomes: Outcome[] = calls.map(call => ({
    call,
    client: { finals: [], failures: [], ends: 0, strays: 0 },
    server: { requests: 0, acks: 0, cancels: 0, failures: [], ends: 0, answered: false },
  }))
  const jobs: Job[] = []
  let nowMs = 0
  let order = 0
  let sent = 0

  const at = (ms: number, run: () => void) => jobs.push({ atMs: ms, order: order++, run })

  /** As octets, so that what arrives is what a peer would read. Reliable ones arrive in order, each after the same time. */
  function carry(message: SipMessage, to: () => TransactionLayer): void {
    sent += 1
    const bytes = serializeMessage(message)
    const copies = weather.reliable ? 1 : chance(100) < weather.loss ? 0 : chance(100) < weather.doubles ? 2 : 1
    for (let copy = 0; copy < copies; copy++) {
      at(nowMs + weather.delayMs + (weather.reliable ? 0 : chance(weather.jitterMs + 1)), () => {
        const arrived = parseMessage(bytes)
        assert.ok(!isFault(arrived))
        to().receive(arrived, coreOf(arrived), flow, nowMs)
      })
    }
  }

  const outcomeOf = (message: SipMessage) => outcomes[Number(coreOf(message).callId.slice(1))]!
  const clientIds = new Map<string, { outcome: Outcome | undefined; request: SipRequest; acked: Set<number> }>()
  const serverIds = new Map<string, { outcome: Outcome | undefined; request: SipRequest; isOpen: boolean }>()

  const client = createTransactionLayer({
    random: createRandom(weather.seed),
    user: {
      send(message, _flow, id) {
        const isBroken = outcomeOf(message).call.broken === 'client'
        if (isBroken) client.transportFailed(id, nowMs)
        else carry(message, () => server)
      },
      onRequest: () => assert.fail('the client was asked'),
      onAck: () => assert.fail('the client was acknowledged'),
      onCancel: () => assert.fail('the client was cancelled'),
      onResponse(response, core, id) {
        const { outcome, request, acked } = clientIds.get(id)!
        if (response.status >= 200) outcome?.client.finals.push(response.status)
        if (request.method !== 'INVITE') return
        if (response.status >= 200 && response.status < 300) acknowledge(request, response)
        const rseq = readOne(response, 'RSeq')
        if (typeof rseq !== 'number' || acked.has(rseq)) return
        acked.add(rseq)
        const headers = [{ name: 'RAck', value: `${rseq} ${core.cseq.number} INVITE` }]
        const prack = createRequest('PRACK', { callId: core.callId, cseq: 2, toTag: core.toTag!, headers })
        ask(prack, undefined)
      },
      onStrayResponse(response) {
        outcomeOf(response).client.strays += 1
      },
      onFailure: (id, why) => clientIds.get(id)!.outcome?.client.failures.push(why),
      onEnd(id) {
        const { outcome } = clientIds.get(id)!
        if (outcome !== undefined) outcome.client.ends += 1
        assert.ok(clientIds.delete(id), 'ended twice')
      },
    },
  })

  function ask(request: SipRequest, outcome: Outcome | undefined): string {
    const id = client.request(request, flow, nowMs)
    clientIds.set(id, { outcome, request, acked: new Set() })
    return id
  }

  /** The ACK of a 2xx: a branch of its own, and no transaction. */
  function acknowledge(invite: SipRequest, response: SipResponse): void {
    const ack = createAck(invite, response)
    const via = { name: 'Via', value: `SIP/2.0/UDP 192.0.2.10;branch=z9hG4bKack${chance(1_000_000_000)}` }
    carry({ ...ack, headers: ack.headers.with(0, via) }, () => server)
  }

  const server = createTransactionLayer({
    random: createRandom(weather.seed + 1),
    user: {
      send(message, _flow, id) {
        const isBroken = outcomeOf(message).call.broken === 'server'
        if (isBroken) server.transportFailed(id, nowMs)
        else carry(message, () => client)
      },
      onRequest(request, core, _flow, id) {
        if (request.method === 'PRACK') {
          serverIds.set(id, { outcome: undefined, request, isOpen: true })
          respond(id, server.pracked(request, core) === undefined ? 481 : 200)
          return
        }
        const outcome = outcomeOf(request)
        outcome.server.requests += 1
        serverIds.set(id, { outcome, request, isOpen: true })
        const { call } = outcome
        const rseq = call.isReliableRing ? 1 : 0
        if (call.ringMs !== undefined)
          at(nowMs + call.ringMs, () => respond(id, request.method === 'INVITE' ? 180 : 100, rseq))
        at(nowMs + call.answerMs, () => respond(id, call.status))
      },
      onAck(request) {
        outcomeOf(request).server.acks += 1
      },
      onCancel(id, cancel) {
        outcomeOf(cancel).server.cancels += 1
        respond(id, 487)
      },
      onResponse: () => assert.fail('the server was answered'),
      onStrayResponse: () => assert.fail('the server was answered'),
      onFailure(id, why) {
        serverIds.get(id)!.outcome?.server.failures.push(why)
        if (why === 'unacknowledged') respond(id, 504)
      },
      onEnd(id) {
        const { outcome } = serverIds.get(id)!
        if (outcome !== undefined) outcome.server.ends += 1
        assert.ok(serverIds.delete(id), 'ended twice')
      },
    },
  })

  /** Answers what is not answered yet; later ones are the user's slowness, and the layer must refuse them as well. */
  function respond(id: string, status: number, rseq = 0): void {
    const entry = serverIds.get(id)
    if (entry === undefined) return
    const { request, outcome, isOpen } = entry
    const taken = server.respond(id, respondTo(request, status, { rseq }), nowMs)
    assert.equal(taken && status !== 180 && status !== 100 ? isOpen : true, true, 'a second final response was taken')
    if (status < 200 || !taken) return
    entry.isOpen = false
    if (outcome !== undefined) outcome.server.answered = true
  }

  for (const [i, outcome] of outcomes.entries()) {
    const { call } = outcome
    at(call.startMs, () => {
      const id = ask(createRequest(call.method, { callId: `c${i}` }), outcome)
      // Nobody lets it ring for ever; and nothing else would show a refusal that never arrived.
      const cancelMs = call.cancelMs ?? 180_000
      if (call.method === 'INVITE') at(nowMs + cancelMs, () => client.cancel(id, nowMs))
    })
  }

  for (let steps = 0; ; steps++) {
    assert.ok(steps < 100_000, 'it does not come to an end')
    jobs.sort((one, other) => one.atMs - other.atMs || one.order - other.order)
    const next = Math.min(
      jobs[0]?.atMs ?? Number.POSITIVE_INFINITY,
      client.nextDeadlineMs ?? Number.POSITIVE_INFINITY,
      server.nextDeadlineMs ?? Number.POSITIVE_INFINITY,
    )
    if (next === Number.POSITIVE_INFINITY) break
    nowMs = Math.max(nowMs, next)
    if (jobs[0] !== undefined && jobs[0].atMs <= nowMs) jobs.shift()!.run()
    client.tick(nowMs)
    server.tick(nowMs)
  }
  assert.equal(clientIds.size, 0, 'client transactions whose end was not reported')
  assert.equal(serverIds.size, 0, 'server transactions whose end was not reported')
  return { outcomes, client, server, sent }
}
