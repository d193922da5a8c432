// Tries a transport out: the conversation up to the login, or with a mail, written down line by line.
import MailComposer from 'nodemailer/lib/mail-composer'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { newId } from '../../../kernel/values/ids.ts'
import type { Route } from './port.ts'
import { routeOf, type TransportRow } from './settings.ts'
import { openSession } from './smtp.ts'

type Line = { who: 'client' | 'server' | 'note'; text: string }
type Asked = {
  to?: string
  tenantId: number
  services: Pick<Services, 'keyring' | 'egress' | 'outbound' | 'clock' | 'mail'>
}

const maxLines = 200

export async function tryOut(row: TransportRow, { to, tenantId, services }: Asked) {
  const trace: Line[] = []
  const note = (who: Line['who'], text: string) => {
    if (trace.length < maxLines)
      trace.push({
        who,
        text: text
          .replaceAll(/\p{Cc}+/gu, ' ')
          .trim()
          .slice(0, 1_000),
      })
  }
  const done = (reason: string | null) => ({ ok: reason === null, reason, trace })
  let route: Route
  try {
    route = routeOf(row, services.keyring, tenantId)
  } catch {
    return done('The password or secret cannot be read by this server: enter it again.')
  }
  if (route.kind === 'outbox') {
    note('note', 'Mails are kept in the outbox; no server is spoken to.')
    return done(null)
  }
  const opened = await openSession(route.smtp, services, {
    trace: note,
    limits: { connectMs: 8_000, answerMs: 20_000 },
  })
  if (!opened.ok) return done(opened.fault.reason)
  try {
    if (to === undefined) return done(null)
    const { from } = services.mail
    const raw = await new MailComposer({
      from: { address: from.address, name: from.name ?? '' },
      to: { address: to, name: '' },
      subject: 'A test of a mail transport',
      text: `The transport ${row.name} works.`,
      newline: 'win',
      disableFileAccess: true,
      disableUrlAccess: true,
    })
      .compile()
      .build()
    const sent = await opened.connection.send({
      tenantId,
      envelopeId: newId('mail'),
      from: from.address,
      to: [to],
      raw,
    })
    return done(sent.outcome === 'accepted' ? null : (sent.reply ?? sent.outcome))
  } finally {
    opened.connection.close()
  }
}
