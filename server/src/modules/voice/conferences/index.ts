// What the node that holds conferences, and anyone who puts the parts together, use of conferences as resources: writing down what
// happens in them, in order, and ending those whose node has died.
import { setTimeout as sleep } from 'node:timers/promises'
import { type Db, isServerError, type Scope, type Tx } from '../../../kernel/data/db.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import type { Log } from '../../../kernel/observe/log.ts'
import { isoMs } from '../../../kernel/values/clock.ts'
import type { ConferenceEvent, EndReason } from './rules.ts'
import {
  applyConferenceEvents,
  findLostConference,
  insertConference,
  type LostConference,
  listInside,
  listLostConferences,
} from './store.ts'

export type { ConferenceEvent, EndReason, LeftReason } from './rules.ts'

export type OpenConference = { id: string; name: string; owner: string; callbackUrl: string | null; atMs: number }

/** Writes down what happens in the conferences of one node. */
export type ConferenceRecords = {
  /** Stores a conference that opens; false when one of its name is under way in another node. */
  open(scope: Scope, conference: OpenConference): Promise<boolean>
  /** Never throws and never waits. What is reported of one conference is written in the order it was reported. */
  report(scope: Scope, conferenceId: string, event: ConferenceEvent): void
  /** Resolves when all that was reported so far is written. */
  flush(): Promise<void>
}

const retryMs = 250
const maxTries = 5

type Line = { scope: Scope; waiting: ConferenceEvent[]; work: Promise<void> }

export function createConferenceRecords({ db, log }: { db: Db; log: Log }): ConferenceRecords {
  const lines = new Map<string, Line>()
  /** How many reports of each conference were passed on. */
  const passedOn = new Map<string, number>()

  async function write(scope: Scope, id: string, events: readonly ConferenceEvent[]): Promise<void> {
    const before = passedOn.get(id) ?? 0
    if (events.some(({ type }) => type === 'ended')) passedOn.delete(id)
    else passedOn.set(id, before + events.length)
    for (let tries = 1; ; tries++) {
      try {
        return await db.inTenant(scope, tx => applyConferenceEvents(tx, scope, id, events, before))
      } catch (error) {
        if (tries === 1) log.warn({ err: error, conference: id }, 'what happened in a conference could not be written')
        // What the database itself refuses again and again is given up; one that is away is waited for.
        if (isServerError(error) && tries >= maxTries) {
          log.error({ err: error, conference: id, events }, 'what happened in a conference was given up')
          return
        }
        await sleep(Math.min(retryMs * tries, 2_000))
      }
    }
  }

  async function run(id: string, line: Line): Promise<void> {
    // All that this turn of the event loop reports goes together.
    await Promise.resolve()
    while (line.waiting.length > 0) await write(line.scope, id, line.waiting.splice(0))
    lines.delete(id)
  }

  function report({ tenantId, organizationId }: Scope, id: string, event: ConferenceEvent): void {
    let line = lines.get(id)
    if (line === undefined) {
      line = { scope: { tenantId, organizationId }, waiting: [], work: Promise.resolve() }
      lines.set(id, line)
      line.work = run(id, line)
    }
    line.waiting.push(event)
  }

  return {
    async open(scope, conference) {
      // One of this name may have ended a moment ago.
      const own = [...lines.values()].filter(line => line.scope.tenantId === scope.tenantId)
      await Promise.all(own.map(line => line.work))
      try {
        return await db.inTenant(scope, tx => open(tx, scope, conference))
      } catch (error) {
        // It may stand in the database all the same, and its name would be taken.
        report(scope, conference.id, { type: 'ended', atMs: conference.atMs, reason: 'empty' })
        throw error
      }
    },
    report,
    async flush() {
      await Promise.all([...lines.values()].map(line => line.work))
    },
  }
}

async function open(tx: Tx, scope: Scope, { id, name, owner, callbackUrl, atMs }: OpenConference): Promise<boolean> {
  const row = { id, name, owner, callback_url: callbackUrl, created_at: isoMs(atMs) }
  if (await insertConference(tx, scope, row)) return true
  // Where its node has died, this one takes its place.
  const lost = await findLostConference(tx, scope, name)
  if (lost === undefined) return false
  await endConference(tx, scope, lost, atMs)
  return insertConference(tx, scope, row)
}

async function endConference(tx: Tx, scope: Scope, id: string, atMs: number): Promise<void> {
  const inside = await listInside(tx, scope, id)
  const reason: EndReason = inside.length === 0 ? 'empty' : 'node_lost'
  await applyConferenceEvents(tx, scope, id, [
    ...inside.map(callId => {
      return { type: 'left', atMs, callId, reason: 'node_lost', callbackUrl: null } as const
    }),
    { type: 'ended', atMs, reason },
  ])
}

/** Longer than it takes a living node to write down that a conference is over. */
const silentSeconds = 15

/** Queue `conferences`: ends those whose node has died, once it holds none of their calls any more. */
export const endLostConferences: QueueMaker = ({ db, clock }) => ({
  name: 'conferences',
  lanes: 1,
  pollMs: 5_000,
  claim: (_token, limit) => listLostConferences(db, silentSeconds, limit),
  async work(rows: LostConference[]) {
    for (const { tenant_id, organization_id, conference_id } of rows) {
      const scope = { tenantId: tenant_id, organizationId: organization_id }
      await db.inTenant(scope, tx => endConference(tx, scope, conference_id, clock.now()))
    }
  },
})
