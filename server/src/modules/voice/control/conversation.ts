// Two legs that talk with each other, until one leaves, a key ends it, or the time is over. Somebody may be put in the place of
// one of them meanwhile: by a transfer of ours, or because a remote party asks for it (transfers.ts).

import type { HeldLeg } from '../legs/index.ts'
import { bridge, createLegMedia, type LegMedia, orAborted } from '../legs/index.ts'
import { recordCall } from './recording.ts'
import type { CallRecorder, Conversation, Partner, Run } from './run.ts'

const conversations = new WeakMap<HeldLeg, Conversation>()

/** The conversation that a leg is in. */
export function conversationOf(held: HeldLeg): Conversation | undefined {
  return conversations.get(held)
}

export type ConverseOptions = {
  record: 'none' | 'mono' | 'dual'
  timeLimitSeconds: number | undefined
  /** The key of the caller that ends it; empty for none. */
  finishOnKey: string
}

type Ending =
  | { type: 'over' }
  | { type: 'given'; back: Promise<Partner | undefined> | undefined }
  | { type: 'exchanged'; next: Partner }

/** Joins the call with another leg that has answered; resolves with the last partner when they are parted. */
export async function converse(run: Run, first: Partner, options: ConverseOptions): Promise<Partner> {
  const { held, scratch, signal } = run
  let partner = first
  let before: CallRecorder | undefined
  for (;;) {
    const talk = join(run, partner, options)
    // A recording of the whole call has it all; one of its own is started and ended with the conversation.
    const isWanted = options.record !== 'none' && before?.asked.isStopped !== true
    // With another partner it goes on as it was: paused, or ended by a command.
    const how = { pausedAs: before?.asked.pausedAs }
    const isRecorded = isWanted && scratch.recording === undefined
    const recorder = isRecorded ? await recordCall(run, options.record as 'mono' | 'dual', how) : undefined
    if (recorder?.asked.isStopped === false) scratch.recording ??= recorder
    const ending = await talk
    await recorder?.stop()
    before = recorder ?? before
    if (!signal.aborted)
      held.report({ type: 'noted', event: 'call.unbridged', details: { callId: partner.held.call.id } })
    const next = await nextOf(ending, signal)
    if (next === undefined) return partner
    partner = next
  }
}

async function nextOf(ending: Ending, signal: AbortSignal): Promise<Partner | undefined> {
  if (ending.type === 'exchanged') return ending.next
  if (ending.type === 'over' || ending.back === undefined) return undefined
  return orAborted(signal, ending.back, late => late && letGo(late))
}

function join(run: Run, partner: Partner, options: ConverseOptions): Promise<Ending> {
  const { held, media, digits, signal, log } = run
  const { held: peer, guest } = partner
  const { timeLimitSeconds, finishOnKey } = options
  const peerMedia = guest?.run.media ?? createLegMedia(peer.leg.sound)
  const wasMuted = peerMedia.isMuted
  const { promise, resolve } = Promise.withResolvers<Ending>()
  const limit = new AbortController()
  const undo: (() => void)[] = []
  let unbridge: (() => void) | undefined
  let ended = false

  // All at once, so that anyone who is given away can be joined with somebody else in the same moment.
  function finish(ending: Ending): void {
    if (ended) return
    ended = true
    limit.abort()
    unbridge?.()
    for (const step of undo) step()
    for (const leg of [held, peer]) if (conversations.get(leg) === conversation) conversations.delete(leg)
    // To hold somebody is to hold them in a conversation.
    media.resume()
    peerMedia.resume()
    peerMedia.setMuted(wasMuted)
    if (guest === undefined) peerMedia.close()
    if (guest === undefined && ending.type !== 'given') peer.end('normal', held.isOver ? 'caller' : 'system')
    guest?.over()
    resolve(ending)
  }
  const over = () => finish({ type: 'over' })
  const left = () => conversation.pending || over()

  const conversation: Conversation = {
    lead: run,
    partner,
    pending: false,
    otherOf: one => (one === held ? { held: peer, media: peerMedia } : one === peer ? { held, media } : undefined),
    exchange: next => (ended ? letGo(next) : finish({ type: 'exchanged', next })),
    give: back => finish({ type: 'given', back }),
    part() {
      unbridge?.()
      unbridge = undefined
      return () => {
        if (!ended) unbridge ??= bridge(media, peerMedia)
      }
    },
    settle: () => void ((peer.isOver || guest?.run.signal.aborted || signal.aborted) && over()),
  }

  function onAbort(of: AbortSignal, then: () => void): void {
    of.addEventListener('abort', then, { once: true })
    undo.push(() => of.removeEventListener('abort', then))
  }

  /** Keys are no sound: they are typed again on the other side. */
  function typing(to: HeldLeg, from: LegMedia): (digit: string) => undefined {
    let typed = Promise.resolve()
    return digit => {
      if (ended || unbridge === undefined || from.isMuted || from.isHeld) return
      typed = typed
        .then(() => (ended ? undefined : to.leg.sound.sendDigits(digit)))
        .catch(error => log.warn({ err: error }, 'a key could not be passed on'))
    }
  }

  for (const leg of [held, peer]) {
    conversations.set(leg, conversation)
    leg.onTransfer = asked => void run.obeyTransfer(conversation, leg, asked)
    undo.push(() => {
      if (conversations.get(leg) === conversation) leg.onTransfer = undefined
    })
  }
  unbridge = bridge(media, peerMedia)
  held.report({ type: 'bridged', callId: peer.call.id })
  peer.report({ type: 'bridged', callId: held.call.id })
  const typeOver = typing(peer, media)
  undo.push(
    digits.listen(digit => {
      if (finishOnKey === '' || digit !== finishOnKey) return typeOver(digit)
      over()
    }),
  )
  const typeBack = typing(held, peerMedia)
  undo.push(peer.listen(event => event.type === 'dtmf' && typeBack(event.digit)))
  onAbort(signal, over)
  onAbort(peer.ended, left)
  if (guest !== undefined) onAbort(guest.run.signal, left)
  if (timeLimitSeconds !== undefined)
    void held.leg.sleep(timeLimitSeconds * 1_000, limit.signal).then(() => limit.signal.aborted || over())
  conversation.settle()
  return promise
}

/** Of a partner whom nobody waits for any more. */
export function letGo({ held, guest }: Partner): void {
  if (guest === undefined) held.end('normal', 'system')
  else guest.over()
}
