/**
 * What OAuth costs: a request with an access token beside the same with an API key, in turns on one server, and tokens by client
 * credentials; and what sign-ins with argon2 do to others: the accept of texts at a fixed rate, idle and during twenty sign-ins a second.
 */
import type { BenchContext, BenchReport } from './bench.ts'
import { formatMs, formatRatio, markdownTable, median } from './measure.ts'
import { type OpenLoadResult, openLoadInChild } from './open_load.ts'
import type { RequestTemplate } from './request_template.ts'
import { runRounds, type Subject, summarizeRuns, summaryTable } from './rounds.ts'
import { admin, createApiKey, logIn, request, startTandem, type Tandem } from './servers.ts'

type Client = { clientId: string; secret: string }

async function createClient(tandem: Tandem, scopes: readonly string[]): Promise<Client> {
  const token = await logIn(tandem)
  const body = { name: 'bench', kind: 'machine', scopes }
  type Made = { data: { appId: string; clients: { mode: string; clientId: string }[] } }
  const { data } = (await request(tandem, 'POST', '/v2/auth/apps', token, body)) as Made
  const path = `/v2/auth/apps/${data.appId}/secrets`
  const made = (await request(tandem, 'POST', path, token, { mode: 'live' })) as { data: { secret: string } }
  return { clientId: data.clients.find(({ mode }) => mode === 'live')!.clientId, secret: made.data.secret }
}

const tokenTemplate = ({ clientId, secret }: Client): RequestTemplate => ({
  method: 'POST',
  path: '/oauth/token',
  headers: {
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: 'grant_type=client_credentials&scope=profile%3Aread',
})

async function tokenOf(tandem: Tandem, client: Client): Promise<string> {
  const { method, path, headers, body } = tokenTemplate(client)
  const answer = await fetch(`http://${tandem.host}:${tandem.port}${path}`, { method, headers, body } as RequestInit)
  return ((await answer.json()) as { access_token: string }).access_token
}

const read = (token: string): RequestTemplate => ({
  method: 'GET',
  path: '/v1/api/auth/me',
  headers: { authorization: `Bearer ${token}` },
})

export async function oauthBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const server = await startTandem({ settings })
  try {
    const client = await createClient(server, ['profile:read'])
    const [key, token] = [await createApiKey(server, 'live'), await tokenOf(server, client)]
    const subjects: Subject[] = [
      { name: 'GET /v1/api/auth/me, API key', server, template: read(key) },
      { name: 'the same, OAuth token', server, template: read(token) },
      { name: 'POST /oauth/token, client credentials', server, template: tokenTemplate(client) },
    ]
    const summaries = summarizeRuns(await runRounds(subjects, pace, log))
    const [byKey, byToken, tokens] = summaries.map(({ serverUs, databaseUs }) => (serverUs ?? 0) + (databaseUs ?? 0))
    const cost = byToken! / byKey!
    const aSecond = 1e6 / tokens!
    const notes = [
      `a request with an OAuth token over one with a key, processor of server and database: ${formatRatio(cost)} (wanted ≤ 1.1) ${cost <= 1.1 ? 'reached' : 'MISSED'}`,
      `tokens a second of one core, server and database: ${aSecond.toFixed(0)} (wanted ≥ 200) ${aSecond >= 200 ? 'reached' : 'MISSED'}`,
    ]
    const markdown = `${summaryTable(summaries)}\n\n${notes.map(note => `- ${note}`).join('\n')}`
    return { markdown, postgres: null, summaries, figures: { cost, tokensASecond: aSecond } }
  } finally {
    await server.stop()
  }
}

const acceptsASecond = 100
const signInsASecond = 20

export async function signInsBench({ pace, settings, log }: BenchContext): Promise<BenchReport> {
  const server = await startTandem({ settings })
  try {
    const key = await createApiKey(server, 'test')
    const sms: RequestTemplate = {
      method: 'POST',
      path: '/v2/messages/sms',
      headers: { authorization: `Bearer ${key}` },
      body: JSON.stringify({ from: '+15005550006', to: '+15005550100', body: 'Your code is {{n:8}}' }),
    }
    const signIn: RequestTemplate = {
      method: 'POST',
      path: '/v1/api/auth/login',
      body: JSON.stringify({ emailOrAdminId: admin.email, password: admin.password }),
    }
    const { host, port } = server
    let firstN = 0
    const accept = async (): Promise<number> => {
      const load = { host, port, template: sms, perSecond: acceptsASecond, seconds: pace.seconds, firstN }
      const result = await openLoadInChild(load)
      firstN += result.sent
      if (result.succeeded < result.sent) throw new Error(`${result.sent - result.succeeded} texts were not accepted`)
      return p95(result)
    }
    const [idle, busy, ratios, answered]: [number[], number[], number[], number[]] = [[], [], [], []]
    for (let round = 0; round <= pace.rounds; round++) {
      const alone = await accept()
      const others = openLoadInChild({
        ...{ host, port, template: signIn, perSecond: signInsASecond, seconds: pace.seconds, firstN: 0 },
      })
      const beside = await accept()
      const { succeeded, sent } = await others
      log(`round ${round}: ${formatMs(alone)} ms idle, ${formatMs(beside)} ms beside ${succeeded} of ${sent} sign-ins`)
      if (round === 0) continue
      idle.push(alone)
      busy.push(beside)
      ratios.push(beside / alone)
      answered.push(succeeded / sent)
    }
    const ratio = median(ratios)
    const rows = [
      [`p95 of accepting ${acceptsASecond} texts a second, idle`, `${formatMs(median(idle))} ms`],
      [`the same beside ${signInsASecond} sign-ins a second`, `${formatMs(median(busy))} ms`],
      ['ratio, median of the rounds', `${formatRatio(ratio)} (wanted ≤ 1.5) ${ratio <= 1.5 ? 'reached' : 'MISSED'}`],
      ['ratios of the rounds', ratios.map(formatRatio).join(' ')],
      ['sign-ins that were answered', `${(median(answered) * 100).toFixed(0)} %`],
    ]
    return { markdown: markdownTable(['', ''], rows), postgres: null, figures: { idle, busy, ratios } }
  } finally {
    await server.stop()
  }
}

/** In microseconds. */
function p95({ dueUs, acceptedUs }: OpenLoadResult): number {
  const waits = [...acceptedUs].map((at, index) => at - dueUs[index]!).sort((a, b) => a - b)
  return waits[Math.floor(waits.length * 0.95)]!
}
