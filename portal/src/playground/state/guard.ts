// Before a request changes live data, it says what will happen. Every time for a request that changes or removes a record;
// once a session for each endpoint that makes something new.
import type { Endpoint } from '@tandem/catalog'
import type { Mode } from '../kept/drafts.ts'
import { isFields } from '../kept/records.ts'
import { isReading } from '../request/careful.ts'
import type { Effective } from '../request/request.ts'
import { t } from '../texts.ts'

/**
 * Whether a request needs to be confirmed. `confirmed` holds what was confirmed in this session (`guardKey`).
 * `isKnown`: it is of an endpoint of the catalog, and acts on no record that is there already
 */
export function needsConfirmation(
  { method, actingMode, key, isKnown }: { method: string; actingMode: Mode; key: string; isKnown: boolean },
  confirmed: ReadonlySet<string>,
): boolean {
  // In which mode the authorization server acts, the client id says that stands in the form.
  if (actingMode !== 'live' || isReading(method) || / \/oauth\//.test(key)) return false
  return !isKnown || method === 'DELETE' || !confirmed.has(key)
}

export function guardKey(method: string, path: string): string {
  return `${method} ${path}`
}

/** What a request does in live mode, in one sentence. */
export function consequence(endpoint: Endpoint | undefined, effective: Effective): string {
  const body = bodyFields(effective.body)
  const to = typeof body['to'] === 'string' ? body['to'] : t('live.recipient')
  const from = typeof body['from'] === 'string' ? body['from'] : undefined
  const { pathname } = new URL(effective.url)
  if (effective.method === 'POST' && /^\/v2\/messages\/sms\/?$/.test(pathname)) {
    return from === undefined ? t('live.sms', { to }) : t('live.smsFrom', { to, from })
  }
  if (effective.method === 'POST' && /^\/v2\/voice\/calls\/?$/.test(pathname)) {
    return from === undefined ? t('live.call', { to }) : t('live.callFrom', { to, from })
  }
  if (/\/hangup\/?$/.test(pathname)) return t('live.hangup')
  if (/\/finance\/invoices\/[^/]+\/send\/?$/.test(pathname)) return t('live.invoice')
  const what = endpoint === undefined ? pathname : `${endpoint.name} (${pathname})`
  return t(effective.method === 'DELETE' ? 'live.delete' : 'live.change', { what })
}

function bodyFields(text: string | undefined): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text ?? '')
    return isFields(value) ? value : {}
  } catch {
    return {}
  }
}
