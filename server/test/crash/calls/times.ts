// When the remote party of a call heard of it, held against when its row says that it happened. What is allowed beyond a second is allowed
// only while something was really broken, and for as long as that lasted.
import type { Span } from '../house.ts'
import type { CallRow } from './call_row.ts'
import type { RemoteCall } from './sipp.ts'
import type { CallWorld, Patience } from './world.ts'

/** How far two clocks of one busy machine, and a message under way, may be apart. */
export const slackMs = 1_000
/** A message that is lost is repeated after half a second, one, two and four: it may take as long. */
const repeatedMs = 8_000
/** The longest time between two repetitions (T2 of RFC 3261): a way that is open again may be noticed as late. */
const repetitionMs = 4_000
/** Connections to a database that is back are tried again within two seconds. */
const reconnectMs = 2_500

/** What a process learns by a row and a look at it is reported so much later. */
const askedMs = 3_000
/** A process that is ready reads the trunks first, and what there is to be reported. */
const beginMs = 3_000

/** What was broken, and when. */
export type Troubles = {
  patience: Patience
  /** Deaths of processes of calls. */
  deaths: readonly number[]
  database: readonly Span[]
  cuts: readonly Span[]
  weathers: readonly Span[]
  /** What keeps a process of calls from notifying remote parties: it is away, or they cannot be reached. */
  reporting: readonly Span[]
  /** The same where it has to ask the database what to report. */
  asking: readonly Span[]
  /** The same where a worker has to see first that a process has died. */
  seeing: readonly Span[]
  /** What has a worker count from its begin how long others are silent: it, or the database, was away. */
  counting: readonly Span[]
}

export function troublesOf(world: CallWorld): Troubles {
  const { worker, voice } = world.parts
  const inOrder = (spans: readonly Span[]) => spans.toSorted((a, b) => a.fromMs - b.fromMs)
  const padded = (spans: readonly Span[], ms: number) => spans.map(({ fromMs, toMs }) => ({ fromMs, toMs: toMs + ms }))
  const reporting = [...padded(voice.away(), beginMs), ...padded(world.cuts, repetitionMs)]
  const asking = [...reporting, ...padded(world.databaseDeaths(), reconnectMs)]
  return {
    patience: world.patience,
    deaths: voice.diedAt(),
    database: world.databaseDeaths(),
    cuts: world.cuts,
    weathers: world.weathers,
    reporting: inOrder(reporting),
    asking: inOrder(asking),
    seeing: inOrder([...asking, ...worker.away()]),
    counting: inOrder([...padded(world.databaseDeaths(), reconnectMs), ...padded(worker.away(), beginMs)]),
  }
}

export function overlaps(spans: readonly Span[], fromMs: number, toMs: number): boolean {
  return spans.some(span => span.fromMs <= toMs && span.toMs >= fromMs)
}

/** When something is done that starts at `fromMs`, takes `ms`, and is started again behind every trouble. */
export function doneBy(troubles: readonly Span[], fromMs: number, ms: number): number {
  let at = fromMs
  for (const span of troubles) {
    if (span.fromMs - at > ms) break
    at = Math.max(at, span.toMs)
  }
  return at + ms
}

/** The same of a message to the remote party, which may be lost while datagrams are; `heardMs` is when it was heard. */
function dueBy(
  { weathers, ...troubles }: Troubles,
  needs: 'reporting' | 'asking',
  fromMs: number,
  heardMs: number,
  ms = slackMs,
): number {
  return doneBy(troubles[needs], fromMs, ms + (overlaps(weathers, fromMs - slackMs, heardMs) ? repeatedMs : 0))
}

