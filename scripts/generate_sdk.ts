// The generated part of the SDK, made from the OpenAPI document: one line an operation for the runtime, and the types of
// everything it takes and returns. Run by itself it writes them from the committed document.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { recordsPerPage } from '../sdk/src/paging.ts'
import type { OpenApiDocument, Operation, Parameter, RawOperation } from './openapi_operations.ts'
import { keyOf, namedTypes } from './sdk_names.ts'
import {
  camel,
  comment,
  componentsIn,
  declaration,
  type Json,
  type NameOf,
  pascal,
  type Schema,
  typeText,
} from './sdk_types.ts'

/** The generated files by path, and the table of methods for the README. */
export function sdkFiles(document: OpenApiDocument): { files: Record<string, string>; methods: string } {
  const operations = operationsOf(document)
  refuseClashes(operations)
  operations.forEach(refuseSmallPages)
  return {
    files: {
      'sdk/src/operations.generated.ts': tableFile(operations),
      'sdk/src/types.generated.ts': typesFile(document, operations),
    },
    methods: methodsTable(operations),
  }
}

function operationsOf(document: OpenApiDocument): Operation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      // The protocol of OAuth has clients in every language; a token of it goes into `token`.
      .filter(([, raw]) => raw['x-version'] !== 'oauth')
      .map(([method, raw]) => operationOf(document, path, method.toUpperCase(), raw)),
  )
}

function operationOf(document: OpenApiDocument, path: string, method: string, raw: RawOperation): Operation {
  const content = Object.entries(raw.responses).find(([status]) => status.startsWith('2'))?.[1].content ?? {}
  const { schema: body, fileType } = bodyOf(raw)
  const choice = body !== undefined && isChoice(body, document) ? body : undefined
  const stream = content['text/event-stream']
  const json = content['application/json']
  const shape =
    stream !== undefined
      ? streamShape(stream.schema ?? {})
      : raw['x-envelope'] === 'file'
        ? { envelope: 'f' as const, reply: {}, items: undefined }
        : shapeOf(json?.schema ?? {})
  return {
    ...raw,
    ...shape,
    method,
    path,
    names: raw.operationId.split('.').map(camel),
    typeName: pascal(raw.operationId),
    body,
    fileType,
    params: paramsOf(raw, choice === undefined ? body : undefined),
    choice,
  }
}

/** The fields of a body; a body that is a file is one field. */
function bodyOf({ requestBody }: RawOperation): { schema: Schema | undefined; fileType: string | undefined } {
  const [type, media] = Object.entries(requestBody?.content ?? {})[0] ?? []
  if (type === undefined || type === 'application/json') return { schema: media?.schema, fileType: undefined }
  const schema = { type: 'object', required: ['file'], properties: { file: media?.schema ?? {} } }
  return { schema: schema as Schema, fileType: type }
}

/** Whether a body is a named choice among objects, each with fields of its own. */
function isChoice({ $ref }: Schema, { components }: OpenApiDocument): boolean {
  const named = $ref === undefined ? undefined : components.schemas[$ref.split('/').at(-1) ?? '']
  return (named?.oneOf ?? named?.anyOf) !== undefined
}

type Shape = Pick<Operation, 'envelope' | 'reply' | 'items'>

/** Which envelope a reply has can be distinguished from its schema. */
function shapeOf(schema: Schema): Shape {
  const properties = schema.properties ?? {}
  const { success, data, meta, pagination } = properties as Record<string, Schema | undefined>
  if (success?.const === true) {
    const { success: _, ...rest } = properties
    const lists = Object.entries(rest).filter(([, field]) => field.type === 'array')
    return {
      envelope: 's',
      reply: { ...schema, properties: rest },
      items: pagination === undefined ? undefined : lists[0]?.[0],
    }
  }
  if (data === undefined || meta === undefined) return { envelope: 'n', reply: schema, items: undefined }
  if (meta.properties?.['pagination'] === undefined) return { envelope: 'd', reply: data, items: undefined }
  return { envelope: 'p', reply: data.items ?? {}, items: 'items' }
}

/** The schema of a stream is that of one message, `{event, data}`, or a choice of such. */
function streamShape(schema: Schema): Shape {
  const choices = schema.anyOf ?? schema.oneOf ?? [schema]
  return { envelope: 'e', reply: { anyOf: choices.flatMap(eventsIn) }, items: undefined }
}

function eventsIn({ properties }: Schema): Schema[] {
  const { event, data } = (properties ?? {}) as Record<string, Schema | undefined>
  const names = event?.enum ?? (event?.const === undefined ? [] : [event.const])
  return names.map(name => ({ event: String(name), data: data ?? {} }) as unknown as Schema)
}

