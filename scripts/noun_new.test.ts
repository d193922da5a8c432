// A new noun by `npm run noun -- --new`: what is refused and why, and that what is written is whole: in a copy of the checkout it
// compiles, is linted, has its table, its endpoints and its screens, and a changed field is answered with the statements it takes.
// test: waits
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { copyCheckout } from '../server/test/defects/tree.ts'
import { addLines, faultsOf, filesOf, freePrefix, type Known, type Wanted } from './noun_new.ts'

const root = join(import.meta.dirname, '..')
const known: Known = {
  names: new Map([
    ['company', 'there is the noun companies'],
    ['data', 'there is the folder portal/src/data'],
  ]),
  prefixes: ['cmp', 'ser'],
  modules: ['crm'],
}
const wanted: Wanted = {
  one: 'ticket',
  many: 'tickets',
  prefix: 'tic',
  about: 'What somebody asks for.',
  module: 'crm',
}
// In two, since no file says it.
const retired = ['far', 'side']

test('names that cannot be are refused, each with a sentence that says why', () => {
  assert.deepEqual(faultsOf(wanted, known), [])
  for (const [change, fault] of [
    [{ one: 'company' }, /^company is taken: there is the noun companies\. Choose another name\.$/],
    [{ many: 'data' }, /^data is taken: there is the folder portal\/src\/data/],
    [{ one: 'sheep', many: 'sheep' }, /^The plural of sheep must be another word/],
    [{ one: 'Ticket' }, /^"Ticket" is no name of a noun\. Names are lower-case words/],
    [{ one: 'ticket_' }, /is no name of a noun/],
    [{ many: `${'x'.repeat(41)}` }, /is longer than 40 letters/],
    [{ one: 'class' }, /^class is a word of TypeScript/],
    [{ one: retired.join('_') }, /is a retired word: ".+"; say remote party/],
    [{ prefix: 'cmp' }, /^Ids begin with cmp_ already/],
    [{ prefix: 'T1' }, /is no prefix of ids/],
    [{ about: "Somebody's" }, /without quotation marks/],
    [{ module: 'sales' }, /^There is no module sales; --module is one of crm/],
  ] as const) {
    const faults = faultsOf({ ...wanted, ...change }, known)
    assert.equal(faults.length, 1, JSON.stringify({ change, faults }))
    assert.match(faults[0]!, fault)
  }
  assert.equal(freePrefix('ticket', known.prefixes), 'tic')
  assert.equal(freePrefix('service_contract', known.prefixes), 'sev')
})

test('a list that is not as expected is left as it is', () => {
  assert.throws(() => addLines('/nowhere', wanted), /ENOENT/)
  assert.deepEqual(Object.keys(filesOf(wanted)), [
    'server/src/modules/crm/tickets/noun.ts',
    'portal/src/tickets/screen.ts',
    'portal/src/tickets/tickets_screen.tsx',
    'portal/src/tickets/ticket_page.tsx',
  ])
})

const limitMs = 600_000

test('what is written is whole, and changed fields are answered with statements', { timeout: limitMs }, async () => {
  const tree = copyCheckout(root)
  try {
    const noun = (...args: string[]) => run(tree, process.execPath, '--conditions=source', 'scripts/noun.ts', ...args)
    const made = await noun('--new', 'service_contract', 'service_contracts', '--about', 'What a customer is promised.')
    assert.equal(made.code, 0, made.text)
    const migration = /server\/migrations\/\d{4}_service_contracts\.sql/.exec(made.text)?.[0]
    assert.ok(migration, made.text)
    assert.match(readFileSync(join(tree, migration), 'utf8'), /select hold_tags\('service_contracts'\);/)
    const again = await noun('--new', 'service_contract', 'service_contracts')
    assert.deepEqual(
      [again.code, again.text.split('\n')[0]],
      [1, 'service_contract is taken: there is the noun service_contracts. Choose another name.'],
    )
    const generated = await run(tree, process.execPath, '--conditions=source', 'scripts/generate.ts')
    assert.match(generated.text, /described\/service_contracts\.generated\.ts/)
    const bin = (name: string) => join(tree, 'node_modules/.bin', name)
    const conditions = '--conditions=source'
    const tests = ['server/test/nouns.test.ts', 'server/test/tidy_structure.test.ts']
    const touched = [
      'server/src/modules/crm',
      'server/src/record_nouns.ts',
      'portal/src/service_contracts',
      'portal/src/app',
      'portal/src/navigation',
    ]
    const steps = [
      // As in types.test.ts: in one thread.
      [bin('tsc'), '-p', '.', '--singleThreaded'],
      [bin('tsc'), '-p', 'portal', '--singleThreaded'],
      [bin('biome'), 'check', ...touched],
      [process.execPath, conditions, '--test', ...tests],
    ]
    for (const { code, text } of await Promise.all(steps.map(([program, ...args]) => run(tree, program!, ...args))))
      assert.equal(code, 0, text.slice(-4_000))
    assert.match((await noun('service_contract')).text, /The migrations make this table\.\n$/)
    const declaration = join(tree, 'server/src/modules/crm/service_contracts/noun.ts')
    const text = readFileSync(declaration, 'utf8')
    writeFileSync(
      declaration,
      text.replace('    owner_id:', "    ends_on: f.date({ about: 'Its last day.' }),\n    owner_id:"),
    )
    const changed = await noun('service_contracts')
    assert.match(changed.text, /make another table[\s\S]*\nalter table service_contracts add column ends_on date;\n$/)
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
})

function run(cwd: string, program: string, ...args: string[]): Promise<{ code: number | null; text: string }> {
  // The compiler is a Go program, and collects garbage less often by this.
  const env = { ...process.env, GOGC: '400' }
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'], timeout: limitMs / 3 })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', part => (text += part))
  return new Promise((resolve, reject) => child.on('error', reject).on('close', code => resolve({ code, text })))
}
