// SMTP (RFC 5321) by nodemailer's connection: opened to a host that may be reached, encrypted unless the way is inside, and asked so that
// it is always known whether the server may have the mail.
import { isIP } from 'node:net'
import { Readable } from 'node:stream'
import SMTPConnection from 'nodemailer/lib/smtp-connection'
import type XOAuth2 from 'nodemailer/lib/xoauth2'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { forbiddenAddress } from '../../../kernel/outbound/egress.ts'
import { createHostResolver } from '../../../kernel/outbound/resolve.ts'
import { isLoopback } from '../../../kernel/values/loopback.ts'
import { tokenFor } from './oauth.ts'
import type { Handover, SendResult, SmtpRoute } from './port.ts'

/** Milliseconds; the answer to the end of the mail may take longest (RFC 5321 §4.5.3.2.6). */
export type Patience = { connectMs: number; answerMs: number }
export const patience: Patience = { connectMs: 10_000, answerMs: 120_000 }

/** What the server and we said, for people: passwords are masked. */
export type Trace = (who: 'client' | 'server' | 'note', text: string) => void

/** Why no mail could be handed over at all. */
export type ConnectFault = { reason: string; replyCode: number | null; reply: string | null; isPermanent: boolean }
export type Open = { ok: true; connection: SmtpSession } | { ok: false; fault: ConnectFault }

export type SmtpSession = {
  /** Hands one mail over; never rejects. */
  send(handover: Handover): Promise<SendResult>
  /** Whether another mail may follow. */
  isUsable(): boolean
  close(): void
}

type Tools = Pick<Services, 'egress' | 'outbound' | 'clock'>
type SmtpError = Error & {
  code?: string
  response?: string
  responseCode?: number
  command?: string
  /** Of a recipient that was refused by itself, and of all of them where nobody was left. */
  recipient?: string
  rejectedErrors?: SmtpError[]
}

/** The address to dial. Operators choose freely; what organizations name keeps to the egress list, and is plain inside only. */
async function addressOf(route: SmtpRoute, { egress }: Tools): Promise<string | { reason: string }> {
  if (route.isTrusted) return route.host
  const resolver = createHostResolver(egress)
  const found = await resolver.resolve(route.host, route.port)
  if (!found.ok) {
    const isBlocked = found.error === 'blocked_address'
    return {
      reason: isBlocked
        ? `${route.host} is an address that this server may not reach; have the operator allow it (TANDEM_EGRESS_ALLOW, TANDEM_EGRESS_HOSTS)`
        : `${route.host} is not in the DNS; check its spelling`,
    }
  }
  const [address = ''] = found.addresses
  if (route.security === 'none' && !forbiddenAddress(address))
    return { reason: `${route.host} is outside, where a connection must be encrypted; choose STARTTLS or TLS` }
  return address
}

function optionsOf(route: SmtpRoute, host: string, { connectMs, answerMs }: Patience, trace: Trace | undefined) {
  const isPlain = route.security === 'none'
  const log = (entry: { tnx?: string; err?: Error }, text: unknown, ...args: unknown[]) => {
    if (entry.tnx === 'client' || entry.tnx === 'server') trace?.(entry.tnx, String(text))
    else if (entry.err === undefined) trace?.('note', formatted(String(text), args))
  }
  const logger = { trace: log, debug: log, info: log, warn: log, error: log, fatal: log, level: () => {} }
  return {
    host,
    port: route.port,
    secure: route.security === 'tls',
    requireTLS: route.security === 'starttls',
    ignoreTLS: isPlain,
    name: 'localhost.localdomain',
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    dnsTimeout: connectMs,
    socketTimeout: answerMs,
    socketCloseTimeout: 1_000,
    allowInternalNetworkInterfaces: isLoopback(host),
    tls: isIP(route.host) === 0 ? { servername: route.host } : {},
    ...(trace !== undefined && { logger: logger as never, transactionLog: true }),
  }
}

const formatted = (text: string, args: readonly unknown[]) =>
  args.reduce<string>((line, arg) => line.replace(/%[sdj]/, String(arg)), text)

/** Opens a session and logs in. Never rejects. */
export async function openSession(
  route: SmtpRoute,
  tools: Tools,
  { trace, limits = patience }: { trace?: Trace; limits?: Patience } = {},
): Promise<Open> {
  const address = await addressOf(route, tools)
  if (typeof address !== 'string')
    return { ok: false, fault: { reason: address.reason, replyCode: null, reply: null, isPermanent: false } }
  const connection = new SMTPConnection(optionsOf(route, address, limits, trace))
  let broken: SmtpError | undefined
  try {
    await new Promise<void>((resolve, reject) => {
      connection.on('error', error => {
        broken = error as SmtpError
        reject(error)
      })
      connection.once('end', () => reject(new Error('the server closed the connection')))
      connection.connect(error => (error === undefined || error === null ? resolve() : reject(error)))
    })
    await logIn(connection, route, tools)
  } catch (error) {
    connection.close()
    return { ok: false, fault: faultOf(error as SmtpError, route) }
  }
  let isOpen = true
  connection.on('end', () => {
    isOpen = false
  })
  return {
    ok: true,
    connection: {
      async send(handover) {
        const result = await sendOver(connection, route, handover)
        // What was not answered to its end leaves the conversation in an unknown place.
        if (result.outcome !== 'accepted' && result.replyCode === null) isOpen = false
        else if (isOpen && result.outcome !== 'accepted') isOpen = await reset(connection)
        return result
      },
      isUsable: () => isOpen && broken === undefined,
      close() {
        isOpen = false
        connection.quit()
      },
    },
  }
}

