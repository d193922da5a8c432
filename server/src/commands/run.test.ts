// The command line: every command has help, mistyped ones lead to the right one, and exit codes say how it ended.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { closedPort } from '../../../scripts/testing/free_port.ts'
import { startFault } from '../kernel/values/start_fault.ts'
import { type Command, takesNothing } from './command.ts'
import { runWords } from './run.ts'
import { commands } from './table.ts'

async function run(words: readonly string[], table: readonly Command[] = commands, env: NodeJS.ProcessEnv = {}) {
  const [out, err]: [string[], string[]] = [[], []]
  const call = {
    env,
    isTerminal: false,
    print: (text: string) => out.push(text),
    complain: (text: string) => err.push(text),
  }
  const code = await runWords(table, words, call)
  return { code, out: out.join('\n'), err: err.join('\n') }
}

test('every command of the list has help of its own, in a terminal of 120 columns', async () => {
  const list = await run(['--help'])
  assert.equal(list.code, 0)
  for (const { name, aliases = [], summary } of commands) {
    assert.equal(new RegExp(`^ {2}${name}( |$)`, 'm').test(list.out), summary !== undefined, name)
    for (const spelling of [name, ...aliases]) {
      const help = await run([spelling, '--help'])
      assert.deepEqual([help.code, help.err], [0, ''], spelling)
      assert.match(help.out, /^Usage: tandem /, spelling)
      assert.deepEqual(
        help.out.split('\n').filter(line => line.length > 130),
        [],
        spelling,
      )
      assert.equal((await run(['help', spelling])).out, help.out)
    }
  }
})

test('names are used once', () => {
  const names = commands.flatMap(({ name, aliases = [] }) => [name, ...aliases])
  assert.deepEqual(names, [...new Set(names)])
})

test('a mistyped command is wrong usage, and says what may have been meant', async () => {
  assert.deepEqual(await run(['strat']), {
    code: 2,
    out: '',
    err: 'tandem: there is no command "strat". Did you mean "start"?',
  })
  assert.match((await run(['frobnicate'])).err, /tandem help lists the commands/)
  assert.equal((await run(['help', 'migrat'])).code, 2)
})

test('words behind a command that mean nothing are wrong usage', async () => {
  for (const words of [
    ['start', '--port', '4000'],
    ['migrate', '--yes'],
    ['openapi', 'x'],
    ['version', '1'],
    ['demo', 'x'],
  ]) {
    const { code, err } = await run(words)
    assert.equal(code, 2, words.join(' '))
    assert.match(err, new RegExp(`^tandem: .*${words.at(-1)}`), words.join(' '))
  }
  for (const words of [
    ['reset-password'],
    ['reset-password', 'ada'],
    ['assign-number', '+49301', 'x'],
    ['organization', 'lsit'],
    ['audit'],
  ])
    assert.equal((await run(words)).code, 2, words.join(' '))
})

test('--json makes one object of what a command says', async () => {
  const env = { TANDEM_DATA: '/nowhere' }
  const status = JSON.parse((await run(['passwords', 'status', '--json'], commands, env)).out)
  assert.deepEqual(status.ok, true)
  assert.match(status.lines[0], /^No list of known passwords/)
  const verdict = await run(['audit', 'verify', '/nowhere/export', '--json'])
  assert.deepEqual([verdict.code, JSON.parse(verdict.out).ok], [2, false])
  assert.equal((await run(['assign-number', 'x', '--json'])).code, 2)
})

test('ready says whether a server answers there', async t => {
  let isReady = false
  const server = createServer((_request, response) => {
    response.writeHead(isReady ? 200 : 503).end(isReady ? '{"status":"ready"}' : '{"status":"unavailable"}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => void server.close())
  const env = { PORT: String((server.address() as AddressInfo).port) }
  assert.match((await run(['ready'], commands, env)).err, /answers 503: \{"status":"unavailable"\}$/)
  setTimeout(() => {
    isReady = true
  }, 300)
  assert.deepEqual(await run(['ready', '--wait', '20'], commands, env), { code: 0, out: '{"status":"ready"}', err: '' })
  const away = await run(['ready', '--wait', '0'], commands, { PORT: String(closedPort) })
  assert.match(
    `${away.code} ${away.err}`,
    /^1 tandem: nothing answers at http:\/\/127\.0\.0\.1:2\/readyz \(ECONNREFUSED\)/,
  )
  assert.equal((await run(['ready', '--wait', 'x'])).code, 2)
})

test('the version is one line, or JSON', async () => {
  const { out } = await run(['--version'])
  assert.match(out, /^tandem \d+\.\d+\.\d+ \(Node \d+\.\d+\.\d+, PostgreSQL 18\.\d+\)$/)
  const { tandem, node } = JSON.parse((await run(['version', '--json'])).out)
  assert.deepEqual([`tandem ${tandem}`, node], [out.split(' (')[0], process.versions.node])
})

test('what a command throws is its exit code: faults of the operator are lines, mistakes have a stack', async () => {
  const failing = (error: unknown): Command => ({
    name: 'fail',
    help: () => 'Fails.',
    run: async ({ args }) => {
      takesNothing('fail', args)
      throw error
    },
  })
  const operator = await run(['fail'], [failing(startFault(['PORT is wrong.', 'HOST too.']))])
  assert.deepEqual(operator, { code: 1, out: '', err: 'tandem: PORT is wrong.\ntandem: HOST too.' })
  const mistake = await run(['fail'], [failing(new TypeError('x is not a function'))])
  assert.match(mistake.err, /by a mistake of its own: TypeError: x is not a function\n\s+at /)
  const full = Object.assign(new Error('ENOSPC: no space left on device'), { syscall: 'write' })
  assert.match((await run(['fail'], [failing(full)])).err, /ENOSPC.*Mend that/)
})
