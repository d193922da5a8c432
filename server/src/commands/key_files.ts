// Files that hold a passphrase or a private key.
import { readFileSync } from 'node:fs'
import { startFault } from '../kernel/values/start_fault.ts'

/** The first line of a file. @throws StartFault when it cannot be read, or is empty */
export function passphraseIn(file: string): string {
  const line = contentOf(file).split(/\r?\n/)[0] ?? ''
  if (line === '') throw startFault(`the first line of ${file} is empty: write the passphrase there`)
  return line
}

/** @throws StartFault when it cannot be read */
export function contentOf(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    throw startFault(`the file ${file} cannot be read (${(error as NodeJS.ErrnoException).code})`, error)
  }
}
