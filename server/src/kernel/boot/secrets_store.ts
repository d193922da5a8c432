// SQL of the installation's secrets, by the role that owns the schema: nobody else reads them.
import type pg from 'pg'
import type { SecretState } from '../values/keyring.ts'

export const secretKinds = ['pepper', 'signing_key', 'sealing_key', 'lasting_key'] as const
export type SecretKind = (typeof secretKinds)[number]

export type SecretRow = {
  name: string
  kind: SecretKind
  version: number
  state: SecretState
  /** In plain, or sealed by the root key of this fingerprint. */
  value: Buffer
  sealed_by: string | null
  created_ms: number
  active_ms: number | null
  due_ms: number | null
}

/** Versions are rows of their own; the first is named as it was when there was only one. */
export function secretName(kind: SecretKind, version: number): string {
  return version === 1 ? kind : `${kind}.${version}`
}

/** Waits for anyone who changes secrets, until the transaction ends. */
export async function lockSecrets(client: pg.ClientBase): Promise<void> {
  await client.query("select pg_advisory_xact_lock(hashtext('tandem secrets'))")
}

/** All of them; each kind in the order of its versions. */
export async function listSecrets(client: pg.ClientBase): Promise<SecretRow[]> {
  const { rows } = await client.query<Omit<SecretRow, 'kind'>>(
    `select name, version, state, value, sealed_by, ${inMs('created_at')} as created_ms, ${inMs('active_at')} as active_ms,
       ${inMs('due_at')} as due_ms
     from instance_secrets order by split_part(name, '.', 1), version`,
  )
  return rows.map(row => ({ ...row, kind: row.name.split('.')[0] as SecretKind }))
}

/** Fingerprints of the keys that secrets are sealed with; also of a database from before that, which has no such column. */
export async function listSealers(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ sealer: string }>(
    `select distinct to_jsonb(s) ->> 'sealed_by' as sealer from instance_secrets s where to_jsonb(s) ->> 'sealed_by' is not null`,
  )
  return rows.map(({ sealer }) => sealer)
}

const inMs = (column: string) => `extract(epoch from ${column})::float8 * 1000`
const atMs = (parameter: string) => `to_timestamp(${parameter}::float8 / 1000)`

export type NewSecret = Pick<SecretRow, 'kind' | 'version' | 'state' | 'value' | 'sealed_by' | 'active_ms' | 'due_ms'>

export async function insertSecret(client: pg.ClientBase, secret: NewSecret, nowMs: number): Promise<void> {
  const { kind, version, state, value, sealed_by, active_ms, due_ms } = secret
  await client.query(
    `insert into instance_secrets (name, version, state, value, sealed_by, active_at, due_at, created_at)
     values ($1, $2, $3, $4, $5, ${atMs('$6')}, ${atMs('$7')}, ${atMs('$8')})`,
    [secretName(kind, version), version, state, value, sealed_by, active_ms, due_ms, nowMs],
  )
}

export async function changeSecretState(
  client: pg.ClientBase,
  name: string,
  { state, active_ms, due_ms }: Pick<SecretRow, 'state' | 'active_ms' | 'due_ms'>,
): Promise<void> {
  await client.query(
    `update instance_secrets set state = $2, active_at = coalesce(${atMs('$3')}, active_at), due_at = ${atMs('$4')} where name = $1`,
    [name, state, active_ms, due_ms],
  )
}

export async function changeSecretValue(
  client: pg.ClientBase,
  name: string,
  { value, sealed_by }: Pick<SecretRow, 'value' | 'sealed_by'>,
): Promise<void> {
  await client.query('update instance_secrets set value = $2, sealed_by = $3 where name = $1', [name, value, sealed_by])
}

export async function removeSecret(client: pg.ClientBase, name: string): Promise<void> {
  await client.query('delete from instance_secrets where name = $1', [name])
}

/** Asks every process to read the secrets again: in the feed that each reads every second. As the engine. */
export async function announceSecrets(client: pg.ClientBase): Promise<void> {
  await client.query('set local role tandem_engine')
  await client.query("insert into revocations (kind, subject) values ('secrets', '')")
  await client.query('reset role')
}
