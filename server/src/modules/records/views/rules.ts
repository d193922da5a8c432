// What a saved view may ask of a list, who sees it and who may change it. Pure.
import type { Role } from '../../../kernel/values/role.ts'

export const layouts = ['list', 'board'] as const
export type Layout = (typeof layouts)[number]

export type Column = { field: string; width: number | null }

/** What a view shows, and how. */
export type ViewContent = {
  layout: Layout
  columns: Column[]
  filters: Record<string, string>
  sort: string | null
  group_by: string | null
}

export type ViewRow = ViewContent & {
  tenant_id: number
  id: string
  noun: string
  owner_id: number
  name: string
  shared: boolean
  version: number
  created_at: string
  updated_at: string
  is_default: boolean
}

type Viewer = { userId: number; role: Role }

export function maySeeView({ userId }: Viewer, view: Pick<ViewRow, 'owner_id' | 'shared'>): boolean {
  return view.shared || view.owner_id === userId
}

/** Its owner, and of a shared one those who look after the others. */
export function mayChangeView({ userId, role }: Viewer, view: Pick<ViewRow, 'owner_id' | 'shared'>): boolean {
  return view.owner_id === userId || (view.shared && (role === 'Admin' || role === 'Sales Manager'))
}

/** What a list has to offer. */
export type Offer = {
  columns: readonly string[]
  filters: readonly string[]
  isSortable: boolean
  /** Faults of values, each by the name of its filter, or `sort`. */
  faultsOf(filters: Readonly<Record<string, string>>): readonly { field: string; code: string; message: string }[]
}

type Fault = { field: string; code: string; message: string }

const unknown = (field: string, name: string, known: readonly string[]): Fault => ({
  field,
  code: 'unknown_field',
  message: `names ${name}, which the list does not have; it has: ${known.join(', ')}`,
})

/** Everything in a view that the list does not have, or does not take; by its place in the body. */
export function viewFaults({ columns, filters, isSortable, faultsOf }: Offer, view: ViewContent): Fault[] {
  const faults: Fault[] = []
  view.columns.forEach(({ field }, at) => {
    if (!columns.includes(field)) faults.push(unknown(`columns[${at}].field`, field, columns))
    else if (view.columns.findIndex(column => column.field === field) < at)
      faults.push({ field: `columns[${at}].field`, code: 'repeated', message: `names ${field} a second time` })
  })
  const known = Object.fromEntries(Object.entries(view.filters).filter(([name]) => filters.includes(name)))
  for (const name of Object.keys(view.filters))
    if (!(name in known)) faults.push(unknown(`filters.${name}`, name, filters))
  for (const fault of faultsOf(known)) faults.push({ ...fault, field: `filters.${fault.field}` })
  if (view.sort !== null) {
    if (!isSortable)
      faults.push({ field: 'sort', code: 'not_allowed', message: 'must be left out: this list has one order' })
    else faults.push(...faultsOf({ sort: view.sort }))
  }
  if (view.group_by !== null && !columns.includes(view.group_by))
    faults.push(unknown('group_by', view.group_by, columns))
  if (view.layout === 'board' && view.group_by === null)
    faults.push({
      field: 'group_by',
      code: 'required',
      message: 'is required for a board: the field its columns are made of',
    })
  return faults
}

/** A view without what its list has no longer, and what that was. */
export function withoutLost(offer: Offer, view: ViewContent): { view: ViewContent; dropped: string[] } {
  const dropped = [...new Set(viewFaults(offer, view).map(({ field }) => field))]
  if (dropped.length === 0) return { view, dropped }
  const isLost = (place: string) => dropped.includes(place)
  const lostGroup = isLost('group_by')
  return {
    view: {
      layout: lostGroup ? 'list' : view.layout,
      columns: view.columns.filter((_, at) => !isLost(`columns[${at}].field`)),
      filters: Object.fromEntries(Object.entries(view.filters).filter(([name]) => !isLost(`filters.${name}`))),
      sort: isLost('sort') ? null : view.sort,
      group_by: lostGroup ? null : view.group_by,
    },
    dropped: dropped.map(place =>
      place.replace(/^columns\[(\d+)\]\.field$/, (_, at) => `columns.${view.columns[at]?.field}`),
    ),
  }
}

/**
 * What an event says of a view: of one that only its owner sees no name and no content, as events are read by others. Whose default it is,
 * is not of it.
 */
export function reported(row: Omit<ViewRow, 'is_default'> & { is_default?: boolean }) {
  const { tenant_id: _, is_default: _d, ...view } = row
  if (view.shared) return view
  const { id, noun, owner_id, shared, version, created_at, updated_at } = view
  return { id, noun, owner_id, shared, version, created_at, updated_at }
}
