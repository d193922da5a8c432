// `/u/{token}`, the address in marketing mails that takes their recipient off the list: mail programs POST to it without asking anybody
// (RFC 8058 §3.2), people get a page with a button. Looking at it changes nothing, for scanners of links look at all of them.
import type { FastifyInstance, FastifyReply } from 'fastify'
import type { Services } from '../kernel/endpoint/endpoint.ts'
import { findUnsubscribe, unsubscribe } from '../modules/mail/mails/index.ts'

const path = '/u/:token'

type Asked = { Params: { token: string } }

/** Adds GET and POST of `/u/{token}`. */
export function registerUnsubscribe(app: FastifyInstance, services: Services): void {
  app.register(async scope => {
    // What a mail program sends along says nothing new: the address says it all.
    scope.removeAllContentTypeParsers()
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: 4_096 }, (_request, _body, done) => done(null))

    scope.get<Asked>(path, async ({ params }, reply) => {
      const found = await findUnsubscribe(services, params.token)
      if (found === undefined) return unknown(reply)
      const { organization, address } = found
      const text = `${address} gets no more mails of this kind from ${organization}.`
      return page(reply, 200, 'Unsubscribe', text, '<form method="post"><button>Unsubscribe</button></form>')
    })

    scope.post<Asked>(path, async ({ params }, reply) => {
      const done = await unsubscribe(services, params.token)
      if (done === undefined) return unknown(reply)
      return page(
        reply,
        200,
        'Unsubscribed',
        `${done.address} gets no more mails of this kind from ${done.organization}.`,
      )
    })
  })
}

function unknown(reply: FastifyReply) {
  return page(reply, 404, 'No such link', 'This link is not complete. Copy it from the mail again, to its end.')
}

const escaped = (text: string) =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

function page(reply: FastifyReply, status: number, title: string, text: string, form = '') {
  return reply
    .code(status)
    .header('content-type', 'text/html; charset=utf-8')
    .header('cache-control', 'no-store')
    .header('referrer-policy', 'no-referrer')
    .header(
      'content-security-policy',
      "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'",
    )
    .send(`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><meta name="robots" content="noindex">
<meta name="color-scheme" content="light dark"><title>${title}</title></head>
<body style="font:16px/1.5 system-ui,sans-serif;max-width:36rem;margin:4rem auto;padding:0 1rem">
<main><h1>${title}</h1><p>${escaped(text)}</p>${form}</main>
</body>
</html>
`)
}
