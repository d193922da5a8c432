// Mails about webhooks: gathered by person, bounded, in their language, and once, whatever breaks off between.
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { somebody } from '../../../test/people.ts'
import { newWebhook, startWebhookTest } from '../../../test/webhooks.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { writeDueMails } from './mails.ts'

const { t } = await startWebhookTest({ sender: false })
const { services } = t.app
const admin = t.main.users.Admin.email
afterEach(async () => {
  await t.ownerSql("delete from mails where template like 'webhook_%'")
})

type Failing = { minutes: number; notices?: number; mailed?: number; mode?: 'live' | 'test' }

/** A webhook that has been failing so long, of which so many notices went out and were written about. */
async function failing(path: string, { minutes, notices = 0, mailed = 0, mode = 'live' }: Failing): Promise<string> {
  const as = mode === 'live' ? t.main.liveKey : t.main.testKey
  const { webhookId } = await newWebhook(t, `https://down.example.com/${path}?token=secret`, { as })
  await t.ownerSql(
    `insert into webhook_lanes (tenant_id, id, failures, failing_since, notices, mailed)
     values ($1, $2, 30, $3, $4, $5)`,
    [
      mode === 'live' ? t.main.liveTenantId : t.main.testTenantId,
      webhookId,
      new Date(t.clock.now() - minutes * 60_000),
      notices,
      mailed,
    ],
  )
  return webhookId
}

const disabled = (webhookId: string, reason: string) =>
  t.ownerSql(
    `update webhook_endpoints set enabled = false, disabled_reason = $2, disabled_at = now(), mail_due = $2 <> 'request'
     where id = $1`,
    [webhookId, reason],
  )

/** The mails of webhooks, the oldest first. */
const mails = () =>
  t.ownerSql<{ to: string; subject: string; text: string; mode: string }>(
    `select r.address as to, m.subject, m.text, o.mode
     from mails m join tenants o on o.id = m.tenant_id
     join mail_recipients r on r.tenant_id = m.tenant_id and r.mail_id = m.id
     where m.template like 'webhook_%' order by m.id`,
  )
const addressesIn = (text: string) =>
  [...text.matchAll(/^https:\/\/down\.example\.com\/(.*)$/gm)].map(([, path]) => path)

test('what fails with the one that is due is in the same mail: the first twenty, and how many more', async () => {
  const colleague = await somebody(t, 'Admin')
  await failing('due', { minutes: 61, notices: 1 })
  await failing('tests', { minutes: 60, notices: 1, mode: 'test' })
  // The first two failed before, and were tried last within the hour.
  for (let n = 0; n < 21; n++) await failing(`same-${n}`, { minutes: n < 2 ? 90 : 50 })
  await failing('since-just-now', { minutes: 30 })
  await failing('written-about', { minutes: 61, notices: 1, mailed: 1 })
  const off = await failing('switched-off', { minutes: 61, notices: 1 })
  await disabled(off, 'request')
  await writeDueMails(services)
  const written = await mails()
  assert.deepEqual(written.map(mail => [mail.to, mail.mode, mail.subject]).toSorted(), [
    ...[admin, colleague.email].toSorted().map(to => [to, 'live', '23 webhooks are failing']),
  ])
  const { text } = written[0]!
  const listed = addressesIn(text)
  assert.deepEqual([listed.length, ...listed.slice(0, 3)], [20, 'due', 'tests', listed[2]])
  assert.ok(listed.slice(2).every(path => path?.startsWith('same-')))
  assert.match(text, /no event reaches these 23 webhooks:/)
  assert.match(text, /\nand 3 more\.\n/)
  assert.match(text, /\/tests\ntest mode, failing since \d{4}-\d\d-\d\d \d\d:\d\d UTC, disabled on \d{4}-\d\d-\d\d if/)
  await writeDueMails(services)
  assert.equal((await mails()).length, 2, 'once')

  // Their own notices come later, and have been written about.
  await t.ownerSql('update webhook_lanes set notices = 1')
  await t.ownerSql('update webhook_lanes set mailed = 1 where id = $1', [off])
  await t.ownerSql("update webhook_lanes set notices = 0 where failing_since > now() - interval '40 minutes'")
  await writeDueMails(services)
  assert.equal((await mails()).length, 2)
  await t.ownerSql('update users set disabled_at = now() where id = $1', [colleague.userId])
})

