// The world of calls for a crash run: an API, a worker and a process of calls over one database; carriers of sipp, each behind a link of
// its own; a caller; an address that serves instructions to calls, and a receiver of webhooks.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { freePort } from '../../../../scripts/testing/free_port.ts'
import type { Edit } from '../defects.ts'
import { type House, type HouseOptions, type Span, startHouse } from '../house.ts'
import type { Random } from '../random.ts'
import { startWebhookSink, type WebhookSide } from '../remote_peers.ts'
import { type CallbackSide, startCallbacks } from './callbacks.ts'
import { type Link, openLink } from './link.ts'
import { type Behaviour, behaviours, callerScript, scriptOf } from './scripts.ts'
import { type RemoteCall, readSippLog, type Sipp, startSipp } from './sipp.ts'

export type CallRole = 'api' | 'worker' | 'voice'

/** How long the server waits for what. */
export type Patience = {
  heartbeatMs: number
  /** After which calls of a process count as lost, and how often that is looked for. */
  lostMs: number
  lookMs: number
  /** After which jobs of a process are anybody's. */
  othersMs: number
  silenceMs: number
}

/** As it is. */
export const usualPatience: Patience = {
  heartbeatMs: 10_000,
  lostMs: 30_000,
  lookMs: 5_000,
  othersMs: 40_000,
  silenceMs: 30_000,
}

/** Shorter, so that a run takes no minutes: nothing but these numbers differs. */
export const hastyPatience: Patience = {
  heartbeatMs: 1_000,
  lostMs: 5_000,
  lookMs: 1_000,
  othersMs: 7_000,
  silenceMs: 4_000,
}

export const hastyEdits: readonly Edit[] = [
  {
    file: 'server/src/modules/voice/node/node.ts',
    find: 'const heartbeatMs = 10_000',
    replace: `const heartbeatMs = ${hastyPatience.heartbeatMs}`,
  },
  {
    file: 'server/src/modules/voice/node/jobs.ts',
    find: 'export const ownerSilenceSeconds = 30',
    replace: `export const ownerSilenceSeconds = ${hastyPatience.lostMs / 1_000}`,
  },
  {
    file: 'server/src/modules/voice/node/jobs.ts',
    find: '  pollMs: 5_000,',
    replace: `  pollMs: ${hastyPatience.lookMs},`,
  },
  {
    file: 'server/migrations/0020_calls.sql',
    find: "interval '40 seconds'",
    replace: `interval '${hastyPatience.othersMs / 1_000} seconds'`,
  },
  {
    file: 'server/src/modules/voice/recordings/jobs.ts',
    find: 'const lostAfterSeconds = 60',
    replace: 'const lostAfterSeconds = 10',
  },
  {
    file: 'server/src/engines/trunks/forgotten.ts',
    find: 'const everyMs = 15_000',
    replace: 'const everyMs = 2_000',
  },
  {
    file: 'server/src/engines/trunks/forgotten.ts',
    find: 'const overSeconds = 60',
    replace: 'const overSeconds = 10',
  },
  {
    file: 'server/src/engines/trunks/sound.ts',
    find: "cname: 'tandem',",
    replace: `cname: 'tandem', silenceMs: ${hastyPatience.silenceMs},`,
  },
]

export type CallWorld = House<CallRole> & {
  patience: Patience
  links: Record<Behaviour | 'caller', Link>
  /** When no carrier could be reached. */
  cuts: Span[]
  /** When datagrams were lost. */
  weathers: Span[]
  callbacks: CallbackSide
  webhooks: WebhookSide
  /** A number that calls, and the one that is called. */
  numbers: { from: string; called: string }
  /** What the carriers saw, and the caller. */
  farCalls(): RemoteCall[]
  /** Carriers that ended by themselves. */
  broken(): string[]
  /** Makes no more calls. */
  stopCalling(): void
}

export type CallWorldOptions = Pick<HouseOptions<CallRole>, 'tree' | 'damage'> & {
  random: Random
  patience: Patience
  /** Calls that come in, a second. */
  inboundPerSecond: number
}

/** Numbers that the calls of a carrier go to start with this. */
export function prefixOf(behaviour: Behaviour): string {
  return `+4915${behaviours.indexOf(behaviour) + 1}`
}

