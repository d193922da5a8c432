// Rules of apps and clients: where people may be sent back to, and which parts of the protocol a kind of app takes part in.
import type { FieldFault } from '../../../kernel/values/problem.ts'

export const appKinds = ['confidential', 'public', 'machine'] as const
export type AppKind = (typeof appKinds)[number]

/** Why a grant ended. */
export const endings = ['person', 'admin', 'app', 'reuse', 'app_deleted', 'blocked', 'newer'] as const
export type Ending = (typeof endings)[number]

/** The public client that the Playground is. */
export const playgroundClient = 'tdm_playground'

/** Before a JWT among the parameters of introspection and revocation, which the library would refuse unread. */
export const jwtMark = 'at.'

export const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

/** The grants that a kind of app may use (RFC 6749 §1.3, RFC 8628). */
export function grantTypesOf(kind: AppKind): string[] {
  switch (kind) {
    case 'machine':
      return ['client_credentials']
    case 'confidential':
      return ['authorization_code', 'refresh_token', 'client_credentials', deviceGrant]
    case 'public':
      return ['authorization_code', 'refresh_token', deviceGrant]
  }
}

export const accessTokenLife = 3_600
const day = 86_400

/** How long a refresh token lives after its last use, and how long its family may at most, in seconds. */
export function refreshLife(isPublic: boolean): { idle: number; most: number } {
  return { idle: 30 * day, most: (isPublic ? 90 : 365) * day }
}

/** So long a used refresh token still answers its successor, in seconds. */
export const refreshGrace = 20

const loopbacks = new Set(['127.0.0.1', '[::1]', 'localhost'])
/** Schemes that run or read something in a browser, or that carry no answer to a program. */
const forbiddenSchemes = new Set(
  'javascript data vbscript blob file about view-source ws wss ftp mailto tel sms intent filesystem chrome'
    .split(' ')
    .map(scheme => `${scheme}:`),
)

/** Whether an address is of the machine on which the browser runs (RFC 8252 §7.3). */
export function isLoopbackAddress(uri: string): boolean {
  const url = URL.parse(uri)
  return url !== null && url.protocol === 'http:' && loopbacks.has(url.hostname)
}

/** Whether an address belongs to an app on a device: by its scheme, or by the loopback interface (RFC 8252 §7). */
export function isNativeAddress(uri: string): boolean {
  return !uri.startsWith('https:')
}

/** What is wrong with an address that people are to be sent back to; undefined for nothing (RFC 9700 §2.1, RFC 8252 §7). */
export function redirectFault(uri: string): string | undefined {
  const url = URL.parse(uri)
  if (url === null || uri.trim() !== uri || hasUnseen(uri)) return 'is no absolute address'
  if (uri.includes('#')) return 'must have no fragment'
  if (url.username !== '' || url.password !== '' || /^[a-z][a-z0-9+.-]*:\/\/[^/?]*@/i.test(uri))
    return 'must have no user name'
  if (uri.includes('*')) return 'must have no wildcard'
  if (url.protocol === 'https:') return url.hostname === '' ? 'has no host' : undefined
  if (url.protocol === 'http:') {
    return loopbacks.has(url.hostname) ? undefined : 'must be https: http is for this very machine only'
  }
  return forbiddenSchemes.has(url.protocol) ? `must not have the scheme ${url.protocol}` : undefined
}

/** Blanks, controls and backslashes, which programs read in different ways. */
function hasUnseen(uri: string): boolean {
  return [...uri].some(letter => letter <= ' ' || letter === '\u007f' || letter === '\\')
}

/** The faults of a list of addresses, and of a kind of app that has some, or none. */
export function redirectFaults(kind: AppKind, uris: readonly string[]): FieldFault[] {
  const faults = uris.flatMap((uri, index) => {
    const message = redirectFault(uri)
    return message === undefined ? [] : [{ field: `redirectUris[${index}]`, code: 'not_allowed', message }]
  })
  if (kind === 'machine' && uris.length > 0) {
    const message = 'must be empty: a machine app sends nobody anywhere'
    faults.push({ field: 'redirectUris', code: 'not_allowed', message })
  }
  return faults
}

/** What is left of the rights of a token: those that the client may ask for, in their order. */
export function cutScopes(asked: readonly string[], ceiling: readonly string[] | null): string[] {
  return ceiling === null ? [...asked] : asked.filter(scope => ceiling.includes(scope))
}
