// What a screen declares of itself in its folder (`screen.ts`), to be known before it is loaded: the router, the navigation, the palette
// and the shortcuts are made of it (app/screens.ts).
import type { ComponentType } from 'react'
import type { en as finding } from './finding/messages/en.ts'
import type { en } from './messages/en.ts'

type In<Key, Group extends string> = Key extends `${Group}.${infer Id}` ? Id : never
/** Screens have their names in `messages/`, by these ids. */
export type ScreenId = In<keyof typeof en, 'name'>
/** What can be begun has its name in `finding/messages/`. */
export type ActionId = In<keyof typeof finding, 'action'>

/**
 * The two sides of the portal and the entries of their navigation, in order. An entry holds one screen or several, shown as tabs; at
 * most nine are seen at once.
 */
export const sides = {
  workspace: {
    entries: ['home', 'inbox', 'leads', 'contacts', 'companies', 'calls', 'invoices', 'more', 'settings'],
  },
  developers: {
    entries: ['dashboard', 'explorer', 'playground', 'keys', 'webhooks', 'logs', 'messaging', 'voice', 'mail'],
  },
} as const
export type SideId = keyof typeof sides
export type EntryId = (typeof sides)[SideId]['entries'][number]

/** The groups of the page of all settings, in order. */
export const settingGroups = ['you', 'people', 'organization', 'security', 'phone', 'mail', 'programs'] as const
export type SettingGroup = (typeof settingGroups)[number]

/** What is at an address. */
export type Page = {
  id: string
  path: string
  /** Shown without a session. */
  public?: true
  /** Shown without the navigation around it. */
  bare?: true
  /** Fetches what is shown there. */
  load(): Promise<ComponentType>
  /** A part of the screen's own page: the screen stays as it is while the address comes to it and leaves it. */
  within?: true
}

/** Its name is `name.<id>` of `messages/`, what it is good for `hint.<id>` of `finding/messages/`. */
export type ScreenEntry = Omit<Page, 'id' | 'within'> & {
  id: ScreenId
  /** Where it is in the navigation, on one side or on both; left out for screens that are reached otherwise. */
  entries?: readonly EntryId[]
  /** Where it is on the page of all settings. */
  setting?: SettingGroup
  /** Pressed after g. */
  key?: string
  /** The permission without which it shows nothing; who lacks it is not offered the screen. */
  needs?: string
  /** Pages that are reached from it; where nothing else is loaded for them, the screen itself shows them. */
  pages?: readonly (Omit<Page, 'load'> & { load?: Page['load'] })[]
  /** What can be begun here from anywhere, by the palette. */
  actions?: readonly ScreenAction[]
}

/** With its name in the language that was chosen, to be read while drawing. */
export type NamedScreen = ScreenEntry & { readonly name: string }

/** A page with its title, where all that stands at its address has one. */
export type NamedPage = Page & { readonly name?: string | undefined }

/** A list of records with a page for each, as most screens have it. */
export type RecordsScreen = Pick<ScreenEntry, 'key' | 'entries' | 'setting'> & {
  /** As in permissions and ids: `company`, `companies`. */
  names: readonly [one: RecordName, many: ScreenId]
  /** The right to create one, where that has another name. */
  create?: string
  list: Page['load']
  page: Page['load']
}

/** Of kinds of records that can be created. */
type RecordName = ActionId extends infer Id ? (Id extends `create_${infer One}` ? One : never) : never

/** The screen `/companies` with the page `/companies/$id`, and the way to create one. */
export function recordsScreen({ names, create, list, page, ...entry }: RecordsScreen): ScreenEntry {
  const [one, many] = names
  const path = `/${many.replaceAll('_', '-')}`
  return {
    ...(entry.setting === undefined && { entries: ['more'] }),
    ...entry,
    id: many,
    path,
    needs: `${many}:read`,
    actions: [{ id: `create_${one}`, search: { create: '1' }, needs: create ?? `${many}:create` }],
    load: list,
    pages: [{ id: one, path: `${path}/$id`, load: page }],
  }
}

export type ScreenAction = {
  id: ActionId
  /** What the address says after the ?. */
  search?: Readonly<Record<string, string>>
  /** The permission that it takes. */
  needs?: string
}
