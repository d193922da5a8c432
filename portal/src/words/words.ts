// How a folder says its texts: `export const t = wordsOf<typeof en>('teams')` in its `texts.ts`, `t('create.title')` where it is shown.
import formatMessage, { type FormatValues } from 'icu-minify/format'
import { createElement, Fragment, type ReactNode } from 'react'
import { textsOf } from './files.ts'
import { formats, formatters } from './formatters.ts'
import { currentLanguage, currentLocale, needWords } from './language.ts'
import type { PlainTag, Texts, Words } from './message_types.ts'

export type { Translation } from './message_types.ts'

type Content = string | ReactNode
type AnyValues = FormatValues<Content>

const tagged =
  (tag: PlainTag) =>
  (content: Content[]): Content =>
    createElement(tag, null, ...content)
const plainTags: Record<PlainTag, (content: Content[]) => Content> = {
  b: tagged('b'),
  code: tagged('code'),
  em: tagged('em'),
}

/** @param folder below `portal/src`: its texts are in `messages/` there */
export function wordsOf<English extends Texts>(folder: string): Words<English> {
  needWords(folder)
  const find = (key: string) => {
    const texts = textsOf(currentLanguage(), folder)
    if (texts === undefined) throw new Error(`The texts of ${folder} have not come yet: ask for them while drawing.`)
    return texts[key]
  }
  const say = (key: string, values?: AnyValues) => {
    const message = find(key)
    if (message === undefined) throw new Error(`There is no text ${key} in ${folder}.`)
    return formatMessage<Content>(message, currentLocale(), values, { formats, formatters })
  }
  const words = (key: string, values?: AnyValues) => say(key, values) as string
  const rich = (key: string, values: AnyValues = {}) => {
    const nodes = say(key, { ...plainTags, ...eachWithFragment(values) })
    return Array.isArray(nodes) ? createElement(Fragment, null, ...nodes) : nodes
  }
  const of = (group: string, value: string) => {
    const message = find(`${group}.${value}`)
    return typeof message === 'string' ? message : undefined
  }
  return Object.assign(words, { rich, of }) as unknown as Words<English>
}

/** Functions that draw a tag get one node, and not a list that would need keys. */
function eachWithFragment(values: AnyValues): AnyValues {
  const entries = Object.entries(values).map(([name, value]) => [
    name,
    typeof value === 'function'
      ? (content: Content[]) => value([createElement(Fragment, null, ...content)] as Content[])
      : value,
  ])
  return Object.fromEntries(entries) as AnyValues
}

/**
 * What is made of texts and is no component, such as the declaration of a list: made again where the language has changed.
 * @returns a function to be called while drawing
 */
export function byLanguage<Value>(make: () => Value): () => Value {
  let made: { locale: string; value: Value } | undefined
  return () => {
    const locale = currentLocale()
    if (made?.locale !== locale) made = { locale, value: make() }
    return made.value
  }
}
