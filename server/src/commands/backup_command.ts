// Makes backups, lists them, and makes the keys that they are encrypted for.
import type { Config } from '../config/config.ts'
import type { BackupRow } from '../kernel/backup/backup_store.ts'
import type { Made } from '../kernel/backup/make_backup.ts'
import type { Seal } from '../kernel/backup/seal.ts'
import type { ConnectionOptions } from '../kernel/data/db.ts'
import { startFault } from '../kernel/values/start_fault.ts'
import { type Call, type Command, type ExitCode, readWords, usageFault } from './command.ts'
import { passphraseIn } from './key_files.ts'

export const backup: Command = {
  name: 'backup',
  parameters: '[list|keygen] [options]',
  summary: 'make a backup of everything, while the server runs or not',
  help: () => `  tandem backup            make one
  tandem backup list       the newest ones, and what came of them
  tandem backup keygen     print a pair of keys: one encrypts, one opens

  --to <place>             an existing folder, a file, or s3://bucket/prefix; TANDEM_BACKUP_TO when not said
  --recipient <age1…>      encrypt for this public key; TANDEM_BACKUP_RECIPIENT when not said
  --passphrase-file <file> encrypt with the passphrase in the first line of a file
  --unsealed               do not encrypt: anyone who has the file has every secret in it
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
    if (verb === 'list') return withOwner(config, owner => list(owner, flags, call))
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
  'without-files'?: boolean
  /** By schedule. */
  planned?: boolean
  json?: boolean
}

function read(args: readonly string[]): { flags: Flags; verb: 'make' | 'list' | 'keygen' } {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const { values, positionals } = readWords(args, {
    to: text,
    recipient: { type: 'string', multiple: true },
    'passphrase-file': text,
    unsealed: yes,
    'without-files': yes,
    planned: yes,
    json: yes,
  })
  const [verb = 'make', ...more] = positionals
  if (more.length > 0 || (verb !== 'make' && verb !== 'list' && verb !== 'keygen'))
    throw usageFault(`backup does not know "${positionals.join(' ')}".`)
  return { flags: values, verb }
}

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

async function list(owner: ConnectionOptions, { json }: Flags, { print }: Call): Promise<ExitCode> {
  const [{ listBackups }, { engineOf }] = await Promise.all([
    import('../kernel/backup/backup_store.ts'),
    import('../kernel/boot/instance.ts'),
  ])
  const rows = await listBackups(engineOf(owner), 50)
  if (json === true) print(JSON.stringify({ backups: rows }))
  else if (rows.length === 0) print('No backup was made yet.')
  else for (const row of rows) print(lineOf(row))
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
  })
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

function bytesText(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const at = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3))
  return `${(count / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}
