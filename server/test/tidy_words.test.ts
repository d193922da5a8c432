// The field's words: what docs/glossary.md retired stays retired, in code, comments, texts and docs. Each retired word names the one
// to use instead. Words that are also plain English (line, hand) are listed only in the forms that a regular expression
// recognizes.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { retiredIn } from './retired_words.ts'

const root = join(import.meta.dirname, '../..')

/** Files that quote other texts, or name the retired words: licences, generated data, this test and the glossary. */
const exempt =
  /^(LICENSE|package-lock\.json|docs\/glossary\.md|server\/test\/(tidy_words\.test|retired_words)\.ts)$|\.(png|ico|wav|woff2?|pem|der)$|^docs\/examples\//

const files = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
  maxBuffer: 64 * 1024 * 1024,
})
  .split('\0')
  .filter(file => file !== '' && !exempt.test(file))

function textOf(file: string): string {
  try {
    return readFileSync(join(root, file), 'utf8')
  } catch {
    // Listed and deleted, or a link.
    return ''
  }
}

test('retired words are found, and plain English is not', () => {
  const bad = [
    'the far side hangs up',
    'const mostTries = 4',
    'function tellNow() {',
    '  const told = await report()',
    'overdue_told date',
    'for whoever calls',
    'reckonLines(lines)',
    'a lead in the bin',
    'nobody can tell them apart',
    'counters begin anew',
  ]
  for (const text of bad) assert.equal(retiredIn(text).length, 1, text)
  const good = [
    'tell the operator why',
    'as far as it goes',
    'most of the time',
    'put a line item in line 3',
    'what was said to a satellite',
    'maxTries and the binary',
    'by hand, in turn',
  ]
  for (const text of good) assert.deepEqual(retiredIn(text), [], text)
})

test('no file uses a retired word', () => {
  const faults = files.flatMap(file => retiredIn(`${file}\n${textOf(file)}`).map(fault => `${file} ${fault}`))
  assert.deepEqual(faults, [], 'docs/glossary.md has the words to use')
})
