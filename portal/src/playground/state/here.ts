// Whether an address is that of the Playground, by the router itself: it takes `/Playground` and `/playground/` for it as well.
import type { AnyRouter } from '@tanstack/react-router'

export function isPlayground(router: Pick<AnyRouter, 'getMatchedRoutes'>, pathname: string): boolean {
  return router.getMatchedRoutes(pathname)[2]?.fullPath === '/playground'
}
