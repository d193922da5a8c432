// Mails about a webhook that fails: while there is time to mend its receiver, and when it was disabled. To those who may manage webhooks; also
// for webhooks of the test mode, whose receivers somebody is at work on.
import type { Scope, Tx } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { inLiveMode } from '../identity/notices/index.ts'
import { listPeopleWhoMay } from '../identity/roles/index.ts'
import { type MailTemplate, mailTemplate, queueToEach, type TemplateData } from '../mail/mails/index.ts'
import type { DisabledReason } from './rules.ts'
import type { WebhookRow } from './store.ts'

const sample = {
  name: 'Grace Hopper',
  mode: 'live',
  address: 'https://shop.example.com/hooks',
  hours: 24,
  day: '2026-12-05',
  url: 'https://crm.example.com/webhooks/whk_01k9r7d3w2v8e6q4n5m1b0c9xz',
}

const whereToLook =
  'What your server answered is in the portal{% if url != "" %}:\n\n{{ url }}{% else %}, under Webhooks.{% endif %}\n\n{{ organization.name }}'

export const webhookFailingMail = mailTemplate({
  key: 'webhook_failing',
  about:
    'To those who may manage webhooks, when no delivery to one of them has succeeded for 1, 24 or 72 hours: that its events wait, and when it is disabled.',
  subject: 'A webhook has been failing for {{ hours }} {% if hours == 1 %}hour{% else %}hours{% endif %}',
  text:
    'Hello {{ name }},\n\nno event has reached this {{ mode }} webhook for {{ hours }} {% if hours == 1 %}hour{% else %}hours{% endif %}:\n\n' +
    '{{ address }}\n\nEvents wait and are tried again, each of them for about three days. If the webhook is still failing on {{ day }}, it ' +
    'is disabled.\n\n' +
    whereToLook,
  sample,
})

const { hours: _hours, day: _day, ...disabledSample } = sample

export const webhookDisabledMail = mailTemplate({
  key: 'webhook_disabled',
  about:
    'To those who may manage webhooks, when one of them was disabled, because nothing reached it for 120 hours or its server answered that it is gone.',
  subject: 'A webhook was disabled',
  text:
    'Hello {{ name }},\n\nthis {{ mode }} webhook was disabled, because {% if reason == "gone" %}its server answered that it is gone (410)' +
    '{% else %}no event has reached it for five days{% endif %}:\n\n{{ address }}\n\nNothing is sent to it until it is enabled again. What ' +
    'waited is kept and goes out then; what happened meanwhile can be sent again.\n\n' +
    whereToLook,
  sample: { ...disabledSample, reason: 'failing' },
})

type About = { webhook: WebhookRow; mode: 'live' | 'test' }
type Means = Pick<Services, 'ownAddress'>

/** Writes that it fails. Wake the mail queue behind the commit. @param disablesAt ISO 8601 */
export async function mailFailing(
  tx: Tx,
  means: Means,
  scope: Scope,
  { hours, disablesAt, ...about }: About & { hours: number; disablesAt: string },
): Promise<void> {
  const data = { ...shared(means, about), hours, day: disablesAt.slice(0, 10) }
  await toManagers(tx, scope, webhookFailingMail, data)
}

/** Writes that it was disabled. Wake the mail queue behind the commit. */
export async function mailDisabled(
  tx: Tx,
  means: Means,
  scope: Scope,
  { reason, ...about }: About & { reason: DisabledReason },
): Promise<void> {
  await toManagers(tx, scope, webhookDisabledMail, { ...shared(means, about), reason: reason as string })
}

/** Of the address no query, which may hold a secret. */
function shared({ ownAddress }: Means, { webhook, mode }: About): Record<'mode' | 'address' | 'url', string> {
  const target = URL.parse(webhook.url)
  const address = target === null ? webhook.url : target.origin + target.pathname
  const own = ownAddress()
  return { mode, address, url: own === undefined ? '' : `${own}/webhooks/${webhook.id}` }
}

function toManagers<Data extends TemplateData>(
  tx: Tx,
  scope: Scope,
  template: MailTemplate<Data & { name: string }>,
  data: Data,
): Promise<void> {
  return inLiveMode(tx, scope, async live =>
    queueToEach(tx, live, await listPeopleWhoMay(tx, live, 'webhooks:manage'), { template, data }),
  )
}
