// The groups of telephone numbers of all countries: fetched beside the first screen that shows one, and kept.
import { useSyncExternalStore } from 'react'
import { useSession } from '../session/session.ts'
import { type PhoneFormats, phoneText } from './phone_text.ts'

let formats: PhoneFormats | undefined
const listeners = new Set<() => void>()
void import('./phone_formats.generated.ts').then(
  module => {
    formats = module.phoneFormats
    for (const listener of listeners) listener()
  },
  // Where they cannot be fetched numbers stand as they are.
  () => undefined,
)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Writes numbers as people of the organization's country do. */
export function usePhoneText(): (number: string) => string {
  const { country } = useSession()
  const known = useSyncExternalStore(subscribe, () => formats)
  return number => phoneText(number, country, known)
}
