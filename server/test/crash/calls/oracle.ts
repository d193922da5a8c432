// What must hold of calls after a crash run, whatever died when: the clients' intents, the rows, the events, sipp's own logs and the webhooks
// tell one story, to the second. Each broken promise is a line.
import { type EventRow, faultsOfHistory, faultsOfIntent, faultsOfWebhooks, type Verdict } from '../oracle.ts'
import type { CallLoad } from './load.ts'
import { callsUnderWay } from './scenario.ts'
import type { FarCall } from './sipp.ts'
import type { CallWorld } from './world.ts'

type CallRow = {
  id: string
  direction: 'inbound' | 'outbound'
  from: string
  to: string
  state: string
  cause: string | null
  by: string | null
  parent: string | null
  createdMs: number
  dialedMs: number | null
  answeredMs: number | null
  endedMs: number | null
}
type CallEvent = EventRow & { billable: number | null }

/** What is known of when things died. */
type Deaths = { voice: readonly number[]; database: readonly Span[]; cuts: readonly Span[] }
type Span = { fromMs: number; toMs: number }

const terminal = ['completed', 'busy', 'no_answer', 'rejected', 'failed', 'canceled']
/** How far two clocks of one busy machine, and a message under way, may be apart. */
const slackMs = 1_000
/** A message that is lost is repeated after half a second, one, two and four: it may take as long. */
const repeatedMs = 8_000

export async function judgeCalls(world: CallWorld, load: CallLoad): Promise<Verdict> {
  const rows = await world.sql<CallRow>(`select id, direction, from_number as "from", to_number as "to", state,
      hangup_cause as cause, hangup_by as by, parent_call_id as parent, ${['created', 'dialed', 'answered', 'ended']
        .map(name => `(extract(epoch from ${name}_at) * 1000)::float8 as "${name}Ms"`)
        .join(', ')} from calls order by created_at`)
  const events = await world.sql<CallEvent>(`select id, type, resource_id, sequence,
      (data->>'billableSeconds')::integer as billable
    from events where resource_id like 'call\\_%' order by resource_id, sequence`)
  const far = world.farCalls()
  const deaths: Deaths = { voice: world.parts.voice.diedAt(), database: world.databaseDeaths(), cuts: world.cuts }
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
      return [
        ...faultsOfEnd(row, history),
        ...faultsOfFarSide(row, seen, history),
        ...faultsOfTimes(row, seen, history, deaths, world),
        ...faultsOfKind(row, load.kindOf(row.to), deaths, world),
      ].map(fault => `${row.direction} ${row.to} from ${row.from} (${row.id}, ${row.cause}): ${fault}`)
    }),
    ...faultsOfCarriers(far, rows),
    // Not even the death of its database is a reason for a process to end.
    ...Object.entries(world.parts).flatMap(([role, part]) =>
      part.endedItself().map(({ words }) => `the ${role} ended by itself: ${words}`),
    ),
    ...(await callsUnderWay(world)).map(left => `left over: ${left}`),
  ]
  return { violations, counts: countsOf(world, load, rows, events, far) }
}

function overlaps(spans: readonly Span[], fromMs: number, toMs: number): boolean {
  return spans.some(span => span.fromMs <= toMs && span.toMs >= fromMs)
}

function isOutbound(row: CallRow): boolean {
  return row.direction === 'outbound'
}

