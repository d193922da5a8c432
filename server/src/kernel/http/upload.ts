// Bodies that are files: their bytes go to the object store as they arrive, and never stand in memory. What the handler gets is where they
// are. They are removed again when the request comes to nothing.
import { isUtf8 } from 'node:buffer'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Endpoint, Services, StoredUpload } from '../endpoint/endpoint.ts'
import { newId } from '../values/ids.ts'
import { Problem } from '../values/problem.ts'
import { elapsedMs } from './send.ts'
import { clientErrorHandler } from './socket.ts'

/** For the body of a file; of other requests it is far less (`limitBodies`). */
export const uploadMs = 300_000

/** Takes bodies of these types, where the endpoint does. */
export function takeUploads(app: FastifyInstance, catalog: readonly Endpoint[]): void {
  const types = new Set(catalog.flatMap(({ upload }) => (upload === undefined ? [] : [upload.mediaType])))
  for (const type of types)
    app.addContentTypeParser(type, (request, payload, done) => {
      const { upload } = request.routeOptions.config.endpoint ?? {}
      if (upload?.mediaType !== type) return done(new Problem('unsupported_media_type'))
      if (request.headers['content-encoding'] !== undefined)
        return done(
          new Problem('unsupported_media_type', {
            message: 'Files with Content-Encoding are not read. Send the file unpacked, without that header.',
          }),
        )
      done(null, payload)
    })
}

/** Cuts requests in the set whose body has not arrived within `ms`: Node has one limit for all, which is that of files. */
export function limitBodies(app: FastifyInstance, ms: number): Set<FastifyRequest> {
  const open = new Set<FastifyRequest>()
  const timer = setInterval(() => {
    for (const request of open) {
      const { raw, state } = request
      // What is injected by tests has no connection, and does not say whether it is complete.
      if (raw.complete !== false || elapsedMs(state.startedMs) < ms) continue
      open.delete(request)
      const late = Object.assign(new Error('the body is late'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })
      clientErrorHandler.call(app, late, raw.socket)
    }
  }, 1_000)
  timer.unref()
  app.addHook('onClose', async () => clearInterval(timer))
  return open
}

export type Received = { stored: StoredUpload; remove(): Promise<void> }

/** @throws Problem `payload_too_large`, or `validation_failed` for an empty file */
export async function receiveUpload(
  { upload }: Endpoint,
  { objects, log }: Pick<Services, 'objects' | 'log'>,
  tenantId: number,
  body: unknown,
): Promise<Received> {
  const { folder, maxBytes, mediaType } = upload!
  if (typeof body !== 'object' || body === null || !(Symbol.asyncIterator in body))
    throw new Problem('unsupported_media_type', {
      message: `Send the file as the body, with Content-Type: ${mediaType}.`,
    })
  const store = objects.current
  const key = `${folder}/${tenantId}/${newId('obj')}`
  const remove = () => store.remove(key).catch(error => log.warn({ key, err: error }, 'a file stays that is of no use'))
  const watched = watch(body as AsyncIterable<Uint8Array>, maxBytes)
  const { size, sha256 } = await store.put(key, watched.bytes)
  if (size === 0) {
    await remove()
    const fault = { field: '', code: 'required', message: 'the file is empty; send one with content' }
    throw new Problem('validation_failed', { message: `The body: ${fault.message}`, details: [fault] })
  }
  const place = { storage: store.name, key, folder: store.local ? objects.folder.id() : null }
  return { stored: { ...place, size, sha256, isUtf8: watched.isUtf8() }, remove }
}

/** The bytes of a file, no more than there may be; and whether they are UTF-8. */
function watch(source: AsyncIterable<Uint8Array>, maxBytes: number) {
  let isValid = true
  let size = 0
  /** What may be the beginning of a character. */
  let rest: Uint8Array = new Uint8Array()
  async function* bytes() {
    for await (const chunk of source) {
      size += chunk.length
      if (size > maxBytes)
        throw new Problem('payload_too_large', {
          message: `The file is larger than ${Math.floor(maxBytes / 1024 / 1024)} MiB. Send it in several parts.`,
          headers: { connection: 'close' },
        })
      if (isValid) {
        const whole = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
        const end = endOfCharacters(whole)
        isValid = isUtf8(whole.subarray(0, end))
        rest = whole.slice(end)
      }
      yield chunk
    }
  }
  return { bytes: bytes(), isUtf8: () => isValid && rest.length === 0 }
}

/** Where the last character that is whole ends: at most three bytes before the end. */
function endOfCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back]!
    if (byte < 0x80) return bytes.length
    if (byte >= 0xc0) {
      const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : 2
      return length > back ? bytes.length - back : bytes.length
    }
  }
  return bytes.length
}
