// What went wrong, in German where German is spoken, and in the server's own English where that is.
// test: own process
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { type FieldFault, TandemError } from '@tandem/sdk'
import '../../test/words.ts'
import { faultsOf } from '../forms/faults.ts'
import { faultText, fieldFaultText, problemText } from '../ui/faults.ts'
import { speak } from '../words/language.ts'
import { loadProblemWords } from './said.ts'
import { fieldSentence, problemWords } from './words.ts'

type Problem = { title: string; cause: string; fix: string }
const document = JSON.parse(readFileSync(join(import.meta.dirname, '../../../docs/openapi.json'), 'utf8'))
const catalog = Object.entries(document['x-problems'] as Record<string, Problem>)
const sentenceOf = ({ cause, fix }: Problem) => `${cause} ${fix}`

/** Says it to a page too, which other tests of this process must not find. */
async function inLanguage(language: string): Promise<void> {
  Object.assign(globalThis, { document: { documentElement: {} } })
  await speak(language).finally(() => Reflect.deleteProperty(globalThis, 'document'))
}
const inGerman = () => inLanguage('de').then(loadProblemWords)
afterEach(() => inLanguage('en'))

const refusal = (code: string, message: string, details: FieldFault[] = []) =>
  new TandemError(message, { code, details, retriable: false })

test('every code of the catalog is said in English as the server says it, and in German otherwise', async () => {
  const drawn = (text: string) => text.replaceAll("'", '’')
  for (const [code, { title, cause, fix }] of catalog)
    assert.deepEqual(problemWords(code), { title: drawn(title), cause: drawn(cause), fix: drawn(fix) }, code)
  await inGerman()
  const code = (text: string) => [...text.matchAll(/`[^`]+`|(?:GET|POST|PUT|PATCH|DELETE) \/\S+?(?=[,.;:)]*(?:\s|$))/g)]
  for (const [name, { title, cause, fix }] of catalog) {
    const german = problemWords(name)
    assert.ok(german !== undefined && german.cause !== drawn(cause) && german.fix !== drawn(fix), name)
    assert.ok(german.title !== drawn(title), `${name}: ${title}`)
    const names = (parts: string[]) => parts.flatMap(code).map(String).toSorted()
    assert.deepEqual(new Set(names([german.cause, german.fix])), new Set(names([cause, fix])), `the code in ${name}`)
  }
})

test('no texts of problems are wanted where English is spoken', () => {
  for (const [code, problem] of catalog.slice(0, 5))
    assert.equal(problemText(code, sentenceOf(problem)), sentenceOf(problem))
  assert.equal(faultText(refusal('role_in_use', 'Two members have it.')), 'Two members have it.')
  assert.equal(fieldFaultText({ field: 'a', code: 'not_allowed', message: 'must be 1' }), 'Must be 1.')
})

test('a refusal is German: the usual sentence alone, another one with what it says beyond that', async () => {
  await inGerman()
  const usual = sentenceOf(document['x-problems'].role_in_use)
  const german =
    'Mitglieder oder offene Einladungen haben diese Rolle. Geben Sie ihnen zuerst eine andere Rolle. GET /v1/api/users?roleId= listet die Mitglieder auf.'
  assert.equal(faultText(refusal('role_in_use', usual)), german)
  assert.equal(faultText(refusal('role_in_use', 'Two members have it.')), `${german} (Two members have it.)`)
  assert.doesNotMatch(faultText(refusal('scope_not_held', 'x')), /`/)
  // The portal’s own words come first, and a code that is newer than the page is said by the server.
  assert.equal(faultText(refusal('invalid_credentials', usual)), 'E-Mail oder Passwort ist falsch.')
  assert.equal(faultText(refusal('not_yet_known', 'It is new.')), 'It is new.')
})

test('a wrong field is German by its code, with the server’s words where the code says too little', async () => {
  await inGerman()
  const said = (code: string, message: string, more = {}) => fieldFaultText({ field: 'a', code, message, ...more })
  assert.equal(said('not_allowed', 'must be one of: red, blue'), 'Erlaubt ist nur: red, blue.')
  assert.equal(said('not_allowed', 'must be true'), 'Das ist hier nicht erlaubt (must be true).')
  assert.equal(said('opted_out', 'wants no texts'), 'Der Empfänger möchte von diesem Absender keine SMS mehr.')
  assert.equal(said('too_long', 'must have at most 9 characters', { limit: 9 }), 'Höchstens 9 Zeichen.')
  assert.equal(said('required', 'is required'), 'Bitte ausfüllen.')
  assert.equal(said('not_yet_known', 'is new'), 'Is new.')
})

test('faults of fields that are not in sight are named, in a form and elsewhere', async () => {
  const details = [
    { field: 'email', code: 'required', message: 'is required' },
    { field: 'size', code: 'too_small', message: 'must be more than 0' },
  ]
  const error = refusal('validation_failed', 'email: is required', details)
  assert.equal(faultsOf(error, ['size']).general, 'Email is required.')
  assert.equal(faultText(error), 'email: is required')
  await inGerman()
  const { fields, general } = faultsOf(error, ['size'])
  assert.deepEqual([fields, general], [{ size: 'Das ist zu wenig (must be more than 0).' }, 'email: Bitte ausfüllen.'])
  assert.equal(faultText(error), 'email: Bitte ausfüllen. size: Das ist zu wenig (must be more than 0).')
})

test('every code that the server gives a wrong field has words', async () => {
  await inGerman()
  const server = join(import.meta.dirname, '../../../server/src')
  const files = globSync('**/*.ts', { cwd: server }).filter(file => !file.endsWith('.test.ts'))
  const codes = new Set(
    files.flatMap(file =>
      [...readFileSync(join(server, file), 'utf8').matchAll(/\bcode: '(\w+)',\s*message/g)].map(([, code]) => code!),
    ),
  )
  assert.ok(codes.size > 30)
  const unsaid = [...codes].filter(code => fieldSentence({ code, message: 'is so' }) === undefined)
  assert.deepEqual(unsaid, [], 'add it to problems/fields/messages')
})
