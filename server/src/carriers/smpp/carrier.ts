// A carrier over one or more SMPP links: which message goes out when and where, what its answers mean, and what comes in.
// A message waits until the rate allows it and a link has room for it, and then goes out whole on that link.
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { type Answer, type FieldsOf, isRequestFailure } from '@tandem/smpp'
import { randomToken } from '../../kernel/values/ids.ts'
import { type PartResult, type Settle, type Submission, submitTimeoutMs } from '../../modules/messaging/carrier.ts'
import type { LinkedCarrier, LinkReport, LinkRole, Surroundings } from '../../modules/messaging/carriers/index.ts'
import { createAnswers, resultsOf } from './answers.ts'
import { createDeliveries } from './deliveries.ts'
import { Fifo } from './fifo.ts'
import { type Link, openLink } from './link.ts'
import { createPace } from './pace.ts'
import { createPartIds, type PartIds } from './part_ids.ts'
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
  return new SmppCarrier(settings, surroundings)
}

/** Lives from when its settings are taken into use until it is closed: its links, and the messages that wait or are under way. */
class SmppCarrier implements LinkedCarrier {
  private readonly settings: SmppSettings
  private readonly surroundings: Surroundings
  readonly receiptTimeoutMs: number
  private readonly context: Surroundings['context']
  private readonly tenantId: Surroundings['tenantId']
  private readonly queue: Surroundings['queue']
  private readonly allow: Surroundings['allow']
  private readonly clock
  private readonly log
  private readonly maxWaitMs
  private readonly pace
  private readonly meaningOf
  private readonly partIds
  private readonly deliveries
  private readonly lateOf = new WeakMap<FieldsOf<'submit_sm'>, Piece>()
  private readonly lanes: Lane[]
  private readonly senders
  private readonly waiting = new Fifo<Message>()
  private waitingSegments = 0
  /** Segments that wait or are without an answer. */
  private held = 0
  private isStarved = false
  private isLeaving = false
  private readonly answered = Promise.withResolvers<void>()
  private ending: Promise<void> | undefined
  private isUncertain = false
  private readonly takingLate = new Set<Promise<void>>()
  private paceTimer: NodeJS.Timeout | undefined
  private readonly ticker

  constructor(settings: SmppSettings, surroundings: Surroundings) {
    this.settings = settings
    this.surroundings = surroundings
    this.receiptTimeoutMs = settings.receiptTimeoutHours * 3_600_000
    const { context, tenantId, queue, allow } = surroundings
    this.context = context
    this.tenantId = tenantId
    this.queue = queue
    this.allow = allow
    const { clock, log } = context
    this.clock = clock
    this.log = log
    this.maxWaitMs = submitTimeoutMs - settings.responseTimeoutSeconds * 1_000 - reserveMs
    this.pace = createPace(settings.segmentsPerSecond, performance.now())
    this.meaningOf = createAnswers(settings)
    this.partIds = createPartIds(settings)
    this.deliveries = createDeliveries(settings, surroundings, this.partIds)
    this.lanes = rolesOf(settings).map((role, index) => ({ link: this.open(role, index), pieces: [] }))
    this.senders = this.lanes.filter((_, index) => rolesOf(settings)[index] !== 'receiver')
    this.ticker = setInterval(() => this.tick(), tickMs)
  }

  private open(role: LinkRole, index: number): Link {
    let wasUp = false
    const link: Link = openLink({
      index,
      role,
      settings: this.settings,
      allow: this.allow,
      now: () => this.clock.now(),
      jitter: () => Number.parseInt(Buffer.from(randomToken(1), 'base64url').toString('hex'), 16) / 256,
      onDeliver: pdu => this.deliveries.take(link, pdu),
      onLateAnswer: (fields, answer) => {
        const taking = this.takeLate(fields, answer).finally(() => this.takingLate.delete(taking))
        this.takingLate.add(taking)
      },
      onRoom: () => this.pump(),
      onChange: () => {
        const isUp = link.report().state === 'up' || link.report().state === 'throttled'
        if (wasUp && !isUp) this.deliveries.linkLost(link)
        wasUp = isUp
        this.surroundings.changed()
        this.pump()
      },
    })
    return link
  }

  private isUp() {
    return !this.isLeaving && this.senders.some(({ link }) => link.canSend())
  }

  /**
   * Segments that can be taken on: a window that is full and one that waits behind it, less what is there already. More would
   * keep no link busier, and whatever is held here when the process dies is in doubt though it was never written.
   */
  private roomNow(): number {
    if (!this.isUp()) return 0
    const windows = this.senders.filter(({ link }) => link.canSend()).length * this.settings.windowSize
    return Math.max(0, Math.min(this.pace.within(performance.now()) - this.waitingSegments, 2 * windows - this.held))
  }

