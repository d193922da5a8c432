// Which header names a page cannot send, and why: the Fetch standard forbids them (§2.2.2 "forbidden request-header") or
// the browser writes them itself. They are shown to the user instead of being dropped silently.

const REASONS: Record<string, string> = {
  'accept-charset': 'Browsers do not let a page set it.',
  'accept-encoding': 'The browser says itself which encodings it can read.',
  'access-control-request-headers': 'It belongs to the preflight that a browser makes by itself.',
  'access-control-request-method': 'It belongs to the preflight that a browser makes by itself.',
  'access-control-request-private-network': 'It belongs to the preflight that a browser makes by itself.',
  connection: 'The browser manages its connections itself.',
  'content-length': 'The browser counts the body itself.',
  cookie: 'Browsers do not let a page set it, and the API reads no cookies.',
  cookie2: 'Browsers do not let a page set it, and the API reads no cookies.',
  date: 'Browsers do not let a page set it.',
  dnt: 'It is a setting of the browser.',
  expect: 'Browsers do not let a page set it.',
  host: 'The browser takes it from the address.',
  'keep-alive': 'The browser manages its connections itself.',
  origin: 'The browser says itself where a page comes from.',
  referer: 'The browser says itself where a page comes from; the Playground sends none.',
  'set-cookie': 'It is a header of answers.',
  te: 'The browser manages its connections itself.',
  trailer: 'The browser manages its connections itself.',
  'transfer-encoding': 'The browser manages its connections itself.',
  upgrade: 'The browser manages its connections itself.',
  'user-agent': 'Chromium sends its own in any case.',
  via: 'It is written by proxies.',
}
const OVERRIDES = new Set(['x-http-method', 'x-http-method-override', 'x-method-override'])
const NEVER_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** Why a browser will not send this header; undefined when it will. */
export function whyNotSent(name: string, value = ''): string | undefined {
  const lower = name.trim().toLowerCase()
  const reason = REASONS[lower]
  if (reason !== undefined) return reason
  if (lower.startsWith('sec-')) return 'Names that begin with Sec- belong to the browser.'
  if (lower.startsWith('proxy-')) return 'Names that begin with Proxy- belong to proxies.'
  if (OVERRIDES.has(lower) && value.split(',').some(word => NEVER_METHODS.has(word.trim().toUpperCase()))) {
    return 'Browsers do not send this method, not even by another name.'
  }
  return undefined
}

/** Why a browser will not send this method; undefined when it will. */
export function whyMethodNotSent(method: string): string | undefined {
  return NEVER_METHODS.has(method.toUpperCase()) ? `Browsers do not send ${method.toUpperCase()}.` : undefined
}

/** A header name as HTTP writes it (RFC 9110 §5.6.2 "token"). */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text)
}
