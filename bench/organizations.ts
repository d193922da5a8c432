/**
 * What a thousand organizations cost each of them: the same requests where there are ten and where there are a thousand, one after the
 * other and in turns, in one process each. Ten organizations send them in both, each round other ten; then all send them, each another
 * than the one before: with a thousand nobody was seen for a while, so that who asks, and what may be sent, are looked up again.
 */
import { performance } from 'node:perf_hooks'
import { hashPassword } from '../server/src/modules/identity/login/password.ts'
import {
  insertFirstKey,
  insertFirstUser,
  insertOrganization,
} from '../server/src/modules/identity/organizations/bootstrap_store.ts'
import { startTestApp, type TestApp } from '../server/test/harness.ts'
import type { BenchContext, BenchReport } from './bench.ts'
import { formatRatio, markdownTable, median } from './measure.ts'

const counts = [10, 1_000] as const
const leastActive = 10
const requestsARound = 200
/** Each takes argon2 a good while. */
const loginsARound = 30
const leadsEach = 20
const password = 'nine copper kettles whistle'

type Member = { key: string; email: string }
/** Of its members `active` send, from the one at `first` on. */
type Side = { t: TestApp; members: Member[]; first: number; active: number; sent: number; refreshTokens: string[] }
type Action = { name: string; times: number; send(side: Side, n: number): Promise<number> }

const of = ({ members, first, active }: Side, n: number): Member => members[(first + (n % active)) % members.length]!
const loginIp = (n: number) => `198.18.${n % 250}.${Math.floor(n / 250) % 250}`

const lead = (n: number) => ({
  name: `Bench Lead ${n}`,
  email: `lead${n}@bench.example`,
  phone: `+49151${10_000_000 + n}`,
})

const actions: readonly Action[] = [
  {
    name: 'accepting a text',
    times: requestsARound,
    async send(side, n) {
      const body = { from: '+15005550006', to: '+15005550100', body: `Your code is ${n}` }
      return (await side.t.call('POST', '/v2/messages/sms', { as: of(side, n).key, body })).status
    },
  },
  {
    name: 'creating a lead',
    times: requestsARound,
    async send(side, n) {
      return (await side.t.call('POST', '/v1/api/leads', { as: of(side, n).key, body: lead(1_000_000 + n) })).status
    },
  },
  {
    name: 'a list of leads',
    times: requestsARound,
    async send(side, n) {
      return (await side.t.call('GET', '/v1/api/leads?limit=20', { as: of(side, n).key })).status
    },
  },
  {
    name: 'a login',
    times: loginsARound,
    async send(side, n) {
      const body = { emailOrAdminId: of(side, n).email, password }
      const answer = await side.t.call('POST', '/v1/api/auth/login', { body, ip: loginIp(n) })
      side.refreshTokens.push(answer.json.refreshToken)
      return answer.status
    },
  },
  {
    name: 'another access token',
    times: loginsARound,
    async send(side) {
      const refreshToken = side.refreshTokens.shift()
      return (await side.t.call('POST', '/v1/api/auth/refresh', { body: { refreshToken } })).status
    },
  },
]

async function startSide(count: number, log: (line: string) => void): Promise<Side> {
  const t = await startTestApp()
  const passwordHash = await hashPassword(password)
  const members = await t.asEngine(async client => {
    const made: Member[] = []
    for (let n = 0; n < count; n++) {
      const ids = await insertOrganization(client, { name: `Organization ${n}` })
      const email = `owner${n}@bench.example`
      const user = { email, name: 'Grace Hopper', role: 'Admin', passwordHash } as const
      const { userId } = await insertFirstUser(client, ids.organizationId, user)
      const owner = { organizationId: ids.organizationId, userId, name: 'bench', mode: 'test' } as const
      const key = await insertFirstKey(client, t.app.services.keyring, { ...owner, tenantId: ids.testTenantId })
      made.push({ key, email })
    }
    return made
  })
  const side: Side = { t, members, first: 0, active: count, sent: 0, refreshTokens: [] }
  for (let n = 0; n < count * leadsEach; n++) {
    const { status, text } = await t.call('POST', '/v1/api/leads', { as: of(side, n).key, body: lead(n) })
    if (status !== 201) throw new Error(`a lead was answered ${status}: ${text}`)
  }
  await t.ownerSql('vacuum analyze')
  log(`${count} organizations with ${leadsEach} leads each are there`)
  return side
}

async function medianOf({ name, times, send }: Action, side: Side): Promise<number> {
  const ms: number[] = []
  for (let n = 0; n < times; n++) {
    const startedMs = performance.now()
    const status = await send(side, side.sent++)
    ms.push(performance.now() - startedMs)
    if (status >= 300) throw new Error(`${name} was answered ${status}`)
  }
  return median(ms)
}

export async function organizationsBench({ pace, log }: BenchContext): Promise<BenchReport> {
  const sides: Side[] = []
  try {
    for (const count of counts) sides.push(await startSide(count, log))
    const asked = [false, true].flatMap(isSpread => actions.map(action => ({ ...action, isSpread })))
    const title = ({ name, isSpread }: { name: string; isSpread: boolean }) =>
      isSpread ? `${name}, all by turns` : name
    const found = asked.map(() => sides.map((): number[] => []))
    for (let round = 0; round <= pace.rounds; round++)
      for (const [a, action] of asked.entries())
        for (const [s, side] of sides.entries()) {
          side.first = (round * leastActive) % side.members.length
          side.active = action.isSpread ? side.members.length : leastActive
          const ms = await medianOf(action, side)
          // The first round warms up.
          if (round > 0) found[a]![s]!.push(ms)
          log(`round ${round}, ${title(action)}, ${side.members.length} organizations: ${ms.toFixed(2)} ms`)
        }
    const rows = asked.map((action, a) => {
      const [few, many] = found[a]!.map(median) as [number, number]
      const ratio = median(found[a]![1]!.map((ms, round) => ms / found[a]![0]![round]!))
      return [title(action), `${few.toFixed(2)} ms`, `${many.toFixed(2)} ms`, formatRatio(ratio)]
    })
    const head = [
      '',
      ...counts.map(count => `${count.toLocaleString('en')} organizations`),
      'ratio, median of the rounds',
    ]
    const figures = Object.fromEntries(asked.map((action, a) => [title(action), found[a]]))
    return { markdown: markdownTable(head, rows), postgres: null, figures }
  } finally {
    await Promise.all(sides.map(({ t }) => t.close()))
  }
}
