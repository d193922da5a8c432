// The address book: which screen an address shows. Screens are bundles of their own, fetched when they are first opened or
// pointed at.
import { createRootRoute, createRoute, createRouter, Outlet, redirect } from '@tanstack/react-router'
import { ErrorState } from '../ui/states.tsx'
import { PageHeader } from '../ui/surface.tsx'
import { NotFound, Pending } from './fallbacks.tsx'
import { lazyScreen } from './lazy_screen.tsx'
import { sessionState } from './session.ts'
import { Shell } from './shell.tsx'

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

const login = createRoute({
  getParentRoute: () => root,
  path: '/login',
  component: lazyScreen(() => import('../login/login_screen.tsx'), 'LoginScreen'),
})

/** Everything that needs a session; who has none is sent to the login and back again. */
const shell = createRoute({
  getParentRoute: () => root,
  id: 'shell',
  component: Shell,
  beforeLoad({ location }) {
    if (sessionState().status === 'out') {
      const next = location.href === '/' ? undefined : location.href
      throw redirect({ to: '/login', search: { next } })
    }
  },
})

const explorerScreen = lazyScreen(() => import('../explorer/explorer_screen.tsx'), 'ExplorerScreen')
const errorsScreen = lazyScreen(() => import('../explorer/errors_screen.tsx'), 'ErrorsScreen')
const messagesScreen = lazyScreen(() => import('../messages/messages_screen.tsx'), 'MessagesScreen')
const servicesScreen = lazyScreen(() => import('../services/services_screen.tsx'), 'ServicesScreen')
const carriersScreen = lazyScreen(() => import('../carriers/carriers_screen.tsx'), 'CarriersScreen')
const callsScreen = lazyScreen(() => import('../calls/calls_screen.tsx'), 'CallsScreen')
const recordingsScreen = lazyScreen(() => import('../recordings/recordings_screen.tsx'), 'RecordingsScreen')
const destinationsScreen = lazyScreen(() => import('../destinations/destinations_screen.tsx'), 'DestinationsScreen')
const trunksScreen = lazyScreen(() => import('../trunks/trunks_screen.tsx'), 'TrunksScreen')
const phonesScreen = lazyScreen(() => import('../phones/phones_screen.tsx'), 'PhonesScreen')
const leadsScreen = lazyScreen(() => import('../leads/leads_screen.tsx'), 'LeadsScreen')
const invoicesScreen = lazyScreen(() => import('../invoices/invoices_screen.tsx'), 'InvoicesScreen')
const logsScreen = lazyScreen(() => import('../logs/logs_screen.tsx'), 'LogsScreen')

const getParentRoute = () => shell
const routeTree = root.addChildren([
  login,
  shell.addChildren([
    createRoute({
      getParentRoute,
      path: '/',
      component: lazyScreen(() => import('../dashboard/dashboard_screen.tsx'), 'DashboardScreen'),
    }),
    createRoute({ getParentRoute, path: '/explorer', component: explorerScreen }),
    createRoute({ getParentRoute, path: '/explorer/$version/$category/$slug', component: explorerScreen }),
    createRoute({ getParentRoute, path: '/errors', component: errorsScreen }),
    createRoute({ getParentRoute, path: '/errors/$code', component: errorsScreen }),
    createRoute({
      getParentRoute,
      path: '/playground',
      component: lazyScreen(() => import('../playground/playground_screen.tsx'), 'PlaygroundScreen'),
    }),
    createRoute({ getParentRoute, path: '/messages', component: messagesScreen }),
    createRoute({ getParentRoute, path: '/messages/$id', component: messagesScreen }),
    createRoute({
      getParentRoute,
      path: '/handset',
      component: lazyScreen(() => import('../handset/handset_screen.tsx'), 'HandsetScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/numbers',
      component: lazyScreen(() => import('../numbers/numbers_screen.tsx'), 'NumbersScreen'),
    }),
    createRoute({ getParentRoute, path: '/services', component: servicesScreen }),
    createRoute({ getParentRoute, path: '/services/$id', component: servicesScreen }),
    createRoute({
      getParentRoute,
      path: '/opt-outs',
      component: lazyScreen(() => import('../opt_outs/opt_outs_screen.tsx'), 'OptOutsScreen'),
    }),
    createRoute({ getParentRoute, path: '/carriers', component: carriersScreen }),
    createRoute({ getParentRoute, path: '/carriers/$id', component: carriersScreen }),
    createRoute({ getParentRoute, path: '/calls', component: callsScreen }),
    createRoute({ getParentRoute, path: '/calls/$id', component: callsScreen }),
    createRoute({ getParentRoute, path: '/recordings', component: recordingsScreen }),
    createRoute({ getParentRoute, path: '/destinations', component: destinationsScreen }),
    createRoute({ getParentRoute, path: '/trunks', component: trunksScreen }),
    createRoute({ getParentRoute, path: '/trunks/$id', component: trunksScreen }),
    createRoute({ getParentRoute, path: '/phones', component: phonesScreen }),
    createRoute({ getParentRoute, path: '/leads', component: leadsScreen }),
    createRoute({ getParentRoute, path: '/leads/$id', component: leadsScreen }),
    createRoute({ getParentRoute, path: '/invoices', component: invoicesScreen }),
    createRoute({ getParentRoute, path: '/invoices/$id', component: invoicesScreen }),
    createRoute({
      getParentRoute,
      path: '/keys',
      component: lazyScreen(() => import('../keys/keys_screen.tsx'), 'KeysScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/webhooks',
      component: lazyScreen(() => import('../webhooks/webhooks_screen.tsx'), 'WebhooksScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/webhooks/callbacks',
      component: lazyScreen(() => import('../webhooks/callbacks_page.tsx'), 'CallbacksScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/webhooks/$id',
      component: lazyScreen(() => import('../webhooks/webhook_page.tsx'), 'WebhookScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/webhooks/deliveries/$id',
      component: lazyScreen(() => import('../webhooks/delivery_page.tsx'), 'DeliveryScreen'),
    }),
    createRoute({ getParentRoute, path: '/logs', component: logsScreen }),
    createRoute({ getParentRoute, path: '/logs/$id', component: logsScreen }),
    createRoute({
      getParentRoute,
      path: '/events',
      component: lazyScreen(() => import('../events/events_screen.tsx'), 'EventsScreen'),
    }),
    createRoute({
      getParentRoute,
      path: '/usage',
      component: lazyScreen(() => import('../usage/usage_screen.tsx'), 'UsageScreen'),
    }),
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
  defaultErrorComponent: ({ error, reset }) => (
    <>
      <PageHeader title="Something went wrong" />
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
