// Clients as the authorization server finds them, before any organization is known: those of registered apps, and those that nobody
// registered, whose metadata is sealed.
import type { Db } from '../../../kernel/data/db.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { createSeal } from '../../../kernel/values/seal.ts'
import type { AppKind } from './rules.ts'

type Json = Record<string, unknown>

/** A client of a registered app; `secrets` are hashes in hexadecimal. */
export type KnownClient = {
  app_id: string
  organization_id: number
  tenant_id: number
  mode: 'live' | 'test'
  name: string
  kind: AppKind
  redirect_uris: string[]
  scopes: string[]
  require_par: boolean
  secrets: string[]
}

/** Scheme, host and port of the addresses to which public apps send people back, of all organizations. */
export async function readPageOrigins(db: Db): Promise<string[]> {
  const rows = await db.call<{ origin: string }>('oauth_page_origins', 'select * from oauth_page_origins()', [])
  return rows.map(({ origin }) => origin)
}

export type ClientRows = ReturnType<typeof clientRows>

export function clientRows(db: Db, keyring: Keyring) {
  const seal = createSeal(keyring, 'oauth_foreign_clients')
  return {
    async findClient(clientId: string): Promise<KnownClient | undefined> {
      return (await db.call<KnownClient>('oauth_client', 'select * from oauth_client($1)', [clientId]))[0]
    },

    async touchSecret(hashed: Buffer): Promise<void> {
      await db.call('oauth_touch_secret', 'select oauth_touch_secret($1)', [hashed])
    },

    /** Keeps the hash of a secret under the pepper in use, in place of that under an earlier one. */
    async rehashSecret(former: Buffer, hashed: Buffer): Promise<void> {
      const values = [former, hashed, keyring.pepperVersion]
      await db.call('oauth_rehash_secret', 'select oauth_rehash_secret($1, $2, $3)', values)
    },

    async findForeignClient(clientId: string): Promise<Json | undefined> {
      const text = 'select oauth_foreign_client($1) as sealed'
      const [row] = await db.call<{ sealed: string | null }>('oauth_foreign_client', text, [clientId])
      if (row === undefined || row.sealed === null) return undefined
      return JSON.parse(seal.open(clientId, row.sealed)) as Json
    },

    /** Keeps a client that no organization registered; false where `most` wait to be let in already. */
    async keepForeignClient(clientId: string, metadata: Json, most: number | null): Promise<boolean> {
      const sealed = seal.close(clientId, JSON.stringify(metadata))
      const text = 'select oauth_keep_foreign_client($1, $2, $3) as kept'
      const rows = await db.call<{ kept: boolean }>('oauth_keep_foreign_client', text, [clientId, sealed, most])
      return rows[0]!.kept
    },

    async claimForeignClient(clientId: string): Promise<void> {
      await db.call('oauth_claim_foreign_client', 'select oauth_claim_foreign_client($1)', [clientId])
    },
  }
}
