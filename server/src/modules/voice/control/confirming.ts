// Whether who answered a dialled leg takes the call: by a key, or by what an address says. The leg has a small list of its own
// for that, while the caller hears it ring on.
import type { Complete } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'
import { createDigits, createLegMedia, createPlayer } from '../legs/index.ts'
import { listFrom } from './asking.ts'
import type { Run } from './run.ts'
import { newScratch, runList, until } from './run_list.ts'

type Confirming = Partial<Pick<Complete<'dial'>, 'confirm' | 'confirmKey' | 'confirmUrl'>>

const keySeconds = 10

export async function confirm(run: Run, leg: HeldLeg, confirming: Confirming, signal: AbortSignal): Promise<boolean> {
  const { confirm: prompt, confirmKey, confirmUrl } = confirming
  if (prompt === undefined && confirmUrl === undefined && confirmKey === undefined) return true
  const media = createLegMedia(leg.leg.sound)
  const digits = createDigits()
  const unlisten = leg.listen(event => event.type === 'dtmf' && digits.press(event.digit))
  const own: Run = {
    ...run,
    held: leg,
    media,
    digits,
    player: createPlayer(media),
    scratch: newScratch(),
    signal: AbortSignal.any([signal, leg.ended]),
  }
  try {
    if (confirmKey !== undefined) {
      if ((await keyOf(own, prompt)) !== confirmKey) return false
    } else if (prompt !== undefined) await runList(own, prompt)
    if (confirmUrl !== undefined && !(await isConfirmedBy(own, confirmUrl, run.held.call.id))) return false
    return !own.signal.aborted
  } finally {
    unlisten()
    media.close()
  }
}

/** The key that is pressed while the prompt is heard, which it ends, or within 10 seconds of it. */
async function keyOf(own: Run, prompt: Confirming['confirm']): Promise<string | undefined> {
  const keys = own.digits.take()
  const stop = new AbortController()
  const prompting = prompt === undefined ? Promise.resolve() : runList(until(own, stop.signal), prompt)
  const wait = prompting.then(() => own.held.leg.sleep(keySeconds * 1_000, stop.signal))
  try {
    return await keys.next(wait, own.signal)
  } finally {
    stop.abort()
    keys.close()
    await prompting
  }
}

/** Where the address does not answer, the call is not given to whom it might have declined. */
async function isConfirmedBy(own: Run, url: string, parentCallId: string): Promise<boolean> {
  let list = await listFrom(own, url, 'confirm', { parentCallId }, null)
  // A list may lead to another one.
  for (let lists = 0; list !== undefined && lists < 100 && !own.signal.aborted; lists++) {
    const jump = await runList(own, list)
    if (jump?.type === 'instead') await jump.work(own)
    if (jump?.type !== 'replace') return !own.signal.aborted && jump?.type !== 'instead'
    list = jump.list
  }
  return false
}
