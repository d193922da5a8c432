// What must hold of calls after a crash run, whatever died when: the clients' intents, the rows, the events, sipp's own logs and the webhooks
// agree, to the second. Each broken promise is a line.
import { type EventRow, faultsOfHistory, faultsOfIntent, faultsOfWebhooks } from '../oracle.ts'
import { deathsOf } from '../tally.ts'
import type { Verdict } from '../verdict.ts'
import type { CallRow } from './call_row.ts'
import { callsUnderWay } from './leftovers.ts'
import type { CallLoad } from './load.ts'
import type { RemoteCall } from './sipp.ts'
import { faultsOfTimes, overlaps, slackMs, type Troubles, troublesOf } from './times.ts'
import type { CallWorld } from './world.ts'

type CallEvent = EventRow & { billable: number | null }

const terminal = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
export async function checkCalls(world: CallWorld, load: CallLoad): Promise<Verdict> {
  const rows = await world.sql<CallRow>(`select id, direction, from_number as "from", to_number as "to", state,
      hangup_cause as cause, hangup_by as by, parent_call_id as parent, ${['created', 'dialed', 'answered', 'ended']
        .map(name => `(extract(epoch from ${name}_at) * 1000)::float8 as "${name}Ms"`)
        .join(', ')} from calls order by created_at`)
  const events = await world.sql<CallEvent>(`select id, type, resource_id, sequence,
      (data->>'billableSeconds')::integer as billable
    from event_log where resource_id like 'call\\_%' order by resource_id, sequence`)
  const far = world.farCalls()
  const troubles = troublesOf(world)
  const byNumber = Map.groupBy(rows.filter(isOutbound), row => row.to)
  const histories = Map.groupBy(events, event => event.resource_id)
  const violations = [
    ...load.intents.flatMap(intent => faultsOfIntent(intent, byNumber.get(intent.word) ?? [])),
    ...faultsOfHistory(
      events,
      terminal.map(state => `call.${state}`),
    ),
    ...faultsOfWebhooks(
      world.webhooks,
      events.filter(({ type }) => type.startsWith('call.')),
    ),
    ...rows.flatMap(row => {
      const history = histories.get(row.id) ?? []
      const seen = far.filter(call => isOf(row, call))
      const faults = [
        ...faultsOfEnd(row, history),
        ...faultsOfRemoteParty(row, seen, history),
        ...faultsOfTimes(row, seen, history.find(({ billable }) => billable !== null)?.billable ?? 0, troubles),
        ...faultsOfKind(row, seen, load.kindOf(row.to), troubles, world),
      ]
      const name = `${row.direction} ${row.to} from ${row.from} (${row.id}, ${row.cause})`
      return faults.map(fault => `${name}: ${fault}; ${storyOf(seen)}`)
    }),
    ...faultsOfCarriers(far, rows),
    // Not even the death of its database is a reason for a process to end.
    ...Object.entries(world.parts).flatMap(([role, part]) =>
      part.endedItself().map(({ words }) => `the ${role} ended by itself: ${words}`),
    ),
    ...(await callsUnderWay(world)).map(left => `left over: ${left}`),
  ]
  return { violations, deaths: deathsOf(world), counts: countsOf(world, load, rows, events, far) }
}

function isOutbound(row: CallRow): boolean {
  return row.direction === 'outbound'
}

/** Numbers are called once, and each caller has its own. */
function isOf(row: CallRow, call: RemoteCall): boolean {
  return call.isInbound ? row.direction === 'inbound' && call.from === row.from : isOutbound(row) && call.to === row.to
}

/** What the remote party last said and heard of it, for who wonders. */
function storyOf(seen: readonly RemoteCall[]): string {
  const stories = seen.map(({ carrier, story }) => `${carrier}: ${story.slice(-12).join(', ')}`)
  return stories.length === 0 ? 'no remote party knows of it' : `as the remote party has it, ${stories.join('; ')}`
}

/** One terminal state, and the one event of it. */
function faultsOfEnd(row: CallRow, history: readonly CallEvent[]): string[] {
  if (!terminal.includes(row.state)) return [`it has not come to its end: it is ${row.state}`]
  const ends = history.filter(({ type }) => terminal.includes(type.replace('call.', '')))
  if (ends.length !== 1 || ends[0]?.type !== `call.${row.state}`)
    return [`it is ${row.state}, and its events say ${ends.map(({ type }) => type).join(', ') || 'of no end'}`]
  return history.at(-1) === ends[0] ? [] : [`its events go on after its end, with ${history.at(-1)?.type}`]
}

