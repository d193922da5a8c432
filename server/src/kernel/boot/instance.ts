// Secrets of this installation: the pepper that keys API-key hashes and refresh tokens, and the signing keys. They are made
// at the first start and live in a table that only the owner role reads, once, at start; so every node has the same ones.
import { randomBytes } from 'node:crypto'
import type { JWK } from 'jose'
import type pg from 'pg'
import { newSigningJwk, type SigningKey, signingKeyFrom } from '../access/tokens.ts'
import type { ConnectionOptions } from '../data/db.ts'
import { connectClient } from '../data/session.ts'
import { newId } from '../values/ids.ts'

export type Instance = { pepper: Buffer; signingKeys: SigningKey[] }

/** Reads the secrets, making them when there are none. Safe when several nodes start at once. */
export async function loadInstance(owner: ConnectionOptions): Promise<Instance> {
  const client = await connectClient(owner)
  try {
    const pepper = await secret(client, 'pepper', async () => randomBytes(32))
    const signing = await secret(client, 'signing_key', async () =>
      Buffer.from(JSON.stringify(await newSigningJwk(newId('kid')))),
    )
    const jwk = JSON.parse(signing.toString('utf8')) as JWK
    return { pepper, signingKeys: [await signingKeyFrom(jwk)] }
  } finally {
    await client.end()
  }
}

async function secret(client: pg.Client, name: string, make: () => Promise<Buffer>): Promise<Buffer> {
  const read = 'select value from instance_secrets where name = $1'
  const existing = await client.query<{ value: Buffer }>(read, [name])
  if (existing.rows[0] !== undefined) return existing.rows[0].value
  await client.query('insert into instance_secrets (name, value) values ($1, $2) on conflict do nothing', [
    name,
    await make(),
  ])
  const stored = await client.query<{ value: Buffer }>(read, [name])
  return (stored.rows[0] as { value: Buffer }).value
}

/** Runs `work` on a connection with the engine role, which may cross tenants: only for first start, demo data and tests. */
export async function asEngine<T>(owner: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient({ ...owner, application_name: 'tandem_engine' })
  try {
    await client.query('begin')
    await client.query('set local role tandem_engine')
    const result = await work(client)
    const { command } = await client.query('commit')
    if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
    return result
  } finally {
    await client.end()
  }
}

/** The same as a function of its work. */
export function engineOf(owner: ConnectionOptions): <T>(work: (client: pg.Client) => Promise<T>) => Promise<T> {
  return work => asEngine(owner, work)
}
