// Screens as bundles of their own, fetched when they are first opened or pointed at. Files fail to come: the server starts
// again, a new version names them otherwise, a network drops. Then the screen asks again by itself until it is there, and loads
// the portal again once where that alone can help, for browsers remember a script that failed.
import type { AsyncRouteComponent } from '@tanstack/react-router'
import { type ComponentType, useEffect, useReducer, useState } from 'react'
import { Button, EmptyState, PageHeader } from '../ui/index.ts'
import { sleep, waitMs } from '../ui/lazy_part.tsx'
import { useLanguage } from '../words/language.ts'
import { Pending } from './fallbacks.tsx'
import { whatReloadEnds } from './reload_guard.ts'
import { t } from './texts.ts'

type Importer<Module> = () => Promise<Module>

/** What is fetched, as the component of a route. */
export function lazyScreen(importer: Importer<ComponentType>): AsyncRouteComponent<object> {
  let component: ComponentType | undefined
  let loading: Promise<void> | undefined
  const load = (): Promise<void> => {
    if (component !== undefined) return Promise.resolve()
    loading ??= importer()
      .then(loaded => {
        component = loaded
      })
      .finally(() => {
        loading = undefined
      })
    return loading
  }
  function LazyScreen() {
    useLanguage()
    const [, render] = useReducer((count: number) => count + 1, 0)
    const Screen = component
    return Screen === undefined ? <Fetching load={load} onLoaded={render} /> : <Screen />
  }
  // What fails while a link is merely pointed at is nobody's concern yet.
  return Object.assign(LazyScreen, { preload: () => load().catch(() => undefined) })
}

type Trouble = 'none' | 'away' | 'failed'

function Fetching({ load, onLoaded }: { load(): Promise<void>; onLoaded(): void }) {
  const [trouble, setTrouble] = useState<Trouble>('none')
  const [turn, again] = useReducer((count: number) => count + 1, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each turn starts again
  useEffect(() => {
    const stop = new AbortController()
    void untilLoaded(load, stop.signal, setTrouble).then(loaded => loaded && onLoaded())
    return () => stop.abort()
  }, [turn])
  if (trouble === 'none') return <Pending />
  const loss = whatReloadEnds()
  return (
    <>
      <PageHeader title={t('pageFailed')} />
      <div role="alert">
        <EmptyState
          title={t(trouble === 'away' ? 'away' : 'filesMissing')}
          text={
            trouble === 'away'
              ? t('awayText')
              : `${t('filesMissingText')}${loss === undefined ? '' : ` ${t('reloadEnds', { loss })}`}`
          }
          action={
            <Button
              onClick={() => {
                if (trouble === 'failed') window.location.reload()
                else again()
              }}
            >
              {t('retry')}
            </Button>
          }
        />
      </div>
    </>
  )
}

/** Resolves with true when it is loaded, with false when nobody waits for it any more or the page is being loaded again. */
async function untilLoaded(
  load: () => Promise<void>,
  signal: AbortSignal,
  setState: (trouble: Trouble) => void,
): Promise<boolean> {
  for (let tries = 1; !signal.aborted; tries++) {
    const build = await buildOfServer(signal)
    if (signal.aborted) return false
    // Another build has other files: asking for these again would be in vain.
    const loaded =
      build === 'this' &&
      (await load().then(
        () => true,
        () => false,
      ))
    if (loaded || signal.aborted) return loaded
    if ((build === 'other' || (build === 'this' && tries > 1)) && reloadOnce()) return false
    if (build === undefined) setState('away')
    else if (build === 'other' || tries > 1) setState('failed')
    await sleep(waitMs(tries))
  }
  return false
}

function entryScript(): string {
  return document.querySelector<HTMLScriptElement>('script[type="module"][src]')?.src ?? ''
}

/** Which build of the portal the server gives out now; undefined when it gives none. */
async function buildOfServer(signal: AbortSignal): Promise<'this' | 'other' | undefined> {
  try {
    const response = await fetch('/', {
      headers: { accept: 'text/html' },
      cache: 'no-store',
      credentials: 'omit',
      signal: AbortSignal.any([signal, AbortSignal.timeout(5_000)]),
    })
    if (!response.ok) return undefined
    return (await response.text()).includes(new URL(entryScript()).pathname) ? 'this' : 'other'
  } catch {
    return undefined
  }
}

/** Loads the page again, once for each build at an address, and never while somebody talks; false when it does not. */
function reloadOnce(): boolean {
  const { reloaded } = (window.history.state ?? {}) as { reloaded?: string }
  if (whatReloadEnds() !== undefined || reloaded === entryScript()) return false
  // The browser keeps the state of an entry of its history through a reload.
  window.history.replaceState({ ...window.history.state, reloaded: entryScript() }, '')
  window.location.reload()
  return true
}
