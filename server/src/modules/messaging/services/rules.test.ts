// What single words mean: found however they are written, never in an ordinary text, and each in one language only.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { processorMs } from '../../../../test/processor_time.ts'
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
  for (const body of ['', ' ', '.', 'STOPS', 'no', '👍', 'please', 'Thanks!', `stop${'.'.repeat(160)}`])
    assert.equal(match(body), undefined, body)
})

test('the words that the rules of the USA list are understood, however they are joined', () => {
  for (const word of ['stop', 'quit', 'end', 'revoke', 'opt out', 'cancel', 'unsubscribe'])
    for (const body of [word, word.toUpperCase(), `“${word}”.`, ` ${word}! `])
      assert.equal(match(body), 'stop en', body)
  for (const body of [
    'OPTOUT',
    'Opt-out',
    'opt  out',
    'STOP ALL',
    'Stop-All',
    'stopall',
    'UN-SUBSCRIBE',
    'stop stop STOP',
    'STOP!!! STOP!!!',
  ])
    assert.equal(match(body), 'stop en', body)
})

test('clear requests are understood, by any reasonable means', () => {
  for (const body of [
    'Please stop',
    'pls stop!!',
    'Stop please.',
    'Stop it',
    'STOP NOW',
    'Ok stop, thanks',
    'Hi, please unsubscribe me',
    'please opt out',
    'Stop texting me',
    'please stop texting me now',
    'STOP SENDING ME THESE MESSAGES',
    'Stop sending texts to this number!',
    'Stop all messages',
    'stop your spam',
    'No more texts please',
    'Don’t text me',
    "Don't ever text me again",
    'Do not contact me anymore.',
    'do not send me any more messages',
    'Never text this number again',
    'Remove me from your list',
    'remove me',
    'Delete my number',
    'Please take me off your mailing list.',
    'Unsubscribe from all messages',
    'opt me out',
    'I want to opt out',
    'I would like to unsubscribe',
    'I wish to be removed from this list',
    'I want to stop receiving these messages',
    "I don't want these texts",
    'I no longer wish to receive messages from you',
    'I revoke my consent',
    'Leave me alone!',
  ])
    assert.equal(match(body), 'stop en', body)
})

test('what only sounds like a request is an ordinary text', () => {
  for (const body of [
    'Please stop by at five',
    'Can you stop by tomorrow?',
    'Stop at the shop on your way',
    'stop lights are broken here',
    "Don't stop",
    "Please don't stop texting me",
    'I can’t stop laughing',
    'The bus stop is around the corner',
    'Which stop do I get off at?',
    'please cancel',
    'Cancel my appointment',
    'Please cancel my order',
    'cancel it',
    'End of story',
    'The end',
    'In the end it was fine',
    'I quit my job',
    'quit smoking',
    'revoke my access to the portal',
    'stop payment on check 1204',
    'Stop the order please',
    'Please stop the delivery of texts about order 12, keep the others',
    'text me when you are there',
    "Don't text me, call me",
    'do not send the invoice yet',
    'Send me no more than 5 boxes',
    'No more chairs please',
    'no message from you yet',
    'Remove the blue one from my cart',
    'take me to the list of products',
    'I want to stop by',
    'I need to cancel',
    'No',
    'opt for the blue one',
    'stop loss at 40',
    'Yes',
    'all good',
  ])
    assert.notEqual(match(body)?.split(' ')[0], 'stop', body)
  fc.assert(
    fc.property(fc.string({ maxLength: 200 }), body => void match(body)),
    { numRuns: 300 },
  )
  // No spelling takes long, whatever is repeated in it.
  const costMs = processorMs(() => {
    for (const word of ['STOP ', 'ALL ', 'TEXT ', 'ME ', 'PLEASE ', 'SMS '])
      match(`STOP ${word.repeat(40)}`.slice(0, 159))
  })
  assert.ok(costMs < 200, `${costMs} ms`)
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
    // The words that the answers ask people to send are understood.
    const reported = keywordActions.flatMap(action => entry[action].reply!.match(/\p{Lu}{3,}/gu) ?? [])
    assert.ok(reported.length >= 4)
    for (const word of reported) assert.match(match(word) ?? '', new RegExp(`${entry.language}$`), word)
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
  assert.equal(match('quit', keywords), 'stop fr', 'as US rules have it')
  assert.equal(match('Please stop', keywords), 'stop fr')
  const { keywords: own } = read({ language: 'fr', help: { words: ['END'] } })
  assert.deepEqual([match('end', own), match('cancel', own)], ['help fr', 'stop fr'])
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