/** Numbers are called once, and each caller has its own. */
function isOf(row: CallRow, call: FarCall): boolean {
  return call.isInbound ? row.direction === 'inbound' && call.from === row.from : isOutbound(row) && call.to === row.to
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
function faultsOfFarSide(row: CallRow, seen: readonly FarCall[], history: readonly CallEvent[]): string[] {
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
  const answered = seen.some(call => call.answeredMs !== undefined)
  if (row.answeredMs !== null && !answered) faults.push('is answered, but nobody has picked up')
  // Who picks up in the moment in which the call is given up is told BYE.
  const stands = seen.some(
    ({ acknowledgedMs, bye }) =>
      acknowledgedMs !== undefined && !(bye?.isOurs && row.endedMs !== null && row.endedMs <= bye.ms),
  )
  if (stands && row.answeredMs === null && row.cause !== 'node_lost')
    faults.push(`is ${row.state}, but somebody has picked up`)
  return faults
}

/** Every far side is let go, and belongs to a call. */
function faultsOfCarriers(far: readonly FarCall[], rows: readonly CallRow[]): string[] {
  return far.flatMap(call => {
    const name = `the call ${call.callId} of ${call.carrier} to ${call.to}`
    const own = rows.filter(row => isOf(row, call))
    const faults: string[] = []
    const story = call.story.slice(-8).join(', ')
    if (call.acknowledgedMs !== undefined && call.bye === undefined) faults.push(`${name} was never ended: ${story}`)
    // sipp ends without a word where CANCEL meets its ringing.
    const isEnded = call.answeredMs !== undefined || call.refused !== undefined || call.canceledMs !== undefined
    if (!call.isInbound && !isEnded) faults.push(`${name} still rings: ${story}`)
    if (call.acknowledgedMs !== undefined && own.length === 0) faults.push(`${name} is of no call that we know`)
    // A caller who asks again after a crash may have a row of before, which was not answered.
    if (own.filter(row => row.answeredMs !== null).length > 1)
      faults.push(`${name} was answered by ${own.length} calls`)
    return faults
  })
}

/** Answer, end and seconds are those that the far side knows; of what was lost, those of the last heartbeat. */
function faultsOfTimes(
  row: CallRow,
  seen: readonly FarCall[],
  history: readonly CallEvent[],
  deaths: Deaths,
  { patience }: CallWorld,
): string[] {
  const { answeredMs, endedMs } = row
  if (endedMs === null) return []
  const faults: string[] = []
  const outageMs = deaths.database.reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs), 0)
  const ceiling = answeredMs === null ? 0 : Math.ceil((endedMs - answeredMs) / 1_000)
  const billed = history.find(({ billable }) => billable !== null)?.billable ?? 0
  if (Math.abs(billed - ceiling) > 0) faults.push(`${billed} seconds are billed, between answer and end are ${ceiling}`)
  if (row.cause === 'node_lost') {
    const death = deaths.voice.find(ms => ms >= endedMs - slackMs)
    if (death === undefined) return [...faults, 'is lost, but nothing had died']
    const silentMs = death - endedMs
    if (silentMs > patience.heartbeatMs + 2 * slackMs + outageMs)
      faults.push(
        `ended ${Math.round(silentMs)} ms before its process died, which beats every ${patience.heartbeatMs} ms`,
      )
    if (row.createdMs > death) faults.push('is lost, but nothing had died behind its begin')
  }
  const call = seen.find(({ acknowledgedMs }) => acknowledgedMs !== undefined)
  if (call?.answeredMs === undefined || call.acknowledgedMs === undefined || answeredMs === null) return faults
  // Who calls hears of the answer as soon as the way lets it through.
  const wasCut = overlaps(deaths.cuts, answeredMs - slackMs, call.acknowledgedMs + slackMs)
  if (call.isInbound && wasCut) return faults
  const early = call.answeredMs - answeredMs - (call.isInbound ? repeatedMs : 0)
  const late = answeredMs - call.acknowledgedMs
  if (early > slackMs / 2 || late > slackMs)
    faults.push(`the answer is ${Math.round(answeredMs - call.answeredMs)} ms off that of the far side`)
  if (row.cause === 'node_lost' || call.bye === undefined) return faults
  // What was said while nothing came through was heard behind it, or not at all.
  if (overlaps(deaths.cuts, call.answeredMs, Math.max(call.bye.ms, endedMs))) return faults
  // Who was to say BYE may have died over it: then another has.
  const isDisturbed =
    deaths.voice.some(ms => ms >= endedMs - slackMs && ms <= (call.bye?.ms ?? 0) + slackMs) ||
    overlaps(deaths.database, endedMs - slackMs, endedMs + slackMs)
  const allowedMs = isDisturbed ? Number.POSITIVE_INFINITY : call.bye.isOurs ? repeatedMs : slackMs
  const heardMs = call.bye.isOurs ? call.bye.ms : (call.byeAnsweredMs ?? call.bye.ms)
  if (endedMs - heardMs > slackMs)
    faults.push(`the end is ${Math.round(endedMs - heardMs)} ms behind that of the far side`)
  if (call.bye.ms - endedMs > allowedMs)
    faults.push(`the end is ${Math.round(call.bye.ms - endedMs)} ms before that of the far side`)
  const farSeconds = (heardMs - call.acknowledgedMs) / 1_000
  if (billed - farSeconds > 1 + (2 * slackMs) / 1_000)
    faults.push(`${billed} seconds are billed, and the far side was there for ${farSeconds.toFixed(1)}`)
  return faults
}

/** What is special about a kind of call. */
function faultsOfKind(
  row: CallRow,
  kind: string | undefined,
  { cuts, database }: Deaths,
  { patience }: CallWorld,
): string[] {
  const { answeredMs, endedMs, cause, state } = row
  if (cause === 'node_lost') return []
  if (answeredMs === null || endedMs === null) return []
  const wasCut = overlaps(cuts, answeredMs, endedMs)
  if (kind === 'silent') {
    const afterMs = endedMs - answeredMs
    if (wasCut) return []
    if (cause !== 'media_timeout') return [`its far side fell silent, and it is ${state}`]
    // The answer waits for a database that is away, for up to two seconds, and sound does not.
    const waitedMs = overlaps(database, answeredMs - 4 * slackMs, answeredMs) ? 2 * slackMs : 0
    if (afterMs < patience.silenceMs - slackMs - waitedMs || afterMs > patience.silenceMs + 5 * slackMs)
      return [`its silence was seen after ${Math.round(afterMs)} ms, it is allowed ${patience.silenceMs}`]
    return []
  }
  if (cause === 'media_timeout' && !wasCut) return ['it ended for silence, but its far side was heard, or held it']
  return state === 'completed' || wasCut ? [] : [`was answered, and is ${state}`]
}

function countsOf(
  world: CallWorld,
  load: CallLoad,
  rows: readonly CallRow[],
  events: readonly CallEvent[],
  far: readonly FarCall[],
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
