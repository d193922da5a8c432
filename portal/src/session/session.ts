// Who is logged in. Access tokens, one a mode, live in this module's memory only; what survives a reload is an http-only
// cookie that this page cannot read and the server takes nowhere but below /portal/session.
import { TandemError } from '@tandem/sdk'
import { createContext, use, useSyncExternalStore } from 'react'
import { speak, untilWordsReady } from '../words/language.ts'
import { draftStore } from './draft_store.ts'
import { t } from './texts.ts'

export type Mode = 'live' | 'test'
export type Role = 'Admin' | 'Sales Manager' | 'Sales Executive' | 'Finance Manager'
export type User = { id: number; email: string; role: Role; name: string }
/** Only what is active can be changed. */
export type OrganizationState = 'active' | 'suspended' | 'closing'
type Token = { accessToken: string; expiresAtMs: number }
export type SessionState =
  | { status: 'starting' }
  | { status: 'out'; notice?: string }
  | {
      status: 'in'
      user: User
      permissions: ReadonlySet<string>
      organizations: number
      organizationName: string
      organizationState: OrganizationState
      country: string | null
      mode: Mode
    }

type SessionReply = {
  accessTokens: Record<Mode, { accessToken: string; expiresIn: number }>
  user: User
  /** The language that the person chose, as BCP 47 has it; null for that of the browser. */
  locale: string | null
  permissions: string[]
  /** Of how many they are a member. */
  organizations: number
  organizationName: string
  organizationState: OrganizationState
  /** Where telephone numbers are at home (ISO 3166-1). */
  country: string | null
  /** Of an app that was set up with this login. */
  recoveryCodes?: string[]
}

/** What the server said when a login or refresh was refused, and the seconds it wants to be left in peace. */
export type Refusal = {
  code: string
  message: string
  retryAfterSeconds?: number
  /** Of a login that needs more: the token to go on with, and the secret of an app that is to be set up. */
  challengeToken?: string
  setup?: { secret: string; uri: string }
  /** What stands for a second factor of the account. */
  methods?: readonly string[]
  /** Where somebody logs in whom the organization lets in by its identity provider only. */
  ssoUrl?: string
}

/** What a login that needs more is answered with. */
export type Further = {
  challengeToken: string
  code?: string
  recoveryCode?: string
  assertion?: object
  newPassword?: string
  trustDevice?: boolean
}

/** What was chosen last in this browser, by anybody; with an id behind it, by this person. */
const modeKey = 'tandem.mode'
/** A token is renewed when it has less than this left. */
const renewBeforeMs = 90_000

let state: SessionState = { status: 'starting' }
let tokens: Record<Mode, Token> | undefined
const listeners = new Set<() => void>()

function change(next: SessionState): void {
  state = next
  for (const listener of listeners) listener()
}

const modeKeyOf = ({ id }: User) => `${modeKey}.${id}`

/** The mode that this person chose last; undefined for who never chose. */
function storedMode(user: User): Mode | undefined {
  try {
    const stored = localStorage.getItem(modeKeyOf(user)) ?? localStorage.getItem(modeKey)
    return stored === 'live' || stored === 'test' ? stored : undefined
  } catch {
    return undefined
  }
}

/**
 * The mode of who never chose: live for people who sell and bill; for who builds with the API where the organization's records are,
 * live if there are any and none in test mode.
 */
async function firstMode({ accessTokens, permissions, user }: SessionReply): Promise<Mode> {
  if (!permissions.includes('webhooks:manage')) return 'live'
  const path = permissions.includes('leads:read') ? '/v1/api/leads?limit=1' : '/v1/api/finance/invoices?limit=1'
  const hasAny = async (mode: Mode) => {
    try {
      const response = await fetch(path, { headers: { Authorization: `Bearer ${accessTokens[mode].accessToken}` } })
      const { pagination } = (await response.json()) as { pagination?: { totalCount: number } }
      return pagination !== undefined && pagination.totalCount > 0
    } catch {
      return false
    }
  }
  const [live, test] = await Promise.all([hasAny('live'), hasAny('test')])
  const mode = live && !test ? 'live' : 'test'
  // An organization without records is looked at again next time.
  if (live || test) keepMode(user, mode)
  return mode
}

