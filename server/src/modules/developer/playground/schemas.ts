// What the Playground keeps, as the API takes and shows it.
import { type Static, Type } from 'typebox'
import { IntegerId, Nullable, OneOf, RecordId, Timestamp } from '../../../kernel/endpoint/schema.ts'
import type { CollectionRow, RequestRow } from './collection_store.ts'
import type { EnvironmentRow } from './environment_store.ts'
import { limits, mayChange, operators, type RequestContent, subjects } from './rules.ts'

const Name = (maxLength: number) =>
  Type.String({ minLength: 1, maxLength, pattern: '\\S', errorMessage: 'must not be empty' })
const Shared = Type.Boolean({
  description: 'Whether everybody in the organization sees it, or its owner alone. Sharing needs playground:share.',
})
const VariableName = Type.String({
  pattern: '^[A-Za-z_][A-Za-z0-9_.-]{0,63}$',
  errorMessage: 'must be letters, digits, _ . and -, beginning with a letter or _',
  description: 'As it is written between braces: `leadId` of `{{leadId}}`.',
})
const Person = Type.Object({ userId: IntegerId, name: Type.String() })

/** What all of them show of who made and changed them. */
const changed = {
  version: Type.Integer({ description: 'For If-Match.' }),
  updatedBy: Type.Object(Person.properties, { description: 'Who changed it last.' }),
  createdAt: Timestamp,
  updatedAt: Timestamp,
}
const kept = {
  shared: Type.Boolean({ description: 'Whether everybody in the organization sees it, or its owner alone.' }),
  owner: Person,
  mayChange: Type.Boolean({ description: 'Whether the caller may change it.' }),
  ...changed,
}

const VariableValue = Nullable(
  Type.String({ maxLength: 8_192, description: 'Null of a secret one: its value is never kept here.' }),
)
const Variable = Type.Object({
  name: VariableName,
  value: VariableValue,
  secret: Type.Boolean({
    description: 'Whether each person fills it in for themselves, in the page: its value is never kept here.',
  }),
})
const Variables = Type.Array(Variable, {
  maxItems: limits.variables,
  description: 'In the order in which they are shown.',
})
const Mode = Nullable(OneOf(['live', 'test'], { description: 'In which mode it is offered; null: in both.' }))

export const Environment = Type.Object({
  environmentId: Type.String({ description: 'Identifier, `env_…`.' }),
  name: Type.String(),
  mode: Mode,
  variables: Variables,
  ...kept,
})

const environmentBody = {
  name: Name(100),
  mode: Type.Optional(Mode),
  variables: Type.Optional(Variables),
  shared: Type.Optional(Shared),
}
export const NewEnvironment = Type.Object(environmentBody)
export const EnvironmentChange = Type.Object({ ...environmentBody, name: Type.Optional(environmentBody.name) })

const owner = { userId: 12, name: 'Grace Hopper' }
const at = '2026-11-21T08:44:00.123Z'
const sampleKept = { shared: true, owner, mayChange: true, version: 1, updatedBy: owner, createdAt: at, updatedAt: at }

export const sampleEnvironment: Static<typeof Environment> = {
  environmentId: 'env_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Staging',
  mode: 'test',
  variables: [
    { name: 'sender', value: '+15005550006', secret: false },
    { name: 'partnerToken', value: null, secret: true },
  ],
  ...sampleKept,
}

type Viewer = Parameters<typeof mayChange>[0]

function presentKept(row: EnvironmentRow | CollectionRow, viewer: Viewer) {
  return {
    shared: row.shared,
    owner: { userId: row.owner_id, name: row.owner_name },
    mayChange: mayChange(viewer, row),
    ...presentChanged(row),
  }
}

