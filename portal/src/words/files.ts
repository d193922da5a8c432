// The texts of the portal, by language and folder. A build packs them apart from its scripts, one small file a folder and language (what
// is always needed together is one), so that nobody fetches a language that they do not read.
import type { CompiledMessage } from 'icu-minify/format'

export const languages = ['en', 'de'] as const
export type Language = (typeof languages)[number]

/** The texts of a folder, as the build compiled them (`portal/vite/words.ts`). */
export type Compiled = Readonly<Record<string, CompiledMessage>>

/** What the build says of its files: their version, and which of them holds the texts of a folder, where it is not one of its own. */
declare const __WORDS__: { version: string; files: Readonly<Record<string, string>> }

const kept = new Map<string, Compiled>()
const coming = new Map<string, Promise<void>>()

export const fileOf = (folder: string) => __WORDS__.files[folder] ?? folder.replaceAll('/', '.')

export function keepTexts(language: Language, folder: string, texts: Compiled): void {
  kept.set(`${language} ${folder}`, texts)
}

export function textsOf(language: Language, folder: string): Compiled | undefined {
  return kept.get(`${language} ${folder}`)
}

/**
 * Fetches a file once, however many want it; one that did not come is asked for again by the next who does.
 * @throws Error when it does not come
 */
export function fetchFile(language: Language, file: string): Promise<void> {
  const address = `/_built/words/${language}/${file}-${__WORDS__.version}.json`
  const known = coming.get(address)
  if (known !== undefined) return known
  const asked = fetchTexts(address).then(folders => {
    for (const [folder, texts] of Object.entries(folders)) keepTexts(language, folder, texts)
  })
  coming.set(address, asked)
  asked.catch(() => coming.delete(address))
  return asked
}

async function fetchTexts(address: string): Promise<Record<string, Compiled>> {
  const response = await fetch(address, { credentials: 'omit' })
  if (!response.ok) throw new Error(`${address}: ${response.status}`)
  return response.json()
}
