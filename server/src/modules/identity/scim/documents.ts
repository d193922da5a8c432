// What SCIM says of itself (RFC 7643 §5 to §7), and how members and groups look there.
import { isoMs } from '../../../kernel/values/clock.ts'
import type { Shape } from './patch.ts'
import type { GroupRow, ScimUserRow } from './store.ts'
import type { JsonObject } from './values.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
const listSchema = 'urn:ietf:params:scim:api:messages:2.0:ListResponse'
export const resultsAtMost = 100

export const userShape: Shape = {
  simple: ['userName', 'externalId', 'displayName', 'active'],
  complex: { name: ['givenName', 'familyName', 'formatted'] },
  lists: { emails: ['value', 'type', 'primary'] },
}
export const groupShape: Shape = {
  simple: ['displayName', 'externalId'],
  complex: {},
  lists: { members: ['value', 'display'] },
}

/** Attributes that a filter may name, by their names in small letters. */
export const userFilters = {
  id: 'id',
  username: 'userName',
  externalid: 'externalId',
  emails: 'email',
  'emails.value': 'email',
  active: 'active',
}
export const groupFilters = {
  id: 'id',
  displayname: 'displayName',
  externalid: 'externalId',
  members: 'member',
  'members.value': 'member',
}

const metaOf = (resourceType: string, location: string, row: { created_at: string; updated_at: string }) => ({
  resourceType,
  created: isoMs(Date.parse(row.created_at)),
  lastModified: isoMs(Date.parse(row.updated_at)),
  location,
})

/** @param base the address of SCIM, without a slash at the end */
export function presentScimUser(row: ScimUserRow, base: string): JsonObject {
  const { given_name: givenName, family_name: familyName } = row
  return {
    schemas: [userSchema],
    id: String(row.id),
    ...(row.external_id !== null && { externalId: row.external_id }),
    userName: row.user_name,
    name: { formatted: row.name, ...(givenName && { givenName }), ...(familyName && { familyName }) },
    displayName: row.name,
    emails: [{ value: row.email, type: 'work', primary: true }],
    active: !row.disabled,
    roles: [{ value: row.role, primary: true }],
    meta: metaOf('User', `${base}/Users/${row.id}`, row),
  }
}

export type Member = { user_id: number; name: string }

export function presentGroup(row: GroupRow, members: readonly Member[], base: string): JsonObject {
  return {
    schemas: [groupSchema],
    id: row.id,
    ...(row.external_id !== null && { externalId: row.external_id }),
    displayName: row.display_name,
    members: members.map(({ user_id, name }) => ({
      value: String(user_id),
      display: name,
      $ref: `${base}/Users/${user_id}`,
    })),
    meta: metaOf('Group', `${base}/Groups/${row.id}`, row),
  }
}

export function listOf(resources: readonly JsonObject[], totalResults: number, startIndex: number): object {
  return { schemas: [listSchema], totalResults, startIndex, itemsPerPage: resources.length, Resources: resources }
}

/** Without what was not asked for (RFC 7644 §3.9). */
export function selected(
  resource: JsonObject,
  query: { attributes?: unknown; excludedAttributes?: unknown },
): JsonObject {
  const names = (text: unknown) =>
    typeof text !== 'string' || text.trim() === ''
      ? undefined
      : text.split(',').map(name =>
          name
            .trim()
            .replace(/^urn:.*:/, '')
            .replace(/\..*$/, '')
            .toLowerCase(),
        )
  const [wanted, unwanted] = [names(query.attributes), names(query.excludedAttributes)]
  const isKept = (name: string) => {
    if (name === 'schemas' || name === 'id') return true
    return wanted === undefined ? unwanted?.includes(name.toLowerCase()) !== true : wanted.includes(name.toLowerCase())
  }
  return Object.fromEntries(Object.entries(resource).filter(([name]) => isKept(name)))
}

export function serviceProviderConfig(base: string): object {
  return {
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: resultsAtMost },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'API key',
        description: 'An API key of live mode with the scope scim:manage and no other.',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

const kinds = [
  { name: 'User', endpoint: '/Users', schema: userSchema, shape: userShape, required: 'userName' },
  { name: 'Group', endpoint: '/Groups', schema: groupSchema, shape: groupShape, required: 'displayName' },
] as const

export function resourceTypes(base: string): JsonObject[] {
  return kinds.map(({ name, endpoint, schema }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:ResourceType'],
    id: name,
    name,
    endpoint,
    schema,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${name}` },
  }))
}

export function schemas(base: string): JsonObject[] {
  return kinds.map(({ name, schema, shape, required }) => ({
    schemas: ['urn:ietf:params:scim:schemas:core:2.0:Schema'],
    id: schema,
    name,
    attributes: [
      ...shape.simple.map(one =>
        attributeOf(one, { type: one === 'active' ? 'boolean' : 'string', required: one === required }),
      ),
      ...Object.entries(shape.complex).map(([one, subs]) => attributeOf(one, { type: 'complex', subs })),
      ...Object.entries(shape.lists).map(([one, subs]) => attributeOf(one, { type: 'complex', subs, isMany: true })),
    ],
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema}` },
  }))
}

type About = { type: string; required?: boolean; subs?: readonly string[]; isMany?: boolean }

function attributeOf(name: string, { type, required = false, subs, isMany = false }: About): JsonObject {
  return {
    name,
    type,
    multiValued: isMany,
    required,
    caseExact: name === 'externalId',
    mutability: 'readWrite',
    returned: 'default',
    uniqueness: name === 'userName' ? 'server' : 'none',
    ...(subs !== undefined && {
      subAttributes: subs.map(sub => attributeOf(sub, { type: sub === 'primary' ? 'boolean' : 'string' })),
    }),
  }
}
