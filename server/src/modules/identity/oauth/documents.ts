// How documents are fetched that clients publish under their ids.
import Provider from 'oidc-provider'
import { clientKey } from '../../../kernel/access/limit.ts'
import { cleanMetadata, type Metadata } from './foreign.ts'
import { endFor, type Guards } from './guards.ts'
import { callerOf, waiting } from './limits.ts'

const documentBytes = 5 * 1024
const documentMs = 2_500

/** How long a document is believed, in seconds. */
export const documentRules = {
  cacheDuration: { min: 30, max: 86_400 },
}

/**
 * Fetches what the library asks for by the one way out, so that its rules hold: client id documents, which come back with what a
 * client may say of itself and nothing else.
 */
export function fetchDocument({ services, limits }: Guards): (input: URL | string | Request) => Promise<Response> {
  const { outbound, limiter } = services
  const charged = new WeakSet<object>()
  return async input => {
    const { ctx } = Provider
    // The library asks twice for one that it could not read.
    if (ctx !== undefined && !charged.has(ctx)) {
      charged.add(ctx)
      const { ip, nowMs } = callerOf(ctx)
      const taken = await limiter.take(`oauth documents ${clientKey(ip)}`, limits.documentsOfAddress, nowMs)
      if (!taken.allowed) endFor(ctx, waiting('too many documents fetched for this address', taken.retryAfterSeconds))
    }
    const url = new URL(input instanceof Request ? input.url : input)
    const reply = await outbound.send({
      method: 'GET',
      url,
      headers: ['accept', 'application/json'],
      timeoutMs: documentMs,
      maxReplyBytes: documentBytes,
    })
    if (!reply.ok) throw new Error(`the document could not be fetched: ${reply.error}`)
    if (reply.cut !== undefined) throw new Error(`the document could not be read: ${reply.cut}`)
    const headers = Object.entries(reply.headers).flatMap(([name, value]) =>
      ['cache-control', 'expires', 'content-type'].includes(name) ? [[name, String(value)] as [string, string]] : [],
    )
    if (reply.status !== 200) return new Response(null, { status: reply.status < 200 ? 502 : reply.status })
    const cleaned = cleanMetadata(JSON.parse(reply.body.toString('utf8')) as Metadata)
    if (typeof cleaned === 'string') throw new Error(cleaned)
    return new Response(JSON.stringify(cleaned), { status: 200, headers })
  }
}
