// What mail templates add to the vocabulary of the product: what happens, what can go wrong. Gathered by nouns.ts; imports nothing but
// the kernel.
import { declareNoun, problem } from '../../../kernel/values/noun.ts'

export const mailTemplate = declareNoun({
  events: {
    readWith: 'mail:read',
    types: {
      'mail_template.created': 'A mail template was put into the organization’s own words.',
      'mail_template.updated': 'The words of a mail template changed.',
      'mail_template.deleted': 'A mail template was deleted; mails have the words of the server again.',
    },
  },
  problems: {
    mail_template_not_found: problem(
      422,
      'No such template',
      'Neither the server nor the organization has a mail template of this key.',
      'List them with GET /v2/mail/templates and GET /v2/mail/templates/built-in, or send subject and text instead.',
    ),
    mail_template_exists: problem(
      409,
      'Template exists',
      'The organization has words of its own for this key and locale already.',
      'Change these with PATCH /v2/mail/templates/{templateId}.',
    ),
    template_invalid: problem(
      422,
      'Template does not work',
      'The Liquid of a mail template cannot be filled in; details name the part, the line and the remedy.',
      'Correct the line that is named; POST /v2/mail/templates/preview tries it without sending.',
    ),
  },
})

declare module '../../../kernel/values/noun.ts' {
  interface Nouns {
    mailTemplate: typeof mailTemplate
  }
}
