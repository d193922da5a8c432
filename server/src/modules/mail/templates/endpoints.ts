// Mail templates over HTTP: the organization's own words, those of the server, and a preview that sends nothing.
import { Type } from 'typebox'
import { endpoint } from '../../../kernel/endpoint/endpoint.ts'
import { resource } from '../../../kernel/resource/resource.ts'
import { stampsOf } from '../../../kernel/resource/rows.ts'
import { newId } from '../../../kernel/values/ids.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { builtInTemplate, builtInTemplates, type TemplateData } from './declare.ts'
import { parseFaults } from './liquid.ts'
import { renderAll } from './render.ts'
import { type TemplateRow, templateKeyPattern, type Words } from './rules.ts'
import {
  BuiltIn,
  htmlWords,
  presentTemplate,
  sampleTemplate,
  subjectWords,
  Template,
  templateFields,
  textWords,
} from './schemas.ts'
import { organizationName, templates } from './store.ts'

const own = resource<TemplateRow, typeof Template>({
  names: ['mail_template', 'mail_templates'],
  words: 'mail template',
  id: ['templateId', 'mtp'],
  category: 'Messaging',
  path: '/mail/templates',
  permissions: { read: 'mail:read', manage: 'mail:manage' },
  rows: templates,
  reply: Template,
  sample: sampleTemplate,
  present: rows => rows.map(presentTemplate),
})

const key = Type.String({
  pattern: templateKeyPattern,
  maxLength: 100,
  description: 'Of a template of the server, whose words these replace, or a new one for POST /v2/mails.',
})
const locale = Type.String({
  pattern: '^([A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*)?$',
  maxLength: 35,
  description: 'BCP 47: `de` or `de-AT`; empty or left out for all that have no words of their own.',
})

/** What does not parse, or for one of the server does not go with its values, is refused. @throws Problem `template_invalid` */
function refuseFaults(words: Words, ofKey: string): void {
  const sample = builtInTemplate(ofKey)?.sample
  const details = sample === undefined ? parseFaults(words) : renderAll(words, sample, '').faults
  if (details.length === 0) return
  throw new Problem('template_invalid', { details, message: `${details[0]!.field}, ${details[0]!.message}.` })
}

const list = own.list({
  description:
    'The organization’s own words, the newest first. What the server says where there are none, is answered by GET /v2/mail/templates/built-in.',
  filters: {
    key: Type.Optional(Type.String({ minLength: 1, maxLength: 100, description: 'Only words for this key.' })),
  },
})

const add = own.create({
  description:
    'Puts a mail of the server into other words, or adds a template for POST /v2/mails. They are checked; those for a key of the server with its sample values.',
  body: Type.Object({
    key,
    locale: Type.Optional(locale),
    subject: subjectWords,
    text: textWords,
    html: Type.Optional(htmlWords),
  }),
  bodyLimit: 512 * 1024,
  problems: ['mail_template_exists', 'template_invalid'],
  sample: {
    body: {
      key: 'appointment',
      subject: 'Your appointment on {{ day | default: "soon" }}',
      text: 'Dear {{ name | default: "customer" }},',
    },
  },
  async handle({ key, locale = '', subject, text, html = null }, { tx, principal, now }) {
    refuseFaults({ subject, text, html }, key)
    const values = { id: newId('mtp'), key, locale, subject, text, html, ...stampsOf(now) }
    const row = await templates.insert(tx, principal, values, 'mail_templates_key')
    if (row === undefined) throw new Problem('mail_template_exists')
    return { row }
  },
})

const get = own.get({ description: 'One template with its words as they are kept, in Liquid.' })

const update = own.update({
  description: 'Changes the words that are sent. Mails that are queued already keep theirs.',
  body: Type.Object(templateFields.settable),
  bodyLimit: 512 * 1024,
  problems: ['template_invalid'],
  sample: { body: { subject: 'See you on {{ day | default: "soon" }}' } },
  async handle(old, body, asking) {
    const { tx, principal, now } = asking
    const values = templateFields.read(body, asking, old)
    refuseFaults({ ...old, ...values } as Words, old.key)
    return { row: await templates.change(tx, principal, old.id, values, now) }
  },
})

const remove = own.delete({ description: 'Deletes the words: mails of this key have those of the server again.' })

const builtIn = endpoint({
  id: 'mail_templates.built_in',
  version: 'v2',
  category: 'Messaging',
  method: 'GET',
  path: '/mail/templates/built-in',
  name: 'List built-in mail templates',
  description:
    'The words of the server for each mail that it sends by itself, with sample values, to begin own ones from.',
  permission: 'mail:read',
  reply: Type.Object({ templates: Type.Array(BuiltIn, { description: 'By key.' }) }),
  envelope: 'data',
  transaction: 'none',
  sample: {
    reply: {
      templates: [
        {
          key: 'mail_test',
          about: 'A test of a transport.',
          stream: 'transactional' as const,
          subject: 'A test from {{ organization.name }}',
          text: 'It works.',
          html: null,
          sample: {},
        },
      ],
    },
  },
  async handle() {
    return {
      templates: builtInTemplates().map(({ key, about, stream, subject, text, html, sample }) => ({
        key,
        about,
        stream,
        subject,
        text,
        html,
        sample: { ...sample },
      })),
    }
  },
})

const preview = endpoint({
  id: 'mail_templates.preview',
  version: 'v2',
  category: 'Messaging',
  method: 'POST',
  path: '/mail/templates/preview',
  name: 'Preview a mail template',
  description:
    'Fills words in with values and answers the mail as it would be sent; nothing is sent or stored. With a key of the server its sample values are there, and those of data in front of them.',
  permission: 'mail:read',
  idempotent: false,
  transaction: 'read',
  logBody: 'never',
  bodyLimit: 512 * 1024,
  body: Type.Object({
    key: Type.Optional(key),
    subject: subjectWords,
    text: textWords,
    html: Type.Optional(htmlWords),
    data: Type.Optional(Type.Record(Type.String({ maxLength: 100 }), Type.Any(), { description: 'Values.' })),
  }),
  reply: Type.Object({ subject: Type.String(), text: Type.String(), html: Type.String() }),
  envelope: 'data',
  problems: ['template_invalid'],
  sample: {
    body: {
      subject: 'Your appointment on {{ day | default: "soon" }}',
      text: 'Dear {{ name | default: "customer" }},\n\nsee you on {{ day | default: "soon" }}.',
      data: { name: 'Ada', day: 'Monday' },
    },
    reply: {
      subject: 'Your appointment on Monday',
      text: 'Dear Ada,\n\nsee you on Monday.',
      html: '<!doctype html>…<p>Dear Ada,</p>\n<p>see you on Monday.</p>…',
    },
  },
  async handle({ tx, principal, body }) {
    const { key, subject, text, html = null, data = {} } = body
    const sample: TemplateData = (key === undefined ? undefined : builtInTemplate(key)?.sample) ?? {}
    const organization = await organizationName(tx, principal)
    const { page, faults } = renderAll({ subject, text, html }, { ...sample, ...data }, organization)
    const [first] = faults
    if (first === undefined) return page
    throw new Problem('template_invalid', { details: faults, message: `${first.field}, ${first.message}.` })
  },
})

export const endpoints = [list, builtIn, preview, add, get, update, remove]
