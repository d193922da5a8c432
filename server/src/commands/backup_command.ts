// Makes backups, lists them, and makes the keys that they are encrypted for.
import type { Config } from '../config/config.ts'
import type { BackupRow } from '../kernel/backup/backup_store.ts'
import type { Made } from '../kernel/backup/make_backup.ts'
import type { Seal } from '../kernel/backup/seal.ts'
import type { ConnectionOptions } from '../kernel/data/db.ts'
import { bytesText } from '../kernel/values/bytes_text.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { startFault } from '../kernel/values/start_fault.ts'
import type { Reach } from '../moments.ts'
import { type Call, type Command, type ExitCode, readWords, usageFault } from './command.ts'
import { passphraseIn } from './key_files.ts'

export const backup: Command = {
  name: 'backup',
  parameters: '[list|window|base|keygen] [options]',
  summary: 'make a backup of everything, while the server runs or not',
  help: () => `  tandem backup            make one
  tandem backup list       the newest ones, and what came of them
  tandem backup window     the moments that archived WAL leads back to (tandem restore --to-time); needs no database
  tandem backup base       a base backup into TANDEM_WAL_TO now, beside a server that runs; the server makes one a day
  tandem backup keygen     print a pair of keys: one encrypts, one opens

  --to <place>             an existing folder, a file, or s3://bucket/prefix; TANDEM_BACKUP_TO when not said
  --recipient <age1…>      encrypt for this public key; TANDEM_BACKUP_RECIPIENT when not said
  --passphrase-file <file> encrypt with the passphrase in the first line of a file
  --unsealed               do not encrypt: anyone who has the file has every secret in it
  --from <folder>          for window: where the archived WAL is; TANDEM_WAL_TO when not said
  --without-files     leave recordings and other files out
  --json                   print one JSON document

The whole database at one moment, with all secrets, and all files, in one archive: tar, Zstandard, age. It works beside a
server that runs, and without one.

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  async run(call) {
    const { flags, verb } = read(call.args)
    if (verb === 'keygen') return keygen(flags, call)
    const { loadConfig } = await import('../config/config.ts')
    const { withOwner } = await import('../operator.ts')
    const config = loadConfig(call.env)
    if (verb === 'window') return showReach(flags.from ?? config.walTo, flags, call)
    if (verb === 'base') return makeBase(config, flags, call)
    if (verb === 'list') return withOwner(config, owner => list(owner, config, flags, call))
    const made = await withOwner(config, owner => makeOne(owner, flags, config))
    if (flags.json === true) call.print(JSON.stringify(made))
    else {
      call.print(`${made.destination}: ${made.rows} rows, ${made.objects} files, ${bytesText(made.sizeBytes)}`)
      for (const name of made.removed) call.print(`removed ${name}`)
    }
    return 0
  },
}

type Flags = {
  to?: string
  recipient?: string[]
  'passphrase-file'?: string
  unsealed?: boolean
  from?: string
  'without-files'?: boolean
  /** By schedule. */
  planned?: boolean
  json?: boolean
}

const verbs = ['make', 'list', 'window', 'base', 'keygen'] as const
type Verb = (typeof verbs)[number]

function read(args: readonly string[]): { flags: Flags; verb: Verb } {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const { values, positionals } = readWords(args, {
    to: text,
    recipient: { type: 'string', multiple: true },
    'passphrase-file': text,
    unsealed: yes,
    from: text,
    'without-files': yes,
    planned: yes,
    json: yes,
  })
  const [verb = 'make', ...more] = positionals
  if (more.length > 0 || !isVerb(verb)) throw usageFault(`backup does not know "${positionals.join(' ')}".`)
  return { flags: values, verb }
}

const isVerb = (word: string): word is Verb => (verbs as readonly string[]).includes(word)

async function keygen({ json }: Flags, { print }: Call): Promise<ExitCode> {
  const { newKeyPair } = await import('../kernel/backup/seal.ts')
  const { identity, recipient } = await newKeyPair()
  if (json === true) print(JSON.stringify({ identity, recipient }))
  else {
    print(`# Public key, for TANDEM_BACKUP_RECIPIENT or --recipient: ${recipient}`)
    print('# Private key, which opens backups: keep it away from this machine, and never lose it.')
    print(identity)
  }
  return 0
}

