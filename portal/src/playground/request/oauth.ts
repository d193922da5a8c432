// The Playground as a client of the authorization server: code with PKCE (RFC 7636) as the built-in public client. The person answers in
// a window of its own, so that what is written here stays; the answer comes back over a channel of this origin.
import { t } from '../texts.ts'

/** What an authorization has brought. Lives in memory only. */
export type OAuthTokens = { access: string; refresh: string; expiresAtMs: number; scopes: readonly string[] }

/** What the window in which the person answered says of it. */
export type Answered = { state: string; code?: string; error?: string; description?: string; issuer?: string }

const clientId = 'tdm_playground'
const channelName = 'tandem.playground.authorized'

/** The authorization has ended, or was not given: only the person can help. */
export class NotAuthorized extends Error {}

type Reply = Record<string, unknown>

/** Asks the server for JSON by a relative address: its own name for itself may be another than the page's, and the policy allows this one only. */
async function ask(path: string, form?: Record<string, string>): Promise<Reply> {
  const response = await fetch(path, {
    credentials: 'omit',
    cache: 'no-store',
    referrerPolicy: 'no-referrer',
    ...(form === undefined ? {} : { method: 'POST', body: new URLSearchParams(form) }),
  })
  const reply = (await response.json().catch(() => ({}))) as Reply
  if (response.ok) return reply
  const text = String(reply['error_description'] ?? reply['error'] ?? t('serverAnswered', { status: response.status }))
  throw reply['error'] === 'invalid_grant' ? new NotAuthorized(text) : new Error(text)
}

function tokensOf(reply: Reply): OAuthTokens {
  return {
    access: String(reply['access_token']),
    refresh: String(reply['refresh_token'] ?? ''),
    expiresAtMs: Date.now() + Number(reply['expires_in'] ?? 0) * 1000,
    scopes: String(reply['scope'] ?? '')
      .split(' ')
      .filter(scope => scope !== '' && scope !== 'offline_access'),
  }
}

/**
 * Asks the person for these scopes and exchanges what they answer. Call it from a click, or the browser blocks the window.
 * @throws NotAuthorized when the person said no
 */
export async function authorize(scopes: readonly string[], signal: AbortSignal): Promise<OAuthTokens> {
  if (globalThis.crypto.subtle === undefined) throw new Error(t('notSecure'))
  const name = randomText()
  const opened = window.open('about:blank', name, 'popup,width=560,height=760')
  if (opened === null) throw new Error(t('windowBlocked'))
  try {
    const metadata = await ask('/.well-known/oauth-authorization-server/oauth')
    const [verifier, state] = [randomText(), randomText()]
    const redirectUri = `${window.location.origin}/playground/authorized`
    const address = new URL(String(metadata['authorization_endpoint']))
    address.search = new URLSearchParams({
      response_type: 'code',
      client_id: clientId,
      redirect_uri: redirectUri,
      scope: scopes.join(' '),
      state,
      code_challenge: await challengeOf(verifier),
      code_challenge_method: 'S256',
    }).toString()
    const answer = answered(state, signal)
    opened.location.replace(address.href)
    const { code, error, description, issuer } = await answer
    if (code === undefined) throw new NotAuthorized(description ?? error ?? t('notGiven'))
    // RFC 9207: the answer is from the server that was asked.
    if (issuer !== metadata['issuer']) throw new Error(t('otherServer'))
    const form = { grant_type: 'authorization_code', code, redirect_uri: redirectUri, code_verifier: verifier }
    return tokensOf(await ask('/oauth/token', { ...form, client_id: clientId }))
  } catch (error) {
    opened.close()
    throw error
  }
}

/** @throws NotAuthorized when the authorization has ended */
export async function refresh({ refresh: refresh_token }: OAuthTokens): Promise<OAuthTokens> {
  return tokensOf(await ask('/oauth/token', { grant_type: 'refresh_token', refresh_token, client_id: clientId }))
}

/** Ends the authorization: tokens that nobody holds any more should open nothing. */
export async function revoke({ refresh: token }: OAuthTokens): Promise<void> {
  const body = new URLSearchParams({ token, client_id: clientId })
  await fetch('/oauth/revoke', { method: 'POST', body, credentials: 'omit', keepalive: true }).catch(() => undefined)
}

/** 256 random bits, as a verifier needs them (RFC 7636 §4.1). */
function randomText(): string {
  return base64url(crypto.getRandomValues(new Uint8Array(32)))
}

async function challengeOf(verifier: string): Promise<string> {
  return base64url(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))))
}

function base64url(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

/** Waits for the answer to one request; others on the channel are of other pages. */
function answered(state: string, signal: AbortSignal): Promise<Answered> {
  const channel = new BroadcastChannel(channelName)
  return new Promise<Answered>((resolve, reject) => {
    channel.onmessage = ({ data }: MessageEvent<Answered>) => {
      if (data?.state !== state) return
      channel.postMessage({ taken: state })
      resolve(data)
    }
    signal.addEventListener('abort', () => reject(new NotAuthorized(t('stoppedWaiting'))), { once: true })
  }).finally(() => channel.close())
}

/** Hands an answer to the page that asked. @returns whether one took it within a second */
export function handOver(answer: Answered): Promise<boolean> {
  const channel = new BroadcastChannel(channelName)
  return new Promise<boolean>(resolve => {
    const timer = setTimeout(() => resolve(false), 1_000)
    channel.onmessage = ({ data }: MessageEvent<{ taken?: string }>) => {
      if (data?.taken !== answer.state) return
      clearTimeout(timer)
      resolve(true)
    }
    channel.postMessage(answer)
  }).finally(() => channel.close())
}