export async function startCallWorld(options: CallWorldOptions): Promise<CallWorld> {
  const { tree, damage, random, patience, inboundPerSecond } = options
  const sipPort = await freePort()
  const house = await startHouse({
    tree,
    damage,
    roles: ['api', 'worker', 'voice'] as const,
    env: { TANDEM_SIP_ADDRESS: '127.0.0.1', TANDEM_SIP_PORT: String(sipPort), TANDEM_RTP_PORTS: '30000-39999' },
  })
  const folder = mkdtempSync(join(tmpdir(), 'tandem-sipp-'))
  const closing: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })]
  async function close(): Promise<void> {
    await Promise.all(Object.values(house.parts).map(part => part.kill()))
    for (const end of closing.reverse()) await end()
    await house.close()
  }
  try {
    const callbacks = await startCallbacks({
      outbound: [{ verb: 'pause', seconds: 1 }, { verb: 'hangup' }],
      inbound: [
        { verb: 'play', tone: 'beep' },
        { verb: 'pause', seconds: 60 },
      ],
    })
    closing.push(callbacks.close)
    let secret = ''
    const webhooks = await startWebhookSink(random, {
      verify: (body, headers) => void new Webhook(secret).verify(body, headers),
    })
    closing.push(webhooks.close)
    const hook = { url: webhooks.url, description: 'Crash run', eventTypes: ['call.*'] }
    secret = (await house.call('POST', '/v2/webhooks', hook))['secret'] as string
    const numbers = { from: '+4930555001', called: '+4930555002' }
    await house.call('POST', '/v2/numbers', { number: numbers.from, voice: true })
    const { numberId } = await house.call('POST', '/v2/numbers', { number: numbers.called, voice: true })
    await house.call('PUT', `/v2/numbers/${numberId}/voice`, {
      callbackUrl: callbacks.url,
      fallbackUrl: callbacks.fallbackUrl,
      instructions: [
        { verb: 'play', tone: 'ringback' },
        { verb: 'pause', seconds: 60 },
      ],
    })

    const talkMs = [1_500, 4_000] as const
    const holdMs = patience.silenceMs + 1_500
    const carriers = new Map<Behaviour, Sipp>()
    const links: Partial<Record<Behaviour, Link>> = {}
    for (const behaviour of behaviours) {
      const link = await openLink({ random, ...(['silent', 'held'].includes(behaviour) && { echoes: 25 }) })
      closing.push(link.close)
      const to = { carrier: `127.0.0.1:${link.serverSide}`, sound: link.sound, talkMs, holdMs }
      const sipp = await startSipp({ folder, name: behaviour, script: scriptOf(behaviour, to) })
      closing.push(sipp.stop)
      link.between(sipPort, sipp.port)
      links[behaviour] = link
      carriers.set(behaviour, sipp)
      const own = [{ prefix: prefixOf(behaviour), priority: 1, weight: 1 }]
      const second = [{ prefix: prefixOf('unavailable'), priority: 2, weight: 1 }]
      await house.call('POST', '/v2/voice/trunks', {
        name: behaviour,
        settings: { host: '127.0.0.1', port: link.serverSide, callsPerSecond: 100, concurrentCalls: 1_000 },
        routes: behaviour === 'hangs_up' ? [...own, ...second] : own,
      })
    }
    // Until the process of calls has seen them, the simulator carries calls.
    const deadline = performance.now() + 30_000
    for (;;) {
      const [row] = await house.sql<{ n: number }>('select count(*)::integer as n from trunk_states')
      if ((row?.n ?? 0) >= behaviours.length) break
      if (performance.now() > deadline) throw new Error('the trunks were not taken up')
      await sleep(50)
    }
    const way = await openLink({ random })
    closing.push(way.close)
    const caller = await startSipp({
      folder,
      name: 'caller',
      script: callerScript(
        { carrier: `127.0.0.1:${way.serverSide}`, sound: way.sound, talkMs, holdMs },
        numbers.called,
      ),
      calls: { port: way.carrierSide, perSecond: inboundPerSecond },
    })
    closing.push(caller.stop)
    way.between(sipPort, caller.port)
    let isCalling = true

    return {
      ...house,
      patience,
      links: { ...(links as Record<Behaviour, Link>), caller: way },
      cuts: [],
      weathers: [],
      callbacks,
      webhooks,
      numbers,
      farCalls: () => [
        ...[...carriers].flatMap(([behaviour, sipp]) => readSippLog(sipp.log(), behaviour, false)),
        ...readSippLog(caller.log(), 'caller', true),
      ],
      broken: () => [
        ...[...carriers].filter(([, sipp]) => !sipp.isRunning()).map(([name, sipp]) => `${name}: ${sipp.output()}`),
        ...(isCalling && !caller.isRunning() ? [`caller: ${caller.output()}`] : []),
      ],
      stopCalling() {
        isCalling = false
        caller.finish()
      },
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