  room(): number {
    const free = this.roomNow()
    if (free < 1) this.isStarved = true
    return free
  }

  private wakeIfRoom(): void {
    if (!this.isStarved || this.roomNow() < 1) return
    this.isStarved = false
    this.context.wake(this.queue)
  }

  submit(batch: readonly Submission[], settle: Settle): Promise<void> {
    return new Promise(resolve => {
      let left = batch.length
      const sinceMs = performance.now()
      const done = (index: number, results: readonly PartResult[], form?: string) => {
        settle(index, results, form)
        if (--left === 0) resolve()
      }
      if (left === 0) resolve()
      for (const [index, submission] of batch.entries()) {
        const composed = composeSubmission(submission, this.settings, this.clock.now())
        if ('refused' in composed) {
          const { code, carrierCode } = composed.refused
          done(
            index,
            submission.parts.map(part => ({ part, outcome: 'refused', code, carrierCode })),
          )
          continue
        }
        const { carried, form } = composed
        this.held += carried.length
        this.waitingSegments += carried.length
        this.waiting.add({
          submission,
          carried,
          results: [],
          open: carried.length,
          sinceMs,
          done: results => done(index, results, form),
        })
      }
      this.pump()
    })
  }

  /** Sends what may be sent now. */
  private pump(): void {
    for (const lane of this.senders) this.drain(lane)
    if (!this.isUp()) this.giveBack(this.waiting.takeAll(), linkDown)
    for (let message = this.waiting.first(); message !== undefined; message = this.waiting.first()) {
      const nowMs = performance.now()
      const waitMs = this.pace.waitMs(nowMs)
      if (waitMs > 0) {
        this.pumpIn(waitMs)
        break
      }
      const lane = this.laneFor(message.carried.length)
      if (lane === undefined) break
      this.waiting.takeFirst()
      this.waitingSegments -= message.open
      this.pace.take(message.open, nowMs)
      for (const carried of message.carried) lane.pieces.push({ ...carried, message })
      this.drain(lane)
    }
    this.wakeIfRoom()
  }

  private pumpIn(waitMs: number): void {
    this.paceTimer ??= setTimeout(() => {
      this.paceTimer = undefined
      this.pump()
    }, waitMs)
  }

  /** The link with most room, when all parts fit or nothing else is on it. */
  private laneFor(pieces: number): Lane | undefined {
    let best: Lane | undefined
    let bestRoom = 0
    for (const lane of this.senders) {
      const free = lane.pieces.length > 0 || !lane.link.canSend() ? 0 : lane.link.freeWindow()
      if (free > bestRoom && free >= Math.min(pieces, this.settings.windowSize)) {
        best = lane
        bestRoom = free
      }
    }
    return best
  }

  private drain(lane: Lane): void {
    if (lane.pieces.length === 0) return
    if (!lane.link.canSend()) {
      for (const piece of lane.pieces.splice(0)) this.conclude(piece, stamp(piece, linkDown))
      return
    }
    let count = Math.min(lane.pieces.length, lane.link.freeWindow())
    for (; count > 0; count--) void this.send(lane, lane.pieces.shift() as Piece)
  }

  private async send({ link }: Lane, piece: Piece): Promise<void> {
    const sentMs = performance.now()
    link.counters.submitted++
    this.lateOf.set(piece.fields, piece)
    try {
      this.takeAnswer(link, piece, await link.submit(piece.fields), sentMs)
    } catch (error) {
      this.conclude(piece, stamp(piece, this.outcomeOf(link, error)))
    }
  }

  private takeAnswer(link: Link, piece: Piece, answer: Answer, sentMs: number): void {
    const meaning = this.meaningOf(answer.status)
    link.counters[meaning.outcome]++
    if (meaning.outcome === 'throttled' && meaning.slows && this.pace.throttled(sentMs, performance.now())) {
      for (const lane of this.senders) lane.link.slow(true)
    }
    this.conclude(piece, resultsOf(piece.parts, meaning, this.idsOf(piece, answer)))
  }

  private idsOf({ message, parts }: Piece, { messageId }: Answer): ReturnType<PartIds['idsOf']> {
    return this.partIds.idsOf(message.submission, parts, messageId)
  }

