// What a mail template looks like from outside.
import { type Static, Type } from 'typebox'
import { Nullable, OneOf, Timestamp } from '../../../kernel/endpoint/schema.ts'
import { resourceFields, settable, shown } from '../../../kernel/resource/fields.ts'
import { streams, templateKeyPattern } from './rules.ts'

const maxPart = 100_000

export const subjectWords = Type.String({
  minLength: 1,
  maxLength: 998,
  pattern: '\\S',
  errorMessage: 'must not be empty',
  description: 'Liquid, one line.',
})
export const textWords = Type.String({
  minLength: 1,
  maxLength: maxPart,
  description: 'The mail as plain text, in Liquid.',
})
export const htmlWords = Nullable(
  Type.String({
    maxLength: maxPart,
    description:
      'The same as HTML, in Liquid: a part of a page, or a whole document. Null makes it of the text. Values are escaped.',
  }),
)

export const templateFields = resourceFields({
  templateId: shown(Type.String({ description: 'Identifier, `mtp_…`.' }), { column: 'id' }),
  key: shown(
    Type.String({
      pattern: templateKeyPattern,
      maxLength: 100,
      description: 'Of a template of the server, or a new one: `invitation`.',
    }),
  ),
  locale: shown(
    Type.String({ description: 'BCP 47: `de` or `de-AT`; empty for all that have no words of their own.' }),
  ),
  subject: settable(subjectWords),
  text: settable(textWords),
  html: settable(htmlWords),
  createdAt: shown(Timestamp),
  updatedAt: shown(Timestamp),
})

export const Template = templateFields.Shown
export const presentTemplate = templateFields.present

export const sampleTemplate: Static<typeof Template> = {
  templateId: 'mtp_01k9r7d3w2v8e6q4n5m1b0c9xz',
  key: 'appointment',
  locale: '',
  subject: 'Your appointment on {{ day }}',
  text: 'Dear {{ name }},\n\nsee you on {{ day }}.\n\n{{ organization.name }}',
  html: null,
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

export const BuiltIn = Type.Object({
  key: Type.String({ description: 'Under which own words replace it.' }),
  about: Type.String({ description: 'What it is for, and when it is sent.' }),
  stream: OneOf(streams, { description: 'Of what sort its mails are.' }),
  subject: Type.String(),
  text: Type.String(),
  html: Nullable(Type.String({ description: 'Null where it is made of the text.' })),
  sample: Type.Record(Type.String(), Type.Any(), { description: 'Values as it gets them, for previews.' }),
})
