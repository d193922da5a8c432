// What single words mean: found however they are written, never in an ordinary text, and each in one language only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { segmentsOf } from '../segments.ts'
import { defaultKeywords, type LanguageKeywords } from './keyword_table.ts'
import { foldWord, keywordActions, type LanguageInput, matchKeyword, readKeywords } from './rules.ts'

const match = (body: string, keywords: readonly LanguageKeywords[] = defaultKeywords) => {
  const found = matchKeyword(keywords, body)
  return found && `${found.action} ${found.language}`
}
const read = (...input: LanguageInput[]) => readKeywords(input, defaultKeywords)
const fieldsOf = (...input: LanguageInput[]) => read(...input).faults.map(fault => `${fault.field} ${fault.code}`)

test('a word is known in any letter case, with accents or not, with blanks and punctuation around it', () => {
  for (const body of ['STOP', 'stop', ' Stop ', 'stop.', 'STOP!!', '"STOP"', '“Stop”', '\nstop\n', 'Stop 🛑'])
    assert.equal(match(body), 'stop en', body)
  assert.equal(match('ＳＴＯＰ'), undefined, 'full-width letters are other letters')
  assert.equal(match('arrêt'), 'stop fr')
  assert.equal(match('Arret.'), 'stop fr')
  assert.equal(match('Stopp'), 'stop de')
  assert.equal(match('baja'), 'stop es')
  assert.equal(match('Basta!'), 'stop it')
  assert.equal(match('sair'), 'stop pt')
  assert.equal(match('unstop'), 'start en')
  assert.equal(match('Hilfe?'), 'help de')
})

test('an ordinary text is none, even when it begins with a word', () => {
  for (const body of [
    '',
    ' ',
    '.',
    'stop it',
    'please stop',
    'stop stop',
    'STOPS',
    'no',
    '👍',
    `stop${'.'.repeat(60)}`,
  ])
    assert.equal(match(body), undefined, body)
})

test('every word of the table means one thing in one language, and every answer is one segment', () => {
  const seen = new Set<string>()
  for (const entry of defaultKeywords) {
    for (const action of keywordActions) {
      const { words, reply } = entry[action]
      for (const word of words) {
        assert.ok(!seen.has(foldWord(word)), `${word} stands there twice`)
        seen.add(foldWord(word))
        assert.equal(match(word.toLowerCase()), `${action} ${entry.language}`)
      }
      assert.deepEqual([segmentsOf(reply!).encoding, segmentsOf(reply!).segments], ['GSM-7', 1], reply!)
    }
    // What the answers tell people to send is understood.
    const told = keywordActions.flatMap(action => entry[action].reply!.match(/\p{Lu}{3,}/gu) ?? [])
    assert.ok(told.length >= 4)
    for (const word of told) assert.match(match(word) ?? '', new RegExp(`${entry.language}$`), word)
  }
  assert.deepEqual(read(...defaultKeywords), { keywords: defaultKeywords, faults: [] })
})

test('what is left out of a language is that of the table', () => {
  const { keywords, faults } = read({ language: 'de', stop: { words: [' schluss '] }, help: { reply: null } })
  assert.deepEqual(faults, [])
  const german = defaultKeywords.find(entry => entry.language === 'de')!
  assert.deepEqual(keywords, [
    { ...german, stop: { ...german.stop, words: ['SCHLUSS'] }, help: { ...german.help, reply: null } },
  ])
  assert.equal(match('Schluß', keywords), 'stop de')
})

test('STOP, START and HELP are understood whatever the languages, in the first of them', () => {
  const { keywords } = read({ language: 'fr' }, { language: 'it' })
  assert.equal(match('stop', keywords), 'stop fr')
  assert.equal(match('START', keywords), 'start fr')
  assert.equal(match('help', keywords), 'help fr')
  assert.equal(match('quit', keywords), undefined)
  assert.equal(match('constructor', keywords), undefined)
})

test('faults name their field', () => {
  assert.deepEqual(fieldsOf({ language: 'nl' }).slice(0, 2), [
    'keywords[0].stop.words required',
    'keywords[0].stop.reply required',
  ])
  assert.deepEqual(fieldsOf({ language: 'en' }, { language: 'en', stop: { words: ['A'] } }).slice(0, 1), [
    'keywords[1].language duplicate',
  ])
  assert.deepEqual(fieldsOf({ language: 'fr', start: { words: ['ARRÊT', 'OUI', 'oui'] } }), [
    'keywords[0].start.words[0] duplicate',
    'keywords[0].start.words[2] duplicate',
  ])
  assert.deepEqual(fieldsOf({ language: 'en', help: { words: ['STOP', 'two words', '...', 'HELP'] } }), [
    'keywords[0].help.words[0] not_allowed',
    'keywords[0].help.words[1] wrong_format',
    'keywords[0].help.words[2] wrong_format',
  ])
  assert.deepEqual(fieldsOf({ language: 'en', help: { reply: '\ud800' } }), ['keywords[0].help.reply wrong_format'])
})

test('folding is done once: what it gives is folded already, and has no blank in it', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'grapheme' }), fc.string()), text => {
      const folded = foldWord(text)
      assert.ok(!/\s/u.test(folded))
      assert.equal(foldWord(folded), folded)
      assert.equal(foldWord(` "${text}". `), folded)
    }),
    { numRuns: 500 },
  )
})