function reset(connection: SMTPConnection): Promise<boolean> {
  return new Promise(resolve => connection.reset(error => resolve(error === null || error === undefined)))
}

async function logIn(connection: SMTPConnection, { auth }: SmtpRoute, tools: Tools): Promise<void> {
  if (auth.kind === 'none') return
  const given =
    auth.kind === 'password'
      ? { user: auth.user, pass: auth.password }
      : { user: auth.user, method: 'XOAUTH2', oauth2: await bearerOf(auth.user, await tokenFor(auth, tools)) }
  await new Promise<void>((resolve, reject) =>
    connection.login(given, error => (error === null || error === undefined ? resolve() : reject(error))),
  )
}

/** What the connection asks for a token, with one that is known. */
async function bearerOf(user: string, accessToken: string): Promise<XOAuth2> {
  const { default: Generator } = await import('nodemailer/lib/xoauth2')
  return new Generator({ user, accessToken })
}

function faultOf(error: SmtpError, route: SmtpRoute): ConnectFault {
  const reply = error.response ?? null
  const place = `${route.host}:${route.port}`
  const replyCode = error.responseCode ?? null
  return { reason: `${place}: ${error.message}`, replyCode, reply, isPermanent: false }
}

/** One mail over an open session. */
function sendOver(connection: SMTPConnection, route: SmtpRoute, handover: Handover): Promise<SendResult> {
  const host = `${route.host}:${route.port}`
  // Read for the first time when the server has answered 354: from then on it may have the mail.
  let hasBegun = false
  const message = new Readable({
    read() {
      hasBegun = true
      this.push(handover.raw)
      this.push(null)
    },
  })
  const dsn = { ret: 'HDRS', envid: handover.envelopeId, notify: ['FAILURE', 'DELAY'] }
  const envelope = { from: handover.from, to: [...handover.to], size: handover.raw.length, dsn }
  return new Promise(resolve => {
    const lost = (error?: SmtpError) =>
      resolve(failed(error ?? new Error('the server closed the connection'), host, hasBegun))
    connection.once('error', lost)
    connection.once('end', lost)
    connection.send(envelope, message, (error, info) => {
      connection.off('error', lost)
      connection.off('end', lost)
      if (error !== null && error !== undefined) return resolve(failed(error as SmtpError, host, hasBegun))
      const rejected = rejectedBy(info?.rejectedErrors as SmtpError[] | undefined)
      resolve({ outcome: 'accepted', host, ...partsOf(info?.response), code: null, rejected })
    })
  })
}

function rejectedBy(errors: readonly SmtpError[] = []): SendResult['rejected'] {
  return errors.map(({ recipient = '', responseCode, response }) => ({
    address: recipient,
    replyCode: responseCode ?? null,
    reply: excerpt(response),
  }))
}

function failed(error: SmtpError, host: string, hasBegun: boolean): SendResult {
  const parts = partsOf(error.response)
  const none = { host, rejected: rejectedBy(error.rejectedErrors) }
  if (parts.replyCode === null) {
    const reply = excerpt(error.message)
    // What the server announced (SIZE, RFC 1870 §4) was asked before a word was said: trying again meets the same.
    if (error.code === 'EMESSAGE' && error.command === 'MAIL FROM')
      return { ...none, ...parts, enhancedStatus: '5.3.4', reply, outcome: 'refused', code: 'mail_too_large' }
    // An envelope that no command can be made of, before anything was said. A connection that is gone has the same `command`.
    if (error.code === 'EENVELOPE' && error.command === 'API')
      return { ...none, ...parts, reply, outcome: 'refused', code: 'mail_refused' }
    return hasBegun
      ? { ...none, ...parts, reply, outcome: 'unconfirmed', code: 'mail_unconfirmed' }
      : { ...none, ...parts, reply, outcome: 'deferred', code: 'mail_deferred' }
  }
  // Before the mail a 5yz about the session, such as a login that is asked for, is nothing about this mail.
  const isRefusal = parts.replyCode >= 500 && !/^(530|535|538)$/.test(String(parts.replyCode))
  return isRefusal
    ? { ...none, ...parts, outcome: 'refused', code: 'mail_refused' }
    : { ...none, ...parts, outcome: 'deferred', code: 'mail_deferred' }
}

/** RFC 3463: the enhanced status stands behind the code. */
export function partsOf(response: string | undefined): Pick<SendResult, 'replyCode' | 'enhancedStatus' | 'reply'> {
  const [, code, status] = /^(\d{3})(?:[ -](\d\.\d{1,3}\.\d{1,3}))?/.exec(response ?? '') ?? []
  return {
    replyCode: code === undefined ? null : Number(code),
    enhancedStatus: status ?? null,
    reply: excerpt(response),
  }
}

function excerpt(text: string | undefined): string | null {
  return text === undefined ? null : text.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500)
}
