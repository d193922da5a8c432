// Puts a backup into an empty installation, or sees whether it is whole.
import type { Config } from '../config/config.ts'
import type { Archive } from '../kernel/backup/restore_backup.ts'
import type { Opener } from '../kernel/backup/seal.ts'
import type { Key } from '../moments.ts'
import { type Call, type Command, type ExitCode, readWords, usageFault } from './command.ts'
import { contentOf, passphraseIn } from './key_files.ts'
import { waitingText } from './sending_command.ts'

export const restore: Command = {
  name: 'restore',
  parameters: '<backup>|--to-time <time> [options]',
  summary: 'put a backup into an empty installation, or bring the database back to a moment',
  help: () => `The backup is a file, s3://bucket/prefix/name, or - for standard input.

  --passphrase-file <file> opens a backup that was encrypted with a passphrase
  --identity-file <file>   opens one that was encrypted for a public key
  --check                  read all of it and see that it is whole; restores nothing
  --without-files     leave recordings and other files out
  --json                   print one JSON document

  --to-time <time>         instead of a backup: the embedded database as it was at this moment, for example
                           2026-11-27T14:05:00Z, from archived WAL; files in TANDEM_DATA stay as they are
  --from <folder>          where the archived WAL is; TANDEM_WAL_TO when not said

It goes into an empty installation: a new folder in TANDEM_DATA, or an empty database in DATABASE_URL, with no server
running. Afterwards nothing is sent until "tandem sending release".

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  async run(call) {
    const { flags, place } = read(call.args)
    const { loadConfig } = await import('../config/config.ts')
    if (place === undefined) return toMoment(loadConfig(call.env), flags, call)
    const { openBackupAt, restoreInto } = await import('../backup.ts')
    const config = loadConfig(call.env)
    const archive = await openBackupAt(place, config, await openerOf(flags, config))
    if (flags.check === true) return check(archive, flags, call)
    const { restored, waiting } = await restoreInto(config, archive, flags['without-files'] === true)
    const { id, at } = archive.head
    if (flags.json === true) call.print(JSON.stringify({ id, at, ...restored, held: waiting }))
    else {
      call.print(`Restored the backup of ${at}: ${restored.rows} rows, ${restored.objects} files.`)
      call.print(`Nothing is sent until you say so. ${waitingText(waiting)}`)
      call.print('Start the server, look around, then: tandem sending release --waiting send (or expire).')
    }
    return 0
  },
}

type Flags = {
  'passphrase-file'?: string
  'identity-file'?: string
  'without-files'?: boolean
  'to-time'?: string
  from?: string
  check?: boolean
  json?: boolean
}

function read(args: readonly string[]): { flags: Flags; place: string | undefined } {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const options = {
    'passphrase-file': text,
    'identity-file': text,
    'without-files': yes,
    'to-time': text,
    from: text,
    check: yes,
    json: yes,
  }
  const { values, positionals } = readWords(args, options)
  const [place, ...more] = positionals
  if ((place === undefined) === (values['to-time'] === undefined) || more.length > 0)
    throw usageFault('restore takes one backup, or --to-time.')
  return { flags: values, place }
}

/** What the flags and settings open sealed files with. */
async function keyOf(flags: Flags, { backupPassphraseFile }: Config): Promise<Key> {
  const { identitiesIn } = await import('../kernel/backup/seal.ts')
  const identityFile = flags['identity-file']
  if (identityFile !== undefined) return { identities: identitiesIn(contentOf(identityFile)) }
  const passphraseFile = flags['passphrase-file'] ?? backupPassphraseFile
  return passphraseFile === undefined ? undefined : { passphrase: passphraseIn(passphraseFile) }
}

async function openerOf(flags: Flags, config: Config): Promise<Opener | undefined> {
  const key = await keyOf(flags, config)
  return key && (await import('../kernel/backup/seal.ts')).openWith(key)
}

/** RFC 3339 with an offset: a time without one would be read by the clock of no place in particular. */
function timeOf(text: string): number {
  const atMs = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?([Zz]|[+-]\d\d:\d\d)$/.test(text)
    ? Date.parse(text)
    : Number.NaN
  if (Number.isNaN(atMs))
    throw usageFault(`--to-time takes a time with its offset, for example 2026-11-27T14:05:00Z, and got "${text}".`)
  return atMs
}

async function toMoment(config: Config, flags: Flags, call: Call): Promise<ExitCode> {
  const { checkReach, restoreTo } = await import('../moments.ts')
  const atMs = timeOf(flags['to-time']!)
  const key = await keyOf(flags, config)
  const isJson = flags.json === true
  if (flags.check === true) {
    const checked = await checkReach(config, atMs, flags.from, key)
    const { base, files, segments } = checked
    call.print(
      isJson
        ? JSON.stringify(checked)
        : `All is there and whole: ${base} with ${files} files, and ${segments} segments.`,
    )
    return 0
  }
  const { lastChangeAt, base, from, waiting } = await restoreTo(config, atMs, flags.from, key)
  const at = new Date(atMs).toISOString()
  if (isJson) call.print(JSON.stringify({ at, lastChangeAt, base, from, held: waiting }))
  else {
    call.print(`Restored the database to ${at}. Its last change is of ${lastChangeAt ?? 'before the base backup'}.`)
    call.print(`Nothing is sent until you say so. ${waitingText(waiting)}`)
    call.print('Start the server, look around, then: tandem sending release --waiting send (or expire).')
  }
  return 0
}

async function check(archive: Archive, { json }: Flags, { print }: Call): Promise<ExitCode> {
  const { checkArchive } = await import('../kernel/backup/restore_backup.ts')
  const { id, at, version, rootKey } = archive.head
  const needs = rootKey === undefined || rootKey.isInside ? [] : rootKey.sealedBy
  const { rows: byTable, objects } = await checkArchive(archive)
  const rows = Object.values(byTable).reduce((sum, one) => sum + one, 0)
  print(
    json === true
      ? JSON.stringify({ id, at, version, rows, objects, needsRootKey: needs[0] ?? null })
      : `The backup of ${at} (Tandem ${version}) is whole: ${rows} rows, ${objects} files.${needs.length === 0 ? '' : ` Its secrets need the root key ${needs[0]}.`}`,
  )
  return 0
}
