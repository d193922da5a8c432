// Puts a backup into an empty installation, or sees whether it is whole.
import type { Config } from '../config/config.ts'
import type { Archive } from '../kernel/backup/restore_backup.ts'
import type { Opener } from '../kernel/backup/seal.ts'
import { type Call, type Command, type ExitCode, readWords, usageFault } from './command.ts'
import { contentOf, passphraseIn } from './key_files.ts'
import { waitingText } from './sending_command.ts'

export const restore: Command = {
  name: 'restore',
  parameters: '<backup> [options]',
  summary: 'put a backup into an empty installation',
  help: () => `The backup is a file, s3://bucket/prefix/name, or - for standard input.

  --passphrase-file <file> opens a backup that was encrypted with a passphrase
  --identity-file <file>   opens one that was encrypted for a public key
  --check                  read all of it and see that it is whole; restores nothing
  --without-files     leave recordings and other files out
  --json                   print one JSON document

It goes into an empty installation: a new folder in TANDEM_DATA, or an empty database in DATABASE_URL, with no server
running. Afterwards nothing is sent until "tandem sending release".

Exit codes: 0 done, 1 failed, 2 wrong usage.`,
  async run(call) {
    const { flags, place } = read(call.args)
    const { loadConfig } = await import('../config/config.ts')
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
  check?: boolean
  json?: boolean
}

function read(args: readonly string[]): { flags: Flags; place: string } {
  const text = { type: 'string' } as const
  const yes = { type: 'boolean' } as const
  const options = {
    'passphrase-file': text,
    'identity-file': text,
    'without-files': yes,
    check: yes,
    json: yes,
  }
  const { values, positionals } = readWords(args, options)
  const [place, ...more] = positionals
  if (place === undefined || more.length > 0) throw usageFault('restore takes one backup.')
  return { flags: values, place }
}

async function openerOf(flags: Flags, { backupPassphraseFile }: Config): Promise<Opener | undefined> {
  const { identitiesIn, openWith } = await import('../kernel/backup/seal.ts')
  const identityFile = flags['identity-file']
  if (identityFile !== undefined) return openWith({ identities: identitiesIn(contentOf(identityFile)) })
  const passphraseFile = flags['passphrase-file'] ?? backupPassphraseFile
  return passphraseFile === undefined ? undefined : openWith({ passphrase: passphraseIn(passphraseFile) })
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
