// A carrier over one or more SMPP links: which message goes out when and where, what its answers mean, and what comes in.
// A message waits until the rate allows it and a link has room for it, and then goes out whole on that link.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type FieldsOf, isRequestFailure } from '@tandem/smpp'
import { randomToken } from '../../kernel/ids.ts'
import { type PartResult, type Settle, type Submission, submitTimeoutMs } from '../../modules/messaging/carrier.ts'
import type { LinkedCarrier, LinkReport, LinkRole, Surroundings } from '../../modules/messaging/carriers/index.ts'
import { createAnswers, resultsOf } from './answers.ts'
import { createDeliveries } from './deliveries.ts'
import { type Link, openLink } from './link.ts'
import { createPace } from './pace.ts'
import { createPartIds } from './part_ids.ts'
import { type Carried, composeSubmission } from './parts.ts'
import type { SmppSettings } from './settings.ts'

/** A message that was handed in. */
type Message = {
  submission: Submission
  carried: readonly Carried[]
  results: PartResult[]
  /** Submit_sm without an outcome. */
  open: number
  sinceMs: number
  done(results: readonly PartResult[]): void
}

/** One submit_sm of a message that has begun to go out. */
type Piece = Carried & { message: Message }

/** A link and what is to go out on it next. */
type Lane = { link: Link; pieces: Piece[] }

const linkDown = { outcome: 'throttled', code: 'carrier_link_down' } as const
const tookTooLong = { outcome: 'throttled', code: 'carrier_throttled', retryAfterMs: 1_000 } as const

const tickMs = 1_000
const drainMs = 5_000
/** Kept for work between claiming and writing. */
const reserveMs = 3_000

