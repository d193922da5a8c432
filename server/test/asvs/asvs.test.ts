// docs/asvs.md: every requirement is answered once, every test and heading that an answer names is there, and the page is what the answers say.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { chapters } from '../../../scripts/asvs/chapters.ts'
import { asvsPage } from '../../../scripts/asvs/page.ts'
import { requirements } from '../../../scripts/asvs/requirements.ts'
import { root } from '../sources.ts'

const answers = chapters.flatMap(({ answers }) => answers)

test('every requirement of the levels 1 and 2 is answered once, in its chapter and in order', () => {
  assert.equal(requirements.size, 253)
  assert.equal([...requirements.values()].filter(level => level === 1).length, 70)
  assert.deepEqual(
    answers.map(({ id }) => id),
    [...requirements.keys()],
  )
  for (const { number, answers: own } of chapters)
    for (const { id } of own) assert.equal(Number(id.split('.')[0]), number, id)
})

const escaped = (text: string) => text.replaceAll(/[.*+?^${}()|[\]\\]/g, '\\$&')

/** Whether a file has a test of this title; `{}` in it stands for what the test fills in. */
function hasTest(text: string, title: string): boolean {
  const words = title.split('{}').map(escaped).join('\\$\\{[^}]+\\}')
  return new RegExp(`\\b(?:test|it|suite|describe)(?:\\.\\w+)?\\(\\s*(['"\`])${words}\\1`).test(text)
}

test('every test and heading that an answer names is there', () => {
  const missing = answers.flatMap(answer => {
    if (answer.kind !== 'met') return []
    assert.ok(answer.by.length > 0, answer.id)
    return answer.by.flatMap(([file, title]) => {
      const path = join(root, file)
      if (!existsSync(path)) return [`${answer.id}: no file ${file}`]
      const text = readFileSync(path, 'utf8')
      const isThere = file.endsWith('.md') ? text.split('\n').includes(title) : hasTest(text, title)
      return isThere ? [] : [`${answer.id}: ${file} has no "${title}"`]
    })
  })
  assert.deepEqual(missing, [])
})

test('tests are tests, and what only documents is shown by pages of docs', () => {
  for (const answer of answers)
    if (answer.kind === 'met')
      for (const [file] of answer.by)
        assert.match(file, /^docs\/\w+\.md$|\.test\.ts$|^server\/test\/contract_suite\.ts$/, answer.id)
})

test('what is open or does not apply says why, and each topic is said once', () => {
  for (const answer of answers) {
    assert.ok(answer.topic.length > 3, answer.id)
    if (answer.kind !== 'met') assert.ok(answer.why.length > 12 && answer.why.endsWith('.'), answer.id)
  }
  assert.deepEqual(
    answers.filter(({ topic }, index) => answers.findIndex(other => other.topic === topic) !== index),
    [],
  )
})

test('docs/asvs.md is what the answers say', () => {
  assert.equal(readFileSync(join(root, 'docs/asvs.md'), 'utf8'), asvsPage(), 'run npm run generate')
})
