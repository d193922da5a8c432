// TLS for SIP (RFC 3261 §26.3.1, RFC 5922): whose certificate is good for which domain, client certificates, several names at
// one port. TLS 1.2 is the least.
import { isIP } from 'node:net'
import type {
  ConnectionOptions,
  PeerCertificate as NodeCertificate,
  SecureContext,
  TLSSocket,
  TlsOptions,
} from 'node:tls'
import { createSecureContext, checkServerIdentity as hasName } from 'node:tls'
import type { PeerCertificate, Target } from './types.ts'

/** PEM texts. */
export type KeyPair = { key: string | Buffer; cert: string | Buffer; passphrase?: string | undefined }

export type TlsServerOptions = KeyPair & {
  /** Authorities of client certificates; left out: those of the machine. */
  ca?: string | Buffer | readonly (string | Buffer)[]
  /** Whether clients are asked for a certificate; default 'none'. With 'required' those without a good one are refused. */
  clients?: 'none' | 'optional' | 'required'
  /** Other certificates, by the name that the client asks for (SNI); `*.example.com` is for one label. */
  names?: Readonly<Record<string, KeyPair>>
}

export type TlsClientOptions = Partial<KeyPair> & {
  /** Authorities of the server's certificate; left out: those of the machine. */
  ca?: string | Buffer | readonly (string | Buffer)[]
  /**
   * SHA-256 of certificates, in hex, with or without colons. Where given, exactly these are good, no matter who issued them and
   * whatever names they have: for equipment with a certificate of its own making.
   */
  fingerprints?: readonly string[]
  /** False takes any certificate: encrypted, but to anyone who is there. Default true. */
  verify?: boolean
}

const base = { minVersion: 'TLSv1.2' } as const

const listed = (ca: TlsServerOptions['ca']) => (Array.isArray(ca) ? [...ca] : ca) as string | Buffer | undefined

/** For `createServer` of node:tls. Throws what node:tls throws for a key and a certificate that do not fit. */
export function serverTlsOptions({ key, cert, passphrase, ca, clients = 'none', names }: TlsServerOptions): TlsOptions {
  const contexts = new Map<string, SecureContext>()
  for (const [name, pair] of Object.entries(names ?? {})) {
    contexts.set(name.toLowerCase(), createSecureContext({ ...base, ...pair, ca: listed(ca) }))
  }
  return {
    ...base,
    key,
    cert,
    passphrase,
    ca: listed(ca),
    requestCert: clients !== 'none',
    rejectUnauthorized: clients === 'required',
    SNICallback(name, done) {
      const wanted = name.toLowerCase()
      // Without a context of its own a name gets the certificate of the port.
      done(null, contexts.get(wanted) ?? contexts.get(wanted.replace(/^[^.]*/, '*')))
    },
  }
}

/** For `connect` of node:tls. */
export function clientTlsOptions(target: Target, options: TlsClientOptions): ConnectionOptions {
  const name = serverNameOf(target)
  const { ca, cert, key, passphrase, fingerprints, verify = true } = options
  return {
    ...base,
    ca: listed(ca),
    cert,
    key,
    passphrase,
    // An address is no name to ask for (RFC 6066 §3).
    servername: isIP(name) === 0 ? name : undefined,
    rejectUnauthorized: verify && fingerprints === undefined,
    checkServerIdentity: (_host, certificate) => (verify ? identityFlaw(name, certificate) : undefined),
  }
}

export function serverNameOf(target: Target): string {
  return target.serverName ?? target.address
}

/** RFC 5922 §7: a certificate is for a SIP domain by a `sip:` URI among its names, or by a DNS name. */
export function identityFlaw(name: string, certificate: NodeCertificate): Error | undefined {
  const names = (certificate.subjectaltname ?? '').split(', ')
  if (names.some(entry => entry.toLowerCase() === `uri:sip:${name.toLowerCase()}`)) return undefined
  // Wildcards, which §7.2 rules out, pass: carriers have them.
  return hasName(name, certificate)
}

/** What is wrong with a server that is known by its fingerprint. */
export function fingerprintFlaw(socket: TLSSocket, { fingerprints }: TlsClientOptions): string | undefined {
  if (fingerprints === undefined) return undefined
  const plain = (text: string) => text.replaceAll(':', '').toLowerCase()
  const shown = socket.getPeerCertificate().fingerprint256 ?? ''
  if (fingerprints.some(entry => plain(entry) === plain(shown))) return undefined
  return `its certificate has the fingerprint ${shown || '(none)'}, which is not among those given`
}

/** Undefined when the peer showed no certificate. */
export function peerCertificate(socket: TLSSocket, isPinned = false): PeerCertificate | undefined {
  const certificate = socket.getPeerCertificate()
  if (certificate?.fingerprint256 === undefined) return undefined
  return {
    subject: named(certificate.subject),
    issuer: named(certificate.issuer),
    names: certificate.subjectaltname ?? '',
    fingerprint256: certificate.fingerprint256,
    validTo: certificate.valid_to,
    isVerified: isPinned || socket.authorized,
  }
}

function named(parts: NodeCertificate['subject'] | undefined): string {
  return Object.entries(parts ?? {})
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')
}