/** Answer, end and seconds are those that the remote party knows; of what was lost, those of the last heartbeat. */
export function faultsOfTimes(row: CallRow, seen: readonly RemoteCall[], billed: number, troubles: Troubles): string[] {
  const { answeredMs, endedMs } = row
  if (endedMs === null) return []
  const faults: string[] = []
  const ceiling = answeredMs === null ? 0 : Math.ceil((endedMs - answeredMs) / 1_000)
  if (billed !== ceiling) faults.push(`${billed} seconds are billed, between answer and end are ${ceiling}`)
  if (row.cause === 'node_lost') faults.push(...faultsOfLost(row, endedMs, seen, troubles))
  const call = seen.find(({ acknowledgedMs }) => acknowledgedMs !== undefined)
  if (call === undefined) return faults
  if (answeredMs === null) return [...faults, ...faultsOfMeeting(row, endedMs, call, troubles)]
  faults.push(...faultsOfAnswer(answeredMs, call, troubles))
  if (row.cause !== 'node_lost') faults.push(...faultsOfEnding(row, answeredMs, endedMs, billed, call, troubles))
  return faults
}

/** A process has died, the row ends as of its last heartbeat, and the remote party hears of it as soon as it was silent for long enough. */
function faultsOfLost(row: CallRow, endedMs: number, seen: readonly RemoteCall[], troubles: Troubles): string[] {
  const { patience, deaths, database, seeing, counting } = troubles
  const death = deaths.find(ms => ms >= endedMs - slackMs)
  if (death === undefined) return ['is lost, but nothing had died']
  const faults: string[] = []
  // A heart that beats against a database that is away is not heard.
  const unheardMs = database
    .filter(span => overlaps([span], endedMs, death))
    .reduce((sum, { fromMs, toMs }) => sum + (toMs - fromMs) + reconnectMs, 0)
  const silentMs = death - endedMs
  // A beat is late by its timer and by its writing.
  if (silentMs > patience.heartbeatMs + 2 * slackMs + unheardMs)
    faults.push(
      `ended ${Math.round(silentMs)} ms before its process died, which beats every ${patience.heartbeatMs} ms`,
    )
  if (row.createdMs > death) faults.push('is lost, but nothing had died behind its begin')
  const countedMs = doneBy(counting, death, patience.lostMs + patience.lookMs)
  const seenMs = doneBy(seeing, countedMs, patience.lookMs + slackMs)
  for (const { acknowledgedMs, canceledMs, bye } of seen) {
    const heardMs = acknowledgedMs === undefined ? canceledMs : bye?.ms
    if (heardMs === undefined) continue
    const lateMs = heardMs - dueBy(troubles, 'asking', seenMs, heardMs, askedMs)
    if (lateMs > 0)
      faults.push(
        `its remote party was notified ${Math.round(heardMs - death)} ms after its process died, ${Math.round(lateMs)} too late`,
      )
  }
  return faults
}

/**
 * When it is known that a call is over. The process that holds it knows at once. The API ends rows in the database, also of a process that is
 * dead, which is known when that was silent for long enough.
 */
function knownBy(row: CallRow, endedMs: number, { asking, deaths, patience }: Troubles): number {
  const death = deaths.find(ms => ms > (row.dialedMs ?? row.createdMs))
  const wasDead = row.by === 'api' && death !== undefined && death <= endedMs
  return wasDead ? Math.max(endedMs, doneBy(asking, death + patience.othersMs, slackMs)) : endedMs
}

/** What died around a time, for who wonders. */
function around({ deaths, database }: Troubles, ms: number): string {
  const near = (times: readonly number[]) =>
    times.filter(at => Math.abs(at - ms) < 20_000).map(at => Math.round(at - ms))
  const starts = database.map(({ fromMs }) => fromMs)
  return `deaths of the process of calls ${near(deaths).join(', ') || '-'} and of the database ${near(starts).join(', ') || '-'} ms behind`
}

/** Somebody has picked up, and the row knows of no answer: only where the call was given up in that moment. */
function faultsOfMeeting(row: CallRow, endedMs: number, call: RemoteCall, troubles: Troubles): string[] {
  // The answer has gone with its process.
  if (row.cause === 'node_lost') return []
  const { weathers, cuts, database, deaths } = troubles
  const { bye, answeredMs: pickedUpMs = 0 } = call
  // It may have been on its way while nothing came through, or waited for the database.
  const isHeldUp = overlaps([...weathers, ...cuts, ...database], pickedUpMs, endedMs)
  // Or the process that dialled has died: before, or when it had not written it yet.
  const dialedMs = row.dialedMs ?? row.createdMs
  const hasGone = deaths.some(ms => ms > dialedMs && ms <= Math.min(endedMs, pickedUpMs + slackMs))
  if (pickedUpMs < endedMs - slackMs && !isHeldUp && !hasGone)
    return [`is ${row.state}, but somebody has picked up; ${around(troubles, pickedUpMs)} that`]
  const knownMs = Math.max(knownBy(row, endedMs, troubles), pickedUpMs)
  if (bye?.isOurs === true && bye.ms > dueBy(troubles, 'asking', knownMs, bye.ms, askedMs))
    return [`is ${row.state}, and who has picked up was notified ${Math.round(bye.ms - endedMs)} ms later`]
  return []
}

