// Reads JSON bodies: one object as UTF-8, not too deep, each key once, without keys that reach into prototypes. What is wrong is
// said with its place, in a problem like every other.
import { isUtf8 } from 'node:buffer'
import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { Problem } from '../values/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived; null when there was none, or it was not read. */
    rawBody: Buffer | null
    /** Whether the body holds so many values that only the first fault in it is looked for. */
    bodyIsLarge: boolean
  }
}

const maxJsonDepth = 16
/** Listing all faults of so many values takes some milliseconds; of a body of megabytes it would take all of this process. */
const maxListedValues = 2_000

/** Makes JSON the only content type the application takes. */
export function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('rawHoldsNul', false)
  app.decorateRequest('rawHoldsSurrogate', false)
  app.decorateRequest('rawBody', null)
  app.decorateRequest('bodyIsLarge', false)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    request.rawBody = bytes as Buffer
    try {
      refuseEncodings(request.headers)
      // Decoding alone would put U+FFFD in the place of what is no UTF-8, and store text that nobody sent.
      if (!isUtf8(bytes as Buffer))
        throw new Problem('malformed_json', { message: 'The body is not valid UTF-8. Send JSON encoded as UTF-8.' })
      const text = bytes.toString('utf8')
      if (text.startsWith('\ufeff'))
        throw new Problem('malformed_json', {
          message: 'The body begins with a byte order mark (U+FEFF). Send JSON without one (RFC 8259 §8.1).',
        })
      const { depth, members, commas } = shapeOf(text)
      if (depth > maxJsonDepth)
        throw new Problem('malformed_json', {
          message: `The body is nested deeper than ${maxJsonDepth} levels. Send flatter JSON.`,
        })
      request.bodyIsLarge = commas > maxListedValues
      const value: unknown = JSON.parse(text)
      if (text.includes('__proto__') || /\\u005f/i.test(text)) refusePrototypeKeys(value)
      if (membersOf(value) !== members) throw repeatedKey(text)
      if (text.includes('\\u0000')) (request as { rawHoldsNul?: boolean }).rawHoldsNul = true
      if (/\\ud[89a-f]/i.test(text)) (request as { rawHoldsSurrogate?: boolean }).rawHoldsSurrogate = true
      done(null, value)
    } catch (error) {
      done(error instanceof Problem ? error : malformed(error))
    }
  })
}

function malformed(error: unknown): Problem {
  // V8's words name the place; they quote the caller's own text only.
  return new Problem('malformed_json', {
    message: `The body is not valid JSON: ${(error as Error).message}. Send one JSON object.`,
  })
}

/** @throws Problem `unsupported_media_type` for a body that is packed, or written in another character set */
function refuseEncodings(headers: IncomingHttpHeaders): void {
  const encoding = headers['content-encoding'] ?? 'identity'
  if (encoding.toLowerCase() !== 'identity')
    throw new Problem('unsupported_media_type', {
      message: `Bodies with Content-Encoding: ${encoding} are not read. Send the body unpacked, without that header.`,
    })
  const charset = /;\s*charset\s*=\s*"?([^";\s]+)/i.exec(headers['content-type'] ?? '')?.[1] ?? 'utf-8'
  if (!/^(?:utf-?8|us-ascii)$/i.test(charset))
    throw new Problem('unsupported_media_type', {
      message: `Bodies in ${charset} are not read. Send JSON encoded as UTF-8 (RFC 8259 §8.1).`,
    })
}

/**
 * How deep JSON is nested, no deeper than it may be, how many members its objects have together, and how many commas part its values;
 * before any parser builds a tree.
 */
function shapeOf(text: string): { depth: number; members: number; commas: number } {
  let deepest = 0
  let members = 0
  let commas = 0
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 58) members++
    else if (code === 123 || code === 91) {
      if (++depth > maxJsonDepth) return { depth, members, commas }
      deepest = Math.max(deepest, depth)
    } else if (code === 125 || code === 93) depth--
    else if (code === 44) commas++
  }
  return { depth: deepest, members, commas }
}

/** The members that are left when of those with one key only the last counts. */
function membersOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  let count = 0
  if (Array.isArray(value)) for (const item of value) count += membersOf(item)
  else for (const name in value) count += 1 + membersOf((value as Record<string, unknown>)[name])
  return count
}

/** Names the key that stands twice in an object of well-formed JSON. */
function repeatedKey(text: string): Problem {
  const objects: (Set<string> | undefined)[] = []
  const tokens = /"(?:[^"\\]|\\.)*"(\s*:)?|[{}[\]]/gs
  for (const [token, colon] of text.matchAll(tokens)) {
    if (token === '{') objects.push(new Set())
    else if (token === '[') objects.push(undefined)
    else if (token === '}' || token === ']') objects.pop()
    else if (colon !== undefined) {
      const key = JSON.parse(token.slice(0, -colon.length)) as string
      const known = objects.at(-1)
      if (known?.has(key)) {
        const name = JSON.stringify(key.slice(0, 100))
        const message = `The key ${name} stands twice in one object. Send each key once: it is unclear which of them counts.`
        return new Problem('malformed_json', { message })
      }
      known?.add(key)
    }
  }
  return new Problem('malformed_json', { message: 'A key stands twice in one object. Send each key once.' })
}

function refusePrototypeKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__'))
    throw new Problem('malformed_json', { message: 'The key __proto__ is not allowed. Remove it.' })
  for (const member of Object.values(value)) refusePrototypeKeys(member)
}
