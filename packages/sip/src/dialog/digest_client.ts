// The client's side of digest over several requests (RFC 3261 §22, RFC 7616 §3.3): keeps the last challenge of each realm, counts
// the use of its nonce, and distinguishes a nonce that is used up from a password that is wrong. One for each registration or call.
import type { DigestChallenge } from '../digest.ts'
import { answerChallenge, authHeader, challengesOf, readAuth } from '../digest.ts'
import type { SipHeader, SipMessage, SipRequest, SipResponse } from '../message.ts'
import { isFault } from '../message.ts'
import { param } from '../scan.ts'

export type DigestAccount = { username: string; password: string }

export type DigestClient = {
  /** Credentials for a request that is about to leave; [] before the first challenge. Each call uses up a nonce count. */
  credentials(request: { method: string; uri: string; body?: Buffer }): SipHeader[]
  /**
   * A 401 or 407 to `request`. 'retry': send it again with the next CSeq and `credentials`. 'wrong': the password is not
   * right, or the server asks without end. 'unknown': no challenge we can answer.
   */
  challenged(response: SipResponse, request: SipRequest): 'retry' | 'wrong' | 'unknown'
  /** Any other final response: the credentials were good, whatever else was not. */
  accepted(): void
}

type Known = { readonly status: 401 | 407; readonly challenge: DigestChallenge; count: number; isProven: boolean }

/** Challenges in sequence without anything else between; a server that goes on so will never have enough. */
const maxChallenges = 5
/** Realms on one way: the server's and those of some proxies. */
const maxRealms = 8

export function createDigestClient(account: DigestAccount, random: (bytes: number) => Buffer): DigestClient {
  const known = new Map<string, Known>()
  let challenges = 0

  function credentials({ method, uri, body }: { method: string; uri: string; body?: Buffer }): SipHeader[] {
    return [...known.values()].map(entry => {
      entry.count += 1
      const cnonce = random(12).toString('hex')
      const answer = answerChallenge(entry.challenge, {
        ...account,
        method,
        uri,
        nonceCount: entry.count,
        cnonce,
        ...(body && { body }),
      })
      return authHeader(entry.status, answer)
    })
  }

  function challenged(response: SipResponse, request: SipRequest): 'retry' | 'wrong' | 'unknown' {
    const status = response.status === 407 ? 407 : 401
    const found = challengesOf(response, status === 401 ? 'WWW-Authenticate' : 'Proxy-Authenticate')
    if (found.length === 0) return 'unknown'
    challenges += 1
    const isWrong = found.every(challenge => !isWorthATry(request, status, challenge))
    if (isWrong || challenges > maxChallenges) {
      // Anyone who tries again later starts again: a person may have mended it at the other end.
      for (const { realm } of found) known.delete(`${status} ${realm}`)
      challenges = 0
      return 'wrong'
    }
    for (const challenge of found) learn(status, challenge)
    return 'retry'
  }

  /** Whether that realm has not yet seen our password, or has only refused its nonce. */
  function isWorthATry(request: SipRequest, status: 401 | 407, challenge: DigestChallenge): boolean {
    const used = nonceIn(request, status, challenge.realm)
    if (used === undefined || challenge.isStale) return true
    // A nonce that was good before and is not now was forgotten, by a restart for instance; not all say stale then.
    const entry = known.get(`${status} ${challenge.realm}`)
    return entry?.isProven === true && entry.challenge.nonce === used && challenge.nonce !== used
  }

  function learn(status: 401 | 407, challenge: DigestChallenge): void {
    const key = `${status} ${challenge.realm}`
    const entry = known.get(key)
    if (entry?.challenge.nonce === challenge.nonce) return
    if (entry === undefined && known.size >= maxRealms) known.delete([...known.keys()][0]!)
    // In texts of its own: a slice would keep the whole response in memory.
    const copy = JSON.parse(JSON.stringify(challenge)) as DigestChallenge
    known.set(key, { status, challenge: copy, count: 0, isProven: false })
  }

  function accepted(): void {
    challenges = 0
    for (const entry of known.values()) if (entry.count > 0) entry.isProven = true
  }

  return { credentials, challenged, accepted }
}

/** The nonce a request answered for a realm; undefined when it has no credentials there. */
function nonceIn(request: SipMessage, status: 401 | 407, realm: string): string | undefined {
  const values = readAuth(request, status === 401 ? 'Authorization' : 'Proxy-Authorization')
  if (isFault(values)) return undefined
  const value = values.find(entry => param(entry, 'realm') === realm)
  return value && param(value, 'nonce')
}
