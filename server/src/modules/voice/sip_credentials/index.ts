// What the engine that speaks SIP, and anyone who starts calls, use of SIP credentials.
import type { Db, Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { type CallHandling, openInstructions } from '../instructions/index.ts'
import { type PhoneName, readPhoneUser, usernameIn } from './rules.ts'
import { type CredentialRow, credentialsNamed, findCredentialNamed, listContacts, modeOf, tenantOf } from './store.ts'
import { type Digests, openDigests } from './stored_digests.ts'

export {
  dialled,
  ownAddress,
  ownUser,
  type PhoneName,
  phoneServer,
  phoneUser,
  readPhoneUser,
  realm,
} from './rules.ts'
export {
  anyCredential,
  type ContactRow,
  credentialsNamed,
  defaultCountryOf,
  listContacts,
  modeOf,
  sipCredentials,
  writeContacts,
} from './store.ts'

/** A phone's credential, and whose it is. */
export type Phone = {
  scope: Scope
  mode: 'live' | 'test'
  name: PhoneName
  credential: Pick<CredentialRow, 'id' | 'username' | 'display_name' | 'caller_id' | 'callback_url' | 'instructions'>
  digests: Digests
}

/** The credential that a phone's user name leads to; undefined when there is none. */
export async function findPhone(
  { db, keyring }: Pick<Services, 'keyring'> & { db: Db },
  user: string,
): Promise<Phone | undefined> {
  const name = readPhoneUser(user)
  if (name === undefined) return undefined
  const { organizationId, mode } = name
  const tenantId = await tenantOf(db, organizationId, mode)
  if (tenantId === undefined) return undefined
  const scope = { tenantId, organizationId }
  const credential = await db.inTenant(scope, tx => findCredentialNamed(tx, scope, name.username))
  if (credential === undefined) return undefined
  return { scope, mode, name, credential, digests: openDigests(keyring, scope, credential.id, credential.digests) }
}

/** What a call of a phone starts with by its settings; undefined where it dials what was dialled. */
export function handlingOfPhone(keyring: Keyring, { scope, credential }: Phone): CallHandling | undefined {
  const { id, callback_url, instructions } = credential
  if (callback_url === null && instructions === null) return undefined
  const list = instructions === null ? null : openInstructions(keyring, scope, id, instructions)
  return { callback_url, fallback_url: null, instructions: list }
}

/**
 * Where phones of a tenant are reached now, by the user parts they are called by: an empty list for a phone that is not
 * registered, undefined where there is no such credential.
 */
export async function contactsOf(tx: Tx, scope: Scope, users: readonly string[], nowMs: number) {
  const tenant = { ...scope, mode: await modeOf(tx, scope) }
  const names = new Map(users.map(user => [user, usernameIn(tenant, user)]))
  const wanted = [...names.values()].filter(name => name !== undefined)
  const ids = await credentialsNamed(tx, tenant, [...new Set(wanted)])
  const contacts = await listContacts(tx, tenant, [...ids.values()], nowMs)
  return (user: string) => {
    const id = ids.get(names.get(user) ?? '')
    return id === undefined ? undefined : contacts.filter(({ credential_id }) => credential_id === id)
  }
}
