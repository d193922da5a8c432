// Connections to identity providers: their states, and which role a person gets.
import type { Role } from '../../../kernel/values/permission.ts'
import { move, type Table } from '../../../kernel/values/states.ts'

export const connectionStatuses = ['draft', 'tested', 'active', 'enforced', 'disabled'] as const
export type ConnectionStatus = (typeof connectionStatuses)[number]

/** Nothing is switched on that was not tested as it is; `changed` is a change of what the test was about. */
export const connectionTable = {
  tested: { from: ['draft'], to: 'tested' },
  activated: { from: ['tested', 'enforced'], to: 'active' },
  enforced: { from: ['active'], to: 'enforced' },
  disabled: { from: ['draft', 'tested', 'active', 'enforced'], to: 'disabled' },
  changed: { from: ['tested', 'disabled'], to: 'draft' },
} as const satisfies Table<ConnectionStatus, string>

export type ConnectionEvent = keyof typeof connectionTable

/** What a PATCH may ask for, and the event that it is. */
export const askedStatuses = {
  active: 'activated',
  enforced: 'enforced',
  disabled: 'disabled',
  draft: 'changed',
} as const

export function nextStatus(status: ConnectionStatus, event: ConnectionEvent): ConnectionStatus | undefined {
  return move(connectionTable, status, event)
}

export type RoleRule = { value: string; role: Role }
export type TestStep = { step: string; outcome: 'ok' | 'note' | 'wrong'; text: string }

export type ConnectionRow = {
  id: string
  name: string
  issuer: string
  client_id: string
  client_secret: string | null
  scopes: string[]
  status: ConnectionStatus
  role_claim: string | null
  role_map: RoleRule[]
  creates_members: boolean
  default_role: Role
  strong_methods: string[]
  break_glass: number[]
  tested_at: string | null
  tested_by: number | null
  test_log: TestStep[] | null
  version: number
  created_at: string
  updated_at: string
}

export const connectionsAtMost = 10

/** Its work is to write to members that they must come by the provider. */
export const noticesQueue = 'sso_notices'

/** Whether people are let in by it. */
export function isWorking({ status }: Pick<ConnectionRow, 'status'>): boolean {
  return status === 'active' || status === 'enforced'
}

/** A claim by its name, or by the path to it with dots between (`realm_access.roles`); a name with dots goes first. */
export function claimAt(claims: Readonly<Record<string, unknown>>, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path]
  let at: unknown = claims
  for (const name of path.split('.')) {
    if (typeof at !== 'object' || at === null || !Object.hasOwn(at, name)) return undefined
    at = (at as Record<string, unknown>)[name]
  }
  return at
}

/** The role of the first rule that fits what the claim says; undefined where none does. */
export function roleOf(
  { role_claim, role_map }: Pick<ConnectionRow, 'role_claim' | 'role_map'>,
  claims: Readonly<Record<string, unknown>>,
): Role | undefined {
  if (role_claim === null) return undefined
  const said = [claimAt(claims, role_claim)].flat().filter(value => typeof value === 'string')
  return role_map.find(rule => said.includes(rule.value))?.role
}

/** Whether the provider says that it proved the person in a way that the connection takes for a second factor. */
export function isStrong(
  { strong_methods }: Pick<ConnectionRow, 'strong_methods'>,
  claims: Readonly<Record<string, unknown>>,
): boolean {
  const said = [claims['amr'], claims['acr']].flat().filter(value => typeof value === 'string')
  return said.some(value => strong_methods.includes(value))
}

/**
 * Only `true` itself is verified: not a text, and not silence (OpenID Connect Core 1.0 §5.1). Entra says it otherwise, and is taken at its
 * word only as the issuer of one tenant: `xms_edov`, that the owner of the domain was verified.
 */
export function verifiedEmail(
  { issuer }: Pick<ConnectionRow, 'issuer'>,
  claims: Readonly<Record<string, unknown>>,
): string | undefined {
  const { email, email_verified, xms_edov } = claims
  if (typeof email !== 'string') return undefined
  if (email_verified === true) return email
  const isEntra = issuer.startsWith('https://login.microsoftonline.com/')
  return isEntra && email_verified === undefined && [true, 1, '1', 'true'].includes(xms_edov as string)
    ? email
    : undefined
}
