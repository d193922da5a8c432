// Reads JSON bodies: one object as UTF-8, not too deep, without keys that reach into prototypes. What is wrong is said with
// its place, in a problem like every other.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance } from 'fastify'
import { Problem } from './problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** The body as it arrived; null when there was none, or it was not read. */
    rawBody: Buffer | null
  }
}

const maxJsonDepth = 16

/** Makes JSON the only content type the application takes. */
export function parseJson(app: FastifyInstance): void {
  app.removeAllContentTypeParsers()
  app.decorateRequest('rawHoldsNul', false)
  app.decorateRequest('rawBody', null)
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, bytes, done) => {
    if (bytes.length === 0) return done(null, undefined)
    request.rawBody = bytes as Buffer
    try {
      // Decoding alone would put U+FFFD in the place of what is no UTF-8, and store text that nobody sent.
      if (!isUtf8(bytes as Buffer))
        throw new Problem('malformed_json', { message: 'The body is not valid UTF-8. Send JSON encoded as UTF-8.' })
      const text = bytes.toString('utf8')
      if (tooDeep(text))
        throw new Problem('malformed_json', {
          message: `The body is nested deeper than ${maxJsonDepth} levels. Send flatter JSON.`,
        })
      const value: unknown = JSON.parse(text)
      if (text.includes('__proto__') || /\\u005f/i.test(text)) refusePrototypeKeys(value)
      if (text.includes('\\u0000')) (request as { rawHoldsNul?: boolean }).rawHoldsNul = true
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

/** Counts brackets outside strings; cheap, and before any parser builds a tree. */
function tooDeep(text: string): boolean {
  let depth = 0
  let inString = false
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index)
    if (inString) {
      if (code === 92) index++
      else if (code === 34) inString = false
    } else if (code === 34) inString = true
    else if (code === 123 || code === 91) {
      if (++depth > maxJsonDepth) return true
    } else if (code === 125 || code === 93) depth--
  }
  return false
}

function refusePrototypeKeys(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  if (Object.hasOwn(value, '__proto__'))
    throw new Problem('malformed_json', { message: 'The key __proto__ is not allowed. Remove it.' })
  for (const member of Object.values(value)) refusePrototypeKeys(member)
}
