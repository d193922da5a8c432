// SQL of environments of the Playground.
import type { ResourceRows } from '../../../kernel/resource/rows.ts'
import { resourceRows } from '../../../kernel/resource/rows.ts'
import type { Variable } from './rules.ts'
import { ownerColumns, visibleRows } from './visible_store.ts'

export type EnvironmentRow = {
  id: string
  name: string
  owner_id: number
  owner_name: string
  shared: boolean
  mode: 'live' | 'test' | null
  variables: Variable[]
  version: number
  updated_by: number
  updated_by_name: string
  created_at: string
  updated_at: string
}

const columns = `r.id, r.name, r.owner_id, r.shared, r.mode, r.variables, r.version, r.updated_by, r.created_at, r.updated_at, ${ownerColumns}`

const rows: ResourceRows<EnvironmentRow, never> = resourceRows<EnvironmentRow>({
  table: 'playground_environments',
  columns,
  json: ['variables'],
  of: 'organization',
})

/** With those that the caller does not see left out. */
export const environments = { ...rows, ...visibleRows<EnvironmentRow>('playground_environments', columns) }
