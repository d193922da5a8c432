// Tries the settings of a trunk out beside whatever is in use: looks the host up, connects, asks OPTIONS and, where the settings say
// so, registers and takes the registration back. Every message is shown, credentials hidden.
import { randomBytes } from 'node:crypto'
import {
  createDigestClient,
  createSystemResolver,
  openSipAgent,
  type SipAgent,
  type SipHeader,
  type SipOutcome,
  type SipRequest,
  type SipResponse,
} from '@tandem/sip'
import { createTranscript, floodText } from '../../kernel/links/transcript.ts'
import {
  domainOf,
  fromDomainOf,
  type TraceStep,
  type TrunkSettings,
  type TrunkTester,
  testTimeoutMs,
} from '../../modules/voice/trunks/index.ts'
import { accountOf, requestTarget, tlsOf } from './addresses.ts'
import { guardedResolver, mayReach } from './resolver.ts'
import { traceText } from './trace_text.ts'

type Step = TraceStep['step']
type Tried = { ok: boolean; message: string }

/** The ports of a test are any free ones. */
export const testSipTrunk: TrunkTester<TrunkSettings> = async (settings, { allow, sip }) => {
  const steps: TraceStep[] = []
  const transcript = createTranscript()
  const binding = {
    address: sip.address,
    port: 0,
    ...(sip.advertise === null ? {} : { advertise: { host: sip.advertise } }),
  }
  const reach = { allow, bound: sip.address }
  const agent = await openSipAgent({
    product: 'Tandem/1.0',
    udp: [binding],
    tcp: [],
    tls: [],
    tlsClient: tlsOf(settings),
    resolver: guardedResolver(createSystemResolver(), reach),
    mayReach: address => mayReach(address, reach),
    random: bytes => randomBytes(bytes),
    connectTimeoutMs: 4_000,
    timers: { t1Ms: 100, t2Ms: 1_000 },
    onError: () => {},
    onTrace: ({ direction, message }) =>
      transcript.add({
        direction: direction === 'in' ? 'received' : 'sent',
        text: traceText(message),
      }),
  })
  const flood = transcript.flooded.then((): Tried => ({ ok: false, message: floodText }))
  const untilMs = performance.now() + testTimeoutMs - 500

  async function step(name: Step, work: () => Promise<Tried>): Promise<boolean> {
    const startedMs = performance.now()
    const late = new Promise<Tried>(resolve =>
      setTimeout(
        () => resolve({ ok: false, message: 'There was no answer in time.' }),
        Math.max(0, untilMs - startedMs),
      ).unref(),
    )
    const { ok, message } = await Promise.race([flood, work().catch(failed), late])
    const durationMs = Math.round((performance.now() - startedMs) * 10) / 10
    steps.push({ step: name, ok, durationMs, message, messages: transcript.take() })
    return ok
  }

  try {
    const isConnected =
      (await step('resolve', () => resolveHost(agent, settings))) &&
      (settings.transport === 'udp' ||
        (await step(settings.transport === 'tls' ? 'tls' : 'connect', () => connect(agent, settings)))) &&
      (await step('options', () => askOptions(agent, settings)))
    if (isConnected && settings.register) await step('register', () => register(agent, settings))
  } finally {
    await agent.close()
  }
  return steps
}

function failed(error: unknown): Tried {
  const text = error instanceof Error ? error.message : String(error)
  return { ok: false, message: `${text[0]?.toUpperCase()}${text.slice(1)}${/[.!?]$/.test(text) ? '' : '.'}` }
}

async function resolveHost(agent: SipAgent, settings: TrunkSettings): Promise<Tried> {
  const addresses = await agent.addressesOf(requestTarget(settings))
  const name = settings.outboundProxy ?? settings.host
  return { ok: true, message: `${name} is ${addresses.join(', ')}.` }
}

async function connect(agent: SipAgent, settings: TrunkSettings): Promise<Tried> {
  await agent.contactTo(requestTarget(settings))
  return { ok: true, message: settings.transport === 'tls' ? 'Connected; the certificate is good.' : 'Connected.' }
}