function keepMode(user: User, mode: Mode): void {
  try {
    localStorage.setItem(modeKeyOf(user), mode)
  } catch {
    // Without storage the mode holds until the page is left.
  }
}

async function ask(method: 'POST' | 'DELETE', path: string, body?: unknown): Promise<Response> {
  return fetch(path, {
    method,
    credentials: 'same-origin',
    cache: 'no-store',
    headers: { 'X-Tandem-Portal': '1', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
}

async function adopt(reply: SessionReply): Promise<void> {
  // Somebody else, or the same person in another organization, by another window: nothing that is shown here is theirs.
  if (state.status === 'in' && state.user.id !== reply.user.id) return window.location.assign('/')
  const mode = state.status === 'in' ? state.mode : (storedMode(reply.user) ?? (await firstMode(reply)))
  const nowMs = Date.now()
  const tokenOf = (mode: Mode): Token => ({
    accessToken: reply.accessTokens[mode].accessToken,
    expiresAtMs: nowMs + reply.accessTokens[mode].expiresIn * 1_000,
  })
  tokens = { live: tokenOf('live'), test: tokenOf('test') }
  // What comes next is said in the person's own language; where its texts do not come, in that which is here.
  await speak(reply.locale).catch(() => undefined)
  const { user, organizations, organizationName, organizationState, country } = reply
  const permissions = new Set(reply.permissions)
  change({ status: 'in', user, permissions, organizations, organizationName, organizationState, country, mode })
}

type RefusalBody = Refusal & { details?: { field: string; message: string }[] }

async function refusalOf(response: Response): Promise<Refusal> {
  const text = await response.text()
  try {
    const { error } = JSON.parse(text) as { error: RefusalBody }
    const { code, message, details, challengeToken, setup, methods, ssoUrl } = error
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN)
    const wait = Number.isFinite(seconds) ? { retryAfterSeconds: seconds } : {}
    const further = {
      ...(challengeToken && { challengeToken }),
      ...(setup && { setup }),
      ...(methods && { methods }),
      ...(ssoUrl && { ssoUrl }),
    }
    const fault = details?.find(({ field }) => field === 'newPassword')
    return {
      code,
      message: fault === undefined ? message : t('passwordFault', { fault: fault.message }),
      ...wait,
      ...further,
    }
  } catch {
    return { code: 'unexpected_reply', message: t('unexplained', { status: response.status }) }
  }
}

let refreshing: Promise<boolean> | undefined

async function refreshOnce(): Promise<boolean> {
  const response = await ask('POST', '/portal/session/refresh')
  // Nobody was logged in here: no refusal, and so no error in the console of the browser.
  if (response.status === 204) return false
  if (response.ok) {
    await adopt((await response.json()) as SessionReply)
    return true
  }
  // Anything but a plain "no" (a limit, a restart) says nothing about the session: it stays as it is.
  if (response.status !== 401 && response.status !== 403) throw new Error((await refusalOf(response)).message)
  return false
}

/** Renews both tokens by the cookie; false when there is no session any more. Callers at the same time share one request. */
export function refresh(): Promise<boolean> {
  refreshing ??= refreshOnce().finally(() => {
    refreshing = undefined
  })
  return refreshing
}

/** Takes up the session of an earlier visit, if there is one. */
export async function resume(): Promise<void> {
  try {
    if (!(await refresh())) await leave()
  } catch (error) {
    await untilWordsReady()
    await leave(error instanceof Error ? error.message : t('unreachable'))
  }
}

/** Logs in; undefined when that worked, else what the server said. */
export function logIn(emailOrAdminId: string, password: string): Promise<Refusal | undefined> {
  return open('/portal/session', { emailOrAdminId, password })
}

/**
 * Goes on with a login that needed more.
 * @param show shows the recovery codes that come with an app which was set up: the portal opens when they are stored
 */
export function continueLogin(
  further: Further,
  show: (codes: readonly string[]) => Promise<void>,
): Promise<Refusal | undefined> {
  return open('/portal/session/verify', further, show)
}

/** Logs in with what the browser answered for a passkey. */
export function logInWithPasskey(assertion: object): Promise<Refusal | undefined> {
  return open('/portal/session/passkey', { assertion })
}

/** Asks for a mail with a link that logs in, in this browser only; undefined when it was asked for. */
export async function requestLink(email: string): Promise<Refusal | undefined> {
  try {
    const response = await ask('POST', '/portal/session/link', { email })
    return response.ok ? undefined : await refusalOf(response)
  } catch {
    return { code: 'network_error', message: t('unreachable') }
  }
}

/** Logs in with what such a link brought. */
export function logInWithLink(token: string): Promise<Refusal | undefined> {
  return open('/portal/session/link/confirm', { token })
}

/** Where a login by an identity provider begins; the word for why it cannot, or undefined where the server was not reached. */
export async function beginSso(begun: {
  connectionId: string
  next?: string | undefined
  fresh?: boolean
}): Promise<{ url?: string; reason?: string }> {
  try {
    const response = await ask('POST', '/portal/session/sso/start', begun)
    return response.ok ? ((await response.json()) as { url?: string; reason?: string }) : {}
  } catch {
    return {}
  }
}

/** Logs in with what came back from an identity provider, in a cookie. */
export function logInBySso(): Promise<Refusal | undefined> {
  return open('/portal/session/sso', {})
}

/** Another organization of the same person: the portal begins again in it. */
export function switchOrganization(organizationId: number): Promise<Refusal | undefined> {
  return open('/portal/session/switch', { organizationId })
}

async function open(
  path: string,
  body: object,
  show?: (codes: readonly string[]) => Promise<void>,
): Promise<Refusal | undefined> {
  let response: Response
  try {
    response = await ask('POST', path, body)
  } catch {
    return { code: 'network_error', message: t('unreachable') }
  }
  if (!response.ok) return refusalOf(response)
  const reply = (await response.json()) as SessionReply
  if (reply.recoveryCodes !== undefined) await show?.(reply.recoveryCodes)
  await adopt(reply)
  return undefined
}

/** Ends the session everywhere; the page forgets it, and what was typed in it, even when the server cannot be reached. */
export async function logOut(): Promise<void> {
  draftStore.clear()
  try {
    await ask('DELETE', '/portal/session')
  } catch {
    // Not reached: the cookie stands until it expires, but this page knows nothing any more.
  }
  endSession()
}

/** Forgets the session in this page. */
export function endSession(notice?: string): void {
  tokens = undefined
  change(notice === undefined ? { status: 'out' } : { status: 'out', notice })
  void speak(null).catch(() => undefined)
}

/** Nobody is logged in: the browser says in which language that is said. */
async function leave(notice?: string): Promise<void> {
  await speak(null).catch(() => undefined)
  endSession(notice)
}

export function setMode(mode: Mode): void {
  if (state.status !== 'in' || state.mode === mode) return
  keepMode(state.user, mode)
  change({ ...state, mode })
}

/**
 * An access token of the mode that is good for a while yet.
 * @param refused a token the server did not take: another one is asked for, unless there is one already
 * @throws TandemError that is not retriable when there is no session any more; Error when it could not be renewed just now
 */
export async function accessToken(mode: Mode, refused?: string): Promise<string> {
  const token = tokens?.[mode]
  const stale = token === undefined || token.accessToken === refused || token.expiresAtMs - Date.now() < renewBeforeMs
  if (stale && !(await refresh())) endSession(t('ended'))
  const fresh = tokens?.[mode]
  if (fresh === undefined) throw new TandemError(t('ended'), { code: 'session_ended', retriable: false })
  return fresh.accessToken
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export function sessionState(): SessionState {
  return state
}

export function useSessionState(): SessionState {
  return useSyncExternalStore(subscribe, sessionState)
}

export type Session = {
  user: User
  /** What the person's role may do. */
  permissions: ReadonlySet<string>
  /** Of how many they are a member. */
  organizations: number
  organizationName: string
  organizationState: OrganizationState
  /** Where telephone numbers of the organization are at home (ISO 3166-1); null where it said nothing. */
  country: string | null
  mode: Mode
  setMode(mode: Mode): void
  logOut(): Promise<void>
}

/** The mode of what stands below, where that is not the mode the portal is in: what both modes share is live. */
export const ownMode = createContext<Mode | undefined>(undefined)

/** The session of a screen that stands only while somebody is logged in. */
export function useSession(): Session {
  const current = useSessionState()
  if (current.status !== 'in') throw new Error('this screen needs a session')
  return { ...current, mode: use(ownMode) ?? current.mode, setMode, logOut }
}
