// How a program gets the OAuth token that a sample sends, in its own name: client credentials (RFC 6749 §4.4). The id and the secret are
// for the reader to fill in.
import { formType } from '../document.ts'
import type { Endpoint } from '../model.ts'
import { formText, type RequestValue } from './request.ts'

/** The scope of a token that may call an endpoint; undefined where no program may, or none needs to. */
export function scopeFor({ permission, problems }: Pick<Endpoint, 'permission' | 'problems'>): string | undefined {
  if (/^(public|operator:.*)$/.test(permission.level) || problems.some(({ code }) => code === 'person_required'))
    return undefined
  return permission.level === 'any credential' ? 'profile:read' : permission.level
}

/** @param baseUrl scheme and host without a slash at the end */
export function tokenRequest(scope: string, baseUrl: string): RequestValue {
  const form = {
    grant_type: 'client_credentials',
    client_id: 'YOUR_CLIENT_ID',
    client_secret: 'YOUR_CLIENT_SECRET',
    scope,
  }
  return {
    method: 'POST',
    url: `${baseUrl}/oauth/token`,
    headers: [['Content-Type', formType]],
    body: formText(form),
  }
}
