// Templates that the server has: each is declared beside what sends it, and can be put into other words by every organization.
import type { Stream, Words } from './rules.ts'

/** Values of a template, as JSON has them. */
export type TemplateData = Readonly<Record<string, unknown>>

/** The same shape with values of any text, number or list. */
type Widened<Value> = Value extends string
  ? string
  : Value extends number
    ? number
    : Value extends boolean
      ? boolean
      : Value extends readonly (infer Item)[]
        ? readonly Widened<Item>[]
        : Value extends object
          ? { readonly [Name in keyof Value]: Widened<Value[Name]> }
          : Value

export type MailTemplate<Data = TemplateData> = Words & {
  /** Unique in the product: `invitation`. Lower-case words, dots between parts. */
  key: string
  /** What it is for and when it is sent, for people who put it into other words. */
  about: string
  stream: Stream
  /** What previews show, and the shape of what `queueMail` takes. */
  sample: Data
}

export type Declared<Data> = Omit<MailTemplate<Data>, 'html' | 'stream'> & { html?: string; stream?: Stream }

const known = new Map<string, MailTemplate>()

/**
 * Declares a template of the server. `subject`, `text` and `html` are Liquid; values are those of `sample`, and `organization.name`.
 * Without `html` it is made of the text: paragraphs, and addresses as links.
 * @throws Error where the key is taken
 */
export function mailTemplate<const Data extends TemplateData>(
  declared: Declared<Data>,
): MailTemplate<Widened<Data> & TemplateData> {
  const template = { stream: 'transactional', html: null, ...declared } as unknown as MailTemplate<
    Widened<Data> & TemplateData
  >
  if (known.has(template.key)) throw new Error(`the mail template ${template.key} is declared twice`)
  known.set(template.key, template)
  return template
}

export function builtInTemplate(key: string): MailTemplate | undefined {
  return known.get(key)
}

/** All of them, by key. */
export function builtInTemplates(): MailTemplate[] {
  return [...known.values()].sort((one, other) => (one.key < other.key ? -1 : 1))
}
