// The language of the portal: the one that the person chose, else the first of the browser's that there is, else English. It changes
// at once and in place: what is shown is drawn again, and what was typed stays.
import { useSyncExternalStore } from 'react'
import { fetchFile, fileOf, type Language, languages, textsOf } from './files.ts'

export { type Language, languages } from './files.ts'

/** Each in its own words, for people who look for theirs. */
export const languageNames: Readonly<Record<Language, string>> = { en: 'English', de: 'Deutsch' }

type Chosen = { language: Language; locale: string }

let chosen: Chosen = { language: 'en', locale: 'en' }
let hasStarted = false
/** Folders whose texts something that was loaded says. */
const needed = new Set<string>()
const listeners = new Set<() => void>()
/** What was chosen here last: it is fetched before it is known who comes. */
const storageKey = 'tandem.locale'

/** The one of our languages that a BCP 47 tag names. */
export const languageOf = (tag: string): Language | undefined =>
  languages.find(language => tag.toLowerCase().split('-')[0] === language)

/**
 * The first tag whose language there is. Its region counts for dates and numbers, and where it names none that of the next tag
 * of the same language: who chose "de" and whose browser says "de-AT" reads Austrian dates.
 * @param tags BCP 47, the most wanted first
 */
export function choose(tags: readonly string[]): Chosen {
  const language = tags.map(languageOf).find(found => found !== undefined) ?? 'en'
  const own = tags.filter(tag => languageOf(tag) === language)
  return { language, locale: own.find(tag => tag.includes('-')) ?? own[0] ?? language }
}

/** @param wanted what the person chose; null for what the browser says */
const chosenBy = (wanted: string | null) => choose([...(wanted === null ? [] : [wanted]), ...navigator.languages])

export const currentLanguage = (): Language => chosen.language

/** What who chose none reads. */
export const browserLanguage = (): Language => chosenBy(null).language

/** BCP 47, for `Intl`: of the language, and of the region that the person or the browser names. */
export const currentLocale = (): string => chosen.locale

/** Says that the texts of a folder will be shown; once the language is known they are fetched at once. */
export function needWords(folder: string): void {
  needed.add(folder)
  // Who needs them waits for them (`wordsReady`), and hears there what went wrong.
  if (hasStarted) fetchFile(chosen.language, fileOf(folder)).catch(() => undefined)
}

async function fetchNeeded(language: Language): Promise<void> {
  for (;;) {
    const missing = [...needed].filter(folder => textsOf(language, folder) === undefined)
    if (missing.length === 0) return
    await Promise.all(missing.map(folder => fetchFile(language, fileOf(folder))))
  }
}

/** Resolves when everything that is loaded can be said. @throws Error when a file does not come */
export async function wordsReady(): Promise<void> {
  await fetchNeeded(chosen.language)
}

/** The same, however long it takes. @param onWait called where the files do not come at once */
export async function untilWordsReady(onWait: () => void = () => undefined): Promise<void> {
  const timer = setTimeout(onWait, 3_000)
  for (let waitMs = 500; ; waitMs = Math.min(2 * waitMs, 15_000)) {
    try {
      await wordsReady()
      return clearTimeout(timer)
    } catch {
      onWait()
      await new Promise(resolve => setTimeout(resolve, waitMs))
    }
  }
}

/** Chooses the language that was spoken here last, and else the browser's, and begins to fetch it. */
export function startWords(): void {
  hasStarted = true
  chosen = chosenBy(stored())
  document.documentElement.lang = chosen.language
  for (const folder of needed) needWords(folder)
}

/**
 * Speaks the language of a person, once its texts have come.
 * @param wanted BCP 47; null for what the browser says
 */
export async function speak(wanted: string | null): Promise<void> {
  const next = chosenBy(wanted)
  keep(wanted)
  await fetchNeeded(next.language)
  if (next.language === chosen.language && next.locale === chosen.locale) return
  chosen = next
  document.documentElement.lang = next.language
  for (const listener of listeners) listener()
}

function stored(): string | null {
  try {
    return localStorage.getItem(storageKey)
  } catch {
    return null
  }
}

function keep(wanted: string | null): void {
  try {
    if (wanted === null) localStorage.removeItem(storageKey)
    else localStorage.setItem(storageKey, wanted)
  } catch {
    // Without storage the browser's language is fetched first.
  }
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Draws the component again when the language changes: for screens, and for what is drawn apart from them or memoized. */
export function useLanguage(): Language {
  useSyncExternalStore(subscribe, currentLocale)
  return chosen.language
}
