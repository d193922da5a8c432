// What PostgreSQL runs for each file of WAL, as its archive_command and restore_command. A process of its own, so that segments are
// archived also while the server starts, stops or is gone. It loads next to nothing.
//
//   archive <path> --to <root> [--recipient age1… | --recipient-file <file>]    in the folder of the cluster
//   fetch <name> <path> --from <shelf> [--identity-file <file>]
//
// Exit codes: 0 done, 1 failed (archive: tried again; fetch: not there), 200 for a file that cannot be read, which ends a recovery.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { fetchWal, putWal } from './segments.ts'
import { requireRoot, systemIdentifier } from './shelf.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    to: { type: 'string' },
    recipient: { type: 'string' },
    'recipient-file': { type: 'string' },
    from: { type: 'string' },
    'identity-file': { type: 'string' },
  },
})
const [verb, ...words] = positionals

async function archive(path: string, root: string): Promise<number> {
  await requireRoot(root)
  const recipientFile = values['recipient-file']
  const recipient = recipientFile === undefined ? values.recipient : (await readFile(recipientFile, 'utf8')).trim()
  const seal = recipient === undefined ? undefined : (await import('../seal.ts')).sealWith({ recipients: [recipient] })
  const shelf = join(root, await systemIdentifier(process.cwd()))
  await putWal(shelf, path, seal).catch(async error => {
    // It may have gone meanwhile, and then that is what there is to say.
    await requireRoot(root)
    throw error
  })
  return 0
}

async function fetch(name: string, path: string, shelf: string): Promise<number> {
  const file = values['identity-file']
  const { openWith, identitiesIn } = file === undefined ? {} : await import('../seal.ts')
  const open = file === undefined ? undefined : openWith!({ identities: identitiesIn!(await readFile(file, 'utf8')) })
  return (await fetchWal(shelf, name, path, open)) ? 0 : 1
}

try {
  process.exitCode =
    verb === 'archive' ? await archive(words[0]!, values.to!) : await fetch(words[0]!, words[1]!, values.from!)
} catch (error) {
  console.error(`tandem: ${(error as Error).message}`)
  process.exitCode = verb === 'archive' ? 1 : 200
}