async function askOptions(agent: SipAgent, settings: TrunkSettings): Promise<Tried> {
  const outcome = await agent.request(
    (via, host) => build('OPTIONS', settings, { via, host, cseq: 1, callId: newId(), headers: [] }),
    requestTarget(settings),
  )
  if ('failed' in outcome) return noAnswer(outcome)
  const { status, reason } = outcome.response
  const isDead = [408, 502, 503, 504].includes(status)
  return {
    ok: !isDead,
    message: isDead
      ? `The carrier answered OPTIONS with ${status} ${reason}: it takes no calls at the moment.`
      : `The carrier answered OPTIONS with ${status} ${reason}: it is there.`,
  }
}

function noAnswer({ failed: why, detail }: Extract<SipOutcome, { failed: string }>): Tried {
  return {
    ok: false,
    message:
      why === 'timeout'
        ? 'The carrier did not answer. Check host, port and transport, and whether it takes calls from the address of this server. A carrier that never answers OPTIONS gets calls all the same.'
        : failed(detail).message,
  }
}

async function register(agent: SipAgent, settings: TrunkSettings): Promise<Tried> {
  const account = accountOf(settings)
  const digest = account && createDigestClient(account, bytes => randomBytes(bytes))
  const callId = newId()
  let cseq = 0
  async function send(expires: number): Promise<SipResponse | Tried> {
    for (let tries = 0; tries < 4; tries++) {
      cseq++
      const uri = `sip:${domainOf(settings)}`
      const outcome = await agent.request((via, host) => {
        const credentials = digest?.credentials({ method: 'REGISTER', uri }) ?? []
        const headers = [{ name: 'Expires', value: String(expires) }, ...credentials]
        return build('REGISTER', settings, { via, host, cseq, callId, headers })
      }, requestTarget(settings))
      if ('failed' in outcome) return noAnswer(outcome)
      const { response, request } = outcome
      const isChallenge = response.status === 401 || response.status === 407
      if (!isChallenge || digest === undefined) return response
      if (digest.challenged(response, request) !== 'retry') return response
    }
    return { ok: false, message: 'The carrier asks for the password again and again.' }
  }
  const registered = await send(settings.registerSeconds)
  if ('ok' in registered) return registered
  const { status, reason } = registered
  if (status >= 300) return { ok: false, message: refusalText(status, reason) }
  await send(0)
  return { ok: true, message: 'Registered, and took the registration back.' }
}

function refusalText(status: number, reason: string): string {
  if (status === 401 || status === 407 || status === 403)
    return `The carrier refused the registration (${status} ${reason}). Check user name and password.`
  return `The carrier answered the registration with ${status} ${reason}.`
}

const newId = () => randomBytes(12).toString('hex')

type Parts = { via: string; host: string; cseq: number; callId: string; headers: readonly SipHeader[] }

function build(method: 'OPTIONS' | 'REGISTER', settings: TrunkSettings, parts: Parts): SipRequest {
  const user = settings.username ?? settings.fromUser ?? 'tandem'
  const own = method === 'REGISTER' ? `<sip:${user}@${domainOf(settings)}>` : `<sip:${user}@${fromDomainOf(settings)}>`
  const target = `sip:${domainOf(settings)}`
  const suffix = settings.transport === 'udp' ? '' : `;transport=${settings.transport}`
  return {
    kind: 'request',
    method,
    uri: target,
    headers: [
      { name: 'Via', value: parts.via },
      { name: 'Max-Forwards', value: '70' },
      { name: 'From', value: `${own};tag=${randomBytes(6).toString('hex')}` },
      { name: 'To', value: method === 'REGISTER' ? own : `<${target}>` },
      { name: 'Call-ID', value: parts.callId },
      { name: 'CSeq', value: `${parts.cseq} ${method}` },
      { name: 'Contact', value: `<sip:${user}@${parts.host}${suffix}>` },
      ...(method === 'OPTIONS' ? [{ name: 'Accept', value: 'application/sdp' }] : []),
      { name: 'User-Agent', value: 'Tandem/1.0' },
      ...parts.headers,
    ],
    body: Buffer.alloc(0),
  }
}
