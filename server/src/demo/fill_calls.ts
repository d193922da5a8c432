// Writes the demo company's calls: played through the rules of calls, so that rows and events are what an engine's
// reports would have made of them.

import type { Scope } from '../kernel/data/db.ts'
import type { CountedEvent } from '../kernel/data/events.ts'
import { isoMs } from '../kernel/values/clock.ts'
import { newId } from '../kernel/values/ids.ts'
import {
  type Call,
  type CallOutcome,
  initialCall,
  initiatedEvent,
  isLive,
  nextCall,
  outcomeStep,
} from '../modules/voice/call_records/index.ts'
import { type CallStory, timeoutSeconds } from './call_stories.ts'
import { type DemoTransaction, insertEvents, type PastEvent } from './transaction.ts'

/** The engine that carries calls while there is no other; calls it carried are marked `simulated`. */
const engine = 'simulator'
const timeLimitSeconds = 4 * 3_600

/** Adds the calls of stories, which come oldest first. */
export async function fillCalls(
  transaction: DemoTransaction,
  scope: Scope,
  stories: readonly CallStory[],
): Promise<void> {
  const records = stories.map(story => play(story, scope))
  await transaction.inTenant(
    scope,
    `insert into calls select * from json_populate_recordset(null::calls, $1::json) order by id`,
    [JSON.stringify(records.map(({ call }) => call))],
  )
  await insertEvents(
    transaction,
    scope,
    records.flatMap(({ events }) => events),
  )
}

function play(story: CallStory, scope: Scope): { call: Call; events: PastEvent[] } {
  const { direction, from, to, callerName, atMs, dialedAtMs, tags, metadata, steps } = story
  const created = initialCall(scope, {
    id: newId('call', atMs),
    direction,
    from_number: from,
    to_number: to,
    caller_name: callerName,
    callback_url: null,
    timeout_seconds: timeoutSeconds,
    time_limit_seconds: timeLimitSeconds,
    tags,
    metadata,
    created_at: isoMs(atMs),
  })
  const events = [pastEvent(initiatedEvent(created), atMs)]
  const dialedAt = direction === 'outbound' && dialedAtMs !== null ? isoMs(dialedAtMs) : null
  const taken = { engine, dialed_at: dialedAt, changed_at: dialedAt ?? created.changed_at }
  let call: Call = { ...created, ...(dialedAtMs === null ? {} : taken) }
  for (const { atMs: stepMs, event } of steps) {
    const step = nextCall(call, event, stepMs)
    if (step === undefined) throw new Error(`${event.type} cannot happen to a demo call that is ${call.state}`)
    call = step.call
    events.push(pastEvent(step.event, stepMs))
  }
  const said = story.notedBy === null ? undefined : outcomeStep(call, outcomeOf(call), saidBy(story.notedBy, steps))
  if (said !== undefined) {
    call = said.call
    events.push(pastEvent(said.event, Date.parse(call.changed_at)))
  }
  if (isLive(call)) throw new Error(`a demo call is left ${call.state}`)
  return { call, events }
}

/** What a sales person says of a call right after it. */
function outcomeOf({ state, answered_by }: Call): CallOutcome {
  if (state === 'completed') return answered_by === 'machine' ? 'voicemail' : 'answered'
  return state === 'busy' ? 'busy' : 'no_answer'
}

function saidBy(userId: number, steps: CallStory['steps']) {
  return { userId, atMs: (steps.at(-1)?.atMs ?? 0) + 12_000 }
}

function pastEvent({ type, resourceId, sequence, data }: CountedEvent, atMs: number): PastEvent {
  const id = newId('evt', atMs)
  return { id, type, resourceId: String(resourceId), sequence, atMs, data: JSON.stringify(data) }
}
