// What people read: complete in every language, in message files and nowhere else, and free of what only developers know.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join, posix, sep } from 'node:path'
import { test } from 'node:test'
import { parse } from '@formatjs/icu-messageformat-parser'
import { hardCodedTexts, saidKeys } from '../../test/source_texts.ts'
import { beforeWords, sameInAll, unconverted } from '../../test/unconverted.ts'
import { compileTexts, type MessageFile, readMessages } from '../../vite/words.ts'
import { languages } from './files.ts'

const portal = join(import.meta.dirname, '..')
const messages = await readMessages()
const byFolder = Map.groupBy(messages, ({ folder }) => folder)
const each = (file: MessageFile) => Object.entries(file.texts)
const nameOf = ({ folder, language }: MessageFile, key: string) => `${folder}, ${language}: ${key}`

/** Sources of the portal that are drawn, by path from `portal/src`. */
const sources = globSync('**/*.{ts,tsx}', { cwd: portal })
  .map(file => file.split(sep).join('/'))
  .filter(file => !/\.test\.|\.generated\.|(^|\/)messages\/(en|de)\.ts$/.test(file))
  .sort()
const codeOf = new Map(sources.map(file => [file, readFileSync(join(portal, file), 'utf8')]))

/** Whose texts a file says: those of the nearest folder above it that has some. */
function folderOf(file: string): string | undefined {
  const parts = file.split('/').slice(0, -1)
  while (parts.length > 0 && !byFolder.has(parts.join('/'))) parts.pop()
  return parts.length === 0 ? undefined : parts.join('/')
}

test('every folder says the same in every language', () => {
  assert.ok(messages.length > 0)
  for (const [folder, files] of byFolder) {
    assert.deepEqual(files.map(({ language }) => language).sort(), languages.toSorted(), `${folder} lacks a language`)
    const [first, ...others] = files.map(({ texts }) => Object.keys(texts))
    for (const keys of others) assert.deepEqual(keys.toSorted(), first!.toSorted(), folder)
  }
})

/** What a message takes: names of arguments with their kinds, and tags. */
function takenBy(text: string): string[] {
  const taken = new Set<string>()
  const walk = (node: unknown) => {
    if (Array.isArray(node)) for (const part of node) walk(part)
    else if (typeof node === 'object' && node !== null) {
      const { type, value } = node as { type?: number; value?: unknown }
      if (typeof type === 'number' && type !== 0 && type !== 7 && typeof value === 'string')
        taken.add(`${type} ${value}`)
      for (const part of Object.values(node)) walk(part)
    }
  }
  walk(parse(text))
  return [...taken].sort()
}

test('every text is an ICU message, is not empty, and takes the same in every language', () => {
  for (const file of messages) {
    compileTexts(file)
    for (const [key, text] of each(file)) {
      assert.ok(
        text.trim() !== '' && text === text.trim(),
        `${nameOf(file, key)} begins or ends with space, or is empty`,
      )
      const english = byFolder.get(file.folder)!.find(({ language }) => language === 'en')!.texts[key]!
      assert.deepEqual(takenBy(text), takenBy(english), nameOf(file, key))
    }
  }
})

test('a text that is the same in two languages is one of those that are', () => {
  const same = new Set<string>()
  for (const files of byFolder.values()) {
    const [english, ...others] = languages.map(language => files.find(file => file.language === language)!)
    for (const [key, text] of each(english!))
      if (others.some(other => other.texts[key] === text) && /\p{L}{2}/u.test(text.replaceAll(/\{[^}]*\}/g, '')))
        same.add(text)
  }
  const forgotten = [...same].filter(text => !sameInAll.has(text))
  assert.deepEqual(forgotten, [], 'not translated? If it is the same word, list it in unconverted.ts')
  assert.deepEqual(
    [...sameInAll].filter(text => !same.has(text)),
    [],
    'no longer the same: off the list',
  )
})

const textsImportedBy = (file: string) =>
  [...codeOf.get(file)!.matchAll(/from '([^']*texts\.ts)'/g)].map(([, path = '']) =>
    posix.join(posix.dirname(file), path),
  )

