// The client of the console: a token of fifteen minutes, kept in memory, made again by the session when it is over.
import { createTandem, type Tandem } from '@tandem/sdk'
import { apiOf } from '../session/api.ts'

export type OperatorLevel = 'support' | 'full'
let held: { token: string; level: OperatorLevel; endsMs: number } | undefined

async function operatorToken(refused: boolean): Promise<string> {
  if (held === undefined || refused || held.endsMs - Date.now() < 30_000) {
    const { token, level, expiresAt } = await apiOf('live').operatorTokens.create({})
    held = { token, level, endsMs: Date.parse(expiresAt) }
  }
  return held.token
}

export const operatorApi: Tandem = createTandem({
  baseUrl: window.location.origin,
  token: ({ refused }) => operatorToken(refused !== undefined && refused !== null),
  fetchOptions: { credentials: 'omit', cache: 'no-store', referrerPolicy: 'no-referrer' },
  headers: { 'X-Tandem-Source': 'portal' },
})

/** What the operator may do, as of the last request: look, or act too. */
export function operatorLevel(): OperatorLevel {
  return held?.level ?? 'support'
}

/** For a session that begins: what was before is nobody's. */
export function forgetOperator(): void {
  held = undefined
}
