// Two legs that talk with each other, until one leaves, a key ends it, or the time is over.
import type { HeldLeg } from '../node.ts'
import { bridge, createLegMedia, type LegMedia } from './leg_sound.ts'
import { recordCall } from './recording.ts'
import type { Run, Scratch } from './run.ts'

export type ConverseOptions = {
  record: 'none' | 'mono' | 'dual'
  timeLimitSeconds: number | undefined
  /** The key of the caller that ends it; empty for none. */
  finishOnKey: string
  /** Of a leg that has instructions of its own: they go on when the conversation is over. Others are ended then. */
  peerMedia?: LegMedia
  peerScratch?: Scratch
}

/** Joins the call with another leg that has answered; resolves when they are parted. */
export async function converse(run: Run, peer: HeldLeg, options: ConverseOptions): Promise<void> {
  const { held, media, scratch, signal } = run
  const { peerScratch, peerMedia = createLegMedia(peer.leg.sound) } = options
  const part = bridge(media, peerMedia)
  scratch.peer = peer
  scratch.peerMedia = peerMedia
  if (peerScratch !== undefined) Object.assign(peerScratch, { peer: held, peerMedia: media })
  held.tell({ type: 'bridged', callId: peer.call.id })
  peer.tell({ type: 'bridged', callId: held.call.id })
  const recorder = options.record === 'none' ? undefined : await recordCall(run, options.record)
  await untilOver(run, peer, options)
  part()
  Object.assign(scratch, { peer: undefined, peerMedia: undefined })
  if (peerScratch !== undefined) Object.assign(peerScratch, { peer: undefined, peerMedia: undefined })
  await recorder?.stop()
  if (!signal.aborted) held.tell({ type: 'noted', event: 'call.unbridged', details: { callId: peer.call.id } })
  if (peerScratch !== undefined) return
  peerMedia.close()
  if (!peer.isOver) peer.end('normal', held.isOver ? 'caller' : 'system')
}

function untilOver({ held, digits, signal }: Run, peer: HeldLeg, options: ConverseOptions): Promise<void> {
  const { timeLimitSeconds, finishOnKey } = options
  return new Promise(resolve => {
    const limit = new AbortController()
    const done = () => {
      limit.abort()
      unlisten()
      signal.removeEventListener('abort', done)
      peer.ended.removeEventListener('abort', done)
      resolve()
    }
    const unlisten = digits.listen(digit => finishOnKey !== '' && digit === finishOnKey && done())
    if (signal.aborted || peer.isOver) return done()
    signal.addEventListener('abort', done, { once: true })
    peer.ended.addEventListener('abort', done, { once: true })
    if (timeLimitSeconds !== undefined) {
      void held.leg.sleep(timeLimitSeconds * 1_000, limit.signal).then(() => limit.signal.aborted || done())
    }
  })
}
