// What a module declares to the contract test about its endpoints: how to make their samples real, and how to provoke each
// problem they declare.
import type { ProblemCode } from '../src/kernel/values/problem.ts'
import type { TestApp } from './harness.ts'

/** One request against one endpoint; what is left out is taken from the endpoint's sample. */
export type ContractRequest = {
  params?: Record<string, string | number>
  query?: Record<string, string | number | boolean>
  body?: unknown
  headers?: Record<string, string>
  /** Credential; the main organization's Admin (live) when left out. */
  as?: string
}

export type EndpointContract = {
  /** The endpoint ends the credential it is called with, so every call needs a fresh one; or even the user, so that it needs a fresh person. */
  endsCredential?: true | 'with its user'
  /** Makes what the sample request needs (a record whose id is in the path) in the tenant of `as`. */
  prepare?: (t: TestApp) => Promise<ContractRequest>
  /** For each problem the endpoint itself declares: makes the situation and returns the request that meets it. */
  problems?: Partial<Record<ProblemCode, (t: TestApp) => Promise<ContractRequest>>>
  /** What it opens needs another permission besides its own: the text that refuses a key which holds its own alone. */
  needsAnother?: RegExp
  /** The problem that an unknown field meets, where the handler knows the fields, and not the schema. */
  unknownField?: ProblemCode
  /** For endpoints with an id in the path: a record of the other organization, to be answered like one that is not there. */
  foreign?: (t: TestApp) => Promise<ContractRequest>
}

/** By endpoint id. */
export type ModuleContract = Record<string, EndpointContract>
