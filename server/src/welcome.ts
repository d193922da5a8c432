// What is printed when the server is ready. Secrets of the first start belong to anyone who sits at the terminal; where there is none,
// what is printed goes into a journal that keeps it, and they lie in a file that only the account of the server may read.
import { lstatSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from './config/config.ts'
import type { Demo } from './demo/demo.ts'
import { type FirstStart, welcome } from './first_start.ts'

const fileName = 'first_login.txt'

export type ReadyFacts = { address: string; first: FirstStart | undefined; demo: Demo | undefined }

/** The lines to print; writes the file of the secrets, where these are not to be among them. */
export function readyText({ address, first, demo }: ReadyFacts, { dataDir, showSecrets }: Config): string {
  const text = welcome(address, first, demo)
  const holdsSecrets = first !== undefined || demo?.outcome === 'filled' || demo?.outcome === 'there'
  if (showSecrets || !holdsSecrets) return text
  const file = join(dataDir, fileName)
  try {
    // What an earlier start wrote is shown nowhere else, and may not have been read yet.
    const before = first === undefined ? textIn(file) : ''
    if (demo?.outcome !== 'there' || before === '') writeSecrets(file, `${before}${text.trim()}\n`)
  } catch (error) {
    // They can be had no second time: better printed than lost.
    return `${text}\n\n  They are printed here because ${file} could not be written: ${(error as Error).message}`
  }
  const what = first === undefined ? 'The logins of the demo data are' : 'The first login and two API keys are'
  return [
    `Tandem is ready on ${address}`,
    '',
    `  ${what} in ${file}, which only this account may read.`,
    '  Remove the file when you have them. TANDEM_SHOW_SECRETS=1 prints them instead.',
  ].join('\n')
}

/** With an empty line behind it; nothing where there is no file, or a link in its place. */
function textIn(file: string): string {
  const isFile = lstatSync(file, { throwIfNoEntry: false })?.isFile() === true
  return isFile ? `${readFileSync(file, 'utf8').trimEnd()}\n\n` : ''
}

/** A file of before, or a link in its place, is replaced, never written to. */
function writeSecrets(file: string, text: string): void {
  mkdirSync(join(file, '..'), { recursive: true, mode: 0o700 })
  rmSync(file, { force: true })
  writeFileSync(file, text, { mode: 0o600, flag: 'wx' })
}
