// The OpenAPI document as the generator of the SDK reads it: its operations, and what each becomes there.
import type { Schema } from './sdk_types.ts'

export type Media = { schema?: Schema }
export type Parameter = { name: string; in: string; required?: boolean; description?: string; schema?: Schema }

export type RawOperation = {
  operationId: string
  summary: string
  description: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, { content?: Record<string, Media>; 'x-problems'?: string[] }>
  security?: unknown[]
  'x-permission'?: string
  'x-roles'?: string[]
  'x-envelope'?: string
  'x-version'?: string
}

export type OpenApiDocument = {
  paths: Record<string, Record<string, RawOperation>>
  /** What is sent to addresses of customers. */
  webhooks?: Record<string, Record<string, RawOperation>>
  components: { schemas: Record<string, Schema> }
}

/** See `Envelope` in sdk/src/client.ts. */
export type Envelope = 's' | 'd' | 'p' | 'n' | 'e' | 'f'

export type Operation = RawOperation & {
  method: string
  path: string
  /** The names that lead to the method: `['apiKeys', 'create']`. */
  names: string[]
  /** Begins the names of its types: `ApiKeysCreate`. */
  typeName: string
  envelope: Envelope
  /** The data inside the envelope; of a page, one item. */
  reply: Schema
  /** Name of the records of a list, else undefined. */
  items: string | undefined
  body: Schema | undefined
  /** Of a body that is a file. */
  fileType: string | undefined
  /** Path, query and body fields together. */
  params: Schema
  /** A body that is a choice among several: it is sent as it is, beside `params`. */
  choice: Schema | undefined
}
