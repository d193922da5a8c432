// From a host name to a connected socket, through the guard: a name is looked up, every address it has is checked, and
// exactly one of those checked is dialled, so that no second look-up can lead elsewhere. What went wrong is reported in a fixed
// set of sentences, fit to be shown.
import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { type Cidr, forbiddenAddress } from '../../kernel/outbound/egress.ts'
import type { SmppSettings } from './settings.ts'

export type DialStep = 'resolve' | 'connect' | 'tls'

export type Dialled<Value> = { ok: true; value: Value } | { ok: false; step: DialStep; message: string }

const failed = (step: DialStep, message: string) => ({ ok: false, step, message }) as const

/** The first address of the host, when all it has may be reached. */
export async function resolveHost(host: string, allow: readonly Cidr[], timeoutMs: number): Promise<Dialled<string>> {
  const addresses = isIP(host) === 0 ? await addressesOf(host, timeoutMs) : [host]
  const [address] = addresses
  if (address === undefined) {
    return failed('resolve', `No address was found for ${host}. Check the name, or ask the carrier for it.`)
  }
  if (addresses.some(found => forbiddenAddress(found, allow))) {
    const message = `${host} leads to an address that links may not reach. The operator of this server can allow private ranges with TANDEM_EGRESS_ALLOW.`
    return failed('resolve', message)
  }
  return { ok: true, value: address }
}

async function addressesOf(name: string, timeoutMs: number): Promise<string[]> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<[]>(resolve => {
    timer = setTimeout(resolve, timeoutMs, [])
  })
  try {
    return (await Promise.race([lookup(name, { all: true, order: 'ipv4first' }), late])).map(({ address }) => address)
  } catch {
    return []
  } finally {
    clearTimeout(timer)
  }
}

/** Connects to an address that was checked. */
export function connectAddress(address: string, port: number, timeoutMs: number): Promise<Dialled<Socket>> {
  const socket = connectTcp({ host: address, port, noDelay: true })
  return opened(socket, 'connect', timeoutMs, error => connectFault(error, port))
}

/** Puts TLS on a connected socket, by the settings; without TLS it is the socket itself. */
export async function secure(
  socket: Socket,
  { host, tls, tlsVerify, tlsCa }: SmppSettings,
  timeoutMs: number,
): Promise<Dialled<Socket>> {
  if (!tls) return { ok: true, value: socket }
  try {
    const wrapped = connectTls({
      socket,
      // Whom the certificate must name.
      host,
      ...(isIP(host) === 0 ? { servername: host } : {}),
      rejectUnauthorized: tlsVerify,
      ...(tlsCa === null ? {} : { ca: tlsCa }),
    })
    const result = await opened(wrapped, 'secureConnect', timeoutMs, tlsFault)
    if (!result.ok) socket.destroy()
    return result
  } catch {
    socket.destroy()
    return failed('tls', 'The certificate authority of the settings cannot be read. Enter it in PEM form.')
  }
}

function opened(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  sentence: (error: NodeJS.ErrnoException | undefined) => string,
): Promise<Dialled<Socket>> {
  const step = event === 'connect' ? 'connect' : 'tls'
  return new Promise(resolve => {
    const end = (error: NodeJS.ErrnoException | undefined) => {
      clearTimeout(timer)
      // A later error of a socket that was given up is nobody's business.
      socket.on('error', () => {})
      socket.destroy()
      resolve(failed(step, sentence(error)))
    }
    const timer = setTimeout(end, timeoutMs, undefined)
    const onClose = () => end(Object.assign(new Error('closed'), { code: 'ECONNRESET' }))
    socket.once('error', end)
    socket.once('close', onClose)
    socket.once(event, () => {
      clearTimeout(timer)
      socket.off('error', end)
      socket.off('close', onClose)
      resolve({ ok: true, value: socket })
    })
  })
}

function connectFault(error: NodeJS.ErrnoException | undefined, port: number): string {
  if (error === undefined)
    return `No answer on port ${port}. Check host and port; the carrier may admit known addresses only.`
  switch (error.code) {
    case 'ECONNREFUSED':
      return `Nothing listens on port ${port}. Check the port.`
    case 'EHOSTUNREACH':
    case 'ENETUNREACH':
      return 'There is no way to this address from here.'
    default:
      return 'The connection broke while it was made.'
  }
}

const certificateFaults: Record<string, string> = {
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is not for this host. Use the name it was made for.',
  CERT_HAS_EXPIRED: 'The certificate has expired. Ask the carrier for a new one.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is signed by itself. Enter it as the certificate authority.',
  SELF_SIGNED_CERT_IN_CHAIN:
    'The certificate comes from an unknown authority. Enter that as the certificate authority.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    'The certificate comes from an unknown authority. Enter that as the certificate authority.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    'The certificate comes from an unknown authority. Enter that as the certificate authority.',
}

function tlsFault(error: NodeJS.ErrnoException | undefined): string {
  if (error === undefined) return 'TLS was not agreed on in time. The port may be one without TLS.'
  return certificateFaults[error.code ?? ''] ?? 'TLS could not be agreed on. The port may be one without TLS.'
}
