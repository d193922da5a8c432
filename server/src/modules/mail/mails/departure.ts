// How a mail leaves: by which transport, in whose name, under which key, and where bounces go.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { type DomainRow, keySeal, listDomains, signMail } from '../domains/index.ts'
import { listSenders, type SenderRow } from '../senders/index.ts'
import { installationRoute, listEnabled, outbox, type Route, routeOf, type TransportRow } from '../transports/index.ts'
import { markedAddress, returnPath, unsubscribeToken } from './marks.ts'
import type { MailRow } from './rules.ts'

export type Departure = {
  kind: 'leaves'
  scope: Scope
  route: Route
  from: { address: string; name: string | null }
  messageId: string
  /** The address of the envelope, that bounces go to. */
  returnPath: string
  /** Where answers go, where not to the sender. */
  replyTo: string | null
  unsubscribeUrl: string | undefined
  /** Adds what proves whose it is. @throws where that fails: it is not sent without */
  sign(raw: Buffer): Promise<Buffer>
}
export type Stuck = { kind: 'unusable'; code: string }

type Tools = Pick<Services, 'mail' | 'keyring'>
type SetUp = { senders: SenderRow[]; domains: DomainRow[]; transports: TransportRow[] }

/** Reads what the tenant has set up, and answers what decides for each of its mails. */
export async function departures(
  tx: Tx,
  scope: Scope,
  { tools, mode }: { tools: Tools; mode: 'live' | 'test' },
): Promise<(row: MailRow) => Departure | Stuck> {
  const setUp = {
    senders: await listSenders(tx, scope),
    domains: await listDomains(tx, scope),
    transports: mode === 'test' ? [] : await listEnabled(tx, scope),
  }
  return row => {
    const sender = senderOf(row, setUp)
    const from = fromOf(row, sender, tools)
    const route = mode === 'test' ? outbox : wayOf(sender, setUp, { tools, scope })
    if ('code' in route) return { kind: 'unusable', code: route.code }
    const host = from.address.slice(from.address.lastIndexOf('@') + 1)
    const domain = setUp.domains.find(one => one.domain === host.toLowerCase())
    const takesBounces = domain?.found?.bounces?.isThere === true
    const { publicUrl } = tools.mail
    if (row.stream === 'marketing' && publicUrl === undefined && route.kind === 'smtp')
      return { kind: 'unusable', code: 'mail_no_unsubscribe' }
    return {
      kind: 'leaves',
      scope,
      route,
      from,
      messageId: row.message_id ?? `${row.id}@${host}`,
      returnPath: takesBounces ? returnPath(tools.keyring, scope, row.id, domain.return_path_host) : from.address,
      replyTo: row.reply_to ?? answersTo(row, scope, tools),
      unsubscribeUrl:
        row.stream === 'marketing' && publicUrl !== undefined
          ? `${publicUrl}/u/${unsubscribeToken(tools.keyring, scope, row.id)}`
          : undefined,
      sign: async raw => (domain === undefined ? raw : signMail(raw, signerOf(domain, { tools, scope }))),
    }
  }
}

/** An answer to a conversation comes here by itself, and is known by its address. */
function answersTo({ id, stream }: MailRow, { tenantId }: Scope, { mail, keyring }: Tools): string | null {
  const { domain } = mail.receiving
  if (stream !== 'conversation' || domain === undefined) return null
  return markedAddress(keyring, { kind: 'reply', tenantId, mailId: id }, domain)
}

function senderOf(row: MailRow, { senders }: SetUp): SenderRow | undefined {
  if (row.sender_id !== null) return senders.find(({ id }) => id === row.sender_id)
  return row.from_address === null ? senders.find(one => one.default_for.includes(row.stream)) : undefined
}

function fromOf(row: MailRow, sender: SenderRow | undefined, { mail }: Tools) {
  if (row.from_address !== null) return { address: row.from_address, name: row.from_name }
  return sender === undefined ? mail.from : { address: sender.address, name: sender.name }
}

function wayOf(
  sender: SenderRow | undefined,
  { transports }: SetUp,
  { tools, scope }: { tools: Tools; scope: Scope },
): Route | { code: string } {
  const named = transports.find(({ id }) => id === sender?.transport_id) ?? transports.find(one => one.is_default)
  if (named === undefined) return installationRoute(tools.mail)
  try {
    return routeOf(named, tools.keyring, scope.tenantId)
  } catch {
    return { code: 'mail_transport_unusable' }
  }
}

/** @throws Error where the key was sealed by another installation */
function signerOf({ id, domain, selector, private_key }: DomainRow, { tools, scope }: { tools: Tools; scope: Scope }) {
  return { domain, selector, privateKey: keySeal(tools.keyring, scope.tenantId).open(id, private_key) }
}
