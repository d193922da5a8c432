// Who works for the demo company: people of every role with passwords, and the API keys of its programs.
import type { Scope } from '../kernel/data/db.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { hashApiKey, lastFour, newApiKey, newId } from '../kernel/values/ids.ts'
import type { Keyring } from '../kernel/values/keyring.ts'
import type { Permission, Role } from '../kernel/values/permission.ts'
import { hashPassword, passwordFits } from '../modules/identity/login/password.ts'
import { adminIdOf } from '../modules/identity/organizations/bootstrap_store.ts'
import { createRandom } from './random.ts'
import { dayMs, hourMs, inWorkingHours } from './times.ts'
import type { DemoTransaction } from './transaction.ts'

export const companyName = 'Harbor Roast Supply'
export const companyDomain = 'harborroast.example'

type Colleague = { name: string; role: Role; sinceDays: number; leftDays?: number }

const colleagues: readonly Colleague[] = [
  { name: 'Avery Collins', role: 'Admin', sinceDays: 1130 },
  { name: 'Priya Raman', role: 'Sales Manager', sinceDays: 1105 },
  { name: 'Daniel Osei', role: 'Sales Manager', sinceDays: 640 },
  { name: 'Lena Hoffmann', role: 'Sales Executive', sinceDays: 1088 },
  { name: 'Marcus Bell', role: 'Sales Executive', sinceDays: 962 },
  { name: 'Sofia Marchetti', role: 'Sales Executive', sinceDays: 801 },
  { name: 'Jonas Lindqvist', role: 'Sales Executive', sinceDays: 611 },
  { name: 'Chloe Tremblay', role: 'Sales Executive', sinceDays: 590 },
  { name: 'Tom Whitaker', role: 'Sales Executive', sinceDays: 1012, leftDays: 298 },
  { name: 'Ruth Feldman', role: 'Finance Manager', sinceDays: 1121 },
  { name: 'Kenji Mori', role: 'Finance Manager', sinceDays: 455 },
]

export type DemoUser = { id: number; name: string; email: string; role: Role; adminId: string | null; left: boolean }

/**
 * The password of a demo user, made from a key of this installation that is never rotated: nobody can guess it, nothing stores it, and every
 * start that is asked for demo data can print it again.
 */
export function demoPassword(keyring: Keyring, email: string): string {
  const bits = keyring.lastingMac(`demo password of ${email}`)
  // Letters and digits that nobody mistakes for one another: 5 bits each, 60 in all.
  const letters = Array.from(bits.subarray(0, 12), byte => '23456789abcdefghijkmnpqrstuvwxyz'[byte & 31])
  return [0, 4, 8].map(at => letters.slice(at, at + 4).join('')).join('-')
}

/** Moments in the working hours of a day so many days ago, as ISO 8601. */
function workdaysAgo(seed: string, nowMs: number) {
  const random = createRandom(seed)
  return (days: number | undefined): string | null => {
    if (days === undefined) return null
    return isoMs(inWorkingHours(random, (Math.floor(nowMs / dayMs) - days) * dayMs, 0, nowMs))
  }
}

export async function insertUsers(
  transaction: DemoTransaction,
  scope: Scope,
  keyring: Keyring,
  nowMs: number,
): Promise<DemoUser[]> {
  const people = colleagues.map(person => ({
    ...person,
    email: `${person.name.toLowerCase().replace(' ', '.')}@${companyDomain}`,
  }))
  const hashes = await Promise.all(people.map(({ email }) => hashPassword(demoPassword(keyring, email))))
  const daysAgo = workdaysAgo('users', nowMs)
  const rows = await transaction.inTenant<{ id: number; email: string }>(
    scope,
    `insert into users (organization_id, account_id, email, name, role, disabled_at, created_at, updated_at)
     select $1, make_account(u.email, u.name, u.password_hash, false), u.email, u.name, u.role, u.disabled_at, u.created_at,
       coalesce(u.disabled_at, u.created_at)
     from unnest($2::text[], $3::text[], $4::text[], $5::text[], $6::timestamptz[], $7::timestamptz[]) with ordinality
       as u (email, name, role, password_hash, disabled_at, created_at, n)
     order by n
     returning id, email`,
    [
      scope.organizationId,
      people.map(person => person.email),
      people.map(person => person.name),
      people.map(person => person.role),
      hashes,
      people.map(person => daysAgo(person.leftDays)),
      people.map(person => daysAgo(person.sinceDays)),
    ],
  )
  const idOf = new Map(rows.map(row => [row.email, row.id]))
  const users = people.map(({ name, email, role, leftDays }): DemoUser => {
    const id = idOf.get(email) as number
    return { id, name, email, role, adminId: role === 'Admin' ? adminIdOf(id) : null, left: leftDays !== undefined }
  })
  for (const { id, adminId } of users) {
    if (adminId === null) continue
    await transaction.inTenant(scope, 'update users set admin_id = $3 where organization_id = $1 and id = $2', [
      scope.organizationId,
      id,
      adminId,
    ])
  }
  return users
}

