// The OpenAPI 3.1 document as far as the catalog reads it: its shape with our x- extensions, and the few helpers that walk
// it. Everything here takes the parsed JSON of docs/openapi.json and looks at nothing else.

/** JSON Schema (2020-12), the parts our endpoints use. */
export type JsonSchema = {
  type?: string | string[]
  description?: string
  format?: string
  pattern?: string
  'x-error-message'?: string
  enum?: unknown[]
  const?: unknown
  default?: unknown
  examples?: unknown[]
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  exclusiveMinimum?: number
  exclusiveMaximum?: number
  multipleOf?: number
  minItems?: number
  maxItems?: number
  uniqueItems?: boolean
  minProperties?: number
  maxProperties?: number
  required?: string[]
  properties?: Record<string, JsonSchema>
  additionalProperties?: boolean | JsonSchema
  patternProperties?: Record<string, JsonSchema>
  propertyNames?: JsonSchema
  items?: JsonSchema
  anyOf?: JsonSchema[]
  oneOf?: JsonSchema[]
  allOf?: JsonSchema[]
  $ref?: string
  /** Of the root: what references name. */
  components?: { schemas?: Record<string, JsonSchema> }
}

/** `oauth` is the authorization server: its addresses are those of a protocol, and answer without envelope. */
export type Version = 'v1' | 'v2' | 'oauth'

export type ProblemTexts = { status: number; title: string; cause: string; fix: string; retriable: boolean }

type MediaType = { schema?: JsonSchema; example?: unknown }

export type OpenApiParameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema?: JsonSchema
  example?: unknown
}

export type OpenApiResponse = {
  description?: string
  headers?: Record<string, { description?: string; schema?: JsonSchema }>
  content?: Record<string, MediaType>
  'x-problems'?: string[]
}

export type OpenApiOperation = {
  operationId: string
  tags?: string[]
  summary?: string
  description?: string
  security?: unknown[]
  parameters?: OpenApiParameter[]
  requestBody?: { required?: boolean; content?: Record<string, MediaType> }
  responses: Record<string, OpenApiResponse>
  'x-version'?: string
  'x-envelope'?: string
  'x-permission'?: string
  'x-permission-description'?: string
  'x-roles'?: string[]
  'x-live-only'?: boolean
  'x-specification'?: string
  'x-rate-limit'?: string
}

export type OpenApiDocument = {
  openapi: string
  info: { title: string; version: string; description?: string }
  servers?: { url: string }[]
  tags?: { name: string; description?: string }[]
  paths: Record<string, Record<string, OpenApiOperation>>
  components?: { schemas?: Record<string, JsonSchema> }
  'x-rate-limit'?: string
  'x-problems'?: Record<string, ProblemTexts>
}

/** One operation with its address. */
export type Operation = { path: string; method: string; operation: OpenApiOperation }

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])

/** Every operation, in the order of the document. `document` is any parsed OpenAPI document; others than ours give what they have. */
export function operationsOf(document: object): Operation[] {
  const { paths = {} } = document as OpenApiDocument
  return Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item)
      .filter(([method]) => methods.has(method))
      .map(([method, operation]) => ({ path, method: method.toUpperCase(), operation })),
  )
}

/** The schema a `#/…` reference names, or the schema itself when it is none. */
export function resolveSchema(document: object, schema: JsonSchema): JsonSchema {
  let found: unknown = schema
  // A reference may name a reference; a circle of them is cut off.
  for (let depth = 0; depth < 8; depth++) {
    const { $ref } = found as JsonSchema
    if ($ref === undefined) return found as JsonSchema
    found = $ref
      .replace(/^#\//, '')
      .split('/')
      .reduce<unknown>((node, part) => (node as Record<string, unknown> | undefined)?.[part], document)
    if (found === undefined) return {}
  }
  return {}
}

/** The schemas that some schemas name, and those that these name in turn, by their names. Each is looked at once. */
export function schemasNamedIn(document: object, schemas: readonly unknown[]): Record<string, JsonSchema> {
  const all = (document as OpenApiDocument).components?.schemas ?? {}
  const found: Record<string, JsonSchema> = {}
  const walk = (node: unknown): void => {
    if (typeof node !== 'object' || node === null) return
    const name = schemaName((node as JsonSchema).$ref)
    if (name !== undefined && all[name] !== undefined && !Object.hasOwn(found, name)) {
      found[name] = all[name]
      walk(all[name])
    }
    for (const inner of Object.values(node)) walk(inner)
  }
  walk(schemas)
  return found
}

/** `SayInstruction` of `#/components/schemas/SayInstruction`. */
export function schemaName($ref: unknown): string | undefined {
  return typeof $ref === 'string' ? /^#\/components\/schemas\/([\w.-]+)$/.exec($ref)?.[1] : undefined
}

export const formType = 'application/x-www-form-urlencoded'

/** The part of a content map that is a form. */
export function formContent(content: Record<string, MediaType> | undefined): MediaType | undefined {
  return content?.[formType]
}

/** The JSON part of a content map, whatever parameters its media type has. */
export function jsonContent(content: Record<string, MediaType> | undefined): MediaType | undefined {
  return Object.entries(content ?? {}).find(([type]) => /^application\/(?:[\w.]+\+)?json\b/.test(type))?.[1]
}