function faultsOfAnswer(answeredMs: number, call: RemoteCall, troubles: Troubles): string[] {
  const { answeredMs: heardMs = 0, acknowledgedMs = 0 } = call
  // We answer who calls, and they hear of it when it comes through; who is called has answered before we know.
  const latestMs = call.isInbound ? dueBy(troubles, 'reporting', answeredMs, heardMs) : answeredMs + slackMs / 2
  if (heardMs <= latestMs && answeredMs <= acknowledgedMs + slackMs) return []
  return [`the answer is ${Math.round(answeredMs - heardMs)} ms off that of the remote party`]
}

/**
 * A call that sipp gave up by itself, which it does when what came makes no sense to it: its BYE is sent once, where those of its scenarios
 * are repeated until they are answered, and was lost while datagrams were. Or it has no To tag, where the last that came was a 100 that was
 * late, and was answered 481. Nobody knows of that end.
 */
function wasGivenUp({ bye, byes, byeAnsweredMs }: RemoteCall, weathers: readonly Span[]): boolean {
  if (bye === undefined || bye.isOurs || byes > 1) return false
  if (bye.isStray) return true
  if (byeAnsweredMs !== undefined) return false
  return overlaps(weathers, bye.ms - slackMs, bye.ms + slackMs)
}

function faultsOfEnding(
  row: CallRow,
  answeredMs: number,
  endedMs: number,
  billed: number,
  call: RemoteCall,
  troubles: Troubles,
): string[] {
  const { bye } = call
  const { deaths, weathers, cuts } = troubles
  if (bye === undefined || wasGivenUp(call, weathers)) return []
  const faults: string[] = []
  // Ours is heard when it comes; theirs, as soon as we have answered it.
  const heardMs = bye.isOurs ? bye.ms : (call.byeAnsweredMs ?? bye.ms)
  if (endedMs - heardMs > slackMs)
    faults.push(`the end is ${Math.round(endedMs - heardMs)} ms behind that of the remote party`)
  const death = deaths.find(ms => ms > (row.dialedMs ?? row.createdMs))
  // The process that holds a call reports the end that it saw; of one that ended elsewhere it learns by the database. Of one that died before it
  // could, the next one reports it when it starts.
  const isAsked = row.by === 'api' || (death !== undefined && death <= bye.ms + slackMs)
  const knownMs = knownBy(row, endedMs, troubles)
  const latestMs = isAsked
    ? dueBy(troubles, 'asking', knownMs, bye.ms, askedMs)
    : dueBy(troubles, 'reporting', knownMs, bye.ms)
  if (bye.ms > latestMs)
    faults.push(
      `the end is ${Math.round(bye.ms - endedMs)} ms before that of the remote party, ${Math.round(bye.ms - latestMs)} more than may be; ${around(troubles, endedMs)} it`,
    )
  // Where datagrams are lost, an answer and its ACK are not heard at once.
  const { answeredMs: pickedUpMs = 0, acknowledgedMs = 0 } = call
  const isHeldUp = overlaps([...weathers, ...cuts], answeredMs - slackMs, acknowledgedMs + slackMs)
  const fromMs = isHeldUp ? Math.min(pickedUpMs, answeredMs) : acknowledgedMs
  const farSeconds = (heardMs - fromMs) / 1_000
  if (billed - farSeconds > 1 + (2 * slackMs) / 1_000)
    faults.push(`${billed} seconds are billed, and the remote party was there for ${farSeconds.toFixed(1)}`)
  return faults
}
