// The OpenAPI document as tools of others check it: Redocly and Spectral find no error in it, and Python reads its patterns as
// our server does. A tool that is not there is reported loudly; CONTRIBUTING.md says how to get it.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { findPeer, missingPeer, runPeer } from './npm_peers.ts'

const root = join(import.meta.dirname, '../..')
const file = join(root, 'docs/openapi.json')
const document = JSON.parse(readFileSync(file, 'utf8'))

test('Redocly finds no error', async () => {
  const program = join(root, 'node_modules/.bin/redocly')
  const { code, text } = await runPeer(program, ['lint', file, '--extends=recommended', '--format=json'])
  const { totals, problems } = JSON.parse(text.slice(text.indexOf('{'), text.lastIndexOf('}') + 1))
  const reported = problems.filter(({ severity }: { severity: string }) => severity === 'error').slice(0, 5)
  assert.equal(totals.errors, 0, JSON.stringify(reported, null, 2))
  assert.equal(code, 0)
  // Words beside ids in a path (messages/opt-outs/…) can be distinguished: words win. A question for a person is answered by sending the
  // browser on. Anything else would be new.
  const rules = new Set(problems.map(({ ruleId }: { ruleId: string }) => ruleId))
  assert.deepEqual([...rules], ['no-ambiguous-paths', 'operation-2xx-response'])
  const without = problems.filter(({ ruleId }: { ruleId: string }) => ruleId === 'operation-2xx-response')
  assert.deepEqual(
    without.map(({ location }: { location: { pointer: string }[] }) => location[0]?.pointer),
    ['#/paths/~1oauth~1authorize/get/responses'],
  )
})

const spectral = findPeer('spectral')
test('Spectral finds no error and no warning', {
  skip: spectral === undefined && missingPeer('spectral'),
}, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'tandem-spectral-'))
  try {
    writeFileSync(join(folder, 'rules.yaml'), 'extends: ["spectral:oas"]\n')
    const { code, text } = await runPeer(spectral!, ['lint', file, '-r', join(folder, 'rules.yaml'), '-F', 'warn'])
    assert.equal(code, 0, text.slice(-3_000))
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** Every pattern of the document, once. */
function patternsOf(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value !== 'object' || value === null) return found
  for (const [name, own] of Object.entries(value)) {
    if (name === 'pattern' && typeof own === 'string') found.add(own)
    else if (name !== 'example') patternsOf(own, found)
  }
  return found
}

// Not U+0085 and U+FEFF: of these each takes another for a blank.
const texts = [
  '',
  'a',
  'Ünï',
  '+15005550100',
  '2026-01-31',
  'DE',
  '*',
  'a b',
  'a\tb',
  'a\u007f',
  'a\u0080b',
  '李',
  '12',
  'sip:a@b',
]
const script = `
import json, re, sys
asked = json.load(sys.stdin)
answers = [[re.search(p, t) is not None for t in asked["texts"]] for p in asked["patterns"]]
json.dump(answers, sys.stdout)
`

test('Python reads every pattern as ECMAScript does', {
  skip: spawnSync('python3', ['--version']).status !== 0 && 'python3 is not here',
}, () => {
  const patterns = [...patternsOf(document)]
  assert.ok(patterns.length > 20)
  const { status, stdout, stderr } = spawnSync('python3', ['-c', script], {
    input: JSON.stringify({ patterns, texts }),
    encoding: 'utf8',
  })
  assert.equal(status, 0, stderr)
  const ours = patterns.map(pattern => texts.map(text => new RegExp(pattern, 'u').test(text)))
  const theirs = JSON.parse(stdout)
  for (const [index, pattern] of patterns.entries()) assert.deepEqual(theirs[index], ours[index], pattern)
})
