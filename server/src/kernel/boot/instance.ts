// The secrets of this installation as a process holds them: they are read at its start with the owner's connection, and again when another
// process has changed them, so that keys are rotated while all run.
import type { JWK } from 'jose'
import type pg from 'pg'
import { type SigningKeys, signingKeyFrom } from '../access/tokens.ts'
import type { ConnectionOptions } from '../data/db.ts'
import { connectClient } from '../data/session.ts'
import { systemClock } from '../values/clock.ts'
import { createKeyring, type KeyMaterial, type Keyring, type SecretVersion } from '../values/keyring.ts'
import type { RootKeySource } from './root_key.ts'
import { openSecrets, type Secret } from './secrets.ts'

export type Instance = {
  keyring: Keyring
  /** The keys of now. */
  signing(): SigningKeys
  /** Reads the secrets again and uses them from then on. @throws what database or key throw; those of before stay in use then */
  reload(): Promise<void>
}

export type LoadedInstance = Instance & {
  /** What another process of this server makes its keyring of. */
  material(): KeyMaterial
  /** Whether the secrets lie in the database in plain, for want of a key that all nodes have. */
  readonly isPlain: boolean
  /** Is called with the next material whenever there is one. */
  onChange(callback: (material: KeyMaterial) => void): void
}

/**
 * Reads the secrets, making them when there are none. Safe when several nodes start at once.
 * @throws StartFault when the root key is missing, or is another
 */
export async function loadInstance(owner: ConnectionOptions, source: RootKeySource): Promise<LoadedInstance> {
  const read = () => withSecrets(owner, source, async (_client, secrets) => secrets)
  let secrets = await read()
  let signing = await signingOf(secrets)
  const keyring = createKeyring(materialOf(secrets))
  const callbacks: ((material: KeyMaterial) => void)[] = []
  return {
    keyring,
    signing: () => signing,
    material: () => materialOf(secrets),
    get isPlain() {
      return secrets.some(({ isPlain }) => isPlain)
    },
    onChange: callback => void callbacks.push(callback),
    async reload() {
      const next = await read()
      if (namesOf(next) === namesOf(secrets)) return
      const keys = await signingOf(next)
      secrets = next
      signing = keys
      keyring.replace(materialOf(next))
      for (const callback of callbacks) callback(materialOf(next))
    },
  }
}

/** A version never gets another value: names and states say whether anything changed. */
function namesOf(secrets: readonly Secret[]): string {
  return secrets.map(({ name, state }) => `${name} ${state}`).join()
}

/** Opens the secrets in a transaction of the owner, in which `work` may change them; nobody else does so meanwhile. */
export async function withSecrets<T>(
  owner: ConnectionOptions,
  source: RootKeySource,
  work: (client: pg.Client, secrets: Secret[], root: Awaited<ReturnType<typeof openSecrets>>['root']) => Promise<T>,
): Promise<T> {
  const client = await connectClient({ ...owner, application_name: 'tandem_secrets' })
  try {
    await client.query('begin')
    const { secrets, root } = await openSecrets(client, source, systemClock.now())
    const result = await work(client, secrets, root)
    await commit(client)
    return result
  } finally {
    await client.end()
  }
}

async function commit(client: pg.Client): Promise<void> {
  const { command } = await client.query('commit')
  if (command !== 'COMMIT') throw new Error(`the transaction ended with ${command}`)
}

export function materialOf(secrets: readonly Secret[]): KeyMaterial {
  const of = (kind: Secret['kind']): SecretVersion[] =>
    secrets.filter(one => one.kind === kind).map(({ version, value, state }) => ({ version, value, state }))
  return { pepper: of('pepper'), sealing: of('sealing_key'), lasting: of('lasting_key')[0]!.value }
}

/** The one that signs first, then the newest. */
async function signingOf(secrets: readonly Secret[]): Promise<SigningKeys> {
  const all = secrets.filter(({ kind }) => kind === 'signing_key').sort((a, b) => b.version - a.version)
  const active = all.find(({ state }) => state === 'active')
  if (active === undefined) throw new Error('no signing key is in use')
  const jwkOf = ({ value }: Secret) => JSON.parse(value.toString('utf8')) as JWK
  const others = all.filter(one => one !== active && one.state !== 'retired')
  const [first, ...more] = await Promise.all([active, ...others].map(one => signingKeyFrom(jwkOf(one))))
  return { published: [first!, ...more], retired: all.filter(({ state }) => state === 'retired').map(jwkOf) }
}

/** Runs `work` on a connection with the engine role, which may cross tenants: only for first start, demo data and tests. */
export async function asEngine<T>(owner: ConnectionOptions, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = await connectClient({ ...owner, application_name: 'tandem_engine' })
  try {
    await client.query('begin')
    await client.query('set local role tandem_engine')
    const result = await work(client)
    await commit(client)
    return result
  } finally {
    await client.end()
  }
}

/** The same as a function of its work. */
export function engineOf(owner: ConnectionOptions): <T>(work: (client: pg.Client) => Promise<T>) => Promise<T> {
  return work => asEngine(owner, work)
}
