// Components of bundles of their own, fetched when they are wanted, or from the first sign of a person on.
import { type ComponentType, lazy, useEffect, useReducer } from 'react'
import { useLanguage } from '../words/language.ts'
import { t } from './texts.ts'
import { toast } from './toast.tsx'

type Importer<Module> = () => Promise<Module>

/** A component of a bundle of its own. Where its files do not come it stays away, and says how to get it. */
export function lazyPart<Props extends object>(importer: Importer<ComponentType<Props>>) {
  return lazy(async () => ({ default: await persistently(importer) }))
}

async function persistently<Module>(importer: Importer<Module>): Promise<Module> {
  for (let tries = 1; ; tries++) {
    try {
      return await importer()
    } catch {
      if (tries === 3) {
        const action = { label: t('reload'), onSelect: () => window.location.reload() }
        toast({ text: t('partFailed'), tone: 'bad', action })
      }
      await sleep(waitMs(tries))
    }
  }
}

/** What shows that somebody is there, and may want more than what is shown. */
export const signsOfSomebody = ['pointermove', 'pointerdown', 'keydown'] as const

/**
 * The same for what a press or a key opens: it is fetched from the first sign of a person on, so that it is there when it is wanted
 * and keys that are typed at once reach it. (`lazy` would hold back what was suspended for 300 ms.)
 */
export function readyPart<Props extends object>(importer: Importer<ComponentType<Props>>) {
  let component: ComponentType<Props> | undefined
  let loading: Promise<void> | undefined
  const load = () => {
    for (const sign of signsOfSomebody) removeEventListener(sign, load)
    loading ??= persistently(importer).then(loaded => {
      component = loaded
    })
    return loading
  }
  for (const sign of signsOfSomebody) addEventListener(sign, load, { passive: true })
  return function ReadyPart(props: Props) {
    useLanguage()
    const [, render] = useReducer((count: number) => count + 1, 0)
    const Part = component
    const isMissing = Part === undefined
    useEffect(() => {
      // It may have come since it was drawn without.
      if (isMissing) void load().then(render)
    }, [isMissing])
    return Part === undefined ? null : <Part {...props} />
  }
}

/** Milliseconds before the next of several tries. */
export function waitMs(tries: number): number {
  return Math.min(500 * 2 ** (tries - 1), 15_000)
}

export function sleep(ms: number): Promise<void> {
  return new Promise(resolve => setTimeout(resolve, ms))
}