test('every text is said, and what names a folder is in it', () => {
  for (const folder of byFolder.keys()) {
    const texts = codeOf.get(`${folder}/texts.ts`) ?? ''
    assert.ok(
      texts.includes(`wordsOf<typeof en>('${folder}')`),
      `${folder}/texts.ts does not say the words of its folder`,
    )
    const own = sources.filter(
      file => folderOf(file) === folder || textsImportedBy(file).includes(`${folder}/texts.ts`),
    )
    const patterns = own
      .flatMap(file => saidKeys(file, codeOf.get(file)!))
      .map(pattern => new RegExp(`^${pattern.replaceAll('.', '\\.').replaceAll('*', '.+')}$`))
    const keys = Object.keys(byFolder.get(folder)![0]!.texts)
    assert.deepEqual(
      keys.filter(key => !patterns.some(pattern => pattern.test(key))),
      [],
      `${folder}: said by nobody`,
    )
  }
})

/** Screens for developers: they speak of requests. */
const developers =
  /^(apps|authorize|carriers|events|explorer|inspector|keys|logs|operator|playground|problems|single_sign_on|trunks|usage|webhooks)(\/|$)/

test('no text outside of the developers’ screens speaks of methods, paths or scopes', () => {
  const technical =
    /\b(GET|POST|PUT|PATCH|DELETE)\b|(^|[\s(„“"])\/[a-z]|\b[a-z_]+:(read|create|update|delete|manage|send)\b/
  assert.match('You need leads:read.', technical)
  assert.match('Send it with POST.', technical)
  assert.doesNotMatch('Ask an admin: delete it / keep it.', technical)
  for (const file of messages.filter(({ folder }) => !developers.test(folder)))
    for (const [key, text] of each(file)) assert.doesNotMatch(text, technical, nameOf(file, key))
})

const sample = `
  const screen = { name: 'Teams', title: 'All teams', id: 'teams', note: open ? 'x y' : '' }
  toast({ text: \`\${name} was saved\` })
  const Part = () => (
    <Card className="a b" title={t('title')} data-x={kind === 'what is compared' ? 'b c' : 'd e'}>
      Hello <b>{isNew ? 'new' : t('old')}</b> {count} ms
      <Button aria-label="Press me" onClick={() => go('to nowhere')} action={<i>inside</i>} />
    </Card>
  )`

test('texts in code are found, and nothing else', () => {
  assert.deepEqual(
    hardCodedTexts('teams/part.tsx', sample).map(({ text }) => text),
    ['All teams', 'was saved', 'Hello', 'new', 'ms', 'Press me', 'inside'],
  )
  assert.deepEqual(
    hardCodedTexts('teams/screen.ts', "export const teams = { name: 'Teams', path: '/teams' }").map(({ text }) => text),
    ['Teams'],
  )
})

test('what people read stands in message files; folders that still have texts in their code become fewer', () => {
  const findings = new Map<string, string[]>()
  for (const [file, code] of codeOf) {
    if (beforeWords.includes(file)) continue
    const folder =
      unconverted.find(listed => file === listed || file.startsWith(`${listed}/`) || file.endsWith(`/${listed}`)) ?? ''
    const found = hardCodedTexts(file, code).map(({ line, text }) => `${file}:${line}: ${text}`)
    if (found.length > 0) findings.set(folder, [...(findings.get(folder) ?? []), ...found])
  }
  assert.deepEqual(findings.get('') ?? [], [], 'move it to messages/en.ts and messages/de.ts of its folder (README.md)')
  assert.deepEqual(
    unconverted.filter(folder => !findings.has(folder)),
    [],
    'converted: take it off the list in unconverted.ts',
  )
})

/** Where what went wrong is no sentence of the server, or is looked at and not shown. */
const asItIs = [
  'playground/body/body_worker.ts',
  'playground/response_panel/response_body.tsx',
  'playground/runner/run.ts',
  'playground/state/target.ts',
  'playground/state/use_playground.ts',
  'session/session.ts',
  'ui/faults.ts',
]

test('what the server says of an error is put into the language of the portal', () => {
  const shown = sources.filter(file => /\berror\??\.message\b/.test(codeOf.get(file)!))
  assert.deepEqual(shown, asItIs, 'say it by faultText of ui/faults.ts')
})
