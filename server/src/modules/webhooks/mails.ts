// Mails about webhooks that fail: while there is time to mend their receiver, and when they were disabled. To those who may manage webhooks;
// also for webhooks of the test mode, whose receivers somebody is at work on. A server that is down takes all of its webhooks along: they
// are gathered, so that nobody gets a mail for each.
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { enter, findTenants } from '../identity/organizations/index.ts'
import { listPeopleWhoMay } from '../identity/roles/index.ts'
import { type MailTemplate, mailQueue, mailTemplate, queueToEach, type TemplateData } from '../mail/mails/index.ts'
import { type DueMails, listDueMails, takeDisabled, takeFailing } from './mail_store.ts'
import { disableAfterMs } from './rules.ts'

/** A mail names so many webhooks, and counts the others. */
const named = 20

const sample = {
  mode: 'live',
  address: 'https://shop.example.com/hooks',
  url: 'https://crm.example.com/webhooks/whk_01k9r7d3w2v8e6q4n5m1b0c9xz',
}
const shared = { name: 'Grace Hopper', count: 1, more: 0, list: 'https://crm.example.com/webhooks' }

/** @param facts what stands below the address of each */
const listOf = (facts: string) =>
  `{% for webhook in webhooks %}{{ webhook.address }}\n${facts}{% if webhook.url != "" %}\n{{ webhook.url }}{% endif %}\n\n{% endfor %}` +
  '{% if more > 0 %}and {{ more }} more.\n\n{% endif %}'

const whereToLook =
  'What {% if count == 1 %}your server{% else %}your servers{% endif %} answered is in the portal{% if list != "" %}:\n\n{{ list }}' +
  '{% else %}, under Webhooks.{% endif %}\n\n{{ organization.name }}'

const hours = '{{ hours }} {% if hours == 1 %}hour{% else %}hours{% endif %}'

export const webhookFailingMail = mailTemplate({
  key: 'webhook_failing',
  about:
    'To those who may manage webhooks, when no delivery to some of them has succeeded for 1, 24 or 72 hours: that their events wait, and when they are disabled.',
  subject: `{% if count == 1 %}A webhook has been failing for ${hours}{% else %}{{ count }} webhooks are failing{% endif %}`,
  text:
    'Hello {{ name }},\n\nno event reaches {% if count == 1 %}this webhook{% else %}these {{ count }} webhooks{% endif %}:\n\n' +
    listOf('{{ webhook.mode }} mode, failing since {{ webhook.since }}, disabled on {{ webhook.day }} if it still is') +
    'Events wait and are tried again, each of them for about three days.\n\n' +
    whereToLook,
  sample: { ...shared, hours: 24, webhooks: [{ ...sample, since: '2026-11-30 08:44 UTC', day: '2026-12-05' }] },
})

export const webhookDisabledMail = mailTemplate({
  key: 'webhook_disabled',
  about:
    'To those who may manage webhooks, when some of them were disabled, because nothing reached them for 120 hours or their server answered that they are gone.',
  subject: '{% if count == 1 %}A webhook was disabled{% else %}{{ count }} webhooks were disabled{% endif %}',
  text:
    'Hello {{ name }},\n\n{% if count == 1 %}this webhook was{% else %}these {{ count }} webhooks were{% endif %} disabled:\n\n' +
    listOf(
      '{{ webhook.mode }} mode, because {% if webhook.reason == "gone" %}its server answered that it is gone (410){% else %}no event has ' +
        'reached it for five days{% endif %}',
    ) +
    'Nothing is sent to a disabled webhook until it is enabled again. What waited is kept and goes out then; what happened meanwhile can ' +
    'be sent again.\n\n' +
    whereToLook,
  sample: { ...shared, webhooks: [{ ...sample, reason: 'failing' }] },
})

type Means = Pick<Services, 'db' | 'log' | 'clock' | 'ownAddress' | 'wake'>

const organizationsAtOnce = 100

