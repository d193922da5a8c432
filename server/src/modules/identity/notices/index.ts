// Mails to people about their own account, which nobody can switch off: somebody logged in with a new device, a factor was added, a key was
// made. Each is declared beside what sends it, and written in the transaction of what it is about, in the organization's live mode.
import type { Asked } from '../../../kernel/audit/record.ts'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { type MailTemplate, mailQueue, mailTemplate, queueMail } from '../../mail/mails/index.ts'
import { enter, findTenants } from '../organizations/index.ts'

type NoticeData = { name: string; detail: string; at: string; from: string; url: string }
export type Notice = MailTemplate<NoticeData>

/** Declares a notice. `what` is one sentence, of which `{{ detail }}` may be a part. */
export function notice({
  key,
  about,
  subject,
  what,
  detail,
}: Record<'key' | 'about' | 'subject' | 'what' | 'detail', string>) {
  return mailTemplate({
    key,
    about,
    stream: 'security',
    subject,
    text:
      `Hello {{ name }},\n\n${what}\n\nWhen: {{ at }}\nFrom: {{ from }}\n\nIf it was you, there is nothing to do. If not, change your ` +
      'password at once and end the sessions you do not know{% if url != "" %}:\n\n{{ url }}{% else %}.{% endif %}\n\n{{ organization.name }}',
    sample: {
      name: 'Grace Hopper',
      detail,
      at: '21 Nov 2026, 08:44 UTC',
      from: '203.0.113.7, Firefox',
      url: 'https://crm.example.com/account',
    },
  }) as Notice
}

export type Notified = {
  notice: Notice
  to: { email: string; name: string; locale?: string | null }
  detail?: string
  asked: Asked
  nowMs: number
  /** One mail for the same key. */
  dedupeKey?: string
}

/** The means of a notice: where people reach the server. */
type Means = { ownAddress(): string | undefined; wake(queue: string): void }

/** Writes the mail; call `services.wake(mailQueue)` behind the commit, or let it wait for the next look. */
export async function notify(tx: Tx, { ownAddress }: Means, scope: Scope, said: Notified): Promise<void> {
  const { notice: template, to, detail = '', asked, nowMs, dedupeKey } = said
  const address = ownAddress()
  const data = {
    name: to.name,
    detail,
    at: timeText(nowMs),
    from: [asked.ip, programText(asked.userAgent)].filter(Boolean).join(', ') || 'unknown',
    url: address === undefined ? '' : `${address}/account`,
  }
  await inLiveMode(tx, scope, live =>
    queueMail(tx, live, {
      template,
      to: { address: to.email, name: to.name },
      data,
      ...(dedupeKey === undefined ? {} : { dedupeKey }),
      ...(to.locale == null ? {} : { locale: to.locale }),
    }),
  )
}

/** `21 Nov 2026, 08:44 UTC`. */
function timeText(ms: number): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    timeZone: 'UTC',
  }).format(ms)
  return `${text} UTC`
}

/** Which program it calls itself, in a word; who wants may say anything there, so nothing of it is taken over that is no name. */
function programText(userAgent: string | null | undefined): string | undefined {
  if (userAgent == null) return undefined
  const known = /\b(Edg|OPR|Firefox|Chrome|Safari)\//.exec(userAgent)?.[1]
  if (known !== undefined) return { Edg: 'Edge', OPR: 'Opera' }[known] ?? known
  return /^[\w.-]{1,40}/.exec(userAgent)?.[0]
}

/** The test mode sends nothing, and what is about a person is the same in both: `work` is done in live mode, whichever asked. */
export async function inLiveMode(tx: Tx, scope: Scope, work: (live: Scope) => Promise<unknown>): Promise<void> {
  const { live } = await findTenants(tx, scope)
  const inLive = { ...scope, tenantId: live }
  if (live !== scope.tenantId) await enter(tx, inLive)
  await work(inLive)
  if (live !== scope.tenantId) await enter(tx, scope)
}

export { mailQueue }
