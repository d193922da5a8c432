// On which side of the portal a screen is.
import { type ScreenEntry, type SideId, sides } from './screen.ts'

/** The person's own side where the screen is on both or on none, else the one that it is on. Settings are in the workspace. */
export function sideWith({ entries = [], setting }: ScreenEntry, own: SideId): SideId {
  const has = (side: SideId) =>
    entries.some(entry => (sides[side].entries as readonly string[]).includes(entry)) ||
    (side === 'workspace' && setting !== undefined)
  const other: SideId = own === 'workspace' ? 'developers' : 'workspace'
  return !has(own) && has(other) ? other : own
}
