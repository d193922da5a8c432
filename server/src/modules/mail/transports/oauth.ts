// Access tokens for mail servers by client credentials (RFC 6749 §4.4), kept until shortly before they end.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { OAuthClient } from './port.ts'

type Known = { token: string; untilMs: number }
const known = new Map<string, Known>()
const maxKnown = 1_000
const marginMs = 60_000

/** @throws Error with a sentence for people */
export async function tokenFor(
  { tokenUrl, clientId, clientSecret, scope }: OAuthClient,
  { outbound, clock }: Pick<Services, 'outbound' | 'clock'>,
): Promise<string> {
  const key = JSON.stringify([tokenUrl, clientId, clientSecret, scope])
  const nowMs = clock.now()
  const kept = known.get(key)
  if (kept !== undefined && kept.untilMs > nowMs) return kept.token
  const form = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  })
  if (scope !== null) form.set('scope', scope)
  const reply = await outbound.send({
    url: new URL(tokenUrl),
    headers: ['content-type', 'application/x-www-form-urlencoded', 'accept', 'application/json'],
    body: Buffer.from(form.toString()),
  })
  if (!reply.ok) throw new Error(`the token address could not be reached (${reply.error})`)
  const { access_token: token, expires_in: seconds = 300, error } = answerOf(reply.body)
  if (reply.status !== 200 || typeof token !== 'string')
    throw new Error(`the token address answered ${reply.status}${error === undefined ? '' : ` ${error}`}`)
  if (known.size >= maxKnown) known.clear()
  known.set(key, { token, untilMs: nowMs + Number(seconds) * 1_000 - marginMs })
  return token
}

function answerOf(body: Buffer): { access_token?: string; expires_in?: number; error?: string } {
  try {
    return JSON.parse(body.toString('utf8'))
  } catch {
    return {}
  }
}
