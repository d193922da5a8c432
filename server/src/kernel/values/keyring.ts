// The secrets of an installation as the rest of the server uses them: MACs under the pepper, keys of seals, and what must last. Each may be
// there in several versions while one takes the place of the other; a process that runs gets the next ones by `replace`.
import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/**
 * `next`: known to all before anyone uses it. `active`: the one in use. `retiring`: what was made with it is still accepted. `retired`: of a
 * signing key, its public part, for what was signed for good.
 */
export const secretStates = ['next', 'active', 'retiring', 'retired'] as const
export type SecretState = (typeof secretStates)[number]

export type SecretVersion = { version: number; value: Uint8Array; state: SecretState }

/** What a keyring is made of; it can be sent to another process of the same server. */
export type KeyMaterial = {
  /** Keys MACs of what others prove themselves with: API keys, client secrets, refresh tokens, recovery codes. */
  pepper: readonly SecretVersion[]
  /** The roots of seals. */
  sealing: readonly SecretVersion[]
  /** Keys what others hold for good, or what only names something: never rotated. */
  lasting: Uint8Array
}

export type Keyring = {
  /** The version of the pepper that `mac` uses. */
  readonly pepperVersion: number
  /** HMAC-SHA-256 (FIPS 198-1) under the pepper in use, 32 bytes. */
  mac(text: string | Uint8Array): Buffer
  /** The same under every pepper that is accepted, the one in use first; most of the time there is one. */
  macs(text: string | Uint8Array): Buffer[]
  /** Whether `given` (a text: in base64url) is the MAC of a text under a pepper that is accepted; compared in constant time. */
  isMac(text: string | Uint8Array, given: Uint8Array | string): boolean
  /** HMAC-SHA-256 under the key that never changes: for names and for what others keep, never for what proves somebody. */
  lastingMac(text: string): Buffer
  /** A key made of the one that never changes (HKDF-SHA-256, RFC 5869), 32 bytes. */
  lastingKey(info: string): Buffer
  /** The keys of seals for a purpose: which to close with, and how to open what an earlier or the next one closed. */
  sealingKeys(purpose: string): SealingKeys
  replace(material: KeyMaterial): void
}

export type SealingKeys = { active: SealingKey; of(version: number): SealingKey | undefined }
export type SealingKey = { version: number; key: Buffer }

/** @throws Error when the material has no pepper or no sealing key in use */
export function createKeyring(material: KeyMaterial): Keyring {
  let held = heldOf(material)
  const macUnder = (pepper: Uint8Array, text: string | Uint8Array) => createHmac('sha256', pepper).update(text).digest()
  return {
    get pepperVersion() {
      return held.peppers[0]!.version
    },
    mac: text => macUnder(held.peppers[0]!.value, text),
    macs: text => held.peppers.map(({ value }) => macUnder(value, text)),
    isMac(text, given) {
      const sent = Buffer.from(given as string)
      const written = (mac: Buffer) => (typeof given === 'string' ? Buffer.from(mac.toString('base64url')) : mac)
      // All are compared, so that the time says nothing of which one fits.
      return held.peppers.reduce((fits, { value }) => equalBytes(written(macUnder(value, text)), sent) || fits, false)
    },
    lastingMac: text => macUnder(held.lasting, text),
    lastingKey: info => derived(held.lasting, info),
    sealingKeys(purpose) {
      let keys = held.purposes.get(purpose)
      if (keys === undefined) {
        keys = keysFor(held.sealing, purpose)
        held.purposes.set(purpose, keys)
      }
      return keys
    },
    replace(next) {
      held = heldOf(next)
    },
  }
}

/** A keyring of one secret for everything, as installations had it before versions; for tests, too. */
export function keyringOf(secret: Uint8Array): Keyring {
  const only = [{ version: 1, value: secret, state: 'active' }] as const
  return createKeyring({ pepper: only, sealing: only, lasting: secret })
}

function heldOf({ pepper, sealing, lasting }: KeyMaterial) {
  return {
    peppers: inUseFirst('pepper', pepper),
    sealing: inUseFirst('sealing key', sealing),
    lasting,
    purposes: new Map<string, SealingKeys>(),
  }
}

/** The one in use first, then the newest. */
function inUseFirst(what: string, versions: readonly SecretVersion[]): SecretVersion[] {
  const active = versions.filter(({ state }) => state === 'active').sort((a, b) => b.version - a.version)
  if (active[0] === undefined) throw new Error(`no ${what} is in use`)
  const others = versions.filter(one => one !== active[0] && one.state !== 'retired')
  return [active[0], ...others.sort((a, b) => b.version - a.version)]
}

function keysFor(versions: readonly SecretVersion[], purpose: string): SealingKeys {
  const made = new Map<number, SealingKey>()
  const of = (wanted: number): SealingKey | undefined => {
    const known = made.get(wanted)
    if (known !== undefined) return known
    const root = versions.find(({ version }) => version === wanted)
    if (root === undefined) return undefined
    const key = { version: wanted, key: derived(root.value, `tandem seal: ${purpose}`) }
    made.set(wanted, key)
    return key
  }
  return { active: of(versions[0]!.version)!, of }
}

function derived(root: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', root, '', info, 32))
}

/** In constant time for texts of one length, which are the only ones that can be equal. */
export function equalBytes(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
