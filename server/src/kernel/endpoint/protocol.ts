// Addresses of a protocol that a library answers: declared for the documents as all others are, with the fields, answers and errors of the
// specification. Nothing routes or validates by these; server/test/protocol.test.ts holds them against what is answered.
import { type TObject, type TSchema, Type } from 'typebox'
import type { ProblemCode } from '../values/problem.ts'
import type { Category, DocumentedEndpoint, Method } from './endpoint.ts'

export type ProtocolDefinition = {
  id: string
  category: Category
  method: Method
  /** Below `/oauth`; paths starting with `/.well-known` stand as they are. */
  path: string
  name: string
  description: string
  query?: TObject
  body?: TObject
  /** Undefined for an answer without a body. */
  reply?: TSchema
  /** 200 when not said. */
  status?: 200 | 201 | 303
  /** Error codes of the protocol; those that every address may answer are added. */
  problems?: readonly ProblemCode[]
  sample: { query?: Record<string, string>; body?: Record<string, unknown>; reply?: unknown }
} & NonNullable<DocumentedEndpoint['protocol']>

/** What any of them may answer: too many requests, or a server that does not know its own address; a mistake. */
const always: readonly ProblemCode[] = ['temporarily_unavailable', 'server_error']

export function protocolEndpoint(definition: ProtocolDefinition): DocumentedEndpoint {
  const { specification, client, rateLimit, form, problems = [], sample, reply = Type.Null(), ...rest } = definition
  return {
    ...rest,
    version: 'oauth',
    permission: 'public',
    envelope: 'none',
    reply,
    sample: { ...sample, reply: sample.reply ?? null },
    problems: [...new Set([...problems, ...always])],
    protocol: { specification, client, rateLimit, ...(form && { form }) },
  }
}
