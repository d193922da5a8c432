// The command line of backups: make one, restore one, and let go what a restore holds.
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { storesOf } from './app.ts'
import type { Config } from './config/config.ts'
import { readArchive } from './kernel/backup/archive.ts'
import {
  type BackupRow,
  type Engine,
  holdSending,
  listBackups,
  readHold,
  recordBegin,
  recordEnd,
  releaseSending,
  type Waiting,
} from './kernel/backup/backup_store.ts'
import { backupName, openBackup, openDestination } from './kernel/backup/destination.ts'
import { type Made, makeBackup } from './kernel/backup/make_backup.ts'
import { checkArchive, openArchive, restoreBackup, schemaOf } from './kernel/backup/restore_backup.ts'
import { keepOf } from './kernel/backup/rotation.ts'
import { identitiesIn, newKeyPair, type Opener, openWith, type Seal, sealWith } from './kernel/backup/seal.ts'
import { asEngine } from './kernel/boot/instance.ts'
import type { ConnectionOptions } from './kernel/data/db.ts'
import { knownMigrations } from './kernel/data/migrate.ts'
import { openObjectStores } from './kernel/objects/open_object_stores.ts'
import { createLog } from './kernel/observe/log.ts'
import { systemClock } from './kernel/values/clock.ts'
import { newId } from './kernel/values/ids.ts'
import { isStartFault } from './kernel/values/start_fault.ts'
import { version } from './version.ts'

const endOfUsage = `It works beside a server that runs, and without one. Exit codes: 0 done, 1 failed, 2 misspelt.`

export const backupUsage = `Usage: tandem backup [--to <place>] [options]     make a backup, while the server runs or not
       tandem backup list [--json]               what was made, the newest first
       tandem backup keygen                      a pair of keys: one encrypts, one opens

  --to <place>              a folder, a file, or s3://bucket/prefix; TANDEM_BACKUP_TO when not said
  --recipient <age1…>       encrypt for this public key; TANDEM_BACKUP_RECIPIENT when not said
  --passphrase-file <file>  encrypt with the passphrase in the first line of a file
  --unsealed                do not encrypt: whoever has the file has every secret in it
  --without-recordings      leave recordings and other files out
  --json                    print one JSON document

The whole database at one moment, with all secrets, and all files, in one archive: tar, Zstandard, age.
${endOfUsage}`

export const restoreUsage = `Usage: tandem restore <file or s3://bucket/prefix/name or -> [options]

  --passphrase-file <file>  opens a backup that was encrypted with a passphrase
  --identity-file <file>    opens one that was encrypted for a public key
  --check                   read all of it and see that it is whole; restores nothing
  --without-recordings      leave recordings and other files out
  --json                    print one JSON document

It goes into an empty installation: a new folder in TANDEM_DATA, or an empty database in DATABASE_URL, with no server
running. Afterwards nothing is sent until "tandem sending release". Exit codes: 0 done, 1 failed, 2 misspelt.`

export const sendingUsage = `Usage: tandem sending status [--json]            whether anything is held, and what waits
       tandem sending hold [--reason <text>]     nothing leaves any more: texts, mails, webhooks, calls
       tandem sending release --waiting send     all that waits is sent
       tandem sending release --waiting expire   texts and mails from before the hold end as expired; the rest is sent

${endOfUsage}`

type Output = { print(line: string): void; complain(line: string): void }
type Flags = ReturnType<typeof flagsOf>['values']

function flagsOf(args: readonly string[]) {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const options = {
    to: text,
    recipient: { type: 'string', multiple: true },
    'passphrase-file': text,
    'identity-file': text,
    unsealed: yes,
    'without-recordings': yes,
    check: yes,
    planned: yes,
    reason: text,
    waiting: text,
    json: yes,
    help: yes,
  } as const
  return parseArgs({ args: [...args], options, allowPositionals: true })
}

export type CommandOptions = {
  config: Config
  /** Runs work on the database of a server that runs, or on the database alone. */
  withOwner<T>(work: (owner: ConnectionOptions) => Promise<T>): Promise<T>
  output: Output
}

