// Members over SCIM: made, changed, disabled. Somebody is made a member only by an address at a verified domain of the organization.
import { recordAudit } from '../../../kernel/audit/record.ts'
import { constraintOf } from '../../../kernel/data/db.ts'
import { cleanEmail, isEmail } from '../../../kernel/values/email.ts'
import { asciiAddress } from '../domains/index.ts'
import { accountByDomain } from '../sso/index.ts'
import { addMember, keepMember } from '../users/index.ts'
import { presentScimUser, userShape } from './documents.ts'
import { scimFault } from './fault.ts'
import { mailRenamed } from './mails.ts'
import { applyPatch } from './patch.ts'
import { type Acting, actByMembership, changeStanding, refuseRenaming, rulesOfGroups } from './standing.ts'
import {
  type Called,
  callUser,
  findScimUser,
  findScimUserNamed,
  findSettings,
  groupNamesOf,
  hideUser,
  leaveGroups,
  nameAccount,
  renameMember,
  type ScimUserRow,
} from './store.ts'
import { booleanOf, fieldOf, isObject, type Json, type JsonObject, plainCopy, textOf } from './values.ts'

/** What a provider says of somebody. */
type Said = Called & { email: string; name: string; active: boolean }

const otherDomain = (email: string) =>
  scimFault(
    400,
    `${email} is at no verified domain of the organization. Verify the domain first (Single sign-on in the portal).`,
    'invalidValue',
  )

/** @param before of a change: what stays where nothing is said. @throws a fault */
function readUser(body: JsonObject, before?: ScimUserRow): Said {
  const user_name = textOf(fieldOf(body, 'userName'), 'userName', 254)
  if (user_name === null) throw scimFault(400, 'userName is required.', 'invalidValue')
  const name = fieldOf(body, 'name')
  const parts = isObject(name as Json) ? (name as JsonObject) : {}
  const given_name = textOf(fieldOf(parts, 'givenName'), 'name.givenName', 100)
  const family_name = textOf(fieldOf(parts, 'familyName'), 'name.familyName', 100)
  const formatted = textOf(fieldOf(parts, 'formatted'), 'name.formatted', 200)
  const display = textOf(fieldOf(body, 'displayName'), 'displayName', 200)
  const whole = [given_name, family_name].filter(part => part !== null).join(' ')
  const hasNewParts = before !== undefined && (before.given_name !== given_name || before.family_name !== family_name)
  // What differs from what we said last is what was meant.
  const said = [display, formatted].find(one => one !== null && one !== before?.name)
  const active = fieldOf(body, 'active')
  const email = addressIn(fieldOf(body, 'emails')) ?? user_name
  if (!isEmail(email)) throw scimFault(400, 'emails or userName must have an e-mail address.', 'invalidValue')
  return {
    user_name,
    external_id: textOf(fieldOf(body, 'externalId'), 'externalId', 255),
    given_name,
    family_name,
    email: asciiAddress(cleanEmail(email)),
    name: said ?? ((hasNewParts || before === undefined) && whole !== '' ? whole : (before?.name ?? user_name)),
    active: active === undefined ? before?.disabled !== true : booleanOf(active, 'active'),
  }
}

/** The primary address, or the first one. */
function addressIn(emails: Json | undefined): string | undefined {
  const entries = [emails ?? []].flat().filter((one): one is JsonObject => isObject(one))
  const chosen = entries.find(one => String(one['primary']).toLowerCase() === 'true') ?? entries[0]
  return chosen === undefined ? undefined : (textOf(fieldOf(chosen, 'value'), 'emails.value', 254) ?? undefined)
}

function bodyOf(body: unknown): JsonObject {
  const copy = plainCopy(body)
  if (!isObject(copy)) throw scimFault(400, 'The body must be a JSON object.', 'invalidSyntax')
  return copy
}

export async function createUser(acting: Acting, body: unknown): Promise<ScimUserRow> {
  const { tx, principal } = acting
  const said = readUser(bodyOf(body))
  const known = await findScimUserNamed(tx, principal, said.user_name, said.email)
  if (known !== undefined && !known.deleted && !known.removed)
    throw scimFault(
      409,
      `There is a user ${said.user_name} already. Find them by userName, and change them.`,
      'uniqueness',
    )
  const accountId = await accountByDomain(tx, principal, said.email, said.name)
  if (accountId === undefined) throw otherDomain(said.email)
  const { default_role: role } = await findSettings(tx, principal)
  const id = known !== undefined && !known.removed ? known.id : await newMember(acting, { ...said, accountId, role })
  if (known !== undefined) await leaveAll(acting, id)
  await unique(callUser(tx, principal, id, said))
  // Who was deleted by the provider comes back as whom they were, and with no more than a new member has.
  await changeStanding(acting, id, { disabled: !said.active, ...(known !== undefined && { role }) })
  await note(acting, 'user.created', id, said)
  return found(acting, id)
}

