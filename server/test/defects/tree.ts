// A copy of the checkout to plant defects in: what git tracks or would add, changes that are not committed included, with the
// packages of the checkout linked. The workspaces are those of the copy, so that a defect in one of them is met.
import { execFileSync } from 'node:child_process'
import {
  copyFileSync,
  existsSync,
  globSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  symlinkSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Sources } from './defect.ts'

const product = ['server/src', 'server/migrations', 'packages/*/src', 'portal/src', 'sdk/src']

/** What a defect can be planted in: the sources that ship, without tests and generated files. */
export function sourcesOf(root: string): Sources {
  const files = globSync(
    product.map(folder => `${folder}/**/*.{ts,tsx,css,sql}`),
    { cwd: root, exclude: name => name.includes('node_modules') },
  ).filter(file => !/\.test\.tsx?$|\.generated\.ts$|\/contract\.ts$/.test(file))
  return new Map(files.sort().map(file => [file, readFileSync(join(root, file), 'utf8')]))
}

/** Every test file that `npm test` may run. */
export function testsOf(root: string): string[] {
  return globSync('{server,packages,scripts,bench,sdk,portal}/**/*.test.ts', {
    cwd: root,
    exclude: name => name.includes('node_modules'),
  })
}

/** Copies a checkout into a temporary folder. */
export function copyCheckout(root: string): string {
  const tree = mkdtempSync(join(tmpdir(), 'tandem-defects-'))
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  // What was deleted and not committed is listed all the same.
  for (const file of listed.split('\0').filter(name => name !== '' && existsSync(join(root, name)))) {
    mkdirSync(join(tree, dirname(file)), { recursive: true })
    copyFileSync(join(root, file), join(tree, file))
  }
  linkPackages(join(root, 'node_modules'), join(tree, 'node_modules'), tree)
  return tree
}

/** Caches are left out: the copy has its own. */
function linkPackages(from: string, to: string, tree: string): void {
  mkdirSync(to)
  for (const name of readdirSync(from).filter(name => !['.cache', '.vite-temp', '@tandem'].includes(name)))
    symlinkSync(join(from, name), join(to, name))
  mkdirSync(join(to, '@tandem'))
  const manifests = globSync('{packages/*,server,portal,sdk}/package.json', { cwd: tree })
  for (const manifest of manifests) {
    const { name } = JSON.parse(readFileSync(join(tree, manifest), 'utf8')) as { name: string }
    if (lstatSync(join(from, name), { throwIfNoEntry: false })?.isSymbolicLink() === true)
      symlinkSync(join(tree, dirname(manifest)), join(to, name))
  }
}