/** All fields in one object. @throws when two of them have one name */
function paramsOf(raw: RawOperation, body: Schema | undefined): Schema {
  // Where a stream goes on is kept by the client, in the header.
  const isKept = ({ name }: Parameter) => name === 'lastEventId' && takes(raw, 'header', 'Last-Event-ID')
  const outside = (raw.parameters ?? []).filter(
    parameter => (parameter.in === 'path' || parameter.in === 'query') && !isKept(parameter),
  )
  const properties: Record<string, Schema> = {}
  const add = (name: string, field: Schema) => {
    if (name in properties) throw new Error(`${raw.operationId}: two fields are named ${name}; the SDK merges them`)
    properties[name] = field
  }
  const required = outside.filter(parameter => parameter.required).map(({ name }) => name)
  for (const { name, in: place, description, schema = {} } of outside)
    add(name, { ...(place === 'query' ? orList({ ...schema, description }) : schema), description })
  if (body !== undefined) {
    if (body.properties === undefined) throw new Error(`${raw.operationId}: the SDK needs a body that is an object`)
    for (const [name, field] of Object.entries(body.properties)) add(name, field)
    required.push(...(body.required ?? []))
  }
  return { type: 'object', required, properties }
}

/** Words with commas between may be given as an array: the client joins them. */
function orList(schema: Schema): Schema {
  const { type, pattern = '', description = '' } = schema as Record<string, string>
  if (type !== 'string' || !(/with commas between/.test(description) || pattern.includes('(?:,'))) return schema
  const words = /^\^\(\?:(\w+(?:\|\w+)*)\)\(\?:,/.exec(pattern)?.[1]?.split('|')
  const items: Schema = words === undefined ? { type } : { enum: words }
  return { ...schema, pattern: undefined, anyOf: [{ type }, { type: 'array', readOnly: true, items }] }
}

/** @throws when two operations would be one method, or one would stand in the way of another */
function refuseClashes(operations: readonly Operation[]): void {
  const seen = new Set(['request'])
  for (const { names } of operations) {
    const id = names.join('.')
    if (seen.has(id) || seen.has(names[0] as string)) throw new Error(`the SDK has two methods for ${id}`)
    seen.add(id)
  }
  for (const id of seen) {
    if ([...seen].some(other => other.startsWith(`${id}.`))) throw new Error(`${id} is both a method and a group`)
  }
}

/** @throws for a list that `all` could not read in pages of the size it asks for */
function refuseSmallPages({ items, params, operationId }: Operation): void {
  const limit = params.properties?.['limit']
  if (items !== undefined && (limit === undefined || Number(limit.maximum ?? recordsPerPage) < recordsPerPage))
    throw new Error(`${operationId}: the SDK reads lists with limit=${recordsPerPage}, which this one does not take`)
}

const takes = ({ parameters = [] }: RawOperation, place: string, name: string): boolean =>
  parameters.some(parameter => parameter.in === place && parameter.name === name)

function tableFile(operations: readonly Operation[]): string {
  const lines = operations.map(operation => {
    const { names, method, path, envelope, body, security, items = '', parameters = [] } = operation
    const flags = [
      envelope,
      body === undefined ? '' : 'b',
      takes(operation, 'header', 'Idempotency-Key') ? 'k' : '',
      security?.length === 0 ? 'u' : '',
      takes(operation, 'query', 'cursor') ? 'c' : '',
    ].join('')
    const query = parameters.filter(parameter => parameter.in === 'query').map(({ name }) => name)
    const inQuery = body === undefined ? '' : query.join(',')
    return [names.join('.'), method, path, flags, items, inQuery, operation.fileType ?? ''].join(' ').trimEnd()
  })
  return `${head}// Read by client.ts: id, method, path, flags (envelope; b body, k Idempotency-Key, u public, c cursor), items, query, type of a file.
export const table: string = \`${lines.join('\n')}\`
`
}

const head = '// Made from docs/openapi.json by `npm run generate`; not edited by hand.\n'

function typesFile(document: OpenApiDocument, operations: readonly Operation[]): string {
  const named = namedTypes(operations, Object.keys(document.components.schemas))
  const nameOf: NameOf = schema => named.get(keyOf(schema))?.name
  const codes = document.components.schemas['ProblemV2']?.properties?.['error']?.properties?.['code']?.enum ?? []
  const parts = [
    `${head}import type { CursorPage, ListOperation, Operation, StreamEvent, StreamOperation } from './operation.ts'\n`,
    `${comment('The codes of the error reference.', '')}export type ProblemCode =\n${codes.map(code => `  | '${code}'\n`).join('')}`,
    ...[...named.values()].map(({ name, schema, from }) =>
      declaration(name, { ...schema, description: schema.description ?? `As \`${from}\` returns it.` }, nameOf),
    ),
    ...componentsIn(document.components.schemas, [
      ...operations.flatMap(({ params, choice = {}, reply }) => [params, choice, reply]),
      document.webhooks ?? {},
    ]).map(([name, schema]) => declaration(name, schema, nameOf)),
    ...operations.flatMap(operation => operationTypes(operation, nameOf)),
    `${comment('Every endpoint, by its id.', '')}export type Operations = ${treeText(treeOf(operations), operations, nameOf, '')}\n`,
  ]
  return parts.join('\n')
}

function operationTypes(operation: Operation, nameOf: NameOf): string[] {
  const { typeName, params, envelope, reply, operationId, choice } = operation
  const description = `What \`${operationId}\` takes.`
  const whole = choice === undefined ? params : { allOf: [params, choice] }
  const types = [takesNothing(operation) ? '' : declaration(`${typeName}Params`, { ...whole, description }, nameOf)]
  if (envelope === 'e') types.push(`export type ${typeName}Event = ${eventUnion(reply, nameOf)}\n`)
  else if (envelope === 'f')
    types.push(`${comment(`The file that \`${operationId}\` returns.`, '')}export type ${typeName}Reply = Blob\n`)
  else if (envelope === 'p') types.push(`export type ${typeName}Reply = CursorPage<${typeText(reply, nameOf)}>\n`)
  else {
    const text = comment(`What \`${operationId}\` returns.`, '')
    types.push(`${text}export type ${typeName}Reply = ${typeText(reply, nameOf)}\n`)
  }
  return types.filter(text => text !== '')
}

