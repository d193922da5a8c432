// How the contract test meets mails and their templates. Nothing is sent there: no worker runs.
import type { ContractRequest, ModuleContract } from '../contract_types.ts'
import type { TestApp } from '../harness.ts'

let made = 0

async function newMail(t: TestApp, as = t.main.tokens.Admin): Promise<{ mailId: string }> {
  // Another request may have met the bound of a day.
  await t.ownerSql('delete from mail_rates')
  const body = { to: [{ address: 'ada@example.com' }], subject: `Contract ${++made}`, text: 'Dear Ada.' }
  const { json } = await t.call('POST', '/v2/mails', { as, body })
  return { mailId: json.data.mailId }
}

const withMail = async (t: TestApp): Promise<ContractRequest> => ({ params: await newMail(t) })
const foreignMail = async (t: TestApp) => ({ params: await newMail(t, t.other.tokens.Admin) })
const noMail = async () => ({ params: { mailId: 'mail_01k9r7d3w2v8e6q4n5m1b0c9xz' } })

async function ended(t: TestApp): Promise<ContractRequest> {
  const { mailId } = await newMail(t)
  await t.call('POST', `/v2/mails/${mailId}/cancel`, { as: t.main.tokens.Admin })
  return { params: { mailId } }
}

/** The other organization has sent all mails of the day. */
async function fillDay(t: TestApp): Promise<void> {
  await t.ownerSql(
    `insert into mail_rates (tenant_id, is_urgent, minute, minute_count, day, day_count)
     select id, false, now(), 0, (now() at time zone 'UTC')::date, 2000 from tenants where mode = 'live' and organization_id = $1`,
    [t.other.organizationId],
  )
}

async function newTemplate(t: TestApp, as = t.main.tokens.Admin): Promise<{ templateId: string }> {
  const body = { key: `contract_${++made}`, subject: 'Contract', text: 'Dear {{ name }}.' }
  const { json } = await t.call('POST', '/v2/mail/templates', { as, body })
  return { templateId: json.data.templateId }
}

const withTemplate = async (t: TestApp): Promise<ContractRequest> => ({ params: await newTemplate(t) })
const foreignTemplate = async (t: TestApp) => ({ params: await newTemplate(t, t.other.tokens.Admin) })
const noTemplate = async () => ({ params: { templateId: 'mtp_01k9r7d3w2v8e6q4n5m1b0c9xz' } })
const broken = { subject: 'x', text: '{% if name %}' }
const to = [{ address: 'ada@example.com' }]

export const contract: ModuleContract = {
  'mails.list': {},
  'mails.create': {
    problems: {
      record_not_found: async () => ({ body: { to, subject: 'Hi', text: 'Hi.', recordId: 'lead:999999999' } }),
      mail_template_not_found: async () => ({ body: { to, template: 'nowhere' } }),
      template_invalid: async t => {
        const body = { key: `contract_${++made}`, subject: 'Contract', text: 'Dear {{ name }}.' }
        await t.call('POST', '/v2/mail/templates', { as: t.main.tokens.Admin, body })
        return { body: { to, template: body.key, data: {} } }
      },
      mail_too_large: async () => {
        const content = Buffer.alloc(10 * 1024 * 1024 + 1).toString('base64')
        const attachments = [{ fileName: 'large.bin', mediaType: 'application/octet-stream', content }]
        return { body: { to, subject: 'Large', text: 'Large.', attachments } }
      },
      mail_rate_reached: async t => {
        await fillDay(t)
        return { as: t.other.tokens.Admin }
      },
    },
  },
  'mails.get': { prepare: withMail, problems: { not_found: noMail }, foreign: foreignMail },
  'mails.cancel': { prepare: withMail, problems: { not_found: noMail, mail_not_waiting: ended }, foreign: foreignMail },
  'mails.retry': {
    prepare: ended,
    problems: {
      not_found: noMail,
      mail_not_repeatable: withMail,
      async mail_rate_reached(t) {
        const as = t.other.tokens.Admin
        const { mailId } = await newMail(t, as)
        await t.call('POST', `/v2/mails/${mailId}/cancel`, { as })
        await fillDay(t)
        return { as, params: { mailId } }
      },
    },
    foreign: foreignMail,
  },
  'mail_templates.list': {},
  'mail_templates.built_in': {},
  'mail_templates.preview': { problems: { template_invalid: async () => ({ body: broken }) } },
  'mail_templates.create': {
    prepare: async () => ({ body: { key: `contract_${++made}`, subject: 'Contract', text: 'Dear {{ name }}.' } }),
    problems: {
      mail_template_exists: async t => {
        const body = { key: `contract_${++made}`, subject: 'Contract', text: 'Dear {{ name }}.' }
        await t.call('POST', '/v2/mail/templates', { as: t.main.tokens.Admin, body })
        return { body }
      },
      template_invalid: async () => ({ body: { key: 'contract', ...broken } }),
    },
  },
  'mail_templates.get': { prepare: withTemplate, problems: { not_found: noTemplate }, foreign: foreignTemplate },
  'mail_templates.update': {
    prepare: withTemplate,
    problems: {
      not_found: noTemplate,
      template_invalid: async t => ({ ...(await withTemplate(t)), body: { text: broken.text } }),
    },
    foreign: foreignTemplate,
  },
  'mail_templates.delete': { prepare: withTemplate, problems: { not_found: noTemplate }, foreign: foreignTemplate },
}
