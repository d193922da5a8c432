// Which tests a change can touch, for `npm test -- --since <ref>`: those that reach a changed file by what source files say.
//
// - An import, also of a type, a dynamic one, or of a package of ours.
// - A string that names a file of the checkout (`'../../docs/openapi.json'`, `'server/src/main.ts'`): who names it reads or runs it.
// - `readers` below, for those who read whole folders.
// - What decides how everything is installed or run (`package.json`, this folder) touches every test.
//
// Not seen is what a test reads by a path put together of parts, or leaves to a program to find: name such a file in full.
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { basename, dirname, join, matchesGlob } from 'node:path/posix'
import { importsOf, pathsNamedIn } from '../imports.ts'

/** Files that are read as a folder, and by whom. */
export const readers: readonly (readonly [files: string, reader: string])[] = [
  ['server/migrations/*', 'server/test/cluster.ts'],
  ['server/migrations/*', 'server/src/kernel/data/migrate.ts'],
  ['server/test/contracts/*', 'server/test/contract.ts'],
  ['{portal,sdk,packages/*}/{src,public}/**', 'portal/test/built.ts'],
  ['portal/{index.html,vite.config.ts}', 'portal/test/built.ts'],
  ['sdk/**', 'sdk/test/package.test.ts'],
  ['packages/sip/test/sipp/*', 'packages/sip/test/agent_sipp.test.ts'],
  ['server/src/**/*.ts', 'server/test/promises.test.ts'],
  ['server/src/modules/**', 'server/src/modules/webhooks/rules.test.ts'],
  ['**/*.{ts,tsx,css,mjs}', 'server/test/sources.ts'],
  ['server/migrations/*', 'server/test/tidy.test.ts'],
  ['**/*.{ts,tsx}', 'server/test/tidy_structure.test.ts'],
  ['**/*.{ts,tsx}', 'server/test/types.test.ts'],
  ['{docs,sdk,scripts,server}/**', 'server/test/generated.test.ts'],
]

const touchesAll = [
  '{,*/,packages/*/}package.json',
  'package-lock.json',
  '.npmrc',
  'scripts/test.ts',
  'scripts/testing/*',
]

/** @param files of the checkout, from its root; `read` gives the text of a source */
export function readersOf(files: readonly string[], read: (file: string) => string): Map<string, Set<string>> {
  const known = new Set(files)
  const byName = Map.groupBy(files, file => basename(file))
  const readBy = new Map<string, Set<string>>()
  const add = (file: string, reader: string) => {
    if (file !== reader) readBy.set(file, (readBy.get(file) ?? new Set()).add(reader))
  }
  for (const file of files.filter(name => /\.tsx?$/.test(name))) {
    const source = read(file)
    for (const target of importsOf(file, source)) if (known.has(target)) add(target, file)
    for (const path of pathsNamedIn(source)) for (const target of filesNamed(path, file)) add(target, file)
  }
  for (const [pattern, reader] of readers)
    for (const file of files.filter(name => matchesGlob(name, pattern))) add(file, reader)
  return readBy

  /** By its place beside the one that names it, else by the end of its path. */
  function filesNamed(path: string, from: string): string[] {
    const beside = join(dirname(from), path)
    if (known.has(beside)) return [beside]
    const end = path.replace(/^(\.{0,2}\/)+/, '')
    return (byName.get(basename(end)) ?? []).filter(file => file === end || file.endsWith(`/${end}`))
  }
}

/** The tests that reach one of the changed files. */
export function reaching(
  changed: readonly string[],
  tests: readonly string[],
  readBy: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  if (changed.some(file => touchesAll.some(pattern => matchesGlob(file, pattern)))) return [...tests]
  const reached = new Set(changed)
  // A set that grows while it is walked: what is added is walked too.
  for (const file of reached) for (const reader of readBy.get(file) ?? []) reached.add(reader)
  return tests.filter(test => reached.has(test))
}

/** The tests that what changed since `ref` can touch, committed or not. @throws Error when there is no such commit */
export function touchedTests(root: string, ref: string, tests: readonly string[]): string[] {
  const base = git(root, 'merge-base', ref, 'HEAD')[0] as string
  const untracked = git(root, 'ls-files', '--others', '--exclude-standard')
  const files = [...git(root, 'ls-files'), ...untracked]
  const changed = [...git(root, 'diff', '--name-only', base), ...untracked]
  return reaching(
    changed,
    tests,
    readersOf(files, file => textOf(join(root, file))),
  )
}

/** A file that was deleted and not committed is listed still. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function git(root: string, ...args: string[]): string[] {
  const { status, stdout, stderr } = spawnSync('git', args, { cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  if (status !== 0) throw new Error(`git ${args.join(' ')}: ${stderr.trim()}`)
  return stdout.split('\n').filter(line => line !== '')
}
