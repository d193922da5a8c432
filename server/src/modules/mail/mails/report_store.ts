// SQL of what reports say: which mail one is about, and what became of its recipients.
import { sql } from 'kysely'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import type { RecipientRow } from './rules.ts'

/** The mail with one of these Message-IDs. */
export async function findByMessageIds(
  tx: Tx,
  { tenantId }: Scope,
  messageIds: readonly string[],
): Promise<string | undefined> {
  const { rows } = await sql<{ id: string }>`
    select id from mails where tenant_id = ${tenantId} and message_id = any(${messageIds}::text[]) limit 1`.execute(tx)
  return rows[0]?.id
}

export type RecipientOutcome = Pick<RecipientRow, 'place' | 'outcome' | 'code' | 'reply'>

/** Writes down what became of recipients of a locked mail. */
export async function markRecipients(
  tx: Tx,
  { tenantId }: Scope,
  mailId: string,
  outcomes: readonly RecipientOutcome[],
): Promise<void> {
  await sql`
    update mail_recipients r set outcome = u.outcome, code = u.code, reply = u.reply
    from unnest(${outcomes.map(one => one.place)}::integer[], ${outcomes.map(one => one.outcome)}::text[],
      ${outcomes.map(one => one.code)}::text[], ${outcomes.map(one => one.reply)}::text[]) as u (place, outcome, code, reply)
    where r.tenant_id = ${tenantId} and r.mail_id = ${mailId} and r.place = u.place`.execute(tx)
}

/** How many mails to an address came back since, for reasons that may pass. */
export async function countSoftBounces(
  tx: Tx,
  { tenantId }: Scope,
  { compared, since }: { compared: string; since: string },
): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::integer as count from mail_recipients r join mails m on m.tenant_id = r.tenant_id and m.id = r.mail_id
    where r.tenant_id = ${tenantId} and r.compared = ${compared} and r.code = 'mail_bounced_for_now' and m.updated_at >= ${since}`.execute(
    tx,
  )
  return rows[0]!.count
}
