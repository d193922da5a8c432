// `npm run defects [-- part of a name or kind … --list file.ts --tree folder --keep --planted-only]`: plants the defects of list.ts one
// at a time in a copy of the checkout and shows which tests catch each. The same tests run first without a defect and must pass.
// The exit code is 1 when a defect is missed. `--list` adds the `defects` of another file, `--tree` names another checkout.
import { rmSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { type Defect, plant } from './defect.ts'
import { defects as listed } from './list.ts'
import { runTests, type TestRun } from './outcome.ts'
import { copyCheckout, sourcesOf } from './tree.ts'

const log = (line: string) => process.stdout.write(`${line}\n`)

async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'string' },
      tree: { type: 'string', default: join(import.meta.dirname, '../../..') },
      keep: { type: 'boolean', default: false },
      'planted-only': { type: 'boolean', default: false },
    },
  })
  const list = values.list === undefined ? listed : await defectsIn(values.list)
  const wanted = list.filter(({ name, kind }) => isWanted(`${kind}: ${name}`, positionals))
  if (wanted.length === 0) throw new Error(`no defect is like ${positionals.join(' or ')}`)
  const root = resolve(values.tree)
  const sources = sourcesOf(root)
  // All of them before the first run, which may be minutes away from the last.
  const planted = wanted.map(defect => ({ defect, changes: plant(sources, defect) }))
  const tree = copyCheckout(root)
  process.once('exit', () => values.keep || rmSync(tree, { recursive: true, force: true }))
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
  log(`${wanted.length} defects, planted in ${tree}`)
  if (!values['planted-only'] && !(await passesWithout(tree, wanted))) return 1
  const rows: Row[] = []
  for (const { defect, changes } of planted) {
    for (const [file, text] of changes) writeFileSync(join(tree, file), text)
    const run = await runTests(tree, defect.tests)
    for (const file of changes.keys()) writeFileSync(join(tree, file), sources.get(file) as string)
    rows.push({ defect, run })
    log(`${isCaught(run) ? 'caught' : 'MISSED'} in ${run.seconds.toFixed(0)} s: ${defect.kind}: ${defect.name}`)
    if (!run.passed && !isCaught(run)) log(run.output.slice(-2_000))
  }
  log(`\n${tableOf(rows)}\n`)
  const missed = rows.filter(({ run }) => !isCaught(run))
  log(`${rows.length - missed.length} of ${rows.length} defects caught`)
  return missed.length > 0 ? 1 : 0
}

async function defectsIn(file: string): Promise<readonly Defect[]> {
  const { defects } = (await import(resolve(file))) as { defects: readonly Defect[] }
  return defects
}

function isWanted(text: string, parts: readonly string[]): boolean {
  return parts.length === 0 || parts.some(part => text.includes(part))
}

/** What fails without a defect catches nothing. */
async function passesWithout(tree: string, wanted: readonly Defect[]): Promise<boolean> {
  const { passed, failed, skipped, seconds, output } = await runTests(tree, [
    ...new Set(wanted.flatMap(({ tests }) => tests)),
  ])
  for (const test of skipped) log(`skipped, so it catches nothing: ${test}`)
  log(`${passed ? 'passed' : 'FAILED'} in ${seconds.toFixed(0)} s without a defect`)
  if (!passed) log(failed.join('\n') || output.slice(-2_000))
  return passed
}

/** A run that breaks off proves nothing: the machine may have been busy. */
const isCaught = ({ failed }: TestRun) => failed.length > 0

type Row = { defect: Defect; run: TestRun }

/** In Markdown; of many tests that catch a defect, the first of each file. */
function tableOf(rows: readonly Row[]): string {
  const lines = rows.map(({ defect, run }) => {
    const caughtBy = isCaught(run) ? testsIn(run.failed) : run.passed ? '**missed**' : '**no test, the run broke off**'
    return `| ${defect.kind} | ${defect.name} | ${caughtBy} | ${run.seconds.toFixed(0)} |`
  })
  return ['| kind | defect | caught by | seconds |', '| --- | --- | --- | --- |', ...lines].join('\n')
}

function testsIn(failed: readonly string[]): string {
  const byFile = Map.groupBy(failed, test => test.slice(0, test.indexOf(': ')))
  return [...byFile]
    .map(([file, [first = '', ...others]]) => {
      const name = first.slice(file.length + 2).replaceAll('|', '\\|')
      return `${file}: ${name}${others.length > 0 ? ` (and ${others.length} more)` : ''}`
    })
    .join('; ')
}

if (import.meta.main) process.exitCode = await main()
