// What a screen declares of itself in its folder (`screen.ts`), to be known before it is loaded: the router, the navigation, the palette
// and the shortcuts are made of it (app/screens.ts).
import { withArticle } from '@tandem/catalog/plural'
import type { ComponentType } from 'react'

/**
 * The two sides of the portal and the entries of their navigation, in order. An entry holds one screen or several, shown as tabs; at
 * most nine are seen at once.
 */
export const sides = {
  workspace: {
    name: 'Workspace',
    entries: ['home', 'inbox', 'leads', 'contacts', 'companies', 'calls', 'invoices', 'more', 'settings'],
  },
  developers: {
    name: 'Developers',
    entries: ['dashboard', 'explorer', 'playground', 'keys', 'webhooks', 'logs', 'messaging', 'voice', 'mail'],
  },
} as const
export type SideId = keyof typeof sides
export type EntryId = (typeof sides)[SideId]['entries'][number]

/** The groups of the page of all settings, in order. */
export const settingGroups = [
  'You',
  'People',
  'Organization',
  'Security',
  'Phone and text messages',
  'Mail',
  'Apps and programs',
] as const
export type SettingGroup = (typeof settingGroups)[number]

/** What is at an address. */
export type Page = {
  id: string
  path: string
  /** Where all that stands there has one title, that. */
  name?: string
  /** Shown without a session. */
  public?: true
  /** Shown without the navigation around it. */
  bare?: true
  /** Fetches what is shown there. */
  load(): Promise<ComponentType>
  /** A part of the screen's own page: the screen stays as it is while the address comes to it and leaves it. */
  within?: true
}

export type ScreenEntry = Omit<Page, 'within'> & {
  name: string
  /** Where it is in the navigation, on one side or on both; left out for screens that are reached otherwise. */
  entries?: readonly EntryId[]
  /** Where it is on the page of all settings. */
  setting?: SettingGroup
  /** What else it is looked for by, beside its name and hint. */
  words?: string
  /** Pressed after g. */
  key?: string
  /** Said on the page of settings, and searched by the palette; where messages/ has `hint.<id>`, that is said instead. */
  hint?: string
  /** The permission without which it shows nothing; who lacks it is not offered the screen. */
  needs?: string
  /** Pages that are reached from it; where nothing else is loaded for them, the screen itself shows them. */
  pages?: readonly (Omit<Page, 'load'> & { load?: Page['load'] })[]
  /** What can be begun here from anywhere, by the palette. */
  actions?: readonly ScreenAction[]
}

/** A list of records with a page for each, as most screens have it. */
export type RecordsScreen = Pick<ScreenEntry, 'key' | 'hint' | 'entries' | 'setting' | 'words'> & {
  /** As in permissions and ids: `company`, `companies`. */
  names: readonly [one: string, many: string]
  /** The right to create one, where that has another name. */
  create?: string
  list: Page['load']
  page: Page['load']
}

/** The screen `/companies` with the page `/companies/$id`, and the way to create one. */
export function recordsScreen({ names, create, list, page, ...entry }: RecordsScreen): ScreenEntry {
  const [one, many] = names
  const path = `/${many.replaceAll('_', '-')}`
  const words = many.replaceAll('_', ' ')
  return {
    ...(entry.setting === undefined && { entries: ['more'] }),
    ...entry,
    id: many,
    path,
    name: words.charAt(0).toUpperCase() + words.slice(1),
    needs: `${many}:read`,
    actions: [
      {
        name: `Create ${withArticle(one.replaceAll('_', ' '))}`,
        search: { create: '1' },
        needs: create ?? `${many}:create`,
      },
    ],
    load: list,
    pages: [{ id: one, path: `${path}/$id`, load: page }],
  }
}

export type ScreenAction = {
  name: string
  /** What the address says after the ?. */
  search?: Readonly<Record<string, string>>
  /** The permission that it takes. */
  needs?: string
}
