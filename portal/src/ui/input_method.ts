// Keys that belong to an input method: while a Japanese, Chinese or Korean word is being composed, Enter, Escape and arrows choose among
// its conversions, and mean nothing to the field.
import type { KeyboardEvent as Heard } from 'react'

/** Some browsers end the composing before the key that ended it arrives, with the code 229. */
export function isComposing(event: Heard | KeyboardEvent): boolean {
  const { isComposing, keyCode } = 'nativeEvent' in event ? event.nativeEvent : event
  return isComposing || keyCode === 229
}

/** Hears no key that belongs to an input method. */
export const unlessComposing = (hear: (event: Heard) => void) => (event: Heard) => {
  if (!isComposing(event)) hear(event)
}
