// Liquid for the words of mails: written by people of organizations, filled in with values of customers. It reads no file, sees own
// properties alone, has bounds of size, time and memory, and its errors name the line and the remedy.
import { Liquid, LiquidError } from 'liquidjs'
import type { FieldFault } from '../../../kernel/values/problem.ts'
import type { TemplateData } from './declare.ts'
import type { Words } from './rules.ts'

const limits = {
  /** Characters of one part. */
  parseLimit: 200_000,
  /** Milliseconds a part may take. */
  renderLimit: 500,
  /** Units of liquidjs, about a character or an item each. */
  memoryLimit: 2_000_000,
}

/** What reads other templates has nothing to read. */
const withoutTags = ['include', 'render', 'layout', 'block']

function engineOf(outputEscape: 'escape' | undefined): Liquid {
  const engine = new Liquid({
    ...limits,
    ...(outputEscape && { outputEscape }),
    ownPropertyOnly: true,
    strictFilters: true,
    strictVariables: true,
    lenientIf: true,
    templates: {},
    timezoneOffset: 'UTC',
    locale: 'en-US',
  })
  for (const tag of withoutTags) delete engine.tags[tag]
  return engine
}

/** What a value is put into: markup, where it is escaped, or plain text. */
const engines = { html: engineOf('escape'), plain: engineOf(undefined) }

export type Rendered = { ok: true; text: string } | { ok: false; fault: FieldFault }

/** @param field the name of the part in faults */
function renderPart(field: 'subject' | 'text' | 'html', source: string, data: TemplateData): Rendered {
  const engine = engines[field === 'html' ? 'html' : 'plain']
  try {
    return { ok: true, text: String(engine.parseAndRenderSync(source, data)) }
  } catch (error) {
    if (!(error instanceof Error)) throw error
    return { ok: false, fault: faultOf(field, error, data) }
  }
}

export type RenderedWords = { words: Words; faults: FieldFault[] }

/** Fills the words in. A part with a fault is empty; a subject is one line. */
export function renderWords({ subject, text, html }: Words, data: TemplateData): RenderedWords {
  const parts = {
    subject: renderPart('subject', subject, data),
    text: renderPart('text', text, data),
    html: html === null ? undefined : renderPart('html', html, data),
  }
  const faults = Object.values(parts).flatMap(part => (part?.ok === false ? [part.fault] : []))
  const textOf = (part: Rendered | undefined) => (part?.ok ? part.text : '')
  const words = {
    // RFC 5322 §2.2: a header field is one line, no matter what values bring along.
    subject: textOf(parts.subject)
      .replace(/[\p{Cc}\u2028\u2029]+/gu, ' ')
      .trim(),
    text: textOf(parts.text),
    html: parts.html === undefined ? null : textOf(parts.html),
  }
  return { words, faults }
}

function faultOf(field: string, error: Error, data: TemplateData): FieldFault {
  const position = LiquidError.is(error) ? error.token?.getPosition() : undefined
  const line = position === undefined ? 1 : position[0]
  const cause = (LiquidError.is(error) ? (error.originalError ?? error) : error).message.replace(/, line:.*$/s, '')
  return { field, code: 'template_invalid', message: `line ${line}: ${cause}; ${remedyFor(cause, data)}` }
}

const remedies: readonly (readonly [RegExp, string])[] = [
  [/undefined filter/, 'use a filter of Liquid, such as upcase, date or default'],
  [/tag .* not found/, 'use a tag of Liquid, such as if, for, case or assign'],
  [/not closed/, 'close it: {% if … %} with {% endif %}, {% for … %} with {% endfor %}, {{ with }}'],
  [/limit exceeded/, 'make its loops and texts shorter'],
]

function remedyFor(cause: string, data: TemplateData): string {
  if (/undefined variable/.test(cause)) return `the values are ${Object.keys(data).join(', ')}`
  return remedies.find(([pattern]) => pattern.test(cause))?.[1] ?? 'write it as Liquid has it'
}

/** What is wrong with words before any values are there. */
export function parseFaults(words: Words): FieldFault[] {
  return (['subject', 'text', 'html'] as const).flatMap(field => {
    try {
      engines.plain.parse(words[field] ?? '')
      return []
    } catch (error) {
      if (!(error instanceof Error)) throw error
      return [faultOf(field, error, {})]
    }
  })
}