function presentChanged(
  row: Pick<RequestRow, 'version' | 'updated_by' | 'updated_by_name' | 'created_at' | 'updated_at'>,
) {
  return {
    version: row.version,
    updatedBy: { userId: row.updated_by, name: row.updated_by_name },
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export function presentEnvironment(row: EnvironmentRow, viewer: Viewer): Static<typeof Environment> {
  const { id, name, mode, variables } = row
  return { environmentId: id, name, mode, variables, ...presentKept(row, viewer) }
}

const FolderId = RecordId('fld', 'Identifier of the folder.')
const Folder = Type.Object({ folderId: Type.String({ description: 'Identifier, `fld_…`.' }), name: Type.String() })

export const Collection = Type.Object({
  collectionId: Type.String({ description: 'Identifier, `col_…`.' }),
  name: Type.String(),
  description: Type.String(),
  folders: Type.Array(Folder, { description: 'In their order.' }),
  requestCount: Type.Integer({ description: 'How many requests it holds.' }),
  ...kept,
})

const Pair = Type.Object({
  name: Type.String({ maxLength: 8_192 }),
  value: Type.String({ maxLength: 8_192 }),
  enabled: Type.Boolean({ description: 'Whether it is sent.' }),
})
const Pairs = (description: string) => Type.Array(Pair, { maxItems: limits.rows, description })
const Test = Type.Object({
  subject: OneOf(subjects, {
    description: 'What is looked at: the status, the time in milliseconds, a header, or a value of the JSON.',
  }),
  target: Type.String({
    maxLength: 1_024,
    description:
      'The name of the header, or the JSON Pointer (RFC 6901) of the value: `/data/0/id`. Empty for the rest.',
  }),
  operator: OneOf(operators, {
    description:
      'status: equals, one_of. time: below. header: exists, equals, contains. json: these and count (how many items or fields).',
  }),
  value: Type.String({
    maxLength: 8_192,
    description: 'What it is compared with; may name variables. Empty for exists.',
  }),
})
const Capture = Type.Object({
  name: VariableName,
  pointer: Type.String({
    maxLength: 1_024,
    pattern: '^(/.*)?$',
    errorMessage: 'must be a JSON Pointer (RFC 6901) such as /data/0/id; empty for the whole answer',
    description: 'JSON Pointer (RFC 6901) of the value.',
  }),
})

const contentFields = {
  name: Name(120),
  method: Type.String({
    pattern: '^[A-Za-z]{1,20}$',
    errorMessage: 'must be letters only',
    description: 'HTTP method.',
  }),
  path: Type.String({
    maxLength: 8_192,
    pattern: '^/',
    errorMessage: 'must begin with /',
    description: 'With `{name}` for what pathValues fills in, and `{{name}}` for variables.',
  }),
  pathValues: Type.Array(
    Type.Object({ name: Type.String({ maxLength: 64 }), value: Type.String({ maxLength: 8_192 }) }),
    {
      maxItems: 20,
      description: 'A value for each `{name}` of the path.',
    },
  ),
  query: Pairs('Query parameters.'),
  headers: Pairs('Headers; never with a credential.'),
  body: Type.String({ maxLength: limits.body, description: 'Empty: none is sent.' }),
  tests: Type.Array(Test, { maxItems: limits.tests, description: 'What is asked of the answer.' }),
  captures: Type.Array(Capture, {
    maxItems: limits.captures,
    description: 'Variables that a run takes from the answer, for the requests after it.',
  }),
}
const { name, method, path, ...rest } = contentFields
const optional = {
  pathValues: Type.Optional(rest.pathValues),
  query: Type.Optional(rest.query),
  headers: Type.Optional(rest.headers),
  body: Type.Optional(rest.body),
  tests: Type.Optional(rest.tests),
  captures: Type.Optional(rest.captures),
}
export const RequestInput = Type.Object({ name, method, path, ...optional })
export type RequestInput = Static<typeof RequestInput>

const Place = Nullable(FolderId)
const Position = Type.Number({
  minimum: -1e12,
  maximum: 1e12,
  description: 'Orders the requests of a folder; one between two others has a number between theirs.',
})

export const NewRequest = Type.Object({
  collectionId: RecordId('col', 'The collection to save it to.'),
  folderId: Type.Optional(Place),
  position: Type.Optional(Position),
  ...RequestInput.properties,
})
export const RequestChange = Type.Object({
  collectionId: Type.Optional(RecordId('col', 'The collection to move it to.')),
  folderId: Type.Optional(Place),
  position: Type.Optional(Position),
  name: Type.Optional(name),
  method: Type.Optional(method),
  path: Type.Optional(path),
  ...optional,
})

export const SavedRequest = Type.Object({
  requestId: Type.String({ description: 'Identifier, `srq_…`.' }),
  collectionId: Type.String(),
  folderId: Nullable(Type.String({ description: 'Null: in no folder.' })),
  position: Type.Number({ description: 'Orders the requests of a folder.' }),
  name: Type.String(),
  method: Type.String(),
  path: Type.String(),
  pathValues: Type.Array(Type.Object({ name: Type.String(), value: Type.String() })),
  query: Pairs('Query parameters.'),
  headers: Pairs('Headers; never with a credential.'),
  body: Type.String(),
  tests: rest.tests,
  captures: rest.captures,
  ...changed,
})

const NewFolder = Type.Object({
  name: Name(100),
  requests: Type.Optional(Type.Array(RequestInput, { maxItems: limits.requests, description: 'In their order.' })),
})
export const FolderBody = NewFolder
export const NewCollection = Type.Object({
  name: Name(100),
  description: Type.Optional(Type.String({ maxLength: 2_000, description: 'What it is for.' })),
  shared: Type.Optional(Shared),
  folders: Type.Optional(Type.Array(NewFolder, { maxItems: limits.folders, description: 'In their order.' })),
  requests: Type.Optional(
    Type.Array(RequestInput, { maxItems: limits.requests, description: 'Those in no folder, in their order.' }),
  ),
})
export const CollectionChange = Type.Object({
  name: Type.Optional(Name(100)),
  description: Type.Optional(Type.String({ maxLength: 2_000, description: 'What it is for.' })),
  shared: Type.Optional(Shared),
  folders: Type.Optional(
    Type.Array(Type.Object({ folderId: FolderId, name: Name(100) }), {
      maxItems: limits.folders,
      description: 'Each of its folders once, with its name, in their new order.',
    }),
  ),
})
export const FolderParams = Type.Object({
  collectionId: RecordId('col', 'Identifier of the collection.'),
  folderId: FolderId,
})
export const CollectionParams = Type.Object({ collectionId: RecordId('col', 'Identifier of the collection.') })

export const sampleCollection: Static<typeof Collection> = {
  collectionId: 'col_01k9r7d3w2v8e6q4n5m1b0c9xz',
  name: 'Smoke test',
  description: 'Before each release.',
  folders: [{ folderId: 'fld_01k9r7d3w2v8e6q4n5m1b0c9xz', name: 'Texts' }],
  requestCount: 1,
  ...sampleKept,
}

export const sampleInput: RequestInput = {
  name: 'Send a text',
  method: 'POST',
  path: '/v2/messages/sms',
  body: '{"from": "+15005550006", "to": "+15005550100", "body": "Hello"}',
  tests: [{ subject: 'status', target: '', operator: 'equals', value: '200' }],
  captures: [{ name: 'messageId', pointer: '/messageId' }],
}

export const sampleRequest: Static<typeof SavedRequest> = {
  requestId: 'srq_01k9r7d3w2v8e6q4n5m1b0c9xz',
  collectionId: sampleCollection.collectionId,
  folderId: 'fld_01k9r7d3w2v8e6q4n5m1b0c9xz',
  position: 1,
  ...{ pathValues: [], query: [], headers: [] },
  ...contentOf(sampleInput),
  ...{ version: 1, updatedBy: owner, createdAt: at, updatedAt: at },
}

/** A request with what was left out. */
export function contentOf(input: RequestInput): RequestContent {
  const { method, pathValues = [], query = [], headers = [], body = '', tests = [], captures = [] } = input
  const { name, path } = input
  return { name: name.trim(), method: method.toUpperCase(), path, pathValues, query, headers, body, tests, captures }
}

export function presentCollection(row: CollectionRow, viewer: Viewer): Static<typeof Collection> {
  const { id, name, description, folders, request_count } = row
  return { collectionId: id, name, description, folders, requestCount: request_count, ...presentKept(row, viewer) }
}

export function presentRequest(row: RequestRow): Static<typeof SavedRequest> {
  const { id, collection_id, folder_id, position, name, method, path, path_values } = row
  const { query, headers, body, tests, captures } = row
  return {
    ...{ requestId: id, collectionId: collection_id, folderId: folder_id, position, name, method, path },
    ...{ pathValues: path_values, query, headers, body, tests, captures },
    ...presentChanged(row),
  }
}