  /** What is certain of a piece that got no answer. */
  private outcomeOf(link: Link, error: unknown): Outcome {
    if (!isRequestFailure(error) || error.outcome !== 'not_written') {
      if (!isRequestFailure(error))
        this.log.error({ err: error, carrier: this.surroundings.carrierId }, 'a submission failed')
      link.counters.unanswered++
      return { outcome: 'unknown' }
    }
    link.counters.submitted--
    if (error.reason !== 'invalid') return linkDown
    link.counters.refused++
    return { outcome: 'refused', code: 'message_rejected', carrierCode: error.message }
  }

  private conclude({ message }: Piece, results: PartResult[]): void {
    message.results.push(...results)
    message.open--
    this.held--
    if (this.isLeaving && this.held === 0) this.answered.resolve()
    if (message.open === 0) message.done(message.results.sort((a, b) => a.part - b.part))
  }

  private giveBack(messages: readonly Message[], outcome: typeof linkDown | typeof tookTooLong): void {
    for (const message of messages) {
      this.held -= message.open
      this.waitingSegments -= message.open
      message.open = 0
      message.done(message.submission.parts.map(part => ({ part, ...outcome })))
    }
  }

  private async takeLate(fields: FieldsOf<'submit_sm'>, answer: Answer): Promise<void> {
    const piece = this.lateOf.get(fields)
    if (piece === undefined) return
    const { messageId, attempt, segments } = piece.message.submission
    const results = resultsOf(piece.parts, this.meaningOf(answer.status), this.idsOf(piece, answer))
    try {
      await this.context.receiveLateAnswers(
        results.map(result => ({ tenantId: this.tenantId, messageId, attempt, segments, result })),
      )
    } catch (error) {
      this.log.warn(
        { err: error, message: messageId },
        'a late answer could not be stored; the message stays unconfirmed',
      )
    }
  }

  private tick(): void {
    const nowMs = performance.now()
    const isLate = (message: Message) => nowMs - message.sinceMs > this.maxWaitMs
    this.giveBack(this.waiting.takeIf(isLate), tookTooLong)
    for (const lane of this.senders) {
      const late = lane.pieces.filter(piece => isLate(piece.message))
      lane.pieces = lane.pieces.filter(piece => !isLate(piece.message))
      for (const piece of late) this.conclude(piece, stamp(piece, tookTooLong))
    }
    if (!this.pace.isSlowed(nowMs)) for (const { link } of this.senders) link.slow(false)
    this.pump()
  }

  /** Gives back what is not written, and from now on what is handed in. */
  private leave(): void {
    if (this.isLeaving) return
    this.isLeaving = true
    clearInterval(this.ticker)
    clearTimeout(this.paceTimer)
    for (const lane of this.senders)
      for (const piece of lane.pieces.splice(0)) this.conclude(piece, stamp(piece, linkDown))
    this.giveBack(this.waiting.takeAll(), linkDown)
    if (this.held === 0) this.answered.resolve()
  }

  finish(): Promise<void> {
    this.leave()
    return this.answered.promise
  }

  /**
   * Takes nothing more and waits for the answers to what is written; what has none after `drainMs`, or at once when the links
   * are cut, is unknown.
   */
  private end({ isCut }: { isCut: boolean }): Promise<void> {
    const ended = this.ending === undefined ? Promise.withResolvers<void>() : undefined
    if (ended !== undefined) this.ending = ended.promise
    this.leave()
    if (isCut) for (const { link } of this.lanes) link.destroy()
    ended?.resolve(this.endLinks())
    return this.ending as Promise<void>
  }

  private async endLinks(): Promise<void> {
    // What has come is acknowledged before the links say good-bye: unacknowledged, it would come again as another message.
    this.deliveries.close()
    const idle = this.deliveries.idle().then(() => true)
    const isIdle = await Promise.race([idle, sleep(drainMs, false, { ref: false })])
    await nextTurn()
    this.isUncertain = !isIdle || this.deliveries.isUncertain()
    await Promise.all(this.lanes.map(({ link }) => link.close(drainMs)))
    await Promise.allSettled([idle, ...this.takingLate])
  }

  /** It ended in order when the carrier knows of all that was stored; else its successor must expect repetitions. */
  private finalReport(report: LinkReport): LinkReport {
    return report.state === 'stopped' && this.isUncertain ? { ...report, state: 'down' } : report
  }

  reports() {
    return this.lanes.map(({ link }) => this.finalReport(link.report()))
  }

  close() {
    return this.end({ isCut: false })
  }

  abort(why: string): void {
    this.log.warn({ carrier: this.surroundings.carrierId, why }, 'links to a carrier are dropped')
    void this.end({ isCut: true })
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
