// The screen that is shown, as its folder declares it: its title, address and permission are written there alone.
import { useMatch } from '@tanstack/react-router'
import type { NamedScreen } from './screen.ts'

declare module '@tanstack/react-router' {
  interface StaticDataRouteOption {
    screen?: NamedScreen
  }
}

/** Of the route that a component is drawn by. */
export function useCurrentScreen(): NamedScreen {
  return useMatch({ strict: false, select: ({ staticData }) => staticData.screen }) as NamedScreen
}