test('one alone is written about by itself; the next notice is another mail', async () => {
  const webhookId = await failing('alone', { minutes: 90, notices: 1 })
  await writeDueMails(services)
  const notice = (notices: number, hours: number) =>
    t.ownerSql('update webhook_lanes set notices = $2, failing_since = $3 where id = $1', [
      webhookId,
      notices,
      new Date(t.clock.now() - hours * 3_600_000 - 1_000),
    ])
  await notice(1, 23)
  await writeDueMails(services)
  await notice(2, 24)
  await writeDueMails(services)
  assert.deepEqual(
    (await mails()).map(mail => mail.subject),
    ['A webhook has been failing for 1 hour', 'A webhook has been failing for 24 hours'],
  )
  await t.ownerSql('update webhook_lanes set notices = 0, mailed = 0, failing_since = null')
  await writeDueMails(services)
  assert.equal((await mails()).length, 2, 'well again')
})

test('webhooks that were disabled are in one mail, with the reason of each', async () => {
  for (const [path, reason] of [
    ['gone', 'gone'],
    ['dead', 'failing'],
    ['by-hand', 'request'],
  ] as const)
    await disabled(await failing(path, { minutes: 7_300, notices: 4, mailed: 3 }), reason)
  await writeDueMails(services)
  await writeDueMails(services)
  const [mail, ...others] = await mails()
  assert.deepEqual([mail?.to, mail?.subject, others], [admin, '2 webhooks were disabled', []])
  assert.deepEqual(addressesIn(mail!.text), ['gone', 'dead'])
  assert.match(mail!.text, /\/gone\nlive mode, because its server answered that it is gone \(410\)/)
  assert.match(mail!.text, /\/dead\nlive mode, because no event has reached it for five days/)
})

test('own words list them, too, for those who speak the language', async () => {
  const words = {
    key: 'webhook_failing',
    locale: 'de',
    subject: '{{ count }} Webhooks antworten nicht',
    text: '{% for webhook in webhooks %}{{ webhook.address }} seit {{ webhook.since }}\n{% endfor %}',
  }
  const { status, text } = await t.call('POST', '/v2/mail/templates', { as: t.main.tokens.Admin, body: words })
  assert.equal(status, 201, text)
  const colleague = await somebody(t, 'Admin')
  await t.ownerSql('update accounts set locale = $2 where email = $1', [colleague.email, 'de-AT'])
  await failing('one', { minutes: 61, notices: 1 })
  await failing('other', { minutes: 61 })
  await writeDueMails(services)
  assert.deepEqual(
    new Map((await mails()).map(mail => [mail.to, mail.subject])),
    new Map([
      [admin, '2 webhooks are failing'],
      [colleague.email, '2 Webhooks antworten nicht'],
    ]),
  )
  await t.ownerSql('update users set disabled_at = now() where id = $1', [colleague.userId])
})

test('nothing is lost and nothing comes twice, where a run breaks off or two meet', async () => {
  await failing('down', { minutes: 61, notices: 1 })
  await disabled(await failing('gone', { minutes: 61, mode: 'test' }), 'gone')
  const { inTenant } = services.db
  const faults: unknown[] = []
  const broken = {
    ...services,
    db: {
      ...services.db,
      // What a run did until the last moment before its commit.
      inTenant: (...[scope, work]: Parameters<typeof inTenant>) =>
        inTenant(scope, async tx => {
          await work(tx)
          throw new Error('the process ended')
        }),
    },
    log: { ...services.log, error: (fault: unknown) => faults.push(fault) },
  } as unknown as Services
  await writeDueMails(broken)
  assert.deepEqual([faults.length, await mails()], [2, []])
  await Promise.all([writeDueMails(services), writeDueMails(services), writeDueMails(services)])
  assert.deepEqual((await mails()).map(mail => mail.subject).toSorted(), [
    'A webhook has been failing for 1 hour',
    'A webhook was disabled',
  ])
})
