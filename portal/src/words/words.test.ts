// How texts are said: plurals, arguments and tags in the language that was chosen, and which one that is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import compile from 'icu-minify/compile'
import { isValidElement, type ReactElement } from 'react'
import '../../test/words.ts'
import { t as tTeams } from '../teams/texts.ts'
import { keepTexts } from './files.ts'
import { choose } from './language.ts'
import { byLanguage, type Translation, wordsOf } from './words.ts'

const en = {
  plain: 'Saved',
  removed: '{name} was removed',
  members: '{count, plural, one {# member} other {# members}} in {team}',
  hint: 'See <link>the guide</link> or <b>{name}</b>.',
  'status.active': 'Active',
} as const
keepTexts('en', 'a test', Object.fromEntries(Object.entries(en).map(([key, text]) => [key, compile(text)])))
const t = wordsOf<typeof en>('a test')

test('a text is said with what it takes, numbers as the language writes them', () => {
  assert.equal(t('plain'), 'Saved')
  assert.equal(t('removed', { name: 'Ada' }), 'Ada was removed')
  assert.equal(t('members', { count: 1, team: 'North' }), '1 member in North')
  assert.equal(t('members', { count: 1200, team: 'North' }), '1,200 members in North')
  assert.equal(t.of('status', 'active'), 'Active')
  assert.equal(t.of('status', 'of a newer server'), undefined)
})

/** The text of nodes, with the names of elements around what they hold. */
function drawn(node: unknown): string {
  if (Array.isArray(node)) return node.map(drawn).join('')
  if (!isValidElement(node)) return String(node ?? '')
  const { type, props } = node as ReactElement<{ children?: unknown }>
  return typeof type === 'string' ? `<${type}>${drawn(props.children)}</${type}>` : drawn(props.children)
}

test('tags are drawn by who says the text; b, code and em by themselves', () => {
  const node = t.rich('hint', { name: 'Ada', link: text => ['[', text, ']'] })
  assert.equal(drawn(node), 'See [the guide] or <b>Ada</b>.')
})

test('a key or an argument that is missing, or is another, is a fault of types', () => {
  const faults = () => {
    // @ts-expect-error: no such key
    t('plan')
    // @ts-expect-error: it takes a name
    t('removed')
    // @ts-expect-error: it takes another name
    t('removed', { nmae: 'Ada' })
    // @ts-expect-error: a plural takes a number
    t('members', { count: '1', team: 'North' })
    // @ts-expect-error: it takes nothing
    t('plain', { name: 'Ada' })
    // @ts-expect-error: it has tags
    t('hint', { name: 'Ada' })
    // @ts-expect-error: the link is not drawn
    t.rich('hint', { name: 'Ada' })
    // @ts-expect-error: a text is missing
    const de: Translation<typeof en> = { plain: 'Gespeichert' }
    return de
  }
  assert.equal(typeof faults, 'function')
})

test('the texts of a folder are those of its message files', () => {
  assert.equal(tTeams('removed', { name: 'Ada', team: 'North' }), 'Ada was removed from North.')
})

test('what has not come cannot be said', () => {
  const early = wordsOf<typeof en>('nowhere')
  assert.throws(() => early('plain'), /nowhere/)
})

test('the first tag whose language there is counts, and the region of that language', () => {
  assert.deepEqual(choose(['de-AT', 'en-US']), { language: 'de', locale: 'de-AT' })
  assert.deepEqual(choose(['de', 'en-GB', 'de-CH']), { language: 'de', locale: 'de-CH' })
  assert.deepEqual(choose(['fr-FR', 'EN-gb']), { language: 'en', locale: 'EN-gb' })
  assert.deepEqual(choose(['fr', 'pl']), { language: 'en', locale: 'en' })
  assert.deepEqual(choose([]), { language: 'en', locale: 'en' })
})

test('what is made of texts is made once a language', () => {
  const columns = byLanguage(() => ({ label: t('plain') }))
  assert.equal(columns(), columns())
})
