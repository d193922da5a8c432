// `tandem passwords …`: the lists that new passwords are looked up in, for those who run the installation.
import { mkdirSync, rmSync, statSync } from 'node:fs'
import { headOf, knownPasswordsFile } from './known_passwords.ts'
import { importKnownPasswords, ListFault } from './known_passwords_import.ts'

export const passwordsUsage = `Usage: tandem passwords <command> [--json]

  import <file> [<file> …]
            refuses all passwords of these lists from now on, in place of those of
            the import before: SHA-1 hashes as "Have I Been Pwned" has them, or
            passwords, one a line, in any order
  status    how many there are
  remove    refuses none of them any more

It works beside a server that runs, and without one. Every node has the list of its own data folder (TANDEM_DATA).
Exit codes: 0 done, 1 refused, 2 misspelt.`

type Output = { print(text: string): void; complain(text: string): void }

/** @returns the exit code */
export async function passwordsCommand(
  dataDir: string,
  [verb, ...files]: readonly string[],
  { print, complain }: Output,
): Promise<0 | 1 | 2> {
  const path = knownPasswordsFile(dataDir)
  if (verb === 'import' && files.length > 0) return importLists(dataDir, files, { print, complain })
  if (verb === 'status' && files.length === 0) {
    print(await statusOf(path))
    return 0
  }
  if (verb === 'remove' && files.length === 0) {
    rmSync(path, { force: true })
    print(await statusOf(path))
    return 0
  }
  const isAsked = verb === '--help' || verb === 'help'
  if (isAsked) print(passwordsUsage)
  else complain(passwordsUsage)
  return isAsked ? 0 : 2
}

async function importLists(dataDir: string, files: readonly string[], { print, complain }: Output): Promise<0 | 1> {
  const path = knownPasswordsFile(dataDir)
  try {
    mkdirSync(dataDir, { recursive: true, mode: 0o700 })
    const { read, skipped } = importKnownPasswords(files, path)
    print(
      `${count(read)} lines read${skipped === 0 ? '' : `, ${count(skipped)} of them empty or too short to be chosen`}.`,
    )
    print(await statusOf(path))
    return 0
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException
    // Of the system: a file that is not there, a full disk.
    if (!(error instanceof ListFault) && code === undefined) throw error
    complain(`${message}\nThe list of known passwords is as it was.`)
    return 1
  }
}

async function statusOf(path: string): Promise<string> {
  const head = await headOf(path)
  if (head === undefined) return `No list of known passwords: ${path} is not there.`
  const megabytes = (statSync(path).size / 1_000_000).toFixed(1)
  return `${count(head.count)} known passwords are refused (${path}, ${megabytes} MB).`
}

const count = (number: number) => number.toLocaleString('en-US')
