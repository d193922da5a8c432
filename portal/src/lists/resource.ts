// What the portal has to know of the list of a v2 resource: what is listed and by which method, its filters, its columns, what a row opens
// and what is special about it. `resource_list.tsx` draws it.
import type { Tandem } from '@tandem/sdk'
import type { ComponentType, ReactNode } from 'react'
import type { CursorList, Page } from '../data/lists.ts'
import type { EventPattern } from '../data/live.ts'
import type { Mode } from '../session/session.ts'
import type { EmptyStateProps, Option, RowLink, Tone } from '../ui/index.ts'

export type ListFilter<Item> = {
  /** In the address, and in what the API is asked. */
  name: string
  label: string
  /** A choice where there are options, else a text. `day` is the moment a day begins where the reader is; numbers are compared by digits. */
  kind?: 'day' | 'number'
  placeholder?: string
  /** The choice of none; `All` when not said. */
  all?: string
  options?: readonly (string | Option)[]
  /** Options that are fetched. */
  useOptions?(): readonly Option[]
  /** Stands behind "More filters". */
  more?: true
  mode?: Mode
  /** What the API is asked instead of `name=value`. */
  asked?(value: string | undefined): Readonly<Record<string, unknown>>
  /** What of a new record is compared with it, where that is no property of the same name. */
  of?(item: Item): unknown
  /** Whether a new record belongs into the list, where that is no comparison. */
  fits?(item: Item, value: string): boolean
  /** Whether a new record belongs into the list while nothing is chosen, where that leaves some out. */
  fitsUnchosen?(item: Item): boolean
}

type AnyColumn<Item> = {
  label: string
  /** Text when not said; what is null is a dash. */
  kind?: 'time' | 'status' | 'count' | 'id'
  /** Of a status: the property that says why, a code of docs and problems. */
  code?: keyof Item & string
  px?: number
  align?: 'end'
  /** `wide`: not where the screen is narrow; `never`: only where somebody chooses it. */
  atFirst?: 'wide' | 'never'
  mode?: Mode
  /** It holds links or buttons. */
  hasControls?: true
}
export type ResourceColumn<Item> = AnyColumn<Item> &
  (
    | { name: keyof Item & string; cell?(item: Item): ReactNode }
    | { /** What the API calls nothing by this name. */ name: string; cell(item: Item): ReactNode }
  )

export type CreateFormProps<Item> = { onClose(): void; onSaved(made: Item): void }

export type Creation<Item> = {
  label: string
  /** The permission that it takes. */
  needs?: string
  icon?: ReactNode
  /** Says in the address that the form is open; `create` when not said. */
  param?: string
  Form?: ComponentType<CreateFormProps<Item>>
  saved?(made: Item): string
  /** Where one creates, if not here. */
  link?: { to: string; search: Record<string, string> }
}

/** Its title, icon, address and permission are its screen's; rows open their pages where it has such. */
export type Resource<Item> = {
  /** In texts, and in what is kept of it: `opt-outs`. */
  many: string
  /** The same in a sentence, in the language that was chosen: "No teams yet", „Noch keine Teams“; `many` when not said. */
  things?: string
  about: string
  from(api: Tandem): (query: never, options: { signal: AbortSignal }) => Promise<Page<Item>>
  id: keyof Item & string
  /** A row in the names of its links: "Open …", "Edit …", "Inspect …". */
  nameOf(item: Item): string
  /** The page of a row, where rows are of several kinds; one that has none opens `?<opened>=` with its id. */
  pageOf?(item: Item): RowLink | undefined
  opened?: string
  filters?: readonly ListFilter<Item>[]
  columns: readonly ResourceColumn<Item>[]
  /** At the end of each row. */
  actions?: { px: number; needs?: string; cell(item: Item): ReactNode }
  create?: Creation<Item>
  /** The permission to edit: those who have it open `?edit=` by a row. */
  edit?: string
  /** Telephone numbers and addresses in a row that are shown by name: those of all rows are looked up together. */
  addressesOf?(item: Item): readonly string[]
  /** Records that are shown follow the stream, and new ones are counted above them. */
  live?: { events: readonly EventPattern[]; isMoving(item: Item): boolean }
  /** Follows what happens by other means. */
  useNews?(list: CursorList<Item>): void
  toneOf?(item: Item): Tone | undefined
  empty: Omit<EmptyStateProps, 'text' | 'title'> & {
    title?: string
    text: string | ((now: { mode: Mode; mayCreate: boolean }) => string)
  }
  /** False of a list by name, or where nobody asks what is older; the foot says it otherwise then. */
  byTime?: boolean
  /** Beside the button that creates. */
  tools?: ReactNode
  below?: ReactNode
  /** Drawn after the list: what the address asks for. */
  Dialogs?: ComponentType<{ items: readonly Item[] }>
}