/** `backup …`, `restore …` and `sending …`. @returns the exit code */
export async function backupCommand(
  command: 'backup' | 'restore' | 'sending',
  args: readonly string[],
  options: CommandOptions,
): Promise<0 | 1 | 2> {
  const { output } = options
  const usage = { backup: backupUsage, restore: restoreUsage, sending: sendingUsage }[command]
  let asked: ReturnType<typeof flagsOf>
  try {
    asked = flagsOf(args)
  } catch (error) {
    output.complain(`${(error as Error).message}\n\n${usage}`)
    return 2
  }
  const { values: flags, positionals } = asked
  if (flags.help === true) {
    output.print(usage)
    return 0
  }
  const run = { backup, restore, sending }[command]
  try {
    const done = await run(positionals, flags, options)
    if (done) return 0
    output.complain(usage)
    return 2
  } catch (error) {
    const lines = isStartFault(error) ? error.lines : [messageOf(error)]
    for (const line of lines) output.complain(`tandem ${command}: ${line}`)
    return 1
  }
}

const engineOf =
  (owner: ConnectionOptions): Engine =>
  work =>
    asEngine(owner, work)

const messageOf = (error: unknown) => (error as Error).message

/** @returns false where the words are misspelt */
async function backup(words: readonly string[], flags: Flags, options: CommandOptions): Promise<boolean> {
  const { output, withOwner } = options
  const [verb, ...more] = words
  if (more.length > 0 || (verb !== undefined && verb !== 'list' && verb !== 'keygen')) return false
  if (verb === 'keygen') {
    const { identity, recipient } = await newKeyPair()
    if (flags.json === true) output.print(JSON.stringify({ identity, recipient }))
    else {
      output.print(`# Public key, for TANDEM_BACKUP_RECIPIENT or --recipient: ${recipient}`)
      output.print('# Private key, which opens backups: keep it away from this machine, and never lose it.')
      output.print(identity)
    }
    return true
  }
  if (verb === 'list') {
    const rows = await withOwner(owner => listBackups(engineOf(owner), 50))
    if (flags.json === true) output.print(JSON.stringify({ backups: rows }))
    else if (rows.length === 0) output.print('No backup was made yet.')
    else for (const row of rows) output.print(lineOf(row))
    return true
  }
  const made = await withOwner(owner => makeOne(owner, flags, options))
  if (flags.json === true) output.print(JSON.stringify(made))
  else {
    output.print(`${made.destination}: ${made.rows} rows, ${made.objects} files, ${bytes(made.sizeBytes)}`)
    for (const name of made.removed) output.print(`removed ${name}`)
  }
  return true
}

type Result = Made & { id: string; destination: string; isSealed: boolean; removed: string[] }

async function makeOne(owner: ConnectionOptions, flags: Flags, { config }: CommandOptions): Promise<Result> {
  const place = flags.to ?? config.backupTo
  if (place === undefined) throw new Error('say where the backup goes: --to <folder>, or TANDEM_BACKUP_TO')
  const seal = sealOf(flags, config)
  const atMs = systemClock.now()
  const id = newId('bkp', atMs)
  const objects = openObjectStores(storesOf(config), systemClock)
  const isSealed = seal !== undefined
  const destination = await openDestination(place, backupName(atMs, id, isSealed), objects)
  const begun = { id, destination: destination.address, isSealed }
  await recordBegin(engineOf(owner), { ...begun, isPlanned: flags.planned === true })
  try {
    const withoutObjects = flags['without-recordings'] === true
    const made = await makeBackup({ owner, objects, destination, seal, id, version, atMs, withoutObjects })
    await recordEnd(engineOf(owner), id, made)
    const removed = place === config.backupTo ? await destination.rotate(keepOf(config.backupKeep)!) : []
    return { ...begun, ...made, removed }
  } catch (error) {
    await recordEnd(engineOf(owner), id, { error: messageOf(error) }).catch(() => {})
    throw error
  }
}

/** @throws Error in words for an operator where nothing says how to encrypt */
function sealOf(flags: Flags, { backupRecipient, backupPassphraseFile }: Config): Seal | undefined {
  if (flags.unsealed === true) return undefined
  if (flags.recipient !== undefined) return sealWith({ recipients: flags.recipient })
  if (flags['passphrase-file'] !== undefined) return sealWith({ passphrase: passphraseIn(flags['passphrase-file']) })
  if (backupRecipient !== undefined) return sealWith({ recipients: [backupRecipient] })
  if (backupPassphraseFile !== undefined) return sealWith({ passphrase: passphraseIn(backupPassphraseFile) })
  throw new Error(
    'a backup holds every secret of this installation: say what encrypts it (--recipient or --passphrase-file), or --unsealed where the ' +
      'place is as safe as the server',
  )
}

function passphraseIn(file: string): string {
  return contentOf(file).split(/\r?\n/)[0] ?? ''
}

function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw new Error(`the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`)
  }
}