/** Writes all mails that are due. One that cannot be written is left for the next run, and holds up no other. */
export async function writeDueMails(services: Means): Promise<void> {
  let behind = 0
  for (let due: DueMails[] = []; ; behind = due.at(-1)!.organization_id) {
    due = await listDueMails(services.db, behind, organizationsAtOnce)
    for (const { organization_id: organizationId, tenant_id: tenantId, failing, disabled } of due) {
      const scope = { organizationId, tenantId }
      const work = [...(failing ? [mailFailing] : []), ...(disabled ? [mailDisabled] : [])]
      // Apart: each locks rows of one table, and waits for nobody with them.
      for (const write of work)
        await services.db
          .inTenant(scope, tx => write(tx, services, scope))
          .catch(err =>
            services.log.error({ err, organizationId }, 'nobody was written to about webhooks; trying again'),
          )
    }
    if (due.length > 0) services.wake(mailQueue)
    if (due.length < organizationsAtOnce) return
  }
}

async function mailFailing(tx: Tx, means: Means, scope: Scope): Promise<void> {
  const nowMs = means.clock.now()
  const taken = await takeInBothModes(tx, scope, at => takeFailing(tx, at, nowMs))
  const found = taken.map(row => ({ ...row, sinceMs: Date.parse(row.failing_since) }))
  // Those whose time has come are named first.
  found.sort((one, other) => Number(other.is_due) - Number(one.is_due) || one.sinceMs - other.sinceMs)
  if (found.length === 0) return
  const webhooks: readonly (Shown & { since: string; day: string })[] = found.slice(0, named).map(webhook => ({
    ...shown(means, webhook),
    since: `${new Date(webhook.sinceMs).toISOString().slice(0, 16).replace('T', ' ')} UTC`,
    // Behind a time in which nothing was tried it is at the next attempt.
    day: new Date(Math.max(webhook.sinceMs + disableAfterMs, nowMs)).toISOString().slice(0, 10),
  }))
  const longestMs = nowMs - Math.min(...found.map(({ sinceMs }) => sinceMs))
  const hours = Math.max(1, Math.floor(longestMs / 3_600_000))
  await toManagers(tx, scope, webhookFailingMail, { ...counted(means, found), hours, webhooks })
}

async function mailDisabled(tx: Tx, means: Means, scope: Scope): Promise<void> {
  const found = await takeInBothModes(tx, scope, at => takeDisabled(tx, at))
  if (found.length === 0) return
  found.sort((one, other) => (one.id < other.id ? -1 : 1))
  const webhooks: readonly (Shown & { reason: string })[] = found
    .slice(0, named)
    .map(webhook => ({ ...shown(means, webhook), reason: webhook.disabled_reason }))
  await toManagers(tx, scope, webhookDisabledMail, { ...counted(means, found), webhooks })
}

type Mode = 'live' | 'test'

/** Begins and ends in live mode. Rows are locked in the order of their tenants, as the sender does. */
async function takeInBothModes<Row>(
  tx: Tx,
  scope: Scope,
  take: (at: Scope) => Promise<Row[]>,
): Promise<(Row & { mode: Mode })[]> {
  const tenants = Object.entries(await findTenants(tx, scope)) as [Mode, number][]
  tenants.sort(([, one], [, other]) => one - other)
  const found: Record<Mode, Row[]> = { live: [], test: [] }
  for (const [mode, tenantId] of tenants) {
    const at = { ...scope, tenantId }
    await enter(tx, at)
    found[mode] = await take(at)
  }
  await enter(tx, scope)
  return (['live', 'test'] as const).flatMap(mode => found[mode].map(row => ({ ...row, mode })))
}

/** Where webhooks are in the portal; undefined where nobody knows the server's own address. */
const listUrl = ({ ownAddress }: Means) => ownAddress()?.concat('/webhooks')

type Shown = { mode: string; address: string; url: string }

/** Of the address no query, which may hold a secret. */
function shown(means: Means, { id, url, mode }: { id: string; url: string; mode: Mode }): Shown {
  const target = URL.parse(url)
  const address = target === null ? url : target.origin + target.pathname
  const list = listUrl(means)
  return { mode, address, url: list === undefined ? '' : `${list}/${id}` }
}

function counted(means: Means, found: readonly unknown[]) {
  return { count: found.length, more: Math.max(0, found.length - named), list: listUrl(means) ?? '' }
}

async function toManagers<Data extends TemplateData>(
  tx: Tx,
  scope: Scope,
  template: MailTemplate<Data & { name: string }>,
  data: Data,
): Promise<void> {
  await queueToEach(tx, scope, await listPeopleWhoMay(tx, scope, 'webhooks:manage'), { template, data })
}
