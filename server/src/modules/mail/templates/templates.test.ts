// Templates: the organization's words before those of the server, by locale; bounds of Liquid; errors that name line and remedy.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../../../test/harness.ts'
import { mailTemplate, wordsFor } from './index.ts'

const template = mailTemplate({
  key: 'test_invoice.sent',
  about: 'A template of this test.',
  subject: 'Invoice {{ number }}',
  text: 'Dear {{ name }}, your invoice {{ number }}.',
  sample: { name: 'Ada', number: 7 },
})

let t: TestApp
before(async () => {
  t = await startTestApp()
})
after(() => t?.close())

const call = (method: string, path: string, body?: unknown, as = t.main.tokens.Admin) =>
  t.call(method, path, { as, ...(body === undefined ? {} : { body }) })

const words = (locale?: string, data: object = { name: 'Ada', number: 7 }) => {
  const scope = { tenantId: t.main.liveTenantId, organizationId: t.main.organizationId }
  return t.app.services.db.inTenant(scope, tx => wordsFor(tx, scope, { template, data: { ...data }, locale }))
}

const preview = async (body: object) => {
  const answer = await call('POST', '/v2/mail/templates/preview', { subject: 'x', text: 'x', ...body })
  return answer.status === 200 ? answer.json.data : answer.json.error
}
const fault = async (text: string, more: object = {}) => (await preview({ text, ...more })).details?.[0]?.message

test('own words come before those of the server, the nearest locale first', async () => {
  assert.equal((await words()).subject, 'Invoice 7')
  const key = template.key
  for (const locale of ['', 'de', 'de-AT'])
    assert.equal(
      (await call('POST', '/v2/mail/templates', { key, locale, subject: `[${locale}] {{ number }}`, text: 'x' }))
        .status,
      201,
    )
  const subjects = await Promise.all(
    ['de-AT', 'de-CH', 'fr', undefined].map(async locale => (await words(locale)).subject),
  )
  assert.deepEqual(subjects, ['[de-AT] 7', '[de] 7', '[] 7', '[] 7'])
  const again = await call('POST', '/v2/mail/templates', { key, locale: 'de', subject: 'x', text: 'x' })
  assert.equal(again.json.error.code, 'mail_template_exists')
})

test('own words that do not work with the values are left aside', async () => {
  const result = await words('de', { name: 'Ada', amount: 1 }).catch(error => error)
  assert.equal(result.code, 'template_invalid', 'nor do those of the server')
  await t.ownerSql("update mail_templates set subject = '{{ surname }}' where locale = 'de'")
  const { subject, isFallback } = await words('de')
  assert.deepEqual([subject, isFallback], ['Invoice 7', true])
})

test('errors name the part, the line and the remedy', async () => {
  assert.match(
    await fault('one\ntwo {{ nam }}', { data: { name: 'Ada' } }),
    /^line 2: undefined variable: nam; the values are name, organization$/,
  )
  assert.match(await fault('{% if a %}\nx'), /^line 1: .*not closed; close it/)
  assert.match(await fault('\n\n{{ "a" | shout }}'), /^line 3: undefined filter: shout; use a filter/)
  assert.match(await fault('{% include "x" %}'), /^line 1: tag "include" not found; use a tag/)
  const { field } = (await preview({ subject: '{{', text: 'x' })).details[0]
  assert.equal(field, 'subject')
})

test('a template has bounds, and sees nothing but its values', async () => {
  const startedMs = performance.now()
  assert.match(await fault('{% for i in (1..100000000) %}x{% endfor %}'), /limit exceeded; make its loops/)
  assert.match(
    await fault('{% for i in (1..9999) %}{% for j in (1..9999) %}x{% endfor %}{% endfor %}'),
    /limit exceeded/,
  )
  assert.ok(performance.now() - startedMs < 5_000)
  for (const expression of ['name.constructor', 'name.__proto__', 'list.constructor', 'organization.constructor'])
    assert.match(
      await fault(`{{ ${expression} }}`, { data: { name: 'Ada', list: [1] } }),
      /undefined variable/,
      expression,
    )
})

test('values are escaped where they are markup, and only there', async () => {
  const data = { name: '<script>"&' }
  const page = await preview({ subject: '{{ name }}', text: '{{ name }}', html: '<p>{{ name }}</p>', data })
  assert.deepEqual([page.subject, page.text], [data.name, data.name])
  assert.match(page.html, /<p>&lt;script&gt;&#34;&amp;<\/p>/)
  const whole = await preview({ html: '<!doctype html><p>x' })
  assert.equal(whole.html, '<!doctype html><p>x')
})

test('words for a key of the server are tried with its values before they are kept', async () => {
  const refused = await call('POST', '/v2/mail/templates', {
    key: template.key,
    locale: 'it',
    subject: '{{ nmae }}',
    text: 'x',
  })
  assert.equal(refused.json.error.code, 'template_invalid')
  const { templates } = (await call('GET', '/v2/mail/templates/built-in')).json.data
  const known = templates.find((one: { key: string }) => one.key === template.key)
  assert.deepEqual(
    [known.subject, known.html, known.sample],
    ['Invoice {{ number }}', null, { name: 'Ada', number: 7 }],
  )
})