/** Who can log in, and with what: `password` is null where it was changed. */
export type DemoLogin = Pick<DemoUser, 'name' | 'email' | 'role' | 'adminId'> & { password: string | null }

/** The logins of users just made. */
export function newLogins(users: readonly DemoUser[], keyring: Keyring): DemoLogin[] {
  return users
    .filter(user => !user.left)
    .map(({ name, email, role, adminId }) => ({ name, email, role, adminId, password: demoPassword(keyring, email) }))
}

type UserRow = Omit<DemoLogin, 'adminId' | 'password'> & { admin_id: string | null; password_hash: string | null }

/** The logins of users made before, as far as they still can. */
export async function listLogins(
  transaction: DemoTransaction,
  organizationId: number,
  userIds: readonly number[],
  keyring: Keyring,
): Promise<DemoLogin[]> {
  const rows = await transaction.asEngine<UserRow>(
    `select u.name, a.email, u.role, u.admin_id, a.password_hash from users u join accounts a on a.id = u.account_id
     where u.organization_id = $1 and u.id = any ($2) and u.disabled_at is null order by u.id`,
    [organizationId, userIds],
  )
  return Promise.all(
    rows.map(async ({ admin_id, password_hash, ...user }): Promise<DemoLogin> => {
      const password = demoPassword(keyring, user.email)
      const fits = await passwordFits(password_hash, password)
      return { ...user, adminId: admin_id, password: fits ? password : null }
    }),
  )
}

/** A key that works, with its secret, which is shown once. */
export type DemoKey = { name: string; mode: 'live' | 'test'; scopes: readonly Permission[] | null; secret: string }

type KeyPlan = Omit<DemoKey, 'secret'> & {
  ageDays: number
  usedHoursAgo: number
  expiredDays?: number
  revokedDays?: number
}

const keyPlans: readonly KeyPlan[] = [
  {
    name: 'Old booking tool',
    mode: 'live',
    scopes: ['leads:create', 'leads:read'],
    ageDays: 1020,
    usedHoursAgo: 3700,
    revokedDays: 151,
  },
  {
    name: 'Order system',
    mode: 'live',
    scopes: ['invoices:read', 'invoices:create', 'invoices:send', 'payments:create'],
    ageDays: 733,
    usedHoursAgo: 1.2,
  },
  { name: 'Website lead form', mode: 'live', scopes: ['leads:create'], ageDays: 420, usedHoursAgo: 0.6 },
  {
    name: 'Trade show app',
    mode: 'live',
    scopes: ['leads:create'],
    ageDays: 260,
    usedHoursAgo: 5510,
    expiredDays: 229,
  },
  {
    name: 'Notifications',
    mode: 'live',
    scopes: ['messages:send', 'messages:read', 'calls:create', 'calls:read'],
    ageDays: 131,
    usedHoursAgo: 0.4,
  },
  { name: 'Everything, live', mode: 'live', scopes: null, ageDays: 90, usedHoursAgo: 26 },
  { name: 'Everything, test', mode: 'test', scopes: null, ageDays: 90, usedHoursAgo: 3.1 },
]

/** The keys of the demo company's programs, all the Admin's; answers those that work. */
export async function insertKeys(
  transaction: DemoTransaction,
  scopes: Record<'live' | 'test', Scope>,
  keyring: Keyring,
  adminUserId: number,
  nowMs: number,
): Promise<DemoKey[]> {
  const made: DemoKey[] = []
  const ago = workdaysAgo('keys', nowMs)
  for (const { name, mode, scopes: rights, ageDays, usedHoursAgo, expiredDays, revokedDays } of keyPlans) {
    const secret = newApiKey(mode)
    const scope = scopes[mode]
    const createdAt = ago(ageDays) as string
    await transaction.inTenant(
      scope,
      `insert into api_keys (organization_id, id, tenant_id, user_id, name, mode, hash, last_four, scopes, expires_at,
         last_used_at, revoked_at, created_at, pepper_version)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14)`,
      [
        scope.organizationId,
        newId('key', Date.parse(createdAt)),
        scope.tenantId,
        adminUserId,
        name,
        mode,
        hashApiKey(keyring, secret),
        lastFour(secret),
        rights,
        ago(expiredDays),
        isoMs(nowMs - usedHoursAgo * hourMs),
        ago(revokedDays),
        createdAt,
        keyring.pepperVersion,
      ],
    )
    if (expiredDays === undefined && revokedDays === undefined) made.push({ name, mode, scopes: rights, secret })
  }
  return made
}
