// A carrier as the API shows it: its row without secrets, the last report of its links, and what waits for it.
import type { Scope, Tx } from '../../../kernel/data/db.ts'
import {
  completeSettings,
  newSettings,
  partSettings,
  type Settings,
  type SettingsSchema,
  secretNames,
} from '../../../kernel/links/settings.ts'
import type { CarrierKind } from './kind.ts'
import { carrierState, type LinkRow, presentState } from './rules.ts'
import { type Backlog, type CarrierRow, listBacklog, listLinks } from './store.ts'

export const sampleId = 'car_01k9r7d3w2v8e6q4n5m1b0c9xz'

const sampleRoute = { prefix: '+49', priority: 10, cost: '0.0750' }

/** A carrier of a kind, as samples show it. */
function sampleOf(kind: CarrierKind, schema: SettingsSchema, settings: Settings) {
  return {
    carrierId: sampleId,
    kind: kind.name,
    name: 'Example Telecom',
    enabled: true,
    state: 'up' as const,
    routes: [sampleRoute],
    currency: 'EUR',
    settings,
    secretsSet: secretNames(schema),
    links: [
      {
        link: 0,
        role: 'transceiver' as const,
        state: 'up' as const,
        since: '2026-11-21T08:44:01.123Z',
        error: null,
        counters: {
          submitted: 1200,
          accepted: 1200,
          throttled: 0,
          refused: 0,
          unanswered: 0,
          receipts: 1180,
          inbound: 12,
          binds: 1,
        },
        updatedAt: '2026-11-21T09:02:11.004Z',
      },
    ],
    waiting: { messages: 0, oldestDueAt: null },
    createdAt: '2026-11-21T08:44:00.123Z',
    updatedAt: '2026-11-21T08:44:00.123Z',
  }
}

/** Presents carriers of one kind, and a sample of them. */
export function createPresenter(kind: CarrierKind) {
  const schema = kind.settings as unknown as SettingsSchema
  const { open: shown } = partSettings(schema, completeSettings(schema, kind.sample))
  const shownKind = {
    kind: kind.name,
    title: kind.title,
    description: kind.description,
    settings: newSettings(schema),
  }
  const sampleCarrier = sampleOf(kind, schema, shown)

  function present(row: CarrierRow, links: readonly LinkRow[], backlog: Backlog | undefined, nowMs: number) {
    const now = links.map(link => ({ ...link, state: presentState(link, nowMs) }))
    return {
      carrierId: row.id,
      kind: row.kind,
      name: row.name,
      enabled: row.enabled,
      state: carrierState(row.enabled, now),
      routes: row.routes,
      currency: row.currency,
      settings: completeSettings(schema, row.settings),
      secretsSet: row.secrets === null ? [] : secretNames(schema),
      links: now.map(({ link, role, state, state_since, last_error, counters, updated_at }) => ({
        link,
        role,
        state,
        since: state_since,
        error: last_error,
        counters,
        updatedAt: updated_at,
      })),
      waiting: { messages: backlog?.messages ?? 0, oldestDueAt: backlog?.oldest_due_at ?? null },
      createdAt: row.created_at,
      updatedAt: row.updated_at,
    }
  }

  async function presentAll(tx: Tx, scope: Scope, rows: readonly CarrierRow[], nowMs: number) {
    const ids = rows.map(row => row.id)
    const [links, backlogs] = await Promise.all([listLinks(tx, scope, ids), listBacklog(tx, ids)])
    return rows.map(row =>
      present(
        row,
        links.filter(link => link.carrier_id === row.id),
        backlogs.find(backlog => backlog.carrier_id === row.id),
        nowMs,
      ),
    )
  }

  return { shown, shownKind, sampleRoute, sampleCarrier, present, presentAll }
}
