// What problems and wrong fields mean, in the language of the portal where that is not the server's. These words are many and few of them
// are read, so they come when the browser has nothing else to do, or with the first error; until then the server's English is shown.
import { useCallback, useEffect, useSyncExternalStore } from 'react'
import { currentLanguage, useLanguage } from '../words/language.ts'

export type ProblemWords = { title: string; cause: string; fix: string }
type Fault = { code: string; message: string }
type Words = typeof import('./words.ts')

let words: Words | undefined
let coming: Promise<void> | undefined
const listeners = new Set<() => void>()

/** Fetches the words once. Resolves also where there are none to fetch, and where they do not come: the next error asks again. */
export function loadProblemWords(): Promise<void> {
  if (currentLanguage() === 'en' || words !== undefined) return Promise.resolve()
  coming ??= import('./words.ts')
    .then(module => {
      words = module
      for (const listener of listeners) listener()
    })
    .catch(() => undefined)
    .finally(() => {
      coming = undefined
    })
  return coming
}

/** The words where they are needed and there. */
function wordsThere(): Words | undefined {
  if (currentLanguage() === 'en') return undefined
  if (words === undefined) void loadProblemWords()
  return words
}

/**
 * A problem as a sentence in the language of the portal: its cause and fix, and what the server says beyond them.
 * @returns undefined where the server's own sentence is to be shown
 */
export const problemSentence = (code: string, said: string): string | undefined =>
  wordsThere()?.problemSentence(code, said)

/** What is wrong with a field, likewise. */
export const fieldSentence = (fault: Fault): string | undefined => wordsThere()?.fieldSentence(fault)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** A function that puts a problem of the catalog into the language of the portal; it is another one when the words have come. */
export function useProblemWords(): <Problem extends ProblemWords & { code: string }>(problem: Problem) => Problem {
  const language = useLanguage()
  const there = useSyncExternalStore(subscribe, () => words)
  useEffect(() => {
    if (language !== 'en') void loadProblemWords()
  }, [language])
  return useCallback(
    problem => (language === 'en' ? problem : { ...problem, ...there?.problemWords(problem.code) }),
    [language, there],
  )
}

/** Fetches the words when the browser is idle: at the start, and when another language is chosen. @param isReady when to begin */
export function useIdleProblemWords(isReady: boolean): void {
  const language = useLanguage()
  useEffect(() => {
    if (!isReady || language === 'en') return
    const load = () => void loadProblemWords()
    // Safari has no idle callbacks.
    if (!('requestIdleCallback' in window)) {
      const timer = setTimeout(load, 2_000)
      return () => clearTimeout(timer)
    }
    const handle = requestIdleCallback(load)
    return () => cancelIdleCallback(handle)
  }, [language, isReady])
}