/** Nobody is called twice, and nobody is left on the line. */
function faultsOfRemoteParty(row: CallRow, seen: readonly RemoteCall[], history: readonly CallEvent[]): string[] {
  const faults: string[] = []
  const carriers = Map.groupBy(seen, call => call.carrier)
  if (isOutbound(row)) {
    for (const [carrier, calls] of carriers)
      if (calls.length > 1)
        faults.push(`was dialled ${calls.length} times at ${carrier}: ${calls.map(call => call.callId).join(' ')}`)
    const rerouted = history.filter(({ type }) => type === 'call.rerouted').length
    // The word of the last try may have died with the process.
    if (carriers.size > 1 + rerouted && row.cause !== 'node_lost')
      faults.push(`was dialled at ${carriers.size} carriers, and rerouted ${rerouted} times`)
    if (seen.length > 0 && row.dialedMs === null) faults.push('was dialled, and is not marked as dialled')
  }
  if (seen.some(call => call.answeredMs !== undefined)) return faults
  if (row.answeredMs !== null || row.state === 'completed') faults.push(`is ${row.state}, but nobody has picked up`)
  for (const type of ['call.answered', 'call.completed'])
    if (history.some(event => event.type === type)) faults.push(`its events have ${type}, but nobody has picked up`)
  return faults
}

/** Every remote party is let go, and belongs to a call. */
function faultsOfCarriers(far: readonly RemoteCall[], rows: readonly CallRow[]): string[] {
  return far.flatMap(call => {
    const own = rows.filter(row => isOf(row, call))
    const ids = own.map(({ id, cause }) => `${id}, ${cause}`).join('; ')
    const name = `the call ${call.callId} of ${call.carrier} to ${call.to} (${ids})`
    const faults: string[] = []
    const story = call.story.slice(-8).join(', ')
    if (call.acknowledgedMs !== undefined && call.bye === undefined) faults.push(`${name} was never ended: ${story}`)
    // sipp says nothing more where it takes CANCEL before it waits for one.
    const isEnded = call.answeredMs !== undefined || call.refused !== undefined || call.isCancelTaken
    if (!call.isInbound && !isEnded) faults.push(`${name} still rings: ${story}`)
    if (call.acknowledgedMs !== undefined && own.length === 0) faults.push(`${name} is of no call that we know`)
    // A caller who asks again after a crash may have a row of before, which was not answered.
    if (own.filter(row => row.answeredMs !== null).length > 1)
      faults.push(`${name} was answered by ${own.length} calls`)
    return faults
  })
}

/** What is special about a kind of call. */
function faultsOfKind(
  row: CallRow,
  seen: readonly RemoteCall[],
  kind: string | undefined,
  { cuts, weathers, patience: { silenceMs } }: Troubles,
  { links }: CallWorld,
): string[] {
  const { answeredMs, endedMs, cause, state } = row
  if (cause === 'node_lost') return []
  if (answeredMs === null || endedMs === null) return []
  if (kind === 'silent') {
    if (cause !== 'media_timeout') return [`its remote party fell silent, and it is ${state}`]
    // From the last packet that it was sent.
    const last = seen.flatMap(({ soundPort }) => (soundPort === undefined ? [] : links.silent.echoesTo(soundPort)))
    const echo = last.findLast(({ fromMs }) => fromMs < endedMs)
    if (echo === undefined) return ['its remote party fell silent, and was never heard']
    const afterMs = endedMs - echo.backMs
    if (afterMs < silenceMs - slackMs || afterMs > silenceMs + 2 * slackMs)
      return [`its silence was seen after ${Math.round(afterMs)} ms, it is allowed ${silenceMs}`]
    return []
  }
  // That it holds us is said half a second after the answer, and must come through before its silence is seen. A carrier that had no
  // processor says it too late.
  const saidMs = Math.min(...seen.map(({ heldMs }) => heldMs ?? Number.POSITIVE_INFINITY))
  const isUnheard =
    kind === 'held' &&
    (saidMs > endedMs - slackMs || overlaps([...cuts, ...weathers], answeredMs, answeredMs + silenceMs))
  if (cause === 'media_timeout' && !isUnheard)
    return ['it ended for silence, but its remote party was heard, or held it']
  return state === 'completed' || isUnheard ? [] : [`was answered, and is ${state}`]
}

function countsOf(
  world: CallWorld,
  load: CallLoad,
  rows: readonly CallRow[],
  events: readonly CallEvent[],
  far: readonly RemoteCall[],
): Record<string, number> {
  const of = (cause: string) => rows.filter(row => row.cause === cause).length
  const links = Object.values(world.links)
  return {
    intents: load.intents.length,
    requests: load.intents.reduce((sum, intent) => sum + intent.tries, 0),
    calls: rows.length,
    inbound: rows.filter(row => !isOutbound(row)).length,
    legs: rows.filter(row => row.parent !== null).length,
    answered: rows.filter(row => row.answeredMs !== null).length,
    completed: rows.filter(row => row.state === 'completed').length,
    lost: of('node_lost'),
    silent: of('media_timeout'),
    network: of('network'),
    'at carriers': far.length,
    'ended by us': far.filter(call => call.bye?.isOurs).length,
    'ms to the slowest INVITE': Math.round(Math.max(0, ...rows.map(row => (row.dialedMs ?? 0) - row.createdMs))),
    events: events.length,
    'instructions not had': events.filter(({ type }) => type === 'call.instructions_failed').length,
    webhooks: [...world.webhooks.heard.values()].reduce((sum, heard) => sum + heard.times, 0),
    'datagrams lost': links.reduce((sum, { counts }) => sum + counts.lost, 0),
    'packets of sound kept back': links.reduce((sum, { heard }) => sum + heard.keptBack, 0),
  }
}