function openerOf(flags: Flags, { backupPassphraseFile }: Config): Opener | undefined {
  const identityFile = flags['identity-file']
  if (identityFile !== undefined) return openWith({ identities: identitiesIn(contentOf(identityFile)) })
  const passphraseFile = flags['passphrase-file'] ?? backupPassphraseFile
  return passphraseFile === undefined ? undefined : openWith({ passphrase: passphraseIn(passphraseFile) })
}

async function restore(words: readonly string[], flags: Flags, { config, output }: CommandOptions): Promise<boolean> {
  const [place, ...more] = words
  if (place === undefined || more.length > 0) return false
  const { databaseAlone, migrationsDir } = await import('./serve.ts')
  const objects = openObjectStores(storesOf(config), systemClock)
  const archive = await openArchive(readArchive(await openBackup(place, objects), openerOf(flags, config)))
  const { head } = archive
  if (flags.check === true) {
    const { rows, objects: files } = await checkArchive(archive)
    const count = Object.values(rows).reduce((sum, one) => sum + one, 0)
    const found = { id: head.id, at: head.at, version: head.version, rows: count, objects: files }
    output.print(
      flags.json === true
        ? JSON.stringify(found)
        : `The backup of ${head.at} (Tandem ${head.version}) is whole: ${count} rows, ${files} files.`,
    )
    return true
  }
  const last = schemaOf(head, await knownMigrations(migrationsDir))
  const log = createLog({ level: 'error', format: 'text' })
  const withoutObjects = flags['without-recordings'] === true
  const { restored, waiting } = await databaseAlone(
    config,
    log,
    async owner => ({
      restored: await restoreBackup({ owner, objects, archive, withoutObjects }),
      waiting: (await readHold(engineOf(owner))).waiting,
    }),
    last,
  )
  if (flags.json === true) output.print(JSON.stringify({ id: head.id, at: head.at, ...restored, held: waiting }))
  else {
    output.print(`Restored the backup of ${head.at}: ${restored.rows} rows, ${restored.objects} files.`)
    output.print(`Nothing is sent until you say so. ${waitingText(waiting)}`)
    output.print('Start the server, look around, then: tandem sending release --waiting send (or expire).')
  }
  return true
}

async function sending(words: readonly string[], flags: Flags, options: CommandOptions): Promise<boolean> {
  const { withOwner } = options
  const [verb, ...more] = words
  if (more.length > 0) return false
  if (verb === 'status') {
    const { hold, waiting } = await withOwner(owner => readHold(engineOf(owner)))
    return show(options, flags, { held: hold !== undefined, hold: hold ?? null, waiting }, [
      hold === undefined ? 'Everything is sent as usual.' : `Nothing is sent since ${hold.since}. ${hold.because}`,
      waitingText(waiting),
    ])
  }
  if (verb === 'hold') {
    await withOwner(owner => holdSending(engineOf(owner), flags.reason ?? 'Held by hand.'))
    return show(options, flags, { held: true }, ['Nothing is sent any more, until: tandem sending release'])
  }
  if (verb !== 'release') return false
  const { waiting: choice } = flags
  if (choice !== 'send' && choice !== 'expire')
    throw new Error(
      'say what becomes of what waits: --waiting send, or --waiting expire for texts and mails from before the hold. After a restore ' +
        'some of them may have been sent already by the server that the backup is of',
    )
  const released = await withOwner(owner => releaseSending(engineOf(owner), choice === 'expire'))
  return show(options, flags, { held: false, released }, [
    released ? 'Everything is sent as usual again.' : 'Nothing was held.',
  ])
}

function show({ output }: CommandOptions, flags: Flags, result: object, lines: readonly string[]): true {
  if (flags.json === true) output.print(JSON.stringify(result))
  else for (const line of lines) output.print(line)
  return true
}

function waitingText(waiting: readonly Waiting[]): string {
  const words = { messages: 'texts', mails: 'mails', events: 'events for webhooks', calls: 'calls' }
  return `Waiting: ${waiting.map(({ kind, waiting: count }) => `${count} ${words[kind]}`).join(', ')}.`
}

function lineOf({ started_at, state, destination, rows, objects, size_bytes, error, is_sealed }: BackupRow): string {
  const outcome =
    state === 'done' ? `${rows} rows, ${objects} files, ${bytes(size_bytes ?? 0)}` : (error ?? 'under way')
  return `${started_at}  ${state.padEnd(7)}  ${destination}${is_sealed ? '' : ' (not encrypted)'}  ${outcome}`
}

function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB']
  const at = count < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(count) / 3))
  return `${(count / 1_000 ** at).toFixed(at === 0 ? 0 : 1)} ${units[at]}`
}
