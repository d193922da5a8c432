// Permissions by what they are about, in the words of the screens: areas with their subjects, and in each what one may do.
import { t } from './texts.ts'

const areas = {
  records: 'leads contacts companies notes tasks attachments tags views imports batches',
  invoices: 'invoices payments',
  messages: 'conversations messages mail numbers carriers trunks destinations',
  calls: 'calls phone recordings sip_credentials',
  programs: 'keys apps webhooks events requests stream playground usage status',
  people:
    'profile users roles teams organization security sso scim audit support privacy retention privacy_requests legal_holds',
} as const
const areaIds = Object.keys(areas) as (keyof typeof areas)[]

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1).replaceAll('_', ' ')
const subjectOf = (permission: string) => permission.split(':')[0] ?? ''

/** What is done by it, in a word: `See`. */
export function verbOf(permission: string): string {
  const verb = permission.split(':')[1] ?? ''
  return t.of('verb', verb) ?? capital(verb)
}

/** In a list of several: `Events: See`. */
export function labelOf(permission: string): string {
  const subject = subjectOf(permission)
  return t('permission', { subject: wordOf(subject) ?? capital(subject), verb: verbOf(permission) })
}

/** What it is about; undefined for what has no word here yet. */
export function wordOf(subject: string): string | undefined {
  return t.of('subject', subject)
}

export type Group<Entry> = { area: string; count: number; subjects: { name: string; entries: Entry[] }[] }

/** In the order of the areas; areas that have none are left out. */
export function groupsOf<Entry extends { permission: string }>(entries: readonly Entry[]): Group<Entry>[] {
  const named = areaIds.map(id => ({ area: t(`area.${id}`), subjects: areas[id].split(' ') }))
  const known = new Set(named.flatMap(({ subjects }) => subjects))
  const others = new Set(entries.map(({ permission }) => subjectOf(permission)).filter(subject => !known.has(subject)))
  return [...named, { area: t('area.rest'), subjects: [...others] }].flatMap(({ area, subjects }) => {
    const found = subjects.flatMap(subject => {
      const own = entries.filter(({ permission }) => subjectOf(permission) === subject)
      return own.length === 0 ? [] : [{ name: wordOf(subject) ?? capital(subject), entries: own }]
    })
    const count = found.reduce((sum, { entries: own }) => sum + own.length, 0)
    return count === 0 ? [] : [{ area, count, subjects: found }]
  })
}
