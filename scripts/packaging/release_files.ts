// What a release holds, as copies from the checkout into one folder: the server with the packages it needs to run, Node, PostgreSQL, the
// built portal and the documents. The layout is that of a checkout, so that the same code runs in both.
import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, lstatSync, mkdirSync, realpathSync, symlinkSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

/** Of our own: what the server reads when it runs. Tests, scripts and sources of the portal stay behind. */
const ours = [
  'bin',
  'LICENSE',
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  // Other documents refer to it.
  'bench/RESULTS.md',
  'docs',
  'packaging',
  'server/package.json',
  'server/src',
  'server/migrations',
  'packages/catalog/package.json',
  'packages/catalog/src',
  'packages/sip/package.json',
  'packages/sip/src',
  'packages/smpp/package.json',
  'packages/smpp/src',
  'portal/dist',
]

/** Whether a file of ours belongs into a release. */
function isShipped(path: string): boolean {
  return !/\.test\.tsx?$|\/test(\/|$)|\/\.build\.json$/.test(path)
}

/** Of packages: declarations, maps, and what C programs would be built with. */
const notNeeded =
  /\.d\.[cm]?ts$|\.map$|\.tsbuildinfo$|\/native\/(include|lib\/pkgconfig)(\/|$)|\/native\/lib\/[^/]+\.a$/

/**
 * Folders of the packages that the server needs to run on this platform, below `root`, as npm installed them.
 * @throws Error when npm misses one
 */
export function productionPackages(root: string): string[] {
  const args = ['ls', '--omit=dev', '--all', '--parseable', '--workspace=@tandem/server']
  const lines = runNpm(root, args).split('\n')
  return lines
    .map(line => relative(root, line))
    .filter(path => path.startsWith('node_modules/') && !path.startsWith('node_modules/@tandem/'))
    .sort()
}

/** Runs npm and answers its standard output. @throws Error with what it said */
export function runNpm(root: string, args: readonly string[]): string {
  // npm hands the path of itself to its scripts.
  const cli = process.env['npm_execpath']
  const [file, ...rest] = cli?.endsWith('.js') ? [process.execPath, cli, ...args] : ['npm', ...args]
  return execFileSync(file!, rest, { cwd: root, encoding: 'utf8', maxBuffer: 64 * 1024 * 1024 })
}

/** Copies everything but what is written by the caller into `folder`. */
export function copyRelease(root: string, folder: string): void {
  for (const path of ours) copy(root, path, folder, isShipped)
  for (const path of productionPackages(root)) {
    const own = join(path, 'node_modules')
    copy(root, path, folder, file => !file.startsWith(`${own}/`) && file !== own && !notNeeded.test(file))
  }
  mkdirSync(join(folder, 'node_modules/@tandem'), { recursive: true })
  for (const name of ['catalog', 'sip', 'smpp'])
    symlinkSync(`../../packages/${name}`, join(folder, 'node_modules/@tandem', name))
  copyNode(root, folder)
}

function copy(root: string, path: string, folder: string, isWanted: (path: string) => boolean): void {
  const target = join(folder, path)
  mkdirSync(dirname(target), { recursive: true })
  const filter = (source: string) => isWanted(relative(root, source))
  cpSync(join(root, path), target, { recursive: true, verbatimSymlinks: true, filter })
}

/** Node of the lock file, with the one library that it needs and a bare Debian lacks. */
function copyNode(root: string, folder: string): void {
  const home = join(dirname(realpathSync(process.execPath)), '..')
  const installed = join(root, `node_modules/node-${process.platform}-${process.arch}`)
  if (!existsSync(installed) || realpathSync(installed) !== home)
    throw new Error(`run this by npm run package: the Node of the lock file is ${installed}, and this is ${home}`)
  for (const name of ['bin', 'lib']) mkdirSync(join(folder, 'node', name), { recursive: true })
  cpSync(process.execPath, join(folder, 'node/bin/node'))
  chmodSync(join(folder, 'node/bin/node'), 0o755)
  cpSync(join(home, 'LICENSE'), join(folder, 'node/LICENSE'))
  const library = libraryOf(process.execPath, 'libatomic.so.1')
  if (library === undefined) return
  cpSync(library, join(folder, 'node/lib/libatomic.so.1'))
  const licence = '/usr/share/doc/libatomic1/copyright'
  if (existsSync(licence) && lstatSync(realpathSync(licence)).isFile())
    cpSync(realpathSync(licence), join(folder, 'node/lib/libatomic.copyright'))
}

/** Where the loader finds a library of a program; undefined when the program needs none of that name. */
function libraryOf(program: string, name: string): string | undefined {
  const line = execFileSync('ldd', [program], { encoding: 'utf8' })
    .split('\n')
    .find(text => text.trim().startsWith(`${name} `))
  const path = /=> (\/\S+)/.exec(line ?? '')?.[1]
  return path === undefined ? undefined : realpathSync(path)
}
