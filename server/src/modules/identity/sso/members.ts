// Whose login it is. An identity is what the provider calls somebody (`sub`), never an address. Who is seen for the first time is linked
// to a member, or made one, by an address that the provider says is verified, at a domain that the organization has verified: there, and
// only there, it speaks for people.
import { type Asked, recordAudit } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { cleanEmail, isEmail } from '../../../kernel/values/email.ts'
import { type ConnectionRow, roleOf, verifiedEmail } from '../connections/index.ts'
import { asciiAddress, speaksFor } from '../domains/index.ts'
import { addMember, keepMember } from '../users/index.ts'
import type { Reason } from './faults.ts'
import {
  accountByDomain,
  type Found,
  findByAddress,
  findPerson,
  insertIdentity,
  useIdentity,
} from './identities_store.ts'
import type { Claims } from './provider.ts'

export type Whose = { userId: number; accountId: number } | { reason: Reason; userId?: number }

type Coming = { connection: ConnectionRow; claims: Claims; nowMs: number; asked: Asked }

export async function whoseLogin(tx: Tx, scope: Scope, coming: Coming): Promise<Whose> {
  const { connection, claims, nowMs } = coming
  const at = isoMs(nowMs)
  const known = await useIdentity(tx, scope, connection.id, claims.sub, at)
  const whose = known === undefined ? await firstTime(tx, scope, coming) : await again(tx, scope, known)
  if ('reason' in whose) return whose
  const role = roleOf(connection, claims)
  if (role !== undefined) {
    const kept = await keepMember(tx, scope, whose.userId, { role }, nowMs)
    if (kept.outcome === 'changed') {
      const targets = [{ type: 'user', id: whose.userId }]
      await recordAudit(
        tx,
        actorOf(scope, connection),
        { action: 'user.role_changed', targets, after: { role } },
        coming.asked,
      )
    }
  }
  return whose
}

/** A domain that was lost, or another address, ends what the provider may say of the person. */
async function again(tx: Tx, scope: Scope, userId: number): Promise<Whose> {
  const person = await findPerson(tx, scope, userId)
  if (person === undefined || person.disabled) return { reason: 'disabled', userId }
  if (!(await speaksFor(tx, scope, person.email))) return { reason: 'other_domain', userId }
  return { userId, accountId: person.account_id }
}

async function firstTime(tx: Tx, scope: Scope, coming: Coming): Promise<Whose> {
  const { connection, claims } = coming
  const said = verifiedEmail(connection, claims)
  if (said === undefined) return { reason: typeof claims['email'] === 'string' ? 'not_verified' : 'no_email' }
  if (!isEmail(said)) return { reason: 'no_email' }
  const email = asciiAddress(cleanEmail(said))
  if (!(await speaksFor(tx, scope, email))) return { reason: 'other_domain' }
  const person = await findByAddress(tx, scope, email)
  if (person?.disabled && !person.removed) return { reason: 'disabled', userId: person.id }
  if (person !== undefined && !person.removed) return link(tx, scope, coming, person)
  if (!connection.creates_members) return { reason: 'unknown_member' }
  return create(tx, scope, coming, email)
}

async function link(
  tx: Tx,
  scope: Scope,
  coming: Coming,
  { id: userId, account_id: accountId }: Found,
): Promise<Whose> {
  const { connection, claims, nowMs, asked } = coming
  const identity = { connectionId: connection.id, subject: claims.sub, userId, at: isoMs(nowMs) }
  // An address that was given to somebody else at the provider is not that of the member any more.
  if (!(await insertIdentity(tx, scope, identity))) return { reason: 'conflict', userId }
  const targets = [{ type: 'user', id: userId }]
  await recordAudit(tx, actorOf(scope, connection), { action: 'sso_identity.linked', targets }, asked)
  return { userId, accountId }
}

async function create(tx: Tx, scope: Scope, coming: Coming, email: string): Promise<Whose> {
  const { connection, claims, nowMs, asked } = coming
  const name = nameOf(claims, email)
  const accountId = await accountByDomain(tx, scope, email, name)
  if (accountId === undefined) return { reason: 'other_domain' }
  const role = roleOf(connection, claims) ?? connection.default_role
  const row = await addMember(tx, scope, { accountId, role, email, name })
  if (row === undefined) return { reason: 'conflict' }
  const identity = { connectionId: connection.id, subject: claims.sub, userId: row.id, at: isoMs(nowMs) }
  if (!(await insertIdentity(tx, scope, identity))) return { reason: 'conflict', userId: row.id }
  const targets = [{ type: 'user', id: row.id }]
  await recordAudit(
    tx,
    actorOf(scope, connection),
    { action: 'user.created', targets, after: { role, email, name } },
    asked,
  )
  return { userId: row.id, accountId }
}

function nameOf(claims: Claims, email: string): string {
  const parts = [claims['given_name'], claims['family_name']].filter(part => typeof part === 'string')
  const said = typeof claims['name'] === 'string' ? claims['name'] : parts.join(' ')
  return said.trim().slice(0, 200) || email.slice(0, 200)
}

function actorOf({ organizationId }: Scope, { id }: ConnectionRow) {
  return { organizationId, type: 'sso', id } as const
}
