// What handlers return, as the compiler checks it: the shape of the reply's schema, wrapped as the envelope says. A field that
// is misspelt, missing or of another type does not compile; neither does a sample that shows it.
import type { Readable } from 'node:stream'
import type { Static, TSchema } from 'typebox'
import type { Replay } from '../data/idempotency.ts'
import type { Page } from './page.ts'
import type { StreamSource } from './stream.ts'

/**
 * How the reply is wrapped.
 * - `success` (v1): `{success: true, …reply}`
 * - `data` (v2): `{status, data: reply, meta}`
 * - `page` (v2 lists): the handler returns a `Page`; `{status, data: items, meta: {…, pagination}}`
 * - `none`: the reply as it is
 * - `stream` (text/event-stream): the handler returns a `StreamSource`; the reply schema is that of one message as
 *   `{event, id?, data}`
 * - `file`: the handler returns a `FileReply`, whose bytes are the answer, whole or in part; `mediaType` says what they
 *   are, and the reply schema is `FileBytes`
 */
export type Envelope = 'success' | 'data' | 'page' | 'none' | 'stream' | 'file'

/** Returned by a handler that found its request answered before. */
export type Replayed = { replay: Replay }

/**
 * A reply that PostgreSQL has written as JSON already, in the form the schema says; it is sent as it is. For lists so hot
 * that reading and writing their rows again would be most of their cost; nothing is left out here, so the SQL must name
 * what it shows.
 */
export type JsonText = { readonly jsonText: string }

/** What the handler of a file returns. */
export type FileReply = {
  mediaType: string
  /** In bytes; left out where they are made while they are sent. */
  size?: number
  /** Names these very bytes: printable ASCII without quotes; there with the size. */
  tag?: string
  /** The name a reader saves it under: letters, digits, `_`, `-` and `.`. */
  fileName: string
  /** The same with letters of any script, for browsers that can read it (RFC 6266). */
  fullName?: string
  /** Whether browsers should save it instead of showing it. */
  asDownload: boolean
  /**
   * Begins to read, the whole or a range with both ends included.
   * @throws Problem when it cannot be read now
   */
  open(range: { from: number; to: number } | undefined): Promise<Readable>
}

/** The same with lists that need not be writable: a reply is only read. */
type Loose<T> = T extends readonly (infer Item)[]
  ? readonly Loose<Item>[]
  : T extends object
    ? { [K in keyof T]: Loose<T[K]> }
    : T

/** What a handler may return for a reply schema in this envelope. */
export type ReplyOf<R extends TSchema, E extends Envelope> = E extends 'page'
  ? Page<Loose<Static<R>>>
  : E extends 'stream'
    ? StreamSource
    : E extends 'file'
      ? FileReply
      : Loose<Static<R>>

/** What a sample shows: of a list one item, of a stream one message. */
export type SampleOf<R extends TSchema> = Loose<Static<R>>

type Plain = string | number | boolean | bigint | symbol | null | undefined | ((...args: never[]) => unknown)

type KeysOf<T> = T extends unknown ? keyof T : never
type ValueOf<T, K> = T extends unknown ? (K extends keyof T ? T[K] : never) : never

/**
 * `T` where every field of it is one of `Shape`, however deep; a field that `Shape` does not know becomes `never`, so that
 * the compiler points at it. Assignability alone lets such a field pass where the right one is optional.
 */
export type Exactly<T, Shape> = unknown extends Shape
  ? T
  : T extends Plain
    ? T
    : T extends readonly (infer Item)[]
      ? readonly Exactly<Item, Extract<Shape, readonly unknown[]>[number]>[]
      : string extends KeysOf<Shape>
        ? T
        : { [K in keyof T]: K extends KeysOf<Shape> ? Exactly<T[K], ValueOf<Shape, K>> : never }
