// How the contract test meets mails that came in, and mailboxes. No mailbox is read there: no worker runs.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0

async function newInbound(t: TestApp, as = t.main.tokens.Admin): Promise<{ inboundId: string }> {
  const head = `From: ada${++made}@example.com\r\nTo: office@example.com\r\nSubject: Contract\r\nMIME-Version: 1.0`
  const file =
    '--b\r\nContent-Type: text/plain; name="a.txt"\r\nContent-Disposition: attachment; filename="a.txt"\r\n\r\nA file.\r\n--b--\r\n'
  const rawBody = `${head}\r\nContent-Type: multipart/mixed; boundary=b\r\n\r\n--b\r\n\r\nHi ${made}.\r\n${file}`
  const headers = { 'content-type': 'message/rfc822' }
  const answer = await t.call('POST', '/v2/mail/inbound', { as, headers, rawBody })
  return { inboundId: answer.json.data.received[0].inboundId }
}

async function newLead(t: TestApp, as = t.main.tokens.Admin): Promise<string> {
  const body = { name: 'Ada', email: `lead${++made}@example.com` }
  const { json } = await t.call('POST', '/v1/api/leads', { as, body })
  return `lead:${json.lead.id}`
}

async function newMailbox(t: TestApp, as = t.main.tokens.Admin): Promise<{ mailboxId: string }> {
  const settings = { host: '127.0.0.1', port: 1, security: 'none', user: 'office', password: 'correct horse' }
  const { json } = await t.call('POST', '/v2/mail/mailboxes', { as, body: { name: `Box ${++made}`, settings } })
  return { mailboxId: json.data.mailboxId }
}

const withInbound = async (t: TestApp): Promise<ContractRequest> => ({ params: await newInbound(t) })
const withFile = async (t: TestApp): Promise<ContractRequest> => ({ params: { ...(await newInbound(t)), number: 1 } })
const noInbound = async () => ({ params: { inboundId: 'inm_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const foreign = async (t: TestApp) => ({ params: await newInbound(t, t.other.tokens.Admin) })

async function withoutBytes(t: TestApp, request: ContractRequest): Promise<ContractRequest> {
  await t.ownerSql("update inbound_mails set storage_key = 'inbound_mails/0/gone' where id = $1", [
    request.params!['inboundId'],
  ])
  return request
}

const mailbox = {
  prepare: async (t: TestApp): Promise<ContractRequest> => ({ params: await newMailbox(t) }),
  problems: { not_found: async () => ({ params: { mailboxId: 'mbx_01k9r7d3w2v8e6q4n5m1b0c9xz' } }) },
  foreign: async (t: TestApp) => ({ params: await newMailbox(t, t.other.tokens.Admin) }),
}

export const contract: ModuleContract = {
  'inbound_mails.list': {},
  'inbound_mails.take': {
    // The same mail again would change nothing.
    prepare: async () => ({ body: `From: ada@example.com\r\nSubject: Contract\r\n\r\nMail ${++made}.\r\n` }),
    unknownField: 'unsupported_media_type',
    problems: { mail_unreadable: async () => ({ body: 'nothing of a mail' }) },
  },
  'inbound_mails.addresses': {},
  'inbound_mails.get': { prepare: withInbound, problems: { not_found: noInbound }, foreign },
  'inbound_mails.attachment': {
    prepare: withFile,
    problems: {
      not_found: async () => ({ params: { ...(await noInbound()).params, number: 1 } }),
      file_unreachable: async t => withoutBytes(t, await withFile(t)),
    },
    foreign: async t => ({ params: { ...(await newInbound(t, t.other.tokens.Admin)), number: 1 } }),
  },
  'inbound_mails.source': {
    prepare: withInbound,
    problems: { not_found: noInbound, file_unreachable: async t => withoutBytes(t, await withInbound(t)) },
    foreign,
  },
  'inbound_mails.assign': {
    prepare: async t => ({ ...(await withInbound(t)), body: { recordId: await newLead(t) } }),
    problems: {
      not_found: noInbound,
      record_not_found: async t => ({ ...(await withInbound(t)), body: { recordId: 'lead:999999999' } }),
    },
    foreign,
  },
  'inbound_mails.ignore': {
    prepare: withInbound,
    problems: {
      not_found: noInbound,
      async mail_already_ignored(t) {
        const params = await newInbound(t)
        await t.call('POST', `/v2/mail/inbound/${params.inboundId}/ignore`, { as: t.main.tokens.Admin })
        return { params }
      },
    },
    foreign,
  },
  'mailboxes.list': {},
  'mailboxes.create': { problems: { mail_live_only: async t => ({ as: t.main.testKey }) } },
  'mailboxes.get': mailbox,
  'mailboxes.update': mailbox,
  'mailboxes.delete': mailbox,
  'mailboxes.test': mailbox,
}
