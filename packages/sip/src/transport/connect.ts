// Opens one connection to a target: TCP, and the handshake when it is TLS, within one wait.
import type { Socket } from 'node:net'
import { connect as connectTcp } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { connect as connectTls } from 'node:tls'
import type { Timing } from '../rtp/clock.ts'
import type { TlsClientOptions } from './tls.ts'
import { clientTlsOptions, fingerprintFlaw, serverNameOf } from './tls.ts'
import type { Target, TransportError } from './types.ts'
import { formatEndpoint, systemCode, transportError } from './types.ts'

export type ConnectOptions = {
  timing: Timing
  timeoutMs: number
  /** The address to connect from; left out: as the system chooses. */
  localAddress: string | undefined
  tls: TlsClientOptions
}

export type Dial = {
  /** Gives up; nothing is reported any more. */
  cancel(): void
}

const reasons: Readonly<Record<string, string>> = {
  ECONNREFUSED: 'nobody listens there (ECONNREFUSED); check the port and the transport',
  EHOSTUNREACH: 'the host cannot be reached (EHOSTUNREACH)',
  ENETUNREACH: 'the network cannot be reached (ENETUNREACH)',
  ETIMEDOUT: 'no answer (ETIMEDOUT); a firewall may be in the way',
}

/** Calls `onDone` once, later, and from within the event by which the connection is ready: nothing of it is missed. */
export function dial(
  target: Target,
  { timing, timeoutMs, localAddress, tls }: ConnectOptions,
  onDone: (error: TransportError | undefined, socket: Socket | undefined) => void,
): Dial {
  const isSecure = target.transport === 'tls'
  const where = `${target.transport} ${formatEndpoint(target)}`
  const route = { host: target.address, port: target.port, localAddress }
  let isConnected = false
  let isDone = false
  let timer: unknown

  function finish(error: TransportError | undefined): void {
    if (isDone) return
    isDone = true
    timing.clearTimeout(timer)
    socket.off('error', onError)
    socket.off('close', onClose)
    if (error !== undefined) {
      socket.on('error', () => {})
      socket.destroy()
    }
    onDone(error, error === undefined ? socket : undefined)
  }

  function onError(error: Error): void {
    const code = systemCode(error)
    if (isConnected) finish(transportError('tls_failed', `${where}: ${tlsFlaw(target, error)}`, error))
    else finish(transportError('connect_failed', `${where}: ${reasons[code ?? ''] ?? code ?? error.message}`, error))
  }

  function onClose(): void {
    onError(new Error('the peer closed the connection'))
  }

  function onReady(): void {
    const flaw = isSecure ? fingerprintFlaw(socket as TLSSocket, tls) : undefined
    finish(flaw === undefined ? undefined : transportError('tls_failed', `${where}: ${flaw}`))
  }

  let socket: Socket
  if (isSecure) {
    socket = connectTls({ ...clientTlsOptions(target, tls), ...route }, onReady)
    socket.once('connect', () => {
      isConnected = true
    })
  } else {
    socket = connectTcp(route, onReady)
  }
  socket.on('error', onError)
  socket.on('close', onClose)
  timer = timing.setTimeout(() => {
    const what = isConnected ? 'the handshake' : 'the connection'
    finish(transportError('connect_timeout', `${where}: ${what} was not there after ${timeoutMs} ms`))
  }, timeoutMs)

  return {
    cancel() {
      isDone = true
      timing.clearTimeout(timer)
      socket.on('error', () => {})
      socket.destroy()
    },
  }
}

function tlsFlaw(target: Target, error: Error): string {
  const code = systemCode(error)
  if (code === 'ERR_TLS_CERT_ALTNAME_INVALID') return `its certificate is not for ${serverNameOf(target)}`
  if (code === 'DEPTH_ZERO_SELF_SIGNED_CERT' || code === 'SELF_SIGNED_CERT_IN_CHAIN') {
    return 'its certificate is self-signed; give its authority (ca) or its fingerprint'
  }
  if (code === 'UNABLE_TO_VERIFY_LEAF_SIGNATURE' || code === 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY') {
    return 'its certificate is from an authority we do not know; give the authority (ca) or the fingerprint'
  }
  if (code === 'CERT_HAS_EXPIRED') return 'its certificate has expired'
  if (code === 'ECONNRESET') return 'it hung up in the handshake; it may not speak TLS at this port'
  return `no handshake (${code ?? error.message})`
}
