// What sending mails may use of transports.
import type { MailSettings } from '../settings.ts'
import type { Route } from './port.ts'

export { createPools, type Given, type Pools } from './pools.ts'
export type { Handover, MakeHandover, OAuthClient, Route, SendOutcome, SendResult, SmtpRoute } from './port.ts'
export { routeOf, type TransportRow } from './settings.ts'
export type { Patience } from './smtp.ts'
export { listEnabled, transports } from './store.ts'

export const outbox: Route = { key: 'outbox', kind: 'outbox' }

const isInside = (host: string) =>
  /^(localhost|127\.|10\.|192\.168\.|172\.(1[6-9]|2\d|3[01])\.|\[?::1\]?$|\[?f[cd])/i.test(host)

/** By the mail server of the installation, or the outbox. */
export function installationRoute({ smtpUrl }: Pick<MailSettings, 'smtpUrl'>): Route {
  if (smtpUrl === undefined) return outbox
  const { protocol, hostname, port, username, password } = new URL(smtpUrl)
  const isTls = protocol === 'smtps:'
  const user = decodeURIComponent(username)
  return {
    key: 'installation',
    kind: 'smtp',
    smtp: {
      host: hostname.replace(/^\[|\]$/g, ''),
      port: port === '' ? (isTls ? 465 : 587) : Number(port),
      security: isTls ? 'tls' : isInside(hostname) ? 'none' : 'starttls',
      auth: user === '' ? { kind: 'none' } : { kind: 'password', user, password: decodeURIComponent(password) },
      isTrusted: true,
      version: 1,
    },
  }
}
