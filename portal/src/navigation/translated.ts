// The names of screens in the language that was chosen: read while drawing, like all texts.
import type { NamedScreen, ScreenEntry } from './screen.ts'
import { t } from './texts.ts'

/** The same screen, whose name is that of the language at the time that it is read. */
export function translated(screen: ScreenEntry): NamedScreen {
  const name = { enumerable: true, get: () => t(`name.${screen.id}`) }
  return Object.defineProperties({ ...screen }, { name }) as NamedScreen
}

/** The title of a page, where all that stands at its address has one. */
export const pageName = (id: string): string | undefined => t.of('name', id)
