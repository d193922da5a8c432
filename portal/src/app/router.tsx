// The address book: which screen an address shows. Screens declare theirs (screens.ts), and are bundles of their own, fetched when
// they are first opened or pointed at.
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { readable } from '../navigation/access.ts'
import { NotFound, Pending } from '../navigation/fallbacks.tsx'
import '../navigation/current_screen.ts'
import { lazyScreen } from '../navigation/lazy_screen.tsx'
import type { NamedScreen, Page } from '../navigation/screen.ts'
import { currentSide } from '../navigation/side.ts'
import { sessionState } from '../session/session.ts'
import { ErrorState } from '../ui/states.tsx'
import { PageHeader } from '../ui/surface.tsx'
import { entriesOf } from './entries.ts'
import { navigation, screens } from './screens.ts'
import { Shell } from './shell.tsx'
import { t } from './texts.ts'

/** Every part of an address after the ? is text: filters stay readable and can be typed by hand. */
export type Search = Record<string, string | undefined>

export function parseSearch(text: string): Search {
  return Object.fromEntries(new URLSearchParams(text))
}
export function stringifySearch(search: Record<string, unknown>): string {
  const pairs = Object.entries(search).filter(([, value]) => value !== undefined && value !== null && value !== '')
  const text = new URLSearchParams(pairs.map(([name, value]) => [name, String(value)])).toString()
  return text === '' ? '' : `?${text}`
}

const root = createRootRoute({
  component: Outlet,
  notFoundComponent: NotFound,
  validateSearch: (search: Record<string, unknown>): Search => search as Search,
})

/** Who has no session is sent to the login and back again. */
function beforeLoad({ location }: { location: { href: string } }): void {
  if (sessionState().status === 'out') {
    const next = location.href === '/' ? undefined : location.href
    throw redirect({ to: '/login', search: { next } })
  }
}

/** The address of the portal leads to the first screen of the side that the person works on. */
function goToStart(): void {
  const session = sessionState()
  if (session.status !== 'in') return
  const start = entriesOf(currentSide(), readable(navigation, session.permissions))[0]?.screens[0]
  throw redirect({ to: (start?.path ?? '/account') as '/', replace: true })
}

/** Everything that needs a session, with the navigation around it. */
const shell = createRoute({ getParentRoute: () => root, id: 'shell', component: Shell, beforeLoad })

const getParentRoute = () => shell

const components = new Map<Page['load'], ReturnType<typeof lazyScreen>>()

/** One component for all addresses that the same screen shows. */
function componentOf(load: Page['load']) {
  const component = components.get(load) ?? lazyScreen(load)
  components.set(load, component)
  return component
}

const routeTo = (screen: NamedScreen, { path, load = screen.load }: { path: string; load?: Page['load'] }) =>
  createRoute({ getParentRoute, path, component: componentOf(load), staticData: { screen } })

/**
 * The route of a screen, and those of its pages; pages within it are its children, so that also where opening one takes long the
 * screen stands, with its place and the focus.
 */
function routesOf(entry: NamedScreen) {
  const { path, pages = [] } = entry
  const screen = routeTo(entry, { path })
  const within = pages.filter(page => page.within)
  if (within.length > 0) {
    const own = [path, ...within.map(page => page.path)].map(whole => whole.slice(path.length) || '/')
    screen.addChildren(own.map(rest => createRoute({ getParentRoute: () => screen, path: rest })))
  }
  return [screen, ...pages.filter(page => !page.within).map(page => routeTo(entry, page))]
}

/** Shown without a session, and without the frame. */
const outside = screens.filter(screen => screen.public)
/** With a session, and without the frame. */
const bare = screens.filter(screen => screen.bare)
const inside = screens.filter(screen => !screen.public && !screen.bare)

const routeTree = root.addChildren([
  ...outside.map(({ path, load }) => createRoute({ getParentRoute: () => root, path, component: componentOf(load) })),
  ...bare.map(({ path, load }) =>
    createRoute({ getParentRoute: () => root, path, component: componentOf(load), beforeLoad }),
  ),
  shell.addChildren([
    createRoute({ getParentRoute, path: '/', beforeLoad: goToStart }),
    ...inside.flatMap(routesOf),
    createRoute({ getParentRoute, path: '$', component: NotFound }),
  ]),
])

export const router = createRouter({
  routeTree,
  parseSearch,
  stringifySearch,
  defaultPreload: 'intent',
  defaultPendingComponent: Pending,
  defaultPendingMs: 150,
  // By itself the router keeps what stands for a screen for half a second, however soon the screen has come.
  defaultPendingMinMs: 0,
  defaultErrorComponent: ({ error, reset }) => (
    <>
      <PageHeader title={t('wrong')} />
      <ErrorState error={error} onRetry={reset} />
    </>
  ),
  scrollRestoration: true,
})

declare module '@tanstack/react-router' {
  interface Register {
    router: typeof router
  }
}
