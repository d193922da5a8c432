// The entries of the navigation, made of what the screens declare.
import {
  BookOpen,
  Building2,
  Contact,
  FileText,
  Gauge,
  Home,
  Inbox,
  KeyRound,
  ListTree,
  Mail,
  MessagesSquare,
  Phone,
  PhoneCall,
  Play,
  Settings,
  Shapes,
  Users,
  Webhook,
} from 'lucide-react'
import type { ComponentType } from 'react'
import { type EntryId, type NamedScreen, type SideId, sides } from '../navigation/screen.ts'
import { t } from './texts.ts'

export type Entry = {
  id: EntryId
  name: string
  icon: ComponentType<{ size: number }>
  /** At least one; the first is where the entry leads to. */
  screens: readonly NamedScreen[]
}

const icons: Record<EntryId, Entry['icon']> = {
  home: Home,
  inbox: Inbox,
  leads: Users,
  contacts: Contact,
  companies: Building2,
  calls: Phone,
  invoices: FileText,
  more: Shapes,
  settings: Settings,
  dashboard: Gauge,
  explorer: BookOpen,
  playground: Play,
  keys: KeyRound,
  webhooks: Webhook,
  logs: ListTree,
  messaging: MessagesSquare,
  voice: PhoneCall,
  mail: Mail,
}

/**
 * Entries that hold several screens are called by what these have in common (`entry.<id>`), the others as their first screen.
 * @param offered the screens that the person may see; entries without any are left out
 */
export function entriesOf(side: SideId, offered: readonly NamedScreen[]): readonly Entry[] {
  return sides[side].entries.flatMap(id => {
    const screens = offered.filter(({ entries }) => entries?.includes(id))
    const [first] = screens
    if (first === undefined) return []
    return [{ id, name: t.of('entry', id) ?? first.name, icon: icons[id], screens }]
  })
}

/** The entry that a screen is shown under; that of the settings for those. */
export function entryWith(entries: readonly Entry[], screen: NamedScreen | undefined): Entry | undefined {
  if (screen === undefined) return undefined
  const has = entries.find(({ screens }) => screens.includes(screen))
  return has ?? (screen.setting === undefined ? undefined : entries.find(({ id }) => id === 'settings'))
}
