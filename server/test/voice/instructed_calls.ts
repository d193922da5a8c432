// For tests of calls under instructions: an application whose calls the simulator carries, a callback server that answers as it is
// set to, and what is looked for in a call's history.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, afterEach, beforeEach } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { simulatorEngine } from '../../src/engines/simulator/simulator.ts'
import { askedInstructions } from '../../src/modules/voice/callbacks/request.ts'
import { endLostConferences } from '../../src/modules/voice/conferences/index.ts'
import { carryCalls } from '../../src/modules/voice/node/jobs.ts'
import { callTools } from '../../src/modules/voice/node/tools.ts'
import { assertDocumented } from '../documented_request.ts'
import { startTestApp } from '../harness.ts'
import { callIn, type SeenCall, seeCall, startQueues } from './calls.ts'
import { patientPeople } from './patient_people.ts'

/** Answers at once and stays until it is hung up. */
export const human = '+15005550209'
export const terminal = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']

// biome-ignore lint/suspicious/noExplicitAny: tests look into requests of every shape
export type Request = { path: string; headers: Record<string, any>; text: string; json: any }

export type Answer = { status?: number; body?: unknown; raw?: string }

/** What a file of tests begins with. Before each test nothing was asked and nothing is answered; after the last all of it ends. */
export async function startInstructedCalls() {
  /** What the callback server answers to each path; 500 to every other. */
  const answers = new Map<string, (request: Request) => Answer>()
  /** Requests for instructions only: events are reported to the same addresses, by another queue. */
  let asked: Request[] = []
  const server = createServer((incoming, reply) => {
    const chunks: Buffer[] = []
    incoming.on('data', chunk => chunks.push(chunk))
    incoming.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8')
      const { url = '/', headers } = incoming
      const request = { path: url, headers, text, json: JSON.parse(text) }
      asked.push(request)
      const { status = 200, body, raw } = answers.get(url)?.(request) ?? { status: 500 }
      reply.writeHead(status, { 'content-type': 'application/json' }).end(raw ?? JSON.stringify(body ?? {}))
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const t = await startTestApp({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
  const speed = 6
  const { handsets, press, leave } = patientPeople([human], { speed })
  const startNode = () =>
    startQueues(t, [
      carryCalls({ engines: [simulatorEngine({ speed, handsets })], tools: callTools }),
      endLostConferences,
    ])
  let node = startNode()
  const stopNode = () => {
    leave()
    return node.stop()
  }
  after(async () => {
    await stopNode()
    await t.close()
    server.close()
  })
  afterEach(() => {
    for (const { json } of asked) assertDocumented(askedInstructions, json)
  })
  beforeEach(() => {
    answers.clear()
    asked = []
  })

  const restartNode = () => {
    node = startNode()
  }
  const ended = (callId: string) => callIn(t, callId, terminal, t.main.testKey, 20_000)
  const post = (path: string, body: object, as = t.main.testKey) => t.call('POST', path, { as, body })
  const command = (callId: string, body: object) => post(`/v2/voice/calls/${callId}/commands`, body)

  /** Waits until an entry of this type is in the history. */
  async function happened(callId: string, type: string): Promise<SeenCall> {
    const deadline = performance.now() + 15_000
    for (;;) {
      const call = await seeCall(t, callId)
      if (typesOf(call).includes(type)) return call
      if (terminal.includes(call.state) || performance.now() > deadline)
        assert.fail(`no ${type}: ${JSON.stringify(call.history)}`)
      await sleep(10)
    }
  }

  return { t, base, answers, asked: () => asked, stopNode, restartNode, press, ended, post, command, happened }
}
export const typesOf = (call: SeenCall) => call.history.map(entry => entry.type)
export const detailsOf = (call: SeenCall, type: string) => call.history.find(entry => entry.type === type)?.details
