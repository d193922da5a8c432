// Mails that come in, over HTTP: handed in, put on records, set aside; and the addresses that mail comes to.
import { Type } from 'typebox'
import { isRefusedRow, type Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { type Context, endpoint, type StoredUpload } from '../../../kernel/endpoint/endpoint.ts'
import { requireRecord } from '../../../kernel/endpoint/record.ts'
import { Email, Nullable, OneOf } from '../../../kernel/endpoint/schema.ts'
import { requireUpdate } from '../../../kernel/noun/hosts.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { markedAddress } from '../mails/index.ts'
import { requirePerson } from '../records/index.ts'
import { storeOrKeep } from './bare.ts'
import { type Prepared, prepareMail, rawFolder, storeMail } from './intake.ts'
import { inboundParams, readEndpoints } from './read_endpoints.ts'
import { type InboundEvent, maxMailBytes, nextInbound } from './rules.ts'
import { Inbound, presentInbound, sampleInbound } from './schemas.ts'
import { findInbound, type InboundRow, moveInbound } from './store.ts'

const sampleMail = [
  'From: Ada Park <ada@example.com>',
  'To: office@example.com',
  'Subject: Your offer',
  'Date: Sat, 21 Nov 2026 09:12:00 +0000',
  'Message-ID: <CAF3b7x@mail.example.com>',
  '',
  'Monday suits me well.',
  '',
].join('\r\n')

const TakenReply = Type.Object({
  kind: OneOf(['mail', 'delivery', 'complaint'], {
    description:
      'mail: it is stored. delivery: a report that says whether a mail arrived. complaint: a recipient called one unwanted. Reports are not kept.',
  }),
  received: Type.Array(Inbound, {
    description:
      'The mail as it is stored: once, or once for each mail that it answers. As it was stored before, where it was handed in before.',
  }),
  mailId: Nullable(
    Type.String({ description: 'The mail that a report is about; null where it is none of this tenant.' }),
  ),
  recipients: Type.Array(
    Type.Object({
      address: Type.String(),
      outcome: OneOf(['delivered', 'bounced', 'complained']),
      status: Nullable(Type.String({ description: 'Enhanced status code (RFC 3463), such as 5.1.1.' })),
      isSuppressed: Type.Boolean({ description: 'Whether the address gets no more mail because of it.' }),
    }),
    { description: 'Whom a report changed something for; nobody when it was handed in before.' },
  ),
})

const take = endpoint({
  id: 'inbound_mails.take',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/inbound',
  name: 'Hand in a mail',
  description:
    'Takes a mail as it arrived. It is put on the lead or contact that it is about: by the address that it came to, by what it answers, or by its sender; where several could be meant it waits in the tray. Delivery reports (RFC 3464), those of qmail, and complaints (RFC 5965) say what became of the mail that they are about: its recipients are delivered, bounced or complained, and who takes no mail gets no more. The same mail again changes nothing. Writes the event mail.received, or mail.delivered, mail.bounced, mail.complained and mail_suppression.created.',
  permission: 'mail:receive',
  transaction: 'none',
  upload: {
    mediaType: 'message/rfc822',
    maxBytes: maxMailBytes,
    folder: rawFolder,
    about: 'The mail with all its headers (RFC 5322), up to 25 MiB.',
  },
  query: Type.Object({
    recipient: Type.Optional(
      Type.Unsafe<string>({
        ...Email,
        description: 'The address it arrived for, from its envelope; read from its headers when left out.',
      }),
    ),
    authservId: Type.Optional(
      Type.String({
        pattern: '^[^\\s;]+$',
        maxLength: 253,
        description:
          'Name of the server whose Authentication-Results (RFC 8601) are believed, such as mx.example.com. Left out, DKIM and DMARC are looked up here.',
      }),
    ),
  }),
  reply: TakenReply,
  envelope: 'data',
  problems: ['mail_unreadable'],
  sample: {
    body: sampleMail,
    reply: {
      kind: 'mail',
      received: [{ ...sampleInbound, door: 'http', subject: 'Your offer', matchedBy: 'sender', answersMailId: null }],
      mailId: null,
      recipients: [],
    },
  },
  async handle({ body, query, principal, now, services, transact }) {
    const upload = body as StoredUpload
    const raw = Buffer.concat(await Array.fromAsync(await services.objects.current.read(upload.key)))
    const prepared = await prepareMail(services, principal, {
      door: 'http',
      raw,
      envelopeTo: query.recipient === undefined ? [] : [query.recipient],
      receivedMs: now,
      sender: { authservId: query.authservId ?? null },
      stored: upload,
    })
    if (!prepared.mail.isMail) throw new Problem('mail_unreadable')
    let isKept = false
    const store = async (tx: Tx, one: Prepared) => {
      const { report, mails } = await storeMail(tx, principal, one, { keyring: services.keyring, nowMs: now })
      isKept = mails.some(({ isNew }) => isNew)
      const received = mails.map(({ row }) => presentInbound(row))
      return {
        kind: report?.kind ?? ('mail' as const),
        received,
        mailId: report?.mailId ?? null,
        recipients: report?.recipients ?? [],
      }
    }
    const { taken } = await storeOrKeep(services, prepared, one => transact(tx => store(tx, one))).catch(
      (error: unknown) => {
        throw isRefusedRow(error) ? new Problem('mail_unreadable') : error
      },
    )
    if (!isKept) await forget(services, upload)
    return taken
  },
})

/** The bytes of a report, and those of a mail that was there before, are not needed any more. */
async function forget(
  { objects, log }: Context<unknown, unknown, unknown>['services'],
  { key }: StoredUpload,
): Promise<void> {
  await objects.current.remove(key).catch(error => log.warn({ key, err: error }, 'a file stays that is of no use'))
}

type Asking = Pick<Context<unknown, unknown, unknown>, 'tx' | 'principal' | 'now'>
type Ending = { event: InboundEvent; recordId: string | null; type: 'mail.assigned' | 'mail.ignored' }

async function move({ tx, principal, now }: Asking, row: InboundRow, { event, recordId, type }: Ending) {
  const state = nextInbound(row.state, event)
  if (state === undefined) throw new Problem('mail_already_ignored')
  const matchedBy = recordId === null ? null : 'person'
  await moveInbound(tx, principal, row.id, { state, recordId, matchedBy, nowMs: now })
  const updated_at = isoMs(Math.max(now, Date.parse(row.received_at)))
  const version = row.version + 1
  const shown = presentInbound({ ...row, state, record_id: recordId, matched_by: matchedBy, updated_at })
  await emit(tx, principal, { type, resourceId: row.id, sequence: version, data: shown })
  return shown
}

const assign = endpoint({
  id: 'inbound_mails.assign',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/inbound/{inboundId}/assign',
  name: 'Assign a mail to a lead or contact',
  description:
    'Puts a mail that came in on the timeline of a lead or contact that one may change; also one that stood on another, or was set aside. Writes the event mail.assigned.',
  permission: 'mail:assign',
  params: inboundParams,
  body: Type.Object({
    recordId: Type.String({ minLength: 3, maxLength: 60, description: 'The lead (`lead:17`) or contact (`con_…`).' }),
  }),
  reply: Inbound,
  envelope: 'data',
  problems: ['not_found', 'record_not_found'],
  sample: {
    params: { inboundId: sampleInbound.inboundId },
    body: { recordId: 'lead:17' },
    reply: { ...sampleInbound, matchedBy: 'person' },
  },
  async handle({ tx, principal, params, body, now }) {
    const row = requireRecord(await findInbound(tx, principal, params.inboundId, { locked: true }))
    await requirePerson(tx, principal, body.recordId)
    requireUpdate(principal, body.recordId)
    return move({ tx, principal, now }, row, { event: 'assigned', recordId: body.recordId, type: 'mail.assigned' })
  },
})

const ignore = endpoint({
  id: 'inbound_mails.ignore',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/inbound/{inboundId}/ignore',
  name: 'Ignore a mail',
  description:
    'Sets a mail that came in aside: it stands on no timeline and does not wait any more. Writes the event mail.ignored.',
  permission: 'mail:assign',
  params: inboundParams,
  reply: Inbound,
  envelope: 'data',
  problems: ['not_found', 'mail_already_ignored'],
  sample: {
    params: { inboundId: sampleInbound.inboundId },
    reply: { ...sampleInbound, state: 'ignored', matchedBy: null, recordId: null },
  },
  async handle({ tx, principal, params, now }) {
    const row = requireRecord(await findInbound(tx, principal, params.inboundId, { locked: true }))
    if (row.record_id !== null) requireUpdate(principal, row.record_id)
    return move({ tx, principal, now }, row, { event: 'set_aside', recordId: null, type: 'mail.ignored' })
  },
})

const Addresses = Type.Object({
  domain: Nullable(Type.String({ description: 'TANDEM_MAIL_DOMAIN; null where the operator set none.' })),
  isListening: Type.Boolean({ description: 'Whether mail is taken in over SMTP (TANDEM_MAIL_PORT).' }),
  hasTls: Type.Boolean({ description: 'Whether it is taken in encrypted where the sender can.' }),
  inboxAddress: Nullable(
    Type.String({ description: 'Forward a shared mailbox here: what comes is matched, or waits in the tray.' }),
  ),
  copyAddress: Nullable(
    Type.String({
      description:
        'Yours alone: a blind copy of what you send to a lead or contact puts it on the timeline. Null for keys of nobody.',
    }),
  ),
  records: Type.Array(Type.Object({ type: OneOf(['MX']), name: Type.String(), value: Type.String() }), {
    description: 'Rows for the DNS, to be copied as they are.',
  }),
})

const addresses = endpoint({
  id: 'inbound_mails.addresses',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/mail/inbound/addresses',
  name: 'Get the addresses that mail comes to',
  description:
    'The addresses of this tenant that mail can be sent to, and the row that the DNS needs for it. Answers to conversations have addresses of their own, which stand in the mails.',
  permission: 'mail:read',
  reply: Addresses,
  envelope: 'data',
  sample: {
    reply: {
      domain: 'in.example.com',
      isListening: true,
      hasTls: true,
      inboxAddress: 'in+1.5d0c2f7a91b3e4d6c8a0@in.example.com',
      copyAddress: 'log+1-1.0f6a3b9c8d7e5f4a2b1c@in.example.com',
      records: [{ type: 'MX', name: 'in.example.com', value: '10 tandem.example.com' }],
    },
  },
  async handle({ principal: { tenantId, userId }, services: { mail, keyring } }) {
    const { domain, port, tls } = mail.receiving
    if (domain === undefined)
      return { domain: null, isListening: false, hasTls: false, inboxAddress: null, copyAddress: null, records: [] }
    const host = mail.publicUrl === undefined ? undefined : new URL(mail.publicUrl).hostname
    return {
      domain,
      isListening: port !== undefined,
      hasTls: tls !== null,
      inboxAddress: markedAddress(keyring, { kind: 'inbox', tenantId }, domain),
      copyAddress: markedAddress(keyring, { kind: 'log', tenantId, userId }, domain),
      records: host === undefined ? [] : [{ type: 'MX' as const, name: domain, value: `10 ${host}` }],
    }
  },
})

const [list, ...otherReads] = readEndpoints
export const endpoints = [list!, take, addresses, ...otherReads, assign, ignore]
