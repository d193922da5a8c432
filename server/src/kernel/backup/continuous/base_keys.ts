// Root keys in base backups: what goes along, and what a data folder has of them after a restore. The key of a moment may be another than that
// of now, or than that of the base backup it begins with; none of them is lost.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { writeWhole } from '../../boot/durable_files.ts'
import { keysIn, nextFile, ownFileName } from '../../boot/root_key.ts'

/** The file of the key in a data folder, with a key that is about to take its place; undefined where there is none. */
export async function readOwnKeys(dataDir: string): Promise<string | undefined> {
  const path = join(dataDir, ownFileName)
  // The next one first: it may be put in the place of the other meanwhile.
  const next = await readFile(nextFile(path), 'utf8').catch(() => undefined)
  const own = await readFile(path, 'utf8').catch(() => undefined)
  return own === undefined ? next : textOf([own, next ?? ''])
}

const wordsIn = (text: string) => text.split(/[\s,]+/).filter(Boolean)
const textOf = (texts: readonly string[]) => [...new Set(texts.flatMap(wordsIn))].map(word => `${word}\n`).join('')

function fits(word: string, sealers: readonly string[]): boolean {
  try {
    return keysIn(ownFileName, word).some(({ fingerprint }) => sealers.includes(fingerprint))
  } catch {
    return false
  }
}

/** Whether the keys of a text open all that is sealed. */
export function opensAll(text: string | undefined, sealers: readonly string[]): boolean {
  return sealers.every(sealer => wordsIn(text ?? '').some(word => fits(word, [sealer])))
}

/** Sees to it that a data folder has the keys that open its database, in front of those that it had. */
export async function keepKeys(dataDir: string, found: string, sealers: readonly string[]): Promise<void> {
  const path = join(dataDir, ownFileName)
  const own = await readFile(path, 'utf8').catch(() => undefined)
  if (own !== undefined && opensAll(own, sealers)) return
  const words = wordsIn(textOf([found, own ?? '']))
  const [fitting, others] = [words.filter(word => fits(word, sealers)), words.filter(word => !fits(word, sealers))]
  await writeWhole(path, Readable.from([textOf([...fitting, ...others])]))
}
