/**
 * A server for the benches of calls: a trunk that leads to a carrier of theirs, and what is read of it afterwards.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type pg from 'pg'
import type { PhonesOrder, PhonesReply } from './ivr_child.ts'
import type { RequestTemplate } from './request_template.ts'
import { connectOwner, type RunningServer, request, startTandem, type Tandem } from './servers.ts'
import type { CarrierOrder, CarrierReply } from './voice_child.ts'

/** Its sockets are at the loopback address, and trunks may lead there. */
export const voiceSettings = {
  TANDEM_SIP_ADDRESS: '127.0.0.1',
  TANDEM_SIP_PORT: '0',
  TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
  TANDEM_RTP_PORTS: '20000-59999',
}

export function startVoiceServer(settings: Record<string, string>): Promise<Tandem> {
  return startTandem({ settings: { ...voiceSettings, ...settings } })
}

/** The other side of calls, in a process of its own. */
export type CallPeer<Reported> = { port: number; report(): Promise<Reported>; close(): void }

/** Starts a file of this folder that opens with what it is given, reports when it is asked, and closes. */
async function startPeer<Reply extends { kind: string }>(
  file: string,
  opening: object,
): Promise<CallPeer<Extract<Reply, { kind: 'report' }>>> {
  const child = fork(fileURLToPath(new URL(`./${file}`, import.meta.url)), {
    serialization: 'advanced',
    execArgv: ['--conditions=source'],
  })
  const ask = async (order: object, wanted: string) => {
    child.send(order)
    const [reply] = (await once(child, 'message', { signal: AbortSignal.timeout(10_000) })) as [Reply]
    if (reply.kind !== wanted) throw new Error(`${file} answered ${reply.kind}, not ${wanted}`)
    return reply
  }
  const { port } = (await ask({ kind: 'open', ...opening }, 'listening')) as Reply & { port: number }
  return {
    port,
    report: async () => (await ask({ kind: 'report' }, 'report')) as Extract<Reply, { kind: 'report' }>,
    close: () => void child.send({ kind: 'close' }),
  }
}

type OpeningOf<Order> = Omit<Extract<Order, { kind: 'open' }>, 'kind'>
export type CallCarrier = CallPeer<Extract<CarrierReply, { kind: 'report' }>>

/** A carrier that answers every call and hangs up after `talkMs`. @param opening.count highest number it notes */
export function startCallCarrier(opening: OpeningOf<CarrierOrder>): Promise<CallCarrier> {
  return startPeer<CarrierReply>('voice_child.ts', opening)
}

/** Phones that type in a menu and talk. */
export function startPhones(
  opening: OpeningOf<PhonesOrder>,
): Promise<CallPeer<Extract<PhonesReply, { kind: 'report' }>>> {
  return startPeer<PhonesReply>('ivr_child.ts', opening)
}

/** German mobile numbers: the range has room for all of them. */
export const callTemplate = (key: string, instructions: readonly object[]): RequestTemplate => ({
  method: 'POST',
  path: '/v2/voice/calls',
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify({ from: '+4915112345678', to: '+49151{{n:8}}', instructions }),
})

/** Adds a trunk to a carrier on this machine, without limits that a bench would meet; resolves when it is up. */
export async function addTrunk(tandem: RunningServer, key: string, port: number): Promise<void> {
  const settings = { host: '127.0.0.1', port, callsPerSecond: 1_000, concurrentCalls: 10_000, foreignCallerIds: true }
  const routes = [{ prefix: '', priority: 10, weight: 1 }]
  const policy = { concurrentCalls: null, dailyCalls: null }
  await request(tandem, 'PATCH', '/v2/destinations/policies/organization', key, policy)
  const reply = await request(tandem, 'POST', '/v2/voice/trunks', key, { name: 'Bench', settings, routes })
  const { trunkId } = (reply as { data: { trunkId: string } }).data
  for (let tries = 0; tries < 100; tries++) {
    const { data } = (await request(tandem, 'GET', `/v2/voice/trunks/${trunkId}`, key)) as { data: { state: string } }
    if (data.state === 'up') return
    await sleep(100)
  }
  throw new Error('the trunk did not come up')
}

/** How many calls are in each state, once all are over or a minute has passed. */
export async function statesOf(tandem: Tandem): Promise<Map<string, number>> {
  const owner = await connectOwner(tandem)
  try {
    return await callStates(owner)
  } finally {
    await owner.end()
  }
}

/** The same by a connection that is there. */
export async function callStates(owner: pg.Client): Promise<Map<string, number>> {
  for (let tries = 0; ; tries++) {
    const { rows } = await owner.query<{ state: string; calls: number; live: number }>(
      `select state, count(*)::int as calls, (count(*) filter (where ended_at is null))::int as live from calls group by 1`,
    )
    if (tries === 120 || rows.every(row => row.live === 0)) return new Map(rows.map(row => [row.state, row.calls]))
    await sleep(500)
  }
}
