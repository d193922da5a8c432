// A small S3 for tests, written from the specification: objects, parts, lists, ranges, and above all the signature of every
// request, computed here by the rules of AWS Signature Version 4 and nothing of the client's. It can be made to misbehave.
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

export type FakeS3 = {
  endpoint: string
  region: string
  bucket: string
  accessKeyId: string
  secretAccessKey: string
  objects: Map<string, Buffer>
  /** Parts of uploads that were not completed, by upload id. */
  uploads: Map<string, Map<number, Buffer>>
  /** Every request: method, host, path with query. */
  seen: string[]
  /** Answers the next requests for which it says something, instead of carrying them out. */
  misbehave: ((request: Asked) => Misdeed | undefined) | undefined
  close(): Promise<void>
}

export type Asked = { method: string; key: string; query: URLSearchParams }
/** `cut` breaks the connection without an answer; `carryOut` does so after the work was done. */
export type Misdeed = { status: number; code: string } | 'cut' | 'carryOut'

const hash = (data: string | Buffer) => createHash('sha256').update(data).digest('hex')
const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()
/** RFC 3986: everything but letters, digits, `-`, `_`, `.` and `~`. */
const encoded = (text: string) =>
  encodeURIComponent(text).replaceAll(/[!'()*]/g, char => `%${char.charCodeAt(0).toString(16).toUpperCase()}`)

type Refusal = { status: number; code: string; message: string }
const refusal = (status: number, code: string, message = code): Refusal => ({ status, code, message })

export async function startFakeS3({ region = 'eu-test-1', bucket = 'calls' } = {}): Promise<FakeS3> {
  const server = createServer((request, response) => {
    void answer(request, response).catch(error => {
      response.writeHead(500).end(String(error))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const s3: FakeS3 = {
    endpoint: `http://127.0.0.1:${port}`,
    region,
    bucket,
    accessKeyId: 'AKIDEXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY',
    objects: new Map(),
    uploads: new Map(),
    seen: [],
    misbehave: undefined,
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = Buffer.concat(await request.toArray())
    const { method = '', headers } = request
    const host = headers.host ?? ''
    const url = new URL(request.url ?? '/', `http://${host}`)
    s3.seen.push(`${method} ${host} ${request.url}`)
    const bad = signatureFault(request, url, body)
    if (bad !== undefined) return refuse(response, bad, method)
    // The bucket is in the host, or begins the path.
    const inHost = host.startsWith(`${bucket}.`)
    const path = decodeURIComponent(url.pathname).slice(1)
    const [named = '', ...rest] = path.split('/')
    if (!inHost && named !== bucket) return refuse(response, refusal(404, 'NoSuchBucket'), method)
    const asked: Asked = { method, key: inHost ? path : rest.join('/'), query: url.searchParams }
    const misdeed = s3.misbehave?.(asked)
    if (misdeed === 'cut') return void request.socket.destroy()
    if (misdeed !== undefined && misdeed !== 'carryOut')
      return refuse(response, refusal(misdeed.status, misdeed.code), method)
    const done = asked.key === '' ? list(asked.query) : carryOut(asked, headers.range, body)
    if (misdeed === 'carryOut') return void request.socket.destroy()
    if ('code' in done) return refuse(response, done, method)
    const { status, headers: own = {}, content = Buffer.alloc(0) } = done
    response.writeHead(status, { 'content-length': content.length, ...own })
    response.end(method === 'HEAD' ? undefined : content)
  }

  /** What is wrong with the signature of a request (AWS Signature Version 4, "Create a signed AWS API request"). */
  function signatureFault({ method = '', headers }: IncomingMessage, url: URL, body: Buffer): Refusal | undefined {
    const form =
      /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/
    const match = form.exec(headers.authorization ?? '')
    if (match === null) return refusal(403, 'AccessDenied')
    const [, keyId, day = '', signedRegion, names = '', signature = ''] = match
    if (keyId !== s3.accessKeyId) return refusal(403, 'InvalidAccessKeyId')
    if (signedRegion !== region)
      return refusal(
        400,
        'AuthorizationHeaderMalformed',
        `the region '${signedRegion}' is wrong; expecting '${region}'`,
      )
    const date = String(headers['x-amz-date'])
    const at = Date.parse(date.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, '$1-$2-$3T$4:$5:$6Z'))
    if (!date.startsWith(day) || !(Math.abs(Date.now() - at) < 15 * 60_000)) return refusal(403, 'RequestTimeTooSkewed')
    const signed = names.split(';')
    // Host and every x-amz header must be signed.
    const needed = ['host', ...Object.keys(headers).filter(name => name.startsWith('x-amz-'))]
    if (needed.some(name => !signed.includes(name)) || signed.join() !== [...signed].sort().join())
      return refusal(403, 'AccessDenied', 'There were headers present in the request which were not signed')
    if (headers['x-amz-content-sha256'] !== hash(body)) return refusal(400, 'XAmzContentSHA256Mismatch')
    const query = [...url.searchParams]
      .map(([name, value]) => `${encoded(name)}=${encoded(value)}`)
      .sort()
      .join('&')
    const canonical = [
      method,
      decodeURIComponent(url.pathname).split('/').map(encoded).join('/'),
      query,
      ...signed.map(name => `${name}:${String(headers[name]).trim().replaceAll(/ +/g, ' ')}`),
      '',
      names,
      hash(body),
    ].join('\n')
    const scope = `${day}/${region}/s3/aws4_request`
    const text = ['AWS4-HMAC-SHA256', date, scope, hash(canonical)].join('\n')
    const key = [day, region, 's3', 'aws4_request'].reduce<string | Buffer>(hmac, `AWS4${s3.secretAccessKey}`)
    const expected = hmac(key, text)
    return timingSafeEqual(expected, Buffer.from(signature, 'hex')) ? undefined : refusal(403, 'SignatureDoesNotMatch')
  }

  type Done = { status: number; headers?: Record<string, string>; content?: Buffer }

  function carryOut({ method, key, query }: Asked, range: string | undefined, body: Buffer): Done | Refusal {
    const uploadId = query.get('uploadId')
    if (method === 'POST' && query.has('uploads')) {
      const id = `upload-${s3.seen.length}`
      s3.uploads.set(id, new Map())
      return xml(`<InitiateMultipartUploadResult><UploadId>${id}</UploadId></InitiateMultipartUploadResult>`)
    }
    if (uploadId !== null) return partOf(method, key, query, uploadId, body)
    if (method === 'PUT') {
      s3.objects.set(key, body)
      return { status: 200, headers: { etag: `"${hash(body).slice(0, 32)}"` } }
    }
    if (method === 'DELETE') {
      s3.objects.delete(key)
      return { status: 204 }
    }
    const content = s3.objects.get(key)
    if (content === undefined) return refusal(404, 'NoSuchKey')
    const [, from, to] = /^bytes=(\d+)-(\d+)$/.exec(range ?? '') ?? []
    if (from === undefined) return { status: 200, content }
    const last = Math.min(Number(to), content.length - 1)
    const headers = { 'content-range': `bytes ${from}-${last}/${content.length}` }
    return { status: 206, headers, content: content.subarray(Number(from), last + 1) }
  }

  function partOf(method: string, key: string, query: URLSearchParams, id: string, body: Buffer): Done | Refusal {
    const parts = s3.uploads.get(id)
    if (parts === undefined) return refusal(404, 'NoSuchUpload')
    if (method === 'PUT') {
      parts.set(Number(query.get('partNumber')), body)
      return { status: 200, headers: { etag: `"${hash(body).slice(0, 32)}"` } }
    }
    s3.uploads.delete(id)
    if (method === 'DELETE') return { status: 204 }
    const reported = [...body.toString().matchAll(/<PartNumber>(\d+)<\/PartNumber><ETag>([^<]+)<\/ETag>/g)]
    const chosen = reported.map(([, number, tag]) => ({ part: parts.get(Number(number)), tag }))
    for (const [at, { part, tag }] of chosen.entries()) {
      if (part === undefined || tag !== `"${hash(part).slice(0, 32)}"`) return refusal(400, 'InvalidPart')
      if (at < chosen.length - 1 && part.length < 5 * 1024 * 1024) return refusal(400, 'EntityTooSmall')
    }
    s3.objects.set(key, Buffer.concat(chosen.map(({ part }) => part as Buffer)))
    return xml(`<CompleteMultipartUploadResult><Key>${key}</Key></CompleteMultipartUploadResult>`)
  }

  /** Two to a page, so that a list of three has a second one. */
  function list(query: URLSearchParams): Done {
    const prefix = query.get('prefix') ?? ''
    const after = query.get('continuation-token') ?? ''
    const keys = [...s3.objects.keys()].filter(key => key.startsWith(prefix) && key > after).sort()
    const page = keys.slice(0, 2)
    const items = page.map(key => `<Contents><Key>${key}</Key><Size>${s3.objects.get(key)?.length}</Size></Contents>`)
    const more = keys.length > page.length
    const next = more ? `<NextContinuationToken>${page.at(-1)}</NextContinuationToken>` : ''
    return xml(`<ListBucketResult><IsTruncated>${more}</IsTruncated>${next}${items.join('')}</ListBucketResult>`)
  }

  return s3
}

function xml(text: string): { status: number; headers: Record<string, string>; content: Buffer } {
  const content = Buffer.from(`<?xml version="1.0" encoding="UTF-8"?>${text}`)
  return { status: 200, headers: { 'content-type': 'application/xml' }, content }
}

function refuse(response: ServerResponse, { status, code, message }: Refusal, method: string): void {
  response.writeHead(status, { 'content-type': 'application/xml' })
  response.end(method === 'HEAD' ? undefined : `<Error><Code>${code}</Code><Message>${message}</Message></Error>`)
}
