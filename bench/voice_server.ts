/**
 * A server for the benches of calls: a trunk that leads to a carrier of theirs, and what is read of it afterwards.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { RequestTemplate } from './request_template.ts'
import { connectOwner, request, startTandem, type Tandem } from './servers.ts'

/** Its sockets are at the loopback address, and trunks may lead there. */
export function startVoiceServer(settings: Record<string, string>): Promise<Tandem> {
  return startTandem({
    settings: {
      TANDEM_SIP_ADDRESS: '127.0.0.1',
      TANDEM_SIP_PORT: '0',
      TANDEM_EGRESS_ALLOW: '127.0.0.0/8',
      TANDEM_RTP_PORTS: '20000-59999',
      ...settings,
    },
  })
}

/** German mobile numbers: the range has room for all of them. */
export const callTemplate = (key: string, instructions: readonly object[]): RequestTemplate => ({
  method: 'POST',
  path: '/v2/voice/calls',
  headers: { authorization: `Bearer ${key}` },
  body: JSON.stringify({ from: '+4915112345678', to: '+49151{{n:8}}', instructions }),
})

/** Adds a trunk to a carrier on this machine, without limits that a bench would meet; resolves when it is up. */
export async function addTrunk(tandem: Tandem, key: string, port: number): Promise<void> {
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
    for (let tries = 0; ; tries++) {
      const { rows } = await owner.query<{ state: string; calls: number; live: number }>(
        `select state, count(*)::int as calls, (count(*) filter (where ended_at is null))::int as live from calls group by 1`,
      )
      if (tries === 120 || rows.every(row => row.live === 0)) return new Map(rows.map(row => [row.state, row.calls]))
      await sleep(500)
    }
  } finally {
    await owner.end()
  }
}
