// The names of screens in the language that was chosen: read while drawing, like all texts. What a screen calls itself (`screen.ts`) is
// shown where there is no text for it.
import type { ScreenEntry } from './screen.ts'
import { t } from './texts.ts'

/** The same screen, whose name and hint are those of the language at the time that they are read. */
export function translated(screen: ScreenEntry): ScreenEntry {
  return Object.defineProperties(
    { ...screen },
    {
      name: { enumerable: true, get: () => t.of('name', screen.id) ?? screen.name },
      hint: { enumerable: true, get: () => t.of('hint', screen.id) ?? screen.hint },
    },
  )
}
