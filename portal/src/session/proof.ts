// A fresh proof of who the person is, which some requests are worth: asked for once by a dialog of the frame, for all that wait for it;
// what was refused is then sent again by itself.
import { useSyncExternalStore } from 'react'
import { t } from './texts.ts'

type Asked = { proof: Promise<void>; settle(isGiven: boolean): void }

let asked: Asked | undefined
const listeners = new Set<() => void>()

function change(next: Asked | undefined): void {
  asked = next
  for (const listener of listeners) listener()
}

/** Resolves when the person proved who they are. @throws Error when they would not */
export function askForProof(): Promise<void> {
  if (asked !== undefined) return asked.proof
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  change({
    proof: promise,
    settle: isGiven => {
      change(undefined)
      if (isGiven) resolve()
      else reject(new Error(t('noProof')))
    },
  })
  return promise
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** What the dialog answers to; undefined while nothing is asked for. */
export function useAskedProof(): Asked['settle'] | undefined {
  return useSyncExternalStore(subscribe, () => asked)?.settle
}