export function openSmppCarrier(settings: SmppSettings, surroundings: Surroundings): LinkedCarrier {
  const { context, tenantId, queue, allow } = surroundings
  const { clock, log } = context
  const maxWaitMs = submitTimeoutMs - settings.responseTimeoutSeconds * 1_000 - reserveMs
  const pace = createPace(settings.segmentsPerSecond, performance.now())
  const meaningOf = createAnswers(settings)
  const partIds = createPartIds(settings)
  const deliveries = createDeliveries(settings, surroundings, partIds)
  const lateOf = new WeakMap<FieldsOf<'submit_sm'>, Piece>()
  const lanes: Lane[] = rolesOf(settings).map((role, index) => ({ link: open(role, index), pieces: [] }))
  const senders = lanes.filter((_, index) => rolesOf(settings)[index] !== 'receiver')
  const waiting = createLine<Message>()
  let waitingSegments = 0
  /** Segments that wait or are without an answer. */
  let held = 0
  let isStarved = false
  let ending: Promise<void> | undefined
  let isUncertain = false
  const takingLate = new Set<Promise<void>>()
  let paceTimer: NodeJS.Timeout | undefined
  const ticker = setInterval(tick, tickMs)

  function open(role: LinkRole, index: number): Link {
    let wasUp = false
    const link: Link = openLink({
      index,
      role,
      settings,
      allow,
      now: () => clock.now(),
      jitter: () => Number.parseInt(Buffer.from(randomToken(1), 'base64url').toString('hex'), 16) / 256,
      onDeliver: pdu => deliveries.take(link, pdu),
      onLateAnswer(fields, answer) {
        const taking = takeLate(fields, answer).finally(() => takingLate.delete(taking))
        takingLate.add(taking)
      },
      onRoom: pump,
      onChange() {
        const isUp = link.report().state === 'up' || link.report().state === 'throttled'
        if (wasUp && !isUp) deliveries.linkLost(link)
        wasUp = isUp
        surroundings.changed()
        pump()
      },
    })
    return link
  }

  const isUp = () => ending === undefined && senders.some(({ link }) => link.canSend())

  /**
   * Segments that can be taken on: a window that is full and one that waits behind it, less what is there already. More would
   * keep no link busier, and whatever is held here when the process dies is in doubt though it was never written.
   */
  function roomNow(): number {
    if (!isUp()) return 0
    const windows = senders.filter(({ link }) => link.canSend()).length * settings.windowSize
    return Math.max(0, Math.min(pace.within(performance.now()) - waitingSegments, 2 * windows - held))
  }

  function room(): number {
    const free = roomNow()
    if (free < 1) isStarved = true
    return free
  }

  function wakeIfRoom(): void {
    if (!isStarved || roomNow() < 1) return
    isStarved = false
    context.wake(queue)
  }

  function submit(batch: readonly Submission[], settle: Settle): Promise<void> {
    return new Promise(resolve => {
      let left = batch.length
      const sinceMs = performance.now()
      const done = (index: number, results: readonly PartResult[]) => {
        settle(index, results)
        if (--left === 0) resolve()
      }
      if (left === 0) resolve()
      for (const [index, submission] of batch.entries()) {
        const composed = composeSubmission(submission, settings, clock.now())
        if ('refused' in composed) {
          const { code, carrierCode } = composed.refused
          done(
            index,
            submission.parts.map(part => ({ part, outcome: 'refused', code, carrierCode })),
          )
          continue
        }
        const { carried } = composed
        held += carried.length
        waitingSegments += carried.length
        waiting.add({
          submission,
          carried,
          results: [],
          open: carried.length,
          sinceMs,
          done: results => done(index, results),
        })
      }
      pump()
    })
  }

  /** Sends what may be sent now. */
  function pump(): void {
    for (const lane of senders) drain(lane)
    if (!isUp())
      giveBack(
        waiting.takeIf(() => true),
        linkDown,
      )
    for (let message = waiting.first(); message !== undefined; message = waiting.first()) {
      const nowMs = performance.now()
      const waitMs = pace.waitMs(nowMs)
      if (waitMs > 0) {
        pumpIn(waitMs)
        break
      }
      const lane = laneFor(message.carried.length)
      if (lane === undefined) break
      waiting.takeFirst()
      waitingSegments -= message.open
      pace.take(message.open, nowMs)
      for (const carried of message.carried) lane.pieces.push({ ...carried, message })
      drain(lane)
    }
    wakeIfRoom()
  }

  function pumpIn(waitMs: number): void {
    paceTimer ??= setTimeout(() => {
      paceTimer = undefined
      pump()
    }, waitMs)
  }

  /** The link with most room, when all parts fit or nothing else is on it. */
  function laneFor(pieces: number): Lane | undefined {
    let best: Lane | undefined
    let bestRoom = 0
    for (const lane of senders) {
      const free = lane.pieces.length > 0 || !lane.link.canSend() ? 0 : lane.link.freeWindow()
      if (free > bestRoom && free >= Math.min(pieces, settings.windowSize)) {
        best = lane
        bestRoom = free
      }
    }
    return best
  }

  function drain(lane: Lane): void {
    if (lane.pieces.length === 0) return
    if (!lane.link.canSend()) {
      for (const piece of lane.pieces.splice(0)) conclude(piece, stamp(piece, linkDown))
      return
    }
    let count = Math.min(lane.pieces.length, lane.link.freeWindow())
    for (; count > 0; count--) void send(lane, lane.pieces.shift() as Piece)
  }

  async function send({ link }: Lane, piece: Piece): Promise<void> {
    const sentMs = performance.now()
    link.counters.submitted++
    lateOf.set(piece.fields, piece)
    try {
      takeAnswer(link, piece, await link.submit(piece.fields), sentMs)
    } catch (error) {
      conclude(piece, stamp(piece, outcomeOf(link, error)))
    }
  }

  function takeAnswer(link: Link, piece: Piece, answer: Answer, sentMs: number): void {
    const meaning = meaningOf(answer.status)
    link.counters[meaning.outcome]++
    if (meaning.outcome === 'throttled' && meaning.slows && pace.throttled(sentMs, performance.now())) {
      for (const lane of senders) lane.link.slow(true)
    }
    conclude(piece, resultsOf(piece.parts, meaning, idsOf(piece, answer)))
  }

  const idsOf = ({ message, parts }: Piece, { messageId }: Answer) =>
    partIds.idsOf(message.submission, parts, messageId)

  /** What is certain of a piece that got no answer. */
  function outcomeOf(link: Link, error: unknown): Outcome {
    if (!isRequestFailure(error) || error.outcome !== 'not_written') {
      if (!isRequestFailure(error)) log.error({ err: error, carrier: surroundings.carrierId }, 'a submission failed')
      link.counters.unanswered++
      return { outcome: 'unknown' }
    }
    link.counters.submitted--
    if (error.reason !== 'invalid') return linkDown
    link.counters.refused++
    return { outcome: 'refused', code: 'message_rejected', carrierCode: error.message }
  }

  function conclude({ message }: Piece, results: PartResult[]): void {
    message.results.push(...results)
    message.open--
    held--
    if (message.open === 0) message.done(message.results.sort((a, b) => a.part - b.part))
  }

  function giveBack(messages: readonly Message[], outcome: typeof linkDown | typeof tookTooLong): void {
    for (const message of messages) {
      held -= message.open
      waitingSegments -= message.open
      message.open = 0
      message.done(message.submission.parts.map(part => ({ part, ...outcome })))
    }
  }

  async function takeLate(fields: FieldsOf<'submit_sm'>, answer: Answer): Promise<void> {
    const piece = lateOf.get(fields)
    if (piece === undefined) return
    const { messageId, attempt, segments } = piece.message.submission
    const results = resultsOf(piece.parts, meaningOf(answer.status), idsOf(piece, answer))
    try {
      await context.receiveLateAnswers(results.map(result => ({ tenantId, messageId, attempt, segments, result })))
    } catch (error) {
      log.warn({ err: error, message: messageId }, 'a late answer could not be stored; the message stays unconfirmed')
    }
  }

  function tick(): void {
    const nowMs = performance.now()
    const isLate = (message: Message) => nowMs - message.sinceMs > maxWaitMs
    giveBack(waiting.takeIf(isLate), tookTooLong)
    for (const lane of senders) {
      const late = lane.pieces.filter(piece => isLate(piece.message))
      lane.pieces = lane.pieces.filter(piece => !isLate(piece.message))
      for (const piece of late) conclude(piece, stamp(piece, tookTooLong))
    }
    if (!pace.isSlowed(nowMs)) for (const { link } of senders) link.slow(false)
    pump()
  }

  /**
   * Takes nothing more, gives back what is not written, and waits for the answers to the rest; what has none after
   * `drainMs`, or at once when the links are cut, is unknown. What is handed in from now on is given back.
   */
  function end({ isCut }: { isCut: boolean }): Promise<void> {
    const ended = ending === undefined ? Promise.withResolvers<void>() : undefined
    if (ended !== undefined) {
      ending = ended.promise
      clearInterval(ticker)
      clearTimeout(paceTimer)
      for (const lane of senders) for (const piece of lane.pieces.splice(0)) conclude(piece, stamp(piece, linkDown))
      giveBack(
        waiting.takeIf(() => true),
        linkDown,
      )
    }
    if (isCut) for (const { link } of lanes) link.destroy()
    ended?.resolve(endLinks())
    return ending as Promise<void>
  }

  async function endLinks(): Promise<void> {
    // What has come is acknowledged before the links say good-bye: unacknowledged, it would come again as another message.
    deliveries.close()
    const idle = deliveries.idle().then(() => true)
    const isIdle = await Promise.race([idle, sleep(drainMs, false, { ref: false })])
    await nextTurn()
    isUncertain = !isIdle || deliveries.isUncertain()
    await Promise.all(lanes.map(({ link }) => link.close(drainMs)))
    await Promise.allSettled([idle, ...takingLate])
  }

  /** It ended in order when the carrier knows of all that was stored; else its successor must expect repetitions. */
  function lastWord(report: LinkReport): LinkReport {
    return report.state === 'stopped' && isUncertain ? { ...report, state: 'down' } : report
  }

  return {
    receiptTimeoutMs: settings.receiptTimeoutHours * 3_600_000,
    room,
    submit,
    reports: () => lanes.map(({ link }) => lastWord(link.report())),
    close: () => end({ isCut: false }),
    abort(why) {
      log.warn({ carrier: surroundings.carrierId, why }, 'links to a carrier are dropped')
      void end({ isCut: true })
    },
  }
}

/** First come, first served, without moving the rest for each one that goes. */
function createLine<Item>() {
  let items: Item[] = []
  let head = 0
  return {
    add: (item: Item) => void items.push(item),
    first: (): Item | undefined => items[head],
    takeFirst(): void {
      head++
      if (head < 1_000 && head < items.length) return
      items = items.slice(head)
      head = 0
    },
    takeIf(test: (item: Item) => boolean): Item[] {
      const all = items.slice(head)
      head = 0
      items = all.filter(item => !test(item))
      return all.filter(test)
    },
  }
}

/** The links that the settings ask for. */
function rolesOf({ bindType, binds }: SmppSettings): LinkRole[] {
  const all = (role: LinkRole) => Array.from({ length: binds }, () => role)
  return bindType === 'transceiver' ? all('transceiver') : [...all('transmitter'), ...all('receiver')]
}

type Outcome = PartResult extends infer Result
  ? Result extends { part: number }
    ? Omit<Result, 'part'>
    : never
  : never

/** The same outcome for every part that one submit_sm carried. */
function stamp({ parts }: Piece, outcome: Outcome): PartResult[] {
  return parts.map(part => ({ part, ...outcome }) as PartResult)
}