function eventUnion({ anyOf = [] }: Schema, nameOf: NameOf): string {
  if (anyOf.length === 0) return 'StreamEvent'
  return (anyOf as unknown as { event: string; data: Schema }[])
    .map(({ event, data }) => `\n  | StreamEvent<'${event}', ${typeText(data, nameOf, '  ')}>`)
    .join('')
}

const takesNothing = ({ params, choice }: Operation): boolean =>
  choice === undefined && Object.keys(params.properties ?? {}).length === 0

type Tree = Map<string, Tree | Operation>

function treeOf(operations: readonly Operation[]): Tree {
  const tree: Tree = new Map()
  for (const operation of operations) {
    let place = tree
    for (const name of operation.names.slice(0, -1)) {
      if (!place.has(name)) place.set(name, new Map())
      place = place.get(name) as Tree
    }
    place.set(operation.names.at(-1) as string, operation)
  }
  return tree
}

function treeText(tree: Tree, operations: readonly Operation[], nameOf: NameOf, indent: string): string {
  const inner = `${indent}  `
  const members = [...tree].map(([name, member]) =>
    member instanceof Map
      ? `${inner}${name}: ${treeText(member, operations, nameOf, inner)}\n`
      : `${comment(operationText(member, operations), inner)}${inner}${name}: ${operationType(member, nameOf)}\n`,
  )
  return `{\n${members.join('')}${indent}}`
}

function operationType(operation: Operation, nameOf: NameOf): string {
  const { typeName, envelope, items, reply } = operation
  const takesType = takesNothing(operation) ? 'Record<never, never>' : `${typeName}Params`
  if (envelope === 'e') return `StreamOperation<${takesType}, ${typeName}Event>`
  if (items === undefined) return `Operation<${takesType}, ${typeName}Reply>`
  const item = envelope === 'p' ? typeText(reply, nameOf, '  ') : itemOf(reply, items, nameOf)
  return `ListOperation<${takesType}, ${typeName}Reply, ${item.includes('\n') ? `${typeName}Reply['${items}'][number]` : item}>`
}

const itemOf = (reply: Schema, items: string, nameOf: NameOf): string =>
  typeText(reply.properties?.[items]?.items ?? {}, nameOf)

/** Codes that say something about one endpoint; those that most of them answer do not. */
function ownCodes(operation: Operation, operations: readonly Operation[]): string[] {
  const codesOf = ({ responses }: Operation) =>
    Object.values(responses).flatMap(response => response['x-problems'] ?? [])
  const holders = (code: string) => operations.filter(other => codesOf(other).includes(code)).length
  return codesOf(operation).filter(code => holders(code) * 3 <= operations.length)
}

/** Title, description, address, permission and errors. */
function operationText(operation: Operation, operations: readonly Operation[]): string {
  const { summary, description, method, path } = operation
  const own = ownCodes(operation, operations)
  return [
    `${summary}.`,
    '',
    description,
    '',
    `\`${method} ${path}\`, ${permissionText(operation)}.`,
    ...(own.length === 0 ? [] : ['', `Errors: ${own.join(', ')}.`]),
  ].join('\n')
}

function permissionText({ 'x-permission': permission, 'x-roles': roles = [] }: RawOperation): string {
  return permission === undefined || permission === 'public'
    ? 'public'
    : `permission ${permission} (${roles.join(', ')})`
}

function methodsTable(operations: readonly Operation[]): string {
  const rows = operations.map(operation => {
    const { names, method, path, summary, items } = operation
    const call = `\`tandem.${names.join('.')}\`${items === undefined ? '' : ', `.all`'}`
    return `| ${call} | \`${method} ${path}\` | ${summary} | ${operation['x-permission'] ?? 'public'} |`
  })
  return ['| Method | Endpoint | | Permission |', '|---|---|---|---|', ...rows].join('\n')
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  const document = JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')) as OpenApiDocument & Json
  for (const [path, text] of Object.entries(sdkFiles(document).files)) writeFileSync(join(root, path), text)
}
