// IMAP (RFC 9051) by imapflow: opened to a host that may be reached, encrypted unless the way is inside. Loaded when the first mailbox is read.
import { isIP } from 'node:net'
import type { ImapFlow } from 'imapflow'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { forbiddenAddress } from '../../../kernel/outbound/egress.ts'
import { createHostResolver } from '../../../kernel/outbound/resolve.ts'
import type { MailboxSettings } from './settings.ts'

/** What the server and we said, for people: passwords are masked. */
export type Trace = (who: 'client' | 'server' | 'note', text: string) => void

/** `signal` ends an attempt that is under way. */
export type OpenOptions = { trace?: Trace; connectMs?: number; signal?: AbortSignal }

/** An error whose message is for people. */
const fault = (text: string) => new Error(text)

async function addressOf(
  { host, port, security }: MailboxSettings,
  { egress }: Pick<Services, 'egress'>,
): Promise<string> {
  const found = await createHostResolver(egress).resolve(host, port)
  if (!found.ok)
    throw fault(
      found.error === 'blocked_address'
        ? `${host} is an address that this server may not reach; have the operator allow it (TANDEM_EGRESS_ALLOW, TANDEM_EGRESS_HOSTS)`
        : `${host} is not in the DNS; check its spelling`,
    )
  const [address = ''] = found.addresses
  if (security === 'none' && !forbiddenAddress(address))
    throw fault(`${host} is outside, where a connection must be encrypted; choose STARTTLS or TLS`)
  return address
}

/** A session that is logged in. @throws Error with a message for people */
export async function openImap(
  settings: MailboxSettings,
  services: Pick<Services, 'egress'>,
  { trace, connectMs = 10_000, signal }: OpenOptions = {},
): Promise<ImapFlow> {
  const address = await addressOf(settings, services)
  const { ImapFlow } = await import('imapflow')
  const { host, port, security, user, password } = settings
  const note = (entry: { src?: string; msg?: string; secret?: boolean }) => {
    if (entry.msg === undefined || trace === undefined) return
    const text = entry.msg.replaceAll(password, '***')
    if (entry.src === 's') trace('server', text)
    else if (entry.src === 'c')
      trace(
        'client',
        /\b(?:LOGIN|AUTHENTICATE)\b/i.test(text) ? text.replace(/(LOGIN|AUTHENTICATE).*/i, '$1 ***') : text,
      )
  }
  const logger = { trace: note, debug: note, info: note, warn: note, error: note }
  const client = new ImapFlow({
    host: address,
    port,
    secure: security === 'tls',
    ...(security !== 'tls' && { doSTARTTLS: security === 'starttls' }),
    ...(isIP(host) === 0 && { servername: host }),
    auth: { user, pass: password },
    clientInfo: { name: 'Tandem' },
    logger: trace === undefined ? false : (logger as never),
    disableAutoIdle: true,
    connectionTimeout: connectMs,
    greetingTimeout: connectMs,
    // A command that is not answered, IDLE included, which is renewed far sooner.
    socketTimeout: 5 * 60_000,
  })
  // Without a listener an error would end the process; what waits for an answer gets it as well.
  client.on('error', () => {})
  try {
    await connected(client, 3 * connectMs, signal)
    return client
  } catch (error) {
    client.close()
    throw fault(reasonOf(error, settings))
  }
}

/** The library waits for ever where a server takes a connection and then says nothing, or ends it while somebody logs in. */
async function connected(client: ImapFlow, limitMs: number, signal: AbortSignal | undefined): Promise<void> {
  signal?.throwIfAborted()
  const connecting = client.connect()
  connecting.catch(() => {})
  let end = (_: Error) => {}
  const ended = new Promise<never>((_, reject) => {
    end = reject
  })
  ended.catch(() => {})
  const timer = setTimeout(() => end(new Error('the server does not answer')), limitMs)
  const leave = () => end(new Error('the attempt was ended'))
  signal?.addEventListener('abort', leave, { once: true })
  try {
    await Promise.race([connecting, ended])
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', leave)
  }
}

/** What went wrong, in a sentence. */
export function reasonOf(error: unknown, { host, port }: Pick<MailboxSettings, 'host' | 'port'>): string {
  const { message, authenticationFailed, responseText } = error as Error & {
    authenticationFailed?: boolean
    responseText?: string
  }
  if (authenticationFailed === true)
    return `${host}:${port} does not take this user and password${responseText ? `: ${responseText}` : ''}`
  return `${host}:${port}: ${responseText ?? message}`.replaceAll(/\p{Cc}+/gu, ' ').slice(0, 500)
}
