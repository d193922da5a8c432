// Objects in a bucket of S3-compatible storage: AWS, MinIO, Ceph, R2 and their like. Small ones go up in one piece, others in
// parts of 8 MiB, so that no more than one part is ever in memory. An object appears when all of it is there.
import { createHash, type Hash } from 'node:crypto'
import { Readable } from 'node:stream'
import type { ReadableStream } from 'node:stream/web'
import { checkedKey, isObjectKey, objectMissing, type S3Address, s3AddressText } from '../values/object_key.ts'
import type { ObjectStore, PutResult, StoredObject } from './object_store.ts'
import { bytesOf } from './object_store_disk.ts'
import { createS3Requester, elementOf, isS3Error, type S3Settings, s3Error } from './s3_request.ts'

export type S3StoreOptions = Omit<S3Settings, 'bucket'> & { address: S3Address }

const partBytes = 8 * 1024 * 1024
/** More parts than an upload may have: nothing we keep is that large. */
const maxParts = 10_000

export function createS3Store({ address, ...settings }: S3StoreOptions): ObjectStore {
  const request = createS3Requester({ ...settings, bucket: address.bucket })
  const before = address.prefix === '' ? '' : `${address.prefix}/`
  const full = (key: string) => `${before}${checkedKey(key)}`

  async function putWhole(key: string, body: Part): Promise<number> {
    const answer = await request({ method: 'PUT', key, body })
    await answer.arrayBuffer()
    return body.length
  }

  /** Answers how many bytes there were. */
  async function upload(key: string, first: Part, rest: AsyncIterator<Part>): Promise<number> {
    const started = await request({ method: 'POST', key, query: { uploads: '' } })
    const uploadId = elementOf(await started.text(), 'UploadId')
    if (uploadId === undefined) throw s3Error(started.status, 'Error', `no upload of ${key} was begun`)
    try {
      const tags: string[] = []
      let size = 0
      for (let part: Part | undefined = first; part !== undefined; part = await next(rest)) {
        if (tags.length === maxParts) throw new Error(`${key} is too large to be stored`)
        const query = { partNumber: String(tags.length + 1), uploadId }
        const answer = await request({ method: 'PUT', key, query, body: part })
        // Read to its end, the connection serves the next request.
        await answer.arrayBuffer()
        tags.push(answer.headers.get('etag') ?? '')
        size += part.length
      }
      await complete(key, uploadId, tags, size)
      return size
    } catch (error) {
      // Parts without an end would be kept, and charged, for ever.
      await request({ method: 'DELETE', key, query: { uploadId } }).catch(() => {})
      throw error
    }
  }

  async function complete(key: string, uploadId: string, tags: readonly string[], size: number): Promise<void> {
    const parts = tags.map((tag, at) => `<Part><PartNumber>${at + 1}</PartNumber><ETag>${escapeXml(tag)}</ETag></Part>`)
    const xmlns = 'http://s3.amazonaws.com/doc/2006-03-01/'
    const document = `<CompleteMultipartUpload xmlns="${xmlns}">${parts.join('')}</CompleteMultipartUpload>`
    try {
      const headers = { 'content-type': 'application/xml' }
      const body = new TextEncoder().encode(document)
      const answer = await request({ method: 'POST', key, query: { uploadId }, headers, body })
      // Putting the parts together may fail when the head of the answer has left already.
      const text = await answer.text()
      const code = text.includes('<Error>') ? (elementOf(text, 'Code') ?? 'Error') : undefined
      if (code !== undefined) throw s3Error(answer.status, code, `the parts of ${key} could not be put together`)
    } catch (error) {
      // It was done, and the answer was lost: the upload is gone, and the object is there.
      if (!isS3Error(error) || error.s3.code !== 'NoSuchUpload' || (await sizeOf(key)) !== size) throw error
    }
  }

  async function sizeOf(key: string): Promise<number | undefined> {
    try {
      const answer = await request({ method: 'HEAD', key })
      return Number(answer.headers.get('content-length'))
    } catch (error) {
      if (isS3Error(error) && error.s3.status === 404) return undefined
      throw error
    }
  }

  async function* list(prefix: string): AsyncIterable<StoredObject> {
    let token: string | undefined
    do {
      const page: Record<string, string> = { 'list-type': '2', prefix: `${before}${prefix}` }
      const query = token === undefined ? page : { ...page, 'continuation-token': token }
      const text = await (await request({ method: 'GET', key: '', query })).text()
      for (const [, entry = ''] of text.matchAll(/<Contents>([\s\S]*?)<\/Contents>/g)) {
        const key = (elementOf(entry, 'Key') ?? '').slice(before.length)
        // Others may keep things in the bucket too.
        if (isObjectKey(key)) yield { key, size: Number(elementOf(entry, 'Size')) }
      }
      token = elementOf(text, 'IsTruncated') === 'true' ? elementOf(text, 'NextContinuationToken') : undefined
    } while (token !== undefined)
  }

  return {
    name: s3AddressText(address),
    local: false,
    async put(key, source): Promise<PutResult> {
      const path = full(key)
      const hash = createHash('sha256')
      const parts = partsOf(bytesOf(source), hash)
      const first = (await next(parts)) ?? new Uint8Array()
      // A part that is not full is the last one.
      const size = first.length < partBytes ? await putWhole(path, first) : await upload(path, first, parts)
      return { size, sha256: hash.digest('hex') }
    },
    async read(key, range) {
      const headers: Record<string, string> = range === undefined ? {} : { range: `bytes=${range.from}-${range.to}` }
      try {
        const answer = await request({ method: 'GET', key: full(key), headers })
        if (range !== undefined && answer.status !== 206) {
          await answer.body?.cancel()
          throw s3Error(answer.status, 'Error', `a part of ${key} was asked for, and not answered`)
        }
        return Readable.fromWeb(answer.body as ReadableStream)
      } catch (error) {
        if (isS3Error(error) && error.s3.code === 'NoSuchKey') throw objectMissing(key, error)
        throw error
      }
    },
    size: key => sizeOf(full(key)),
    async remove(key) {
      try {
        const answer = await request({ method: 'DELETE', key: full(key) })
        await answer.arrayBuffer()
      } catch (error) {
        if (!isS3Error(error) || error.s3.code !== 'NoSuchKey') throw error
      }
    },
    list: (prefix = '') => list(prefix),
  }
}

type Part = Uint8Array<ArrayBuffer>

/** Cuts what comes into parts of one size; the last one is what is left. */
async function* partsOf(source: AsyncIterable<Uint8Array>, hash: Hash): AsyncGenerator<Part, undefined> {
  let part = new Uint8Array(partBytes)
  let filled = 0
  for await (const bytes of source) {
    hash.update(bytes)
    for (let at = 0; at < bytes.length; ) {
      const taken = bytes.subarray(at, at + partBytes - filled)
      part.set(taken, filled)
      filled += taken.length
      at += taken.length
      if (filled < partBytes) continue
      yield part
      part = new Uint8Array(partBytes)
      filled = 0
    }
  }
  if (filled > 0) yield part.subarray(0, filled)
}

async function next(parts: AsyncIterator<Part>): Promise<Part | undefined> {
  const { done, value } = await parts.next()
  return done === true ? undefined : value
}

function escapeXml(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}
