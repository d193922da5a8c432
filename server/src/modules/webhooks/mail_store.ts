// SQL of the mails about webhooks: whose are due, and taking what they are about, so that nothing is said twice.
import { sql } from 'kysely'
import type { Db, Scope, Tx } from '../../kernel/data/db.ts'
import { functionCall } from '../../kernel/data/function_call.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import { type DisabledReason, gatherMinutes } from './rules.ts'

/** An organization, its live mode, and what is due of it in either mode. */
export type DueMails = { organization_id: number; tenant_id: number; failing: boolean; disabled: boolean }

/** Organizations of all behind one, by id. */
export function listDueMails(db: Db, behind: number, limit: number): Promise<DueMails[]> {
  return db.work('due_webhook_mails', functionCall('due_webhook_mails', 2), [behind, limit])
}

export type FailingWebhook = { id: string; url: string; failing_since: string; is_due: boolean }

/** Takes the webhooks of one mode that are due, and those that are close to it (`gatherMinutes`). */
export async function takeFailing(tx: Tx, { tenantId }: Scope, nowMs: number): Promise<FailingWebhook[]> {
  const { rows } = await sql<FailingWebhook>`
    with reached as (
      select l.id, e.url, l.failing_since, l.notices > l.mailed as is_due, greatest(l.notices, (
        select coalesce(max(h.n), 0) from unnest(${gatherMinutes}::integer[]) with ordinality as h (minutes, n)
        where l.failing_since <= ${isoMs(nowMs)}::timestamptz - make_interval(mins => h.minutes)
      )) as notice
      from webhook_lanes l join webhook_endpoints e on e.tenant_id = l.tenant_id and e.id = l.id
      where l.tenant_id = ${tenantId} and l.failing_since is not null and e.enabled
      order by l.id for no key update of l
    )
    update webhook_lanes l set mailed = r.notice from reached r
    where l.tenant_id = ${tenantId} and l.id = r.id and r.notice > l.mailed
    returning r.id, r.url, r.failing_since, r.is_due`.execute(tx)
  return rows
}

export type DisabledWebhook = { id: string; url: string; disabled_reason: DisabledReason }

/** Takes the webhooks of one mode that the server disabled. */
export async function takeDisabled(tx: Tx, { tenantId }: Scope): Promise<DisabledWebhook[]> {
  const { rows } = await sql<DisabledWebhook>`
    update webhook_endpoints e set mail_due = false where e.tenant_id = ${tenantId} and e.mail_due
    returning e.id, e.url, e.disabled_reason`.execute(tx)
  return rows
}
