// Groups over SCIM. They are the provider's: here they only say, by the map of the organization, which role their members have
// and which teams they are in.
import { recordAudit } from '../../../kernel/audit/record.ts'
import { constraintOf } from '../../../kernel/data/db.ts'
import { groupShape, presentGroup } from './documents.ts'
import { scimFault } from './fault.ts'
import { applyPatch } from './patch.ts'
import { type Acting, actByMembership } from './standing.ts'
import {
  changeGroup,
  changeMembers,
  findSettings,
  type GroupRow,
  insertGroup,
  knownUsers,
  listGroupMembers,
  lockGroup,
  removeGroup,
} from './store.ts'
import { fieldOf, isObject, type Json, type JsonObject, plainCopy, textOf } from './values.ts'

type Said = { display_name: string; external_id: string | null; members: number[] | undefined }
const membersAtMost = 10_000

function readGroup(body: Json): Said {
  if (!isObject(body)) throw scimFault(400, 'The body must be a JSON object.', 'invalidSyntax')
  const display_name = textOf(fieldOf(body, 'displayName'), 'displayName', 255)
  if (display_name === null) throw scimFault(400, 'displayName is required.', 'invalidValue')
  const members = fieldOf(body, 'members')
  return {
    display_name,
    external_id: textOf(fieldOf(body, 'externalId'), 'externalId', 255),
    members: members == null ? undefined : memberIds([members].flat()),
  }
}

/** @throws a fault for what is no user: groups have no groups */
function memberIds(entries: readonly Json[]): number[] {
  if (entries.length > membersAtMost) throw scimFault(400, `A group has at most ${membersAtMost} members.`, 'tooMany')
  const ids = entries.map(entry => {
    const value = isObject(entry) ? fieldOf(entry, 'value') : undefined
    const id = typeof value === 'string' || typeof value === 'number' ? Number(value) : Number.NaN
    if (!Number.isSafeInteger(id) || id < 1)
      throw scimFault(400, 'members must name users by their id.', 'invalidValue')
    return id
  })
  return [...new Set(ids)]
}

export async function createGroup(acting: Acting, body: unknown): Promise<JsonObject> {
  const { tx, principal } = acting
  const said = readGroup(plainCopy(body))
  const row = await unique(insertGroup(tx, principal, said.display_name, said.external_id))
  await setMembers(acting, row, said.members ?? [])
  await note(acting, 'scim_group.created', row.id, said)
  return shown(acting, row.id)
}

export async function replaceGroup(acting: Acting, id: string, body: unknown): Promise<JsonObject> {
  const row = await locked(acting, id)
  return writeGroup(acting, row, readGroup(plainCopy(body)))
}

export async function patchGroup(acting: Acting, id: string, body: unknown): Promise<JsonObject> {
  const { tx, principal } = acting
  const row = await locked(acting, id)
  const members = await listGroupMembers(tx, principal, [id])
  const patched = applyPatch(presentGroup(row, members, ''), body, groupShape)
  return writeGroup(acting, row, readGroup(patched))
}

async function writeGroup(acting: Acting, row: GroupRow, said: Said): Promise<JsonObject> {
  const { tx, principal } = acting
  const isRenamed = said.display_name !== row.display_name
  if (isRenamed || said.external_id !== row.external_id)
    await unique(changeGroup(tx, principal, row.id, said.display_name, said.external_id))
  const before = (await listGroupMembers(tx, principal, [row.id])).map(({ user_id }) => user_id)
  const names = [row.display_name, said.display_name]
  await setMembers(acting, { ...row, display_name: said.display_name }, said.members ?? before)
  // By its name a group gives a role.
  if (isRenamed) await rolesOf(acting, names, before)
  await note(acting, 'scim_group.updated', row.id, said)
  return shown(acting, row.id)
}

export async function deleteGroup(acting: Acting, id: string): Promise<void> {
  const { tx, principal } = acting
  const row = await locked(acting, id)
  const before = (await listGroupMembers(tx, principal, [id])).map(({ user_id }) => user_id)
  await removeGroup(tx, principal, id)
  await rolesOf(acting, [row.display_name], before)
  await note(acting, 'scim_group.deleted', id)
}

async function setMembers(acting: Acting, row: GroupRow, wanted: readonly number[]): Promise<void> {
  const { tx, principal } = acting
  const before = new Set((await listGroupMembers(tx, principal, [row.id])).map(({ user_id }) => user_id))
  const after = new Set(wanted)
  const come = [...after].filter(id => !before.has(id))
  const gone = [...before].filter(id => !after.has(id))
  if (come.length + gone.length === 0) return
  const known = await knownUsers(tx, principal, come)
  const strangers = come.filter(id => !known.has(id))
  if (strangers.length > 0)
    throw scimFault(400, `There is no user ${strangers.slice(0, 5).join(', ')}.`, 'invalidValue')
  await changeMembers(tx, principal, row.id, { come, gone })
  await rolesOf(acting, [row.display_name], [...come, ...gone])
}

/** Only a group that the map names changes what its members are. */
async function rolesOf(acting: Acting, names: readonly string[], userIds: readonly number[]): Promise<void> {
  const { group_map } = await findSettings(acting.tx, acting.principal)
  const rules = group_map.filter(({ group }) => names.some(name => name.toLowerCase() === group.toLowerCase()))
  await actByMembership(acting, userIds, rules)
}

/** @throws a fault 404 */
async function locked({ tx, principal }: Acting, id: string): Promise<GroupRow> {
  const row = await lockGroup(tx, principal, id)
  if (row === undefined) throw scimFault(404, 'There is no such group.')
  return row
}

/** The group as it is now. */
async function shown(acting: Acting, id: string): Promise<JsonObject> {
  const row = await locked(acting, id)
  return presentGroup(row, await listGroupMembers(acting.tx, acting.principal, [id]), acting.base)
}

async function unique<T>(writing: Promise<T>): Promise<T> {
  try {
    return await writing
  } catch (error) {
    if (constraintOf(error) !== 'scim_groups_name') throw error
    throw scimFault(409, 'There is a group of that name already.', 'uniqueness')
  }
}

async function note(
  { tx, principal }: Acting,
  action: `scim_group.${string}`,
  id: string,
  after?: Said,
): Promise<void> {
  const { organizationId, keyId, email, mode } = principal
  const by = { organizationId, type: 'scim', id: keyId, onBehalfOf: principal.userId, name: email, mode } as const
  const record = after && { displayName: after.display_name, members: after.members?.length ?? null }
  await recordAudit(tx, by, { action, targets: [{ type: 'scim_group', id }], after: record ?? null })
}
