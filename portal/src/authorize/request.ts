// The server, as the pages ask it on which people let programs in: with the person's own token, and only from here.
import { accessToken, type Mode } from '../session/session.ts'
import { problemText } from '../ui/faults.ts'
import { t } from './texts.ts'

/** What a program asks for. */
export type AuthorizationRequest = {
  client: { clientId: string; name: string; homepageUrl: string | null; isRegistered: boolean }
  /** The host that the answer goes to; null for a device. */
  redirectTo: string | null
  isLoopback: boolean
  organization: string
  person: string
  /** Where it acts, when its id says so. */
  mode: Mode | null
  decision: 'allowed' | 'blocked' | 'undecided'
  days: number
  scopes: { name: string; allows: string; held: boolean }[]
}
export type Over = { over: string }
export type Decision = { allow: boolean; mode?: Mode; scopes?: readonly string[] }

async function ask<Reply>(method: 'GET' | 'POST', path: string, body?: object): Promise<Reply> {
  const token = await accessToken('live')
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: {
      Authorization: `Bearer ${token}`,
      'X-Tandem-Portal': '1',
      ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  const answer = (await response.json()) as Reply & { error?: { code: string; message: string } }
  if (!response.ok) {
    const { error: said } = answer
    throw new Error(said ? problemText(said.code, said.message) : t('failed', { status: String(response.status) }))
  }
  return answer
}

export const readRequest = (uid: string) =>
  ask<AuthorizationRequest | Over>('GET', `/authorize/${encodeURIComponent(uid)}/request`)
export const decideRequest = (uid: string, decision: Decision) =>
  ask<{ redirectTo: string }>('POST', `/authorize/${encodeURIComponent(uid)}/decision`, decision)
export const readDevice = (userCode: string) =>
  ask<AuthorizationRequest | Over>('POST', '/device/request', { userCode })
export const decideDevice = (userCode: string, decision: Decision) =>
  ask<{ done: true }>('POST', '/device/decision', { userCode, ...decision })
