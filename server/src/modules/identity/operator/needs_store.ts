// What was hashed with an earlier pepper and is still in use: it stops to work when that pepper ends.
import type pg from 'pg'

type Engine = <T>(work: (client: pg.Client) => Promise<T>) => Promise<T>

export type Needs = {
  apiKeys: number
  clientSecrets: number
  recoveryCodes: number
  sessions: number
  browsers: number
  total: number
  /** One for each kind of which there are any. */
  lines: string[]
}

/** @param active the version of the pepper in use, and since when; undefined where no earlier one is accepted any more */
export async function countNeeds(
  engine: Engine,
  active: { version: number; sinceMs: number } | undefined,
): Promise<Needs> {
  const none = { apiKeys: 0, clientSecrets: 0, recoveryCodes: 0, sessions: 0, browsers: 0 }
  const found = active === undefined ? none : await engine(client => counted(client, active))
  const { apiKeys, clientSecrets, recoveryCodes, sessions, browsers } = found
  const said: [count: number, words: string][] = [
    [apiKeys, 'API keys have not been used since: they would be refused'],
    [clientSecrets, 'client secrets of apps have not been used since: they would be refused'],
    [recoveryCodes, 'recovery codes are from before: their persons would need new ones'],
    [sessions, 'sessions have not been renewed since: their persons would log in again'],
    [browsers, 'browsers have not logged in since: they would be asked for a second factor again'],
  ]
  const lines = said.filter(([count]) => count > 0).map(([count, words]) => `${count} ${words}.`)
  return { ...found, total: said.reduce((sum, [count]) => sum + count, 0), lines }
}

type Counts = Omit<Needs, 'total' | 'lines'>

async function counted(client: pg.Client, { version, sinceMs }: { version: number; sinceMs: number }): Promise<Counts> {
  await client.query('set local statement_timeout = 0')
  const { rows } = await client.query<Counts>(
    `select
       (select count(*)::int from api_keys where pepper_version < $1 and coalesce(revoked_at > now(), true)
          and coalesce(expires_at > now(), true)) as "apiKeys",
       (select count(*)::int from oauth_app_secrets where pepper_version < $1) as "clientSecrets",
       (select count(*)::int from recovery_codes where pepper_version < $1 and used_at is null) as "recoveryCodes",
       (select count(*)::int from sessions where coalesce(rotated_at, created_at) < to_timestamp($2::float8 / 1000)
          and revoked_at is null and last_used_at > now() - interval '30 days') as sessions,
       (select count(*)::int from login_places where place like 'device %' and seen_at < to_timestamp($2::float8 / 1000)
          and seen_at > now() - interval '30 days') as browsers`,
    [version, sinceMs],
  )
  return rows[0]!
}