async function list(
  owner: ConnectionOptions,
  { walTo }: Config,
  { json }: Flags,
  { print, complain }: Call,
): Promise<ExitCode> {
  const [{ listBackups }, { engineOf }] = await Promise.all([
    import('../kernel/backup/backup_store.ts'),
    import('../kernel/boot/instance.ts'),
  ])
  const rows = await listBackups(engineOf(owner), 50)
  const reach = walTo === undefined ? [] : await reachOf(walTo).catch(away)
  function away(error: Error): Reach[] {
    complain(`tandem: ${error.message}`)
    return []
  }
  if (json === true) print(JSON.stringify({ backups: rows, archives: reach.map(presentReach) }))
  else {
    if (rows.length === 0) print('No backup was made yet.')
    else for (const row of rows) print(lineOf(row))
    for (const one of reach) print(reachText(one))
  }
  return 0
}

async function reachOf(from: string): Promise<Reach[]> {
  const { readReach } = await import('../moments.ts')
  return readReach(from)
}

async function showReach(from: string | undefined, { json }: Flags, { print }: Call): Promise<ExitCode> {
  if (from === undefined) throw startFault('say where the archived WAL is: --from <folder>, or TANDEM_WAL_TO')
  const reach = await reachOf(from)
  if (json === true) print(JSON.stringify({ archives: reach.map(presentReach) }))
  else if (reach.length === 0) print(`${from} holds no archived WAL.`)
  else for (const one of reach) print(reachText(one))
  return 0
}

const presentReach = ({ folder, windows, baseBackups, segments }: Reach) => ({
  folder,
  windows: windows.map(({ fromMs, toMs }) => ({ earliest: isoMs(fromMs), latest: isoMs(toMs) })),
  baseBackups,
  segments,
})

function reachText({ folder, windows, baseBackups, segments }: Reach): string {
  const moments = windows.map(({ fromMs, toMs }) => `from ${isoMs(fromMs)} to ${isoMs(toMs)}`).join(', and ')
  const files = `${baseBackups} base backups, ${segments} segments in ${folder}`
  return moments === ''
    ? `No moment can be restored yet: ${files}.`
    : `Any moment can be restored ${moments}: ${files}.`
}

/** Only beside a server that runs: the database alone would not archive what it writes meanwhile. */
async function makeBase(config: Config, { json }: Flags, { print }: Call): Promise<ExitCode> {
  const [{ runningDatabase }, { makeBaseBackup }] = await Promise.all([
    import('../running_database.ts'),
    import('../moments.ts'),
  ])
  const made = await makeBaseBackup(await runningDatabase(config), config)
  if (json === true) print(JSON.stringify(made))
  else print(`${made.path}: ${made.files} files, ${bytesText(made.sizeBytes)}`)
  return 0
}

type Result = Made & { id: string; destination: string; isSealed: boolean; removed: string[] }

async function makeOne(owner: ConnectionOptions, flags: Flags, config: Config): Promise<Result> {
  const place = flags.to ?? config.backupTo
  if (place === undefined) throw startFault('say where the backup goes: --to <folder>, or TANDEM_BACKUP_TO')
  const seal = await sealOf(flags, config)
  const { backUp } = await import('../backup.ts')
  return backUp(owner, config, {
    place,
    seal,
    isPlanned: flags.planned === true,
    withoutObjects: flags['without-files'] === true,
    signal: untilStopped(),
  })
}

/** Aborted when the command is asked to stop: what is half written is removed then. */
function untilStopped(): AbortSignal {
  const stop = new AbortController()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    process.once(signal, () => stop.abort(startFault(`the backup was given up (${signal})`)))
  return stop.signal
}

/** @throws StartFault where nothing says how to encrypt */
async function sealOf(flags: Flags, { backupRecipient, backupPassphraseFile }: Config): Promise<Seal | undefined> {
  if (flags.unsealed === true) return undefined
  const { sealWith } = await import('../kernel/backup/seal.ts')
  if (flags.recipient !== undefined) return sealWith({ recipients: flags.recipient })
  if (flags['passphrase-file'] !== undefined) return sealWith({ passphrase: passphraseIn(flags['passphrase-file']) })
  if (backupRecipient !== undefined) return sealWith({ recipients: [backupRecipient] })
  if (backupPassphraseFile !== undefined) return sealWith({ passphrase: passphraseIn(backupPassphraseFile) })
  throw startFault(
    'a backup holds every secret of this installation: say what encrypts it (--recipient or --passphrase-file), or --unsealed where the ' +
      'place is as safe as the server',
  )
}

function lineOf({ started_at, state, destination, rows, objects, size_bytes, error, is_sealed }: BackupRow): string {
  const outcome =
    state === 'done' ? `${rows} rows, ${objects} files, ${bytesText(size_bytes ?? 0)}` : (error ?? 'under way')
  return `${started_at}  ${state.padEnd(7)}  ${destination}${is_sealed ? '' : ' (not encrypted)'}  ${outcome}`
}
