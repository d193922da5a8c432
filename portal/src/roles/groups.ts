// Permissions by what they are about, in the words of the screens: areas with their subjects, and in each what one may do.

type Area = { name: string; subjects: Readonly<Record<string, string>> }

const areas: readonly Area[] = [
  {
    name: 'Customers and records',
    subjects: {
      leads: 'Leads',
      contacts: 'Contacts',
      companies: 'Companies',
      notes: 'Notes',
      tasks: 'Tasks',
      attachments: 'Files on records',
      tags: 'Tags',
      views: 'Saved views',
      imports: 'Imports',
      batches: 'Changes of many records',
    },
  },
  { name: 'Invoices', subjects: { invoices: 'Invoices', payments: 'Payments' } },
  {
    name: 'Messages and mail',
    subjects: {
      conversations: 'Inbox',
      messages: 'Messages',
      mail: 'Mail',
      numbers: 'Numbers and services',
      carriers: 'Carriers',
      trunks: 'Trunks',
      destinations: 'Destinations',
    },
  },
  {
    name: 'Calls',
    subjects: {
      calls: 'Calls',
      phone: 'Phone in the browser',
      recordings: 'Recordings',
      sip_credentials: 'SIP phones',
    },
  },
  {
    name: 'Programs and traffic',
    subjects: {
      keys: 'API keys',
      apps: 'Apps',
      webhooks: 'Webhooks',
      events: 'Events',
      requests: 'Requests',
      playground: 'Environments and collections',
      usage: 'Usage',
    },
  },
  {
    name: 'People and organization',
    subjects: {
      profile: 'Oneself',
      users: 'Users',
      roles: 'Roles',
      teams: 'Teams',
      organization: 'The organization',
      security: 'Security of logins',
      sso: 'Single sign-on',
      scim: 'Members kept by SCIM',
      audit: 'Audit log',
      support: 'Help by operators',
      privacy: 'Data of persons',
    },
  },
]

const verbs: Readonly<Record<string, string>> = { read: 'See', update: 'Change', revert: 'Undo' }

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')
const subjectOf = (permission: string) => permission.split(':')[0] ?? ''

/** What is done by it, in a word: `See`. */
export function verbOf(permission: string): string {
  const verb = permission.split(':')[1] ?? ''
  return verbs[verb] ?? capital(verb)
}

/** In a list of several: `Events: see`. */
export function labelOf(permission: string): string {
  const subject = subjectOf(permission)
  return `${wordOf(subject) ?? capital(subject)}: ${verbOf(permission).toLowerCase()}`
}

/** What it is about; undefined for what has no word here yet. */
export function wordOf(subject: string): string | undefined {
  return areas.find(({ subjects }) => subject in subjects)?.subjects[subject]
}

export type Group<Entry> = { area: string; count: number; subjects: { name: string; entries: Entry[] }[] }

/** In the order of the areas; areas that have none are left out. */
export function groupsOf<Entry extends { permission: string }>(entries: readonly Entry[]): Group<Entry>[] {
  const known = new Set(areas.flatMap(({ subjects }) => Object.keys(subjects)))
  const others = entries.map(({ permission }) => subjectOf(permission)).filter(subject => !known.has(subject))
  const rest: Area = { name: 'Everything else', subjects: Object.fromEntries(others.map(one => [one, capital(one)])) }
  return [...areas, rest].flatMap(({ name, subjects }) => {
    const found = Object.entries(subjects).flatMap(([subject, word]) => {
      const own = entries.filter(({ permission }) => subjectOf(permission) === subject)
      return own.length === 0 ? [] : [{ name: word, entries: own }]
    })
    const count = found.reduce((sum, { entries: own }) => sum + own.length, 0)
    return count === 0 ? [] : [{ area: name, count, subjects: found }]
  })
}
