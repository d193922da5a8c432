// A trunk as the API shows it: its row without secrets, and what was last reported of it.
import type { Static } from 'typebox'
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import { completeSettings, partSettings } from '../../../kernel/links/settings.ts'
import { presentState, type StateRow } from './rules.ts'
import type { Trunk } from './schemas.ts'
import { sampleSettings } from './settings.ts'
import { trunkSpecs } from './specs.ts'
import { listStates, type TrunkRow } from './store.ts'

export const sampleId = 'trk_01k9r7d3w2v8e6q4n5m1b0c9xz'
export const sampleRoute = { prefix: '+49', priority: 10, weight: 1, cost: '0.009' }

const { sip } = trunkSpecs
const whole = completeSettings(sip.settings, sampleSettings)

export const sampleTrunk: Static<typeof Trunk> = {
  trunkId: sampleId,
  kind: 'sip',
  name: 'Example Telecom',
  enabled: true,
  state: 'up',
  since: '2026-11-21T08:44:01.123Z',
  error: null,
  counters: { calls: 1200, failed: 3, active: 14 },
  routes: [sampleRoute],
  currency: 'EUR',
  settings: partSettings(sip.settings, whole).open,
  secretsSet: ['password'],
  warnings: sip.warningsOf(whole),
  createdAt: '2026-11-21T08:44:00.123Z',
  updatedAt: '2026-11-21T08:44:00.123Z',
}

function presentTrunk(row: TrunkRow, reported: StateRow | undefined, nowMs: number) {
  const state = presentState(row.enabled, reported, nowMs)
  const isCurrent = reported !== undefined && state === reported.state
  const spec = trunkSpecs[row.kind]
  const settings = completeSettings(spec.settings, row.settings)
  return {
    trunkId: row.id,
    kind: row.kind,
    name: row.name,
    enabled: row.enabled,
    state,
    since: isCurrent ? reported.since : null,
    error: isCurrent ? reported.last_error : null,
    // What nobody watches carries no calls.
    counters: isCurrent ? reported.counters : { ...(reported?.counters ?? { calls: 0, failed: 0 }), active: 0 },
    routes: row.routes.map(route => ({ ...route, cost: route.cost ?? '0' })),
    currency: row.currency,
    settings,
    secretsSet: row.secrets_set,
    warnings: spec.warningsOf(settings),
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  }
}

export async function presentTrunks(tx: Tx, scope: Scope, rows: readonly TrunkRow[], nowMs: number) {
  const ids = rows.map(row => row.id)
  const states = await listStates(tx, scope, ids)
  return rows.map(row =>
    presentTrunk(
      row,
      states.find(state => state.trunk_id === row.id),
      nowMs,
    ),
  )
}
