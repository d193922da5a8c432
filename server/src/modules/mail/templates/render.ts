// A template with its values: in the organization's words where it has some that work, else in those of the server.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { Problem } from '../../../kernel/values/problem.ts'
import { builtInTemplate, type MailTemplate, type TemplateData } from './declare.ts'
import { htmlOfText, pageOf } from './layout.ts'
import { type RenderedWords, renderWords } from './liquid.ts'
import type { Words } from './rules.ts'
import { findWords } from './store.ts'

/** Words as a mail has them: with markup always. */
export type MailWords = { subject: string; text: string; html: string }

/** With the values that every template has. */
export function valuesOf(data: TemplateData, organization: string): TemplateData {
  return { ...data, organization: { name: organization } }
}

export function renderAll(words: Words, data: TemplateData, organization: string): RenderedWords & { page: MailWords } {
  const rendered = renderWords(words, valuesOf(data, organization))
  const { subject, text, html } = rendered.words
  return { ...rendered, page: { subject, text, html: pageOf(html ?? htmlOfText(text), organization) } }
}

export type Asked = {
  /** One that is declared, or the key of one: then the organization's own will do. */
  template: MailTemplate | string
  data: TemplateData
  locale: string | undefined
}

/**
 * The words of a mail. The organization's own are left aside where they do not work with these values: a mail is never lost by them.
 * @throws Problem `mail_template_not_found`; `template_invalid` where nothing works
 */
export async function wordsFor(
  tx: Tx,
  scope: Scope,
  { template, data, locale }: Asked,
): Promise<MailWords & { template: MailTemplate | undefined; key: string; isFallback: boolean }> {
  const declared = typeof template === 'string' ? builtInTemplate(template) : template
  const key = typeof template === 'string' ? template : template.key
  const { organization, own } = await findWords(tx, scope, key, locale)
  const choices: Words[] = [own, declared].filter(words => words !== undefined)
  if (choices.length === 0) throw new Problem('mail_template_not_found')
  const tried = choices.map(words => renderAll(words, data, organization))
  const works = tried.findIndex(({ faults }) => faults.length === 0)
  if (works === -1) {
    const details = tried.at(-1)!.faults
    throw new Problem('template_invalid', { details, message: `The template ${key}: ${details[0]?.message}.` })
  }
  return { ...tried[works]!.page, template: declared, key, isFallback: works > 0 }
}
