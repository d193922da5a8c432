// What every answer says to browsers, unless it is a page or file that says it in its own words: it is no document, shows up in no frame, is
// what its type says, and its address goes nowhere.
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'

/** An answer that is opened by itself runs nothing, loads nothing, and stands in no page. */
export const closedPolicy =
  "default-src 'none'; object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"

export const closedHeaders: Readonly<Record<string, string>> = {
  'content-security-policy': closedPolicy,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
}

/**
 * Adds them to what Fastify answers by itself; `send.ts` writes past it.
 * @param tls the value of Strict-Transport-Security, which everything says, where there is one
 */
export function closeAnswers(app: FastifyInstance, tls: string | undefined): void {
  app.decorate('onlyByTls', tls)
  if (tls !== undefined)
    app.addHook('onRequest', (request, reply, done) => {
      sayOnlyByTls(request, reply)
      done()
    })
  app.addHook('onSend', (_request, reply, _payload, done) => {
    for (const name in closedHeaders) if (!reply.hasHeader(name)) reply.header(name, closedHeaders[name])
    done()
  })
}

/** For answers that are given before any hook, too. */
export function sayOnlyByTls({ server }: FastifyRequest, reply: FastifyReply): void {
  if (server.onlyByTls !== undefined) reply.raw.setHeader('strict-transport-security', server.onlyByTls)
}

/** The value of Strict-Transport-Security where people come by TLS (RFC 6797): their browsers are to come no other way for a year. */
export function onlyByTls(publicUrl: string | undefined, subdomains: boolean): string | undefined {
  if (publicUrl?.startsWith('https:') !== true) return undefined
  return `max-age=31536000${subdomains ? '; includeSubDomains' : ''}`
}
