// `npm run check`: what can be checked in seconds: types, lint and format, house rules, and the tests of pure code.
import { spawn } from 'node:child_process'
import { globSync } from 'node:fs'
import { join } from 'node:path'

const root = join(import.meta.dirname, '..')
const bin = (name: string) => join(root, 'node_modules/.bin', name)

const pureTests = [
  'server/test/tidy.test.ts',
  'server/test/tidy_structure.test.ts',
  'server/test/tidy_words.test.ts',
  'server/test/defects/defects.test.ts',
  ...globSync(['server/src/**/rules.test.ts', 'portal/src/**/*.test.ts'], { cwd: root }),
  ...['clock', 'ids', 'money', 'phone', 'states', 'limit', 'throttle', 'egress', 'config']
    .map(name => `server/src/kernel/${name}.test.ts`)
    .filter(file => globSync(file, { cwd: root }).length > 0),
]

const steps: [name: string, command: string, args: string[]][] = [
  ['types', bin('tsc'), ['-p', '.']],
  ['types of the portal', bin('tsc'), ['-p', 'portal']],
  ['types of its tests', bin('tsc'), ['-p', 'portal/test']],
  ['lint and format', bin('biome'), ['check', '.']],
  [
    'house rules and pure tests',
    process.execPath,
    ['--conditions=source', '--test', '--test-reporter=dot', ...pureTests],
  ],
]

/** Runs a step and keeps its output for when it fails. */
function run([name, command, args]: (typeof steps)[number]): Promise<boolean> {
  const started = performance.now()
  const child = spawn(command, args, { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: Buffer[] = []
  child.stdout.on('data', chunk => output.push(chunk))
  child.stderr.on('data', chunk => output.push(chunk))
  return new Promise(resolve => {
    child.on('close', code => {
      const seconds = ((performance.now() - started) / 1000).toFixed(1)
      console.log(`${code === 0 ? 'ok  ' : 'FAIL'} ${name} (${seconds} s)`)
      if (code !== 0) process.stdout.write(Buffer.concat(output))
      resolve(code === 0)
    })
  })
}

const results = await Promise.all(steps.map(run))
process.exitCode = results.every(Boolean) ? 0 : 1
