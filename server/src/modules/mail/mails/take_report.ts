// What a report changes: whose mail it is about, what became of its recipients, and who gets no more mail. The same report a second time
// changes nothing.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { emit } from '../../../kernel/data/events.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import { isId } from '../../../kernel/values/ids.ts'
import type { Keyring } from '../../../kernel/values/keyring.ts'
import { suppress } from '../suppressions/index.ts'
import { readReturnPath } from './marks.ts'
import type { Report, ReportedRecipient } from './report.ts'
import { countSoftBounces, findByMessageIds, markRecipients, type RecipientOutcome } from './report_store.ts'
import { comparedAddress, eventTypes, type MailRow, type MailState, nextMail, type RecipientRow } from './rules.ts'
import { presentMail } from './schemas.ts'
import { lockMail, moveMail } from './store.ts'

export type TakenReport = {
  kind: Report['kind']
  /** Null where it is about no mail of this tenant. */
  mailId: string | null
  /** What it changed. */
  recipients: { address: string; outcome: ReportedRecipient['outcome']; status: string | null; isSuppressed: boolean }[]
}

export type Surroundings = { keyring: Keyring; nowMs: number }

/** @param envelopeTo addresses that the report was handed in for */
export async function takeReport(
  tx: Tx,
  scope: Scope,
  { report, envelopeTo }: { report: Report; envelopeTo: readonly string[] },
  { keyring, nowMs }: Surroundings,
): Promise<TakenReport> {
  const mailId = await mailOf(tx, scope, { report, envelopeTo }, keyring)
  const row = mailId === undefined ? undefined : await lockMail(tx, scope, mailId)
  if (row === undefined) return { kind: report.kind, mailId: null, recipients: [] }
  const changes = changesOf(row, report)
  if (changes.length > 0) await writeDown(tx, scope, row, changes, nowMs)
  const recipients: TakenReport['recipients'] = []
  for (const { recipient, said } of changes) {
    const { address } = recipient
    const isSuppressed = await suppressWhereDue(tx, scope, { row, address, said, nowMs })
    recipients.push({ address, outcome: said.outcome, status: said.status, isSuppressed })
  }
  return { kind: report.kind, mailId: row.id, recipients }
}

/** By the return path, which nobody makes up; then by what the report says of the mail. */
async function mailOf(
  tx: Tx,
  scope: Scope,
  { report, envelopeTo }: { report: Report; envelopeTo: readonly string[] },
  keyring: Keyring,
): Promise<string | undefined> {
  for (const address of [...envelopeTo, ...report.sentTo]) {
    const named = readReturnPath(keyring, scope, address)
    if (named !== undefined) return named
  }
  if (report.messageIds.length > 0) {
    const found = await findByMessageIds(tx, scope, report.messageIds)
    if (found !== undefined) return found
  }
  return report.envelopeId !== null && isId('mail', report.envelopeId) ? report.envelopeId : undefined
}

type Change = { recipient: RecipientRow; said: ReportedRecipient; after: RecipientOutcome }

const handedOver: readonly MailState[] = ['sent', 'delivered', 'bounced', 'complained', 'unconfirmed']
/** What a later report may still change: a mail bounces after its delivery, and is complained about after that. */
const rank = { accepted: 1, delivered: 2, bounced: 3, complained: 4 } as const

function changesOf(row: MailRow, report: Report): Change[] {
  const changes = new Map<number, Change>()
  for (const said of report.recipients) {
    const recipient = recipientFor(row, said)
    if (recipient === undefined || recipient.outcome === 'rejected' || recipient.outcome === 'suppressed') continue
    // Of one that waits, some may have it already.
    if (!handedOver.includes(row.state) && recipient.outcome === null) continue
    const known = changes.get(recipient.place)?.said.outcome ?? recipient.outcome
    if (known !== null && rank[known] >= rank[said.outcome]) continue
    const { place } = recipient
    const after = { place, outcome: said.outcome, code: codeOf(said), reply: said.reply } as const
    changes.set(place, { recipient, said, after })
  }
  return [...changes.values()]
}

/** Forwarded mails come back under addresses we never wrote to: the only recipient is meant all the same. */
function recipientFor({ recipients }: MailRow, { addresses }: ReportedRecipient): RecipientRow | undefined {
  const named = addresses
    .map(address => recipients.find(one => comparedAddress(one.address) === comparedAddress(address)))
    .find(one => one !== undefined)
  return named ?? (recipients.length === 1 ? recipients[0] : undefined)
}

function codeOf({ outcome, isHard }: ReportedRecipient): string | null {
  if (outcome === 'delivered') return null
  if (outcome === 'complained') return 'mail_complained'
  return isHard ? 'mail_bounced' : 'mail_bounced_for_now'
}

/** The mail is what the worst of the news says; delivered when every one who was written to has it. */
async function writeDown(tx: Tx, scope: Scope, row: MailRow, changes: readonly Change[], nowMs: number) {
  const outcomes = changes.map(({ after }) => after)
  await markRecipients(tx, scope, row.id, outcomes)
  const recipients = row.recipients.map(one => ({ ...one, ...outcomes.find(({ place }) => place === one.place) }))
  const worst = (['complained', 'bounced'] as const).find(outcome => outcomes.some(one => one.outcome === outcome))
  const isAll = recipients.every(({ outcome }) => outcome === 'delivered')
  const event = worst === undefined ? 'report_delivered' : (`report_${worst}` as const)
  const moved = worst === undefined && !isAll ? undefined : nextMail(row.state, event)
  const state = moved ?? row.state
  const isAbout = worst !== undefined && handedOver.includes(row.state)
  const code = !isAbout ? row.code : (outcomes.find(({ outcome }) => outcome === worst)?.code ?? row.code)
  const fresh = { ...row, state, code, recipients, version: row.version + 1, updated_at: isoMs(nowMs) }
  await moveMail(tx, scope, row.id, { state, code, nowMs })
  const type = worst === undefined ? 'mail.delivered' : eventTypes[worst]
  await emit(tx, scope, { type, resourceId: row.id, sequence: fresh.version, data: presentMail(fresh) })
}

const softDays = 7
const softLimit = 5

async function suppressWhereDue(
  tx: Tx,
  scope: Scope,
  { row, address, said, nowMs }: { row: MailRow; address: string; said: ReportedRecipient; nowMs: number },
): Promise<boolean> {
  if (said.outcome === 'delivered') return false
  const compared = comparedAddress(address)
  let note = said.reply
  if (said.outcome === 'bounced' && !said.isHard) {
    const since = isoMs(nowMs - softDays * 86_400_000)
    if ((await countSoftBounces(tx, scope, { compared, since })) < softLimit) return false
    note = `${softLimit} mails came back within ${softDays} days; the last time: ${said.reply ?? said.status ?? ''}`
  }
  const reason = said.outcome === 'complained' ? 'complaint' : 'hard_bounce'
  const entry = { address: compared, stream: '', reason, note, mailId: row.id } as const
  return (await suppress(tx, scope, entry, nowMs)) !== undefined
}
