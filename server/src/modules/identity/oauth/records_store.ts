// What the authorization server keeps, by the engine's functions: they are called before any organization is known. Ids come in and go
// out as they are; here they become keyed hashes, and what belongs to them is sealed.
import type { Db } from '../../../kernel/data/db.ts'
import { hashOfId } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import { type ClientRows, clientRows } from './clients_store.ts'

type Json = Record<string, unknown>

/** What is stored of a record, and how many seconds ago it was consumed. */
export type Found = { payload: Json; consumedSeconds: number | null }

export type Records = ReturnType<typeof recordRows> & ClientRows

export function createRecords(db: Db, keyring: Keyring): Records {
  return { ...recordRows(db, keyring), ...clientRows(db, keyring) }
}

function recordRows(db: Db, keyring: Keyring) {
  const seal = createSeal(keyring, 'oauth_records')
  const hash = (kind: string, id: string) => hashOfId(keyring, `oauth ${kind}`, id)
  const optional = (kind: string, text: unknown) => (typeof text === 'string' ? hash(kind, text) : null)
  const placeOf = (kind: string, hashed: Buffer) => `${kind} ${hashed.toString('base64url')}`

  type Row = { hash: Buffer; sealed: string; consumed_seconds: number | null }
  const opened = (kind: string, [row]: Row[]): Found | undefined =>
    row && {
      payload: JSON.parse(seal.open(placeOf(kind, row.hash), row.sealed)) as Json,
      consumedSeconds: row.consumed_seconds,
    }

  return {
    async put(kind: string, id: string, payload: Json, seconds: number): Promise<void> {
      const hashed = hash(kind, id)
      const sealed = seal.close(placeOf(kind, hashed), JSON.stringify(payload))
      const grantId = kind === 'Grant' ? id : (payload['grantId'] ?? null)
      const [uid, userCode] = [optional('uid', payload['uid']), optional('user_code', payload['userCode'])]
      const values = [kind, hashed, grantId, uid, userCode, sealed, seconds]
      await db.call('oauth_put', 'select oauth_put($1, $2, $3, $4, $5, $6, $7)', values)
    },

    async find(kind: string, id: string): Promise<Found | undefined> {
      return opened(kind, await db.call<Row>('oauth_find', 'select * from oauth_find($1, $2)', [kind, hash(kind, id)]))
    },

    async findBy(kind: string, by: { uid: string } | { userCode: string }): Promise<Found | undefined> {
      const values = 'uid' in by ? [kind, hash('uid', by.uid), null] : [kind, null, hash('user_code', by.userCode)]
      return opened(kind, await db.call<Row>('oauth_find_by', 'select * from oauth_find_by($1, $2, $3)', values))
    },

    /** One of many that come at once is `first`; so long after it others are in the `grace`, then `late`. */
    async consume(kind: string, id: string, graceSeconds: number): Promise<'first' | 'grace' | 'late'> {
      const values = [kind, hash(kind, id), graceSeconds]
      const text = 'select oauth_consume($1, $2, $3) as consumed'
      return (await db.call<{ consumed: 'first' | 'grace' | 'late' }>('oauth_consume', text, values))[0]!.consumed
    },

    async destroy(kind: string, id: string): Promise<void> {
      await db.call('oauth_destroy', 'select oauth_destroy($1, $2)', [kind, hash(kind, id)])
    },

    /** Whose a grant is and where it acts, noted as used; undefined when it does not stand. */
    async useGrant(id: string): Promise<{ tenant_id: number; user_id: number } | undefined> {
      type Standing = { tenant_id: number; user_id: number }
      return (await db.call<Standing>('oauth_use_grant', 'select * from oauth_use_grant($1)', [id]))[0]
    },

    async scopeOfGrant(id: string): Promise<{ organizationId: number; tenantId: number } | undefined> {
      type Row = { organization_id: number; tenant_id: number }
      const [row] = await db.call<Row>('oauth_grant_scope', 'select * from oauth_grant_scope($1)', [id])
      return row && { organizationId: row.organization_id, tenantId: row.tenant_id }
    },

    async revokeToken(jti: string, endsAtMs: number): Promise<void> {
      const values = [hashOfId(keyring, 'jti', jti), new Date(endsAtMs).toISOString()]
      await db.call('oauth_revoke_token', 'select oauth_revoke_token($1, $2)', values)
    },

    /** Takes away some of what apps did wrong long ago. @returns how many rows */
    async purgeErrors(rowsAtOnce: number): Promise<number> {
      const text = 'select purge_oauth_app_errors($1) as gone'
      return (await db.work<{ gone: number }>('purge_oauth_app_errors', text, [rowsAtOnce]))[0]?.gone ?? 0
    },

    /** Takes away some of what has ended. @returns how many rows */
    async purge(rowsAtOnce: number): Promise<number> {
      return (
        (await db.work<{ gone: number }>('purge_oauth', 'select purge_oauth($1) as gone', [rowsAtOnce]))[0]?.gone ?? 0
      )
    },
  }
}
