// Answers that are a file: bytes as they are stored, whole or one range of them (RFC 9110 §14), for players that seek and
// downloads that go on. Nothing is gathered in memory: the file is read as fast as its reader takes it.
import type { ServerResponse } from 'node:http'
import { pipeline, Readable } from 'node:stream'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { FileReply } from '../endpoint/reply.ts'
import { Problem } from '../values/problem.ts'
import { sendHead } from './send.ts'

export type Part = { from: number; to: number }

/**
 * The one range that a Range header asks for. Undefined when the whole is to be sent: without a header, for a unit or
 * form that is not understood, and for several ranges at once (§14.2 lets a server ignore those).
 * @throws Problem `range_not_satisfiable`
 */
export function partOf(header: string | undefined, size: number): Part | undefined {
  const match = /^bytes *= *(?:(\d{1,15}) *- *(\d{0,15})|-(\d{1,15}))$/i.exec(header?.trim() ?? '')
  if (match === null) return undefined
  const [, first, last, suffix] = match
  const from = suffix === undefined ? Number(first) : Math.max(0, size - Number(suffix))
  const to = suffix !== undefined || last === '' ? size - 1 : Math.min(Number(last), size - 1)
  // An end before the beginning makes no range at all (§14.1.1).
  if (last !== undefined && last !== '' && Number(last) < from) return undefined
  if (from <= to) return { from, to }
  throw new Problem('range_not_satisfiable', { headers: { 'content-range': `bytes */${size}` } })
}

/** Whether a list of tags, as in If-None-Match, has this one; `W/` says nothing there (§13.1.2). */
function names(header: string, tag: string): boolean {
  return header.trim() === '*' || header.split(',').some(item => item.trim().replace(/^W\//, '') === tag)
}

/** RFC 8187: percent-encoded UTF-8. */
function fullNameOf({ fullName }: FileReply): string {
  if (fullName === undefined) return ''
  const encoded = encodeURIComponent(fullName).replaceAll(
    /['()*!]/g,
    mark => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return `; filename*=UTF-8''${encoded}`
}

/** A reader that takes nothing for so long is gone. */
const stuckMs = 60_000

/**
 * Sends a file. The head leaves when the first byte can be read, so that what cannot be read is a problem, and no answer
 * that breaks off.
 * @param ended called once when the answer is over, or its reader gone; with what went wrong on the side of the file
 */
export async function sendFile(
  file: FileReply,
  request: FastifyRequest,
  reply: FastifyReply,
  ended: (status: number, fault: Error | undefined) => void,
): Promise<void> {
  const { headers, method } = request
  const { size } = file
  const named = [
    'content-type',
    file.mediaType,
    'content-disposition',
    `${file.asDownload ? 'attachment' : 'inline'}; filename="${file.fileName}"${fullNameOf(file)}`,
    // Whatever a browser takes it for, nothing in it is run, and nothing fetched.
    'content-security-policy',
    "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox",
  ]
  if (size === undefined) {
    const source = method === 'HEAD' ? Readable.from([]) : await file.open(undefined)
    return sendAll(source, sendHead(request, reply, 200, named), fault => ended(200, fault))
  }
  const tag = `"${file.tag}"`
  const kind = [...named, 'accept-ranges', 'bytes', 'etag', tag]
  const finish = (status: number, more: readonly string[]) => {
    sendHead(request, reply, status, [...kind, ...more]).end()
    ended(status, undefined)
  }
  const known = headers['if-none-match']
  if (known !== undefined && names(known, tag)) return finish(304, [])
  // A part is sent only of the bytes the reader has the beginning of; HEAD knows no parts (§14.2).
  const condition = headers['if-range']
  const isSame = condition === undefined || String(condition).trim() === tag
  const part = method === 'GET' && isSame ? partOf(headers.range, size) : undefined
  if (method === 'HEAD') return finish(200, ['content-length', String(size)])

  const status = part === undefined ? 200 : 206
  const source = await file.open(part)
  const length = part === undefined ? size : part.to - part.from + 1
  const range = part === undefined ? [] : ['content-range', `bytes ${part.from}-${part.to}/${size}`]
  const target = sendHead(request, reply, status, [...kind, ...range, 'content-length', String(length)])
  sendAll(source, target, fault => ended(status, fault))
}

function sendAll(source: Readable, target: ServerResponse, ended: (fault: Error | undefined) => void): void {
  target.setTimeout(stuckMs, () => target.destroy())
  pipeline(source, target, error => {
    // The reader may leave whenever it likes.
    const left = error === undefined || error === null || error.code === 'ERR_STREAM_PREMATURE_CLOSE'
    ended(left ? undefined : error)
  })
}
