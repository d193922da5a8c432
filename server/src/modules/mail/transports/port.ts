// What sending mails asks of a transport, and what it answers.

/** By what a mail leaves. `key` names it in mails and attempts: `outbox`, `installation`, `mtr_…`. */
export type Route = { key: string; kind: 'outbox' } | { key: string; kind: 'smtp'; smtp: SmtpRoute }

export type SmtpRoute = {
  host: string
  port: number
  /** `tls` from the first byte, `starttls` before anything else, `none` where the way is inside this machine or network. */
  security: 'tls' | 'starttls' | 'none'
  auth: { kind: 'none' } | { kind: 'password'; user: string; password: string } | OAuthClient
  /** Whether the operator chose the host; what organizations name keeps to the egress list. */
  isTrusted: boolean
  /** Counts its changes: connections of an older one are not used again. */
  version: number
}

/** RFC 6749 §4.4, with SASL XOAUTH2. */
export type OAuthClient = {
  kind: 'oauth'
  user: string
  tokenUrl: string
  clientId: string
  clientSecret: string
  scope: string | null
}

export type Handover = {
  tenantId: number
  /** For DSNs (RFC 3461 §4.4): the id of the mail. */
  envelopeId: string
  from: string
  to: readonly string[]
  raw: Buffer
}

/** Makes a mail as it travels, as late as may be: until then it takes no room. Never rejects; what it cannot make is answered at once. */
export type MakeHandover = () => Promise<{ handover: Handover } | { result: SendResult }>

/**
 * - `accepted`: the server answered 2yz to the whole mail
 * - `deferred`: 4yz, or no connection: it has nothing of it
 * - `refused`: 5yz, for the mail or all its recipients
 * - `unconfirmed`: the connection ended after DATA, before the answer
 * - `given_back`: nothing was said, for this process ends
 */
export type SendOutcome = 'accepted' | 'deferred' | 'refused' | 'unconfirmed' | 'given_back'

export type SendResult = {
  outcome: SendOutcome
  host: string | null
  /** `250`, `5.1.1` and the beginning of the text, where there was a reply. */
  replyCode: number | null
  enhancedStatus: string | null
  reply: string | null
  /** A problem code, where it was not accepted. */
  code: string | null
  /** Recipients that the server refused by themselves: for good, or for now (4yz). */
  rejected: readonly { address: string; replyCode: number | null; reply: string | null }[]
}
