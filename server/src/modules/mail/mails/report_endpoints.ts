// Reports over HTTP: a mail server hands in what came back.
import { Type } from 'typebox'
import { endpoint, type Services, type StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import { Email, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { readReport } from './report.ts'
import { takeReport } from './take_report.ts'

const maxReportBytes = 25 * 1024 * 1024

const sampleReport = [
  'From: MAILER-DAEMON@mx.example.com',
  'To: office@example.com',
  'Subject: Undelivered Mail Returned to Sender',
  'MIME-Version: 1.0',
  'Content-Type: multipart/report; report-type=delivery-status; boundary="b1"',
  '',
  '--b1',
  'Content-Type: message/delivery-status',
  '',
  'Reporting-MTA: dns; mx.example.com',
  '',
  'Final-Recipient: rfc822; ada@example.com',
  'Action: failed',
  'Status: 5.1.1',
  'Diagnostic-Code: smtp; 550 5.1.1 no such user',
  '',
  '--b1--',
  '',
].join('\r\n')

const Taken = Type.Object({
  kind: OneOf(['delivery', 'complaint'], {
    description: 'delivery: it says whether a mail arrived. complaint: a recipient called one unwanted.',
  }),
  mailId: Nullable(Type.String({ description: 'The mail it is about; null where it is none of this tenant.' })),
  recipients: Type.Array(
    Type.Object({
      address: Type.String(),
      outcome: OneOf(['delivered', 'bounced', 'complained']),
      status: Nullable(Type.String({ description: 'Enhanced status code (RFC 3463), such as 5.1.1.' })),
      isSuppressed: Type.Boolean({ description: 'Whether the address gets no more mail because of it.' }),
    }),
    { description: 'Whom it changed something for; nobody when it was handed in before.' },
  ),
})

const take = endpoint({
  id: 'mails.take_report',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/inbound',
  name: 'Record a bounce or complaint',
  description:
    'Takes a mail that came back, as it arrived: a delivery report (RFC 3464), one of qmail, or a complaint (RFC 5965). The mail it is about is found by its return path, else by its Message-ID; its recipients are delivered, bounced or complained. An address that takes no mail (5.x.x), or five mails within 7 days came back from (4.x.x), and one that complained get no more mail. Writes the events mail.delivered, mail.bounced, mail.complained and mail_suppression.created. The report itself is not kept, and may be handed in again.',
  permission: 'mail:receive',
  transaction: 'none',
  upload: {
    mediaType: 'message/rfc822',
    maxBytes: maxReportBytes,
    folder: 'mail_reports',
    about: 'The mail with all its headers (RFC 5322), up to 25 MiB.',
  },
  query: Type.Object({
    recipient: Type.Optional(
      Type.Unsafe<string>({
        ...Email,
        description: 'The address it arrived for, from its envelope; read from its headers when left out.',
      }),
    ),
  }),
  reply: Taken,
  envelope: 'data',
  problems: ['mail_no_report'],
  sample: {
    body: sampleReport,
    reply: {
      kind: 'delivery',
      mailId: 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz',
      recipients: [{ address: 'ada@example.com', outcome: 'bounced', status: '5.1.1', isSuppressed: true }],
    },
  },
  async handle({ body, query, principal, now, services, transact }) {
    const report = await readReport(await takeFile(services, body as StoredUpload))
    if (report === undefined) throw new Problem('mail_no_report')
    const envelopeTo = query.recipient === undefined ? [] : [query.recipient]
    const surroundings = { pepper: services.pepper, nowMs: now }
    return transact(tx => takeReport(tx, principal, { report, envelopeTo }, surroundings))
  },
})

/** The bytes of an upload, which is not needed any more. */
async function takeFile({ objects, log }: Pick<Services, 'objects' | 'log'>, { key }: StoredUpload): Promise<Buffer> {
  const bytes = Buffer.concat(await Array.fromAsync(await objects.current.read(key)))
  await objects.current.remove(key).catch(error => log.warn({ key, err: error }, 'a file stays that is of no use'))
  return bytes
}

export const reportEndpoints = [take]
