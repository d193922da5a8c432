// What went wrong between an identity provider and us, in plain words for the log of a test, and as one of a few reasons for the person
// who wanted to log in. Pure.

/** Why nobody is let in, as the login page shows it. */
export const reasons = [
  'off',
  'expired',
  'unreachable',
  'cancelled',
  'wrong_answer',
  'not_fresh',
  'no_email',
  'not_verified',
  'other_domain',
  'unknown_member',
  'conflict',
  'disabled',
] as const
export type Reason = (typeof reasons)[number]

type WayFault = Error & { word: string; what: string }

/** No answer, or one of another provider: a word of outbound.ts, or ours. */
export function wayFault(word: string, what: string): WayFault {
  return Object.assign(new Error(`${word}: ${what}`), { word, what })
}

function isWayFault(error: unknown): error is WayFault {
  return error instanceof Error && 'word' in error && 'what' in error
}

export type Explained = { reason: Reason; step: string; text: string }

const words: Record<string, string> = {
  blocked_address:
    'leads to a private address, which this server may not go to; the operator opens it with TANDEM_EGRESS_ALLOW',
  dns_failed: 'has no address in the DNS',
  connect_timeout: 'did not take the connection in time',
  connection_refused: 'refuses the connection',
  unreachable: 'cannot be reached from here',
  tls_failed: 'has a certificate that does not fit, or speaks no TLS',
  timeout: 'did not answer in time',
  reply_too_large: 'answers with more than belongs there',
}

/** Faults of openid-client name what they compared. */
type Fault = Error & {
  code?: string
  error?: string
  error_description?: string
  status?: number
  cause?: unknown
}

const claimTexts: Record<string, string> = {
  iss: 'The ID token is of another issuer than the connection names. Correct the issuer; it has to be the same, a slash at the end included.',
  aud: 'The ID token is meant for another application. Correct the client id.',
  azp: 'The ID token was given to another application. Correct the client id.',
  nonce:
    'The ID token does not belong to this login (nonce). Run the test again; if it stays, the provider keeps answers.',
}

/** @param step what was being done */
export function explain(error: unknown, step: string): Explained {
  const fault = deepest(error)
  if (isWayFault(fault)) {
    if (fault.word === 'issuer_differs') {
      const text = `The document says that its issuer is ${fault.what.slice(0, 200)}. Enter that as the issuer, character by character.`
      return { reason: 'wrong_answer', step: 'document', text }
    }
    return {
      reason: 'unreachable',
      step,
      text: `${fault.what} ${words[fault.word] ?? `gave no usable answer (${fault.word})`}.`,
    }
  }
  const { code, error: answered, error_description, cause } = fault
  const said = error_description === undefined ? '' : `: ${error_description.slice(0, 300)}`
  if (code === 'OAUTH_AUTHORIZATION_RESPONSE_ERROR') {
    const isOwn = answered === 'access_denied' || answered === 'login_required'
    const text = `The provider sent the person back with ${answered}${said}.`
    return { reason: isOwn ? 'cancelled' : 'wrong_answer', step: 'answer', text }
  }
  if (code === 'OAUTH_RESPONSE_BODY_ERROR' || code === 'OAUTH_WWW_AUTHENTICATE_CHALLENGE') {
    const hint = answered === 'invalid_client' || answered === undefined ? ' Check client id and secret.' : ''
    return {
      reason: 'wrong_answer',
      step: 'token',
      text: `The provider refuses the code (${answered ?? '401'})${said}.${hint}`,
    }
  }
  const { claim, claims } = comparedIn(cause)
  if (code === 'OAUTH_JWT_CLAIM_COMPARISON_FAILED' && claim !== undefined)
    return { reason: 'wrong_answer', step: 'id_token', text: claimTexts[claim] ?? fault.message }
  if (code === 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED') {
    if (claim === 'auth_time')
      return {
        reason: 'not_fresh',
        step: 'id_token',
        text: 'The provider did not ask the person again (auth_time is too old).',
      }
    return {
      reason: 'wrong_answer',
      step: 'id_token',
      text: 'The ID token is over already. Compare the clocks of both servers.',
    }
  }
  if (/"auth_time"/.test(fault.message) && claims?.['auth_time'] === undefined)
    return {
      reason: 'not_fresh',
      step: 'id_token',
      text: 'The provider does not say when the person proved who they are (auth_time).',
    }
  const text = `${sentences[code ?? ''] ?? 'The provider answers otherwise than OpenID Connect has it'} (${fault.message}).`
  return { reason: 'wrong_answer', step: code === 'OAUTH_INVALID_RESPONSE' ? 'answer' : step, text }
}

const sentences: Record<string, string> = {
  OAUTH_RESPONSE_IS_NOT_JSON: 'The address answers with something that is no JSON: it is hardly that of an issuer',
  OAUTH_RESPONSE_IS_NOT_CONFORM: 'The address does not answer as one of OpenID Connect does',
  OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED: 'The document is of another issuer. Enter the one that it names, exactly',
  OAUTH_KEY_SELECTION_FAILED: 'No key of the provider fits the ID token',
  OAUTH_UNSUPPORTED_OPERATION: 'The ID token is signed in a way that is not taken',
  OAUTH_INVALID_RESPONSE: 'The answer does not belong to what was asked: state or issuer is another',
}

/** What was compared stands behind all wrappings. */
function comparedIn(cause: unknown): { claim?: string; claims?: Record<string, unknown> } {
  let at = cause
  for (let depth = 0; depth < 4 && at instanceof Error; depth++) at = at.cause
  return typeof at === 'object' && at !== null && !(at instanceof Error) ? at : {}
}

/** What openid-client wraps of ours says more than its wrapping; of its own faults the outermost does. */
function deepest(error: unknown): Fault {
  let at = error as Fault
  for (let depth = 0; depth < 4; depth++) {
    if (isWayFault(at)) return at
    if (!(at?.cause instanceof Error)) break
    at = at.cause as Fault
  }
  return isWayFault(at) ? at : (error as Fault)
}
