// Tries settings out: the way to the carrier step by step, on a connection of its own, with every PDU in readable form.
import type { Socket } from 'node:net'
import { createEsme, type Esme } from '@tandem/smpp'
import { createTranscript, floodText } from '../../kernel/links/transcript.ts'
import type { Cidr } from '../../kernel/outbound/egress.ts'
import type { LinkRole, TraceStep } from '../../modules/messaging/carriers/index.ts'
import { testTimeoutMs } from '../../modules/messaging/carriers/index.ts'
import { connectAddress, type Dialled, type DialStep, resolveHost, secure } from './dial.ts'
import { esmeOptions, refusalText } from './link.ts'
import type { SmppSettings } from './settings.ts'

/** What every step needs: how long is left, and where steps are written down. */
type Trace = { steps: TraceStep[]; leftMs(): number }

/** The steps taken, up to the first that failed. Ends within `testTimeoutMs`. */
export async function testBind(settings: SmppSettings, allow: readonly Cidr[]): Promise<TraceStep[]> {
  const endMs = performance.now() + testTimeoutMs - 500
  const trace: Trace = { steps: [], leftMs: () => Math.max(1, endMs - performance.now()) }
  const way = await dial(trace, settings, allow)
  if (way !== undefined) await converse(trace, settings, way)
  return trace.steps
}

/** The connection that the test is made on. A carrier that takes one at a time would keep a second one waiting. */
type Way = { address: string; socket: Socket }

/** Looks up, connects and agrees on TLS. */
async function dial(trace: Trace, settings: SmppSettings, allow: readonly Cidr[]): Promise<Way | undefined> {
  const { host, port, tls } = settings
  const address = await step(
    trace,
    'resolve',
    () => resolveHost(host, allow, trace.leftMs()),
    found => `${host} is ${found}.`,
  )
  if (address === undefined) return undefined
  const connected = () => `Connected to ${address}, port ${port}.`
  const socket = await step(
    trace,
    'connect',
    () => connectAddress(address, port, Math.min(5_000, trace.leftMs())),
    connected,
  )
  if (socket === undefined) return undefined
  const agreed = () =>
    `TLS was agreed on${settings.tlsVerify ? ' and the certificate is valid' : ', the certificate was not checked'}.`
  const secured = tls
    ? await step(trace, 'tls', () => secure(socket, settings, Math.min(5_000, trace.leftMs())), agreed)
    : socket
  return secured === undefined ? undefined : { address, socket: secured }
}

async function step<Value>(
  { steps }: Trace,
  name: DialStep,
  work: () => Promise<Dialled<Value>>,
  sentence: (value: Value) => string,
): Promise<Value | undefined> {
  const startMs = performance.now()
  const result = await work()
  const message = result.ok ? sentence(result.value) : result.message
  steps.push({ step: name, ok: result.ok, durationMs: since(startMs), message, pdus: [] })
  return result.ok ? result.value : undefined
}

function since(startMs: number): number {
  return Math.round((performance.now() - startMs) * 10) / 10
}

/** Binds, asks for a sign of life, and unbinds. */
async function converse(trace: Trace, settings: SmppSettings, { address, socket }: Way): Promise<void> {
  const role: LinkRole = settings.bindType === 'transceiver' ? 'transceiver' : 'transmitter'
  const transcript = createTranscript()
  let status: number | undefined
  const esme = createEsme({
    ...esmeOptions(settings, address, role),
    socket,
    // What comes in meanwhile is not taken: the carrier keeps it for the links in use.
    onDeliver: () => {
      throw new Error('a test takes no deliveries')
    },
    onState: change => {
      status = change.status ?? status
    },
    onTrace: ({ direction, text }) => transcript.add({ direction: direction === 'out' ? 'sent' : 'received', text }),
    responseTimeoutMs: Math.min(settings.responseTimeoutSeconds * 1_000, trace.leftMs()),
    enquireLinkMs: testTimeoutMs * 2,
  })
  const flood = transcript.flooded.then(() => {
    esme.destroy('too much came')
    return new Error(floodText)
  })

  async function say(
    name: TraceStep['step'],
    work: () => Promise<unknown>,
    good: string,
    bad: (error: Error) => string,
  ) {
    const startMs = performance.now()
    const fault = await Promise.race([flood, within(work(), trace.leftMs())])
    const message = fault === undefined ? good : fault.message === floodText ? floodText : bad(fault)
    const ok = fault === undefined
    trace.steps.push({ step: name, ok, durationMs: since(startMs), message, pdus: transcript.take() })
    return ok
  }

  const refused = (error: Error) =>
    status === undefined ? `The carrier did not take the bind: ${error.message}.` : refusalText(status, error.message)
  const isBound = await say('bind', () => esme.bound(), `The carrier took the bind as ${role}.`, refused)
  const silent = () => 'The carrier took the bind but does not answer. Ask the carrier.'
  const isAlive = isBound && (await say('enquire_link', () => askAlive(esme), 'The carrier answers.', silent))
  const closing = () => esme.close({ drainMs: 100 })
  if (isAlive)
    await say('unbind', closing, 'The link was ended in order.', () => 'The carrier did not answer the unbind.')
  else void closing()
}

async function askAlive(esme: Esme): Promise<void> {
  const { status } = await esme.request('enquire_link', {})
  if (status !== 0) throw new Error('enquire_link was refused')
}

/** Resolves to what went wrong, or undefined. */
async function within(work: Promise<unknown>, ms: number): Promise<Error | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Error>(resolve => {
    timer = setTimeout(resolve, ms, new Error('no answer in time'))
  })
  try {
    return await Promise.race([
      work.then(
        () => undefined,
        (error: Error) => error,
      ),
      late,
    ])
  } finally {
    clearTimeout(timer)
  }
}
