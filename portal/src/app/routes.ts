// Every screen of the portal: its address, its name, and where it stands in the navigation. The router, the palette, the
// shortcuts and the tests of all screens read this list.

export type Screen = {
  id: string
  path: string
  name: string
  /** Where it stands in the navigation; left out for screens that are reached from others. */
  section?: 'Start' | 'Build' | 'Messaging' | 'Records' | 'Observe'
  /** Pressed after g. */
  key?: string
  /** Said in the palette. */
  hint?: string
  /** The permission without which it shows nothing; who lacks it is not offered the screen. */
  needs?: string
  /** Shown without a session. */
  public?: true
}

export const screens = [
  { id: 'login', path: '/login', name: 'Log in', public: true },
  { id: 'dashboard', path: '/', name: 'Dashboard', section: 'Start', key: 'd', hint: 'What is going on' },
  { id: 'explorer', path: '/explorer', name: 'Explorer', section: 'Build', key: 'e', hint: 'Every endpoint' },
  { id: 'endpoint', path: '/explorer/$version/$category/$slug', name: 'Endpoint' },
  {
    id: 'playground',
    path: '/playground',
    name: 'Playground',
    section: 'Build',
    key: 'p',
    hint: 'Send a real request',
  },
  { id: 'keys', path: '/keys', name: 'API keys', section: 'Build', key: 'k', hint: 'Create, rotate, revoke' },
  {
    id: 'webhooks',
    path: '/webhooks',
    name: 'Webhooks',
    section: 'Build',
    key: 'w',
    hint: 'Where events are sent, and what arrived',
    needs: 'webhooks:read',
  },
  { id: 'callbacks', path: '/webhooks/callbacks', name: 'Callback URLs' },
  { id: 'webhook', path: '/webhooks/$id', name: 'Webhook' },
  { id: 'delivery', path: '/webhooks/deliveries/$id', name: 'Delivery' },
  { id: 'errors', path: '/errors', name: 'Errors', section: 'Build', key: 'x', hint: 'Every error code with its fix' },
  { id: 'error', path: '/errors/$code', name: 'Error' },
  {
    id: 'messages',
    path: '/messages',
    name: 'Messages',
    section: 'Messaging',
    key: 'm',
    hint: 'Texts and receipts',
    needs: 'messages:read',
  },
  { id: 'message', path: '/messages/$id', name: 'Message' },
  {
    id: 'handset',
    path: '/handset',
    name: 'Handset',
    section: 'Messaging',
    key: 'h',
    hint: 'A virtual phone: see texts arrive, answer them',
    needs: 'messages:read',
  },
  {
    id: 'numbers',
    path: '/numbers',
    name: 'Numbers',
    section: 'Messaging',
    key: 'n',
    hint: 'Numbers, short codes, sender ids',
    needs: 'numbers:read',
  },
  {
    id: 'services',
    path: '/services',
    name: 'Services',
    section: 'Messaging',
    key: 's',
    hint: 'Messaging services: pools of senders, keywords and replies',
    needs: 'messages:read',
  },
  { id: 'service', path: '/services/$id', name: 'Service' },
  {
    id: 'opt_outs',
    path: '/opt-outs',
    name: 'Opt-outs',
    section: 'Messaging',
    key: 'o',
    hint: 'Who asked not to be texted',
    needs: 'messages:read',
  },
  {
    id: 'carriers',
    path: '/carriers',
    name: 'Carriers',
    section: 'Messaging',
    key: 'r',
    hint: 'SMPP links, routes, test bind',
    needs: 'carriers:read',
  },
  { id: 'carrier', path: '/carriers/$id', name: 'Carrier' },
  {
    id: 'calls',
    path: '/calls',
    name: 'Calls',
    section: 'Records',
    key: 'c',
    hint: 'Calls and how they went',
    needs: 'calls:read',
  },
  { id: 'call', path: '/calls/$id', name: 'Call' },
  {
    id: 'recordings',
    path: '/recordings',
    name: 'Recordings',
    section: 'Records',
    key: 'q',
    hint: 'What was recorded of calls',
    needs: 'recordings:read',
  },
  {
    id: 'trunks',
    path: '/trunks',
    name: 'Trunks',
    section: 'Records',
    key: 't',
    hint: 'SIP trunks: carriers of calls, routes, test',
    needs: 'trunks:read',
  },
  { id: 'trunk', path: '/trunks/$id', name: 'Trunk' },
  {
    id: 'destinations',
    path: '/destinations',
    name: 'Destinations',
    section: 'Records',
    key: 'y',
    hint: 'Which numbers are called and texted, and how much a day',
    needs: 'destinations:read',
  },
  {
    id: 'phones',
    path: '/phones',
    name: 'Phones',
    section: 'Records',
    key: 'f',
    hint: 'Desk phones and softphones that register by SIP',
    needs: 'sip_credentials:read',
  },
  {
    id: 'leads',
    path: '/leads',
    name: 'Leads',
    section: 'Records',
    key: 'a',
    hint: 'People to win',
    needs: 'leads:read',
  },
  { id: 'lead', path: '/leads/$id', name: 'Lead' },
  {
    id: 'invoices',
    path: '/invoices',
    name: 'Invoices',
    section: 'Records',
    key: 'i',
    hint: 'What is owed',
    needs: 'invoices:read',
  },
  { id: 'invoice', path: '/invoices/$id', name: 'Invoice' },
  { id: 'logs', path: '/logs', name: 'Logs', section: 'Observe', key: 'l', hint: 'Requests, live' },
  { id: 'log', path: '/logs/$id', name: 'Request' },
  {
    id: 'events',
    path: '/events',
    name: 'Events',
    section: 'Observe',
    key: 'v',
    hint: 'What happened',
    needs: 'events:read',
  },
  { id: 'usage', path: '/usage', name: 'Usage', section: 'Observe', key: 'u', hint: 'Charts and limits' },
] as const satisfies readonly Screen[]

export const sections = ['Start', 'Build', 'Messaging', 'Records', 'Observe'] as const
export const navigation: readonly Screen[] = (screens as readonly Screen[]).filter(
  screen => screen.section !== undefined,
)
