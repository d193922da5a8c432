// Tries the settings of an Asterisk out beside whatever is in use: asks ARI who is there, whether it knows the endpoint, and whether it
// reports its calls. Every request is shown, the password hidden.
import { randomBytes } from 'node:crypto'
import type { AsteriskSettings, TraceStep, TrunkTester } from '../../modules/voice/trunks/index.ts'
import { type Ari, type AriReply, createAri, part, wordText } from './ari.ts'
import { whySilent } from './reach.ts'

type Tried = { ok: boolean; message: string }

export const testAsteriskTrunk: TrunkTester<AsteriskSettings> = async (settings, { outbound, sip }) => {
  const steps: TraceStep[] = []
  let messages: TraceStep['messages'] = []
  const plain = createAri(outbound, settings)
  const ari: Ari = {
    ...plain,
    async request(method, path, query) {
      const asked = query === undefined ? '' : `?${new URLSearchParams(query)}`
      messages.push({ direction: 'sent', text: `${method} /ari${path}${asked}\r\nAuthorization: Basic …` })
      const reply = await plain.request(method, path, query)
      const line = reply.status === null ? reply.message : `HTTP ${reply.status}`
      messages.push({ direction: 'received', text: `${line}\r\n\r\n${JSON.stringify(reply.body ?? null)}` })
      return reply
    },
  }

  async function step(name: TraceStep['step'], work: () => Promise<Tried>): Promise<boolean> {
    messages = []
    const startedMs = performance.now()
    const { ok, message } = await work()
    const durationMs = Math.round((performance.now() - startedMs) * 10) / 10
    steps.push({ step: name, ok, durationMs, message, messages })
    return ok
  }

  if (await step('ari', () => askWhoIsThere(ari, settings, sip.address)))
    await step('events', () => listen(ari, settings))
  return steps
}

async function askWhoIsThere(ari: Ari, { endpoint, url }: AsteriskSettings, bound: string): Promise<Tried> {
  const info = await ari.request('GET', '/asterisk/info', { only: 'system' })
  if (!info.ok) return { ok: false, message: refusalOf(info) }
  const silence = await whySilent(url, bound)
  if (silence !== null) return { ok: false, message: silence }
  const { system } = info.body as { system?: { version?: string } }
  const version = `Asterisk ${system?.version ?? '(of unknown version)'} answers`
  const name = /^([A-Za-z0-9]+)\/[^@]*@([^@/]+)$/.exec(endpoint)
  if (name?.[1]?.toUpperCase() !== 'PJSIP') return { ok: true, message: `${version}.` }
  const found = await ari.request('GET', `/endpoints/PJSIP/${part(name[2] ?? '')}`)
  if (found.ok) return { ok: true, message: `${version}, and has the endpoint ${name[2]}.` }
  return {
    ok: false,
    message: `${version}, but has no endpoint ${name[2]} (${found.message}): see pjsip.conf, or change the endpoint.`,
  }
}

function refusalOf({ status, message }: AriReply): string {
  if (status === null) return `The Asterisk cannot be reached: ${message}.`
  if (status === 401) return 'The Asterisk knows no such user or password: see ari.conf.'
  if (status === 404) return 'There is no ARI at that address: see ari.conf, http.conf and the address.'
  return `The Asterisk answered ${status}: ${message}.`
}

/** Under a name that nobody has: anyone who listens to the application of the trunk goes on. */
async function listen(ari: Ari, { application }: AsteriskSettings): Promise<Tried> {
  const name = `${application}-test-${randomBytes(4).toString('hex')}`
  const listening = await ari.events(
    name,
    () => {},
    () => {},
  )
  if (!listening.ok) return { ok: false, message: `It reports no events: ${wordText(listening.error)}.` }
  const known = await ari.request('GET', `/applications/${part(name)}`)
  // Who may only read may listen, but not call.
  const tried = await ari.request('POST', '/channels/create')
  listening.close()
  if (!known.ok) return { ok: false, message: `It does not know who listens: ${known.message}.` }
  if (tried.status === 403)
    return { ok: false, message: 'The user may read only: remove read_only from ari.conf, so that calls can be made.' }
  return { ok: true, message: 'It reports its calls, and the user may call.' }
}
