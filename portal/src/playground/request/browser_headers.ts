// Which header names a page cannot send, and why: the Fetch standard forbids them (§2.2.2 "forbidden request-header") or
// the browser writes them itself. They are shown to the user instead of being dropped silently.
import { byLanguage } from '../../words/words.ts'
import { t } from '../texts.ts'

const REASONS = byLanguage(
  (): Record<string, string> => ({
    'accept-charset': t('header.set'),
    'accept-encoding': t('header.encodings'),
    'access-control-request-headers': t('header.preflight'),
    'access-control-request-method': t('header.preflight'),
    'access-control-request-private-network': t('header.preflight'),
    connection: t('header.connection'),
    'content-length': t('header.length'),
    cookie: t('header.cookie'),
    cookie2: t('header.cookie'),
    date: t('header.set'),
    dnt: t('header.setting'),
    expect: t('header.set'),
    host: t('header.host'),
    'keep-alive': t('header.connection'),
    origin: t('header.origin'),
    referer: t('header.referer'),
    'set-cookie': t('header.answers'),
    te: t('header.connection'),
    trailer: t('header.connection'),
    'transfer-encoding': t('header.connection'),
    upgrade: t('header.connection'),
    'user-agent': t('header.agent'),
    via: t('header.proxies'),
  }),
)
const OVERRIDES = new Set(['x-http-method', 'x-http-method-override', 'x-method-override'])
const NEVER_METHODS = new Set(['CONNECT', 'TRACE', 'TRACK'])

/** Why a browser will not send this header; undefined when it will. */
export function whyNotSent(name: string, value = ''): string | undefined {
  const lower = name.trim().toLowerCase()
  const reason = REASONS()[lower]
  if (reason !== undefined) return reason
  if (lower.startsWith('sec-')) return t('header.sec')
  if (lower.startsWith('proxy-')) return t('header.proxy')
  if (OVERRIDES.has(lower) && value.split(',').some(word => NEVER_METHODS.has(word.trim().toUpperCase()))) {
    return t('header.override')
  }
  return undefined
}

/** Why a browser will not send this method; undefined when it will. */
export function whyMethodNotSent(method: string): string | undefined {
  return NEVER_METHODS.has(method.toUpperCase()) ? t('header.method', { method: method.toUpperCase() }) : undefined
}

/** A header name as HTTP writes it (RFC 9110 §5.6.2 "token"). */
export function isToken(text: string): boolean {
  return /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/.test(text)
}