async function newMember(
  { tx, principal }: Acting,
  { accountId, role, email, name }: Said & { accountId: number; role: ScimUserRow['role'] },
): Promise<number> {
  const row = await addMember(tx, principal, { accountId, role, email, name })
  if (row === undefined) throw scimFault(409, `${email} is a member already.`, 'uniqueness')
  return row.id
}

export async function replaceUser(acting: Acting, id: number, body: unknown): Promise<ScimUserRow> {
  const before = await found(acting, id)
  return writeUser(acting, before, readUser(bodyOf(body), before))
}

export async function patchUser(acting: Acting, id: number, body: unknown): Promise<ScimUserRow> {
  const before = await found(acting, id)
  const patched = applyPatch(presentScimUser(before, ''), body, userShape)
  return writeUser(acting, before, readUser(patched, before))
}

async function writeUser(acting: Acting, before: ScimUserRow, said: Said): Promise<ScimUserRow> {
  const { tx, principal, nowMs } = acting
  const { id } = before
  if (said.email.toLowerCase() !== asciiAddress(before.email).toLowerCase()) {
    await refuseRenaming(acting, id)
    const outcome = await unique(renameMember(tx, principal, id, said.email))
    if (outcome === 'domain') throw otherDomain(said.email)
    if (outcome === 'foreign')
      throw scimFault(
        409,
        `${before.email} is at no verified domain of the organization: the person changes the address themselves.`,
        'mutability',
      )
    if (outcome === 'shared')
      throw scimFault(
        409,
        'The person is also a member of other organizations, and changes the address themselves.',
        'mutability',
      )
    await keepMember(tx, principal, id, { email: said.email }, nowMs)
    await mailRenamed(acting, { name: before.name, before: before.email, after: said.email })
  }
  if (said.name !== before.name) {
    await nameAccount(tx, principal, id, said.name)
    await keepMember(tx, principal, id, { name: said.name }, nowMs)
  }
  await unique(callUser(tx, principal, id, said))
  if (said.active === before.disabled) await changeStanding(acting, id, { disabled: !said.active })
  const action = said.active === before.disabled ? (said.active ? 'user.enabled' : 'user.disabled') : 'user.updated'
  await note(acting, action, id, said, before)
  return found(acting, id)
}

/** Out of all groups and of what they gave: who is made again is in none before the provider says so. Before anything else is locked. */
async function leaveAll(acting: Acting, id: number): Promise<void> {
  const { tx, principal } = acting
  const names = await groupNamesOf(tx, principal, id)
  if (names.length === 0) return
  await leaveGroups(tx, principal, id)
  const { group_map } = await findSettings(tx, principal)
  await actByMembership(acting, [id], rulesOfGroups(group_map, names))
}

/** Disabled, in no group, and not shown to the provider any more. */
export async function deleteUser(acting: Acting, id: number): Promise<void> {
  const { tx, principal } = acting
  const before = await found(acting, id)
  await leaveAll(acting, id)
  await changeStanding(acting, id, { disabled: true })
  await callUser(tx, principal, id, before)
  await hideUser(tx, principal, id)
  await note(acting, 'user.disabled', id)
}

/** @throws a fault 404 */
export async function found({ tx, principal }: Acting, id: number): Promise<ScimUserRow> {
  const row = await findScimUser(tx, principal, id)
  if (row === undefined) throw scimFault(404, 'There is no such user.')
  return row
}

async function unique<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    const taken = ['scim_users_name', 'accounts_email_key'].includes(constraintOf(error) ?? '')
    throw taken ? scimFault(409, 'Somebody else has that userName or address.', 'uniqueness') : error
  }
}

async function note(
  { tx, principal }: Acting,
  action: `user.${string}`,
  id: number,
  after?: Said,
  before?: ScimUserRow,
): Promise<void> {
  const { organizationId, keyId, email, mode } = principal
  const by = { organizationId, type: 'scim', id: keyId, onBehalfOf: principal.userId, name: email, mode } as const
  const shown = after && { email: after.email, name: after.name, active: after.active }
  const was = before && { email: before.email, name: before.name, active: !before.disabled }
  await recordAudit(tx, by, { action, targets: [{ type: 'user', id }], after: shown ?? null, before: was ?? null })
}
