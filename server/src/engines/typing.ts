// Typing digits on a leg: one after another with their pauses, each by whatever way the engine has for it.
import { setTimeout as sleep } from 'node:timers/promises'
import type { DigitsOptions } from '../modules/voice/engine/index.ts'

/** @param press sends one digit; `isOver` ends it early */
export async function typeDigits(
  digits: string,
  { toneMs = 100, gapMs = 100, signal }: DigitsOptions,
  { press, isOver }: { press(digit: string, toneMs: number): unknown; isOver(): boolean },
): Promise<void> {
  const pause = (ms: number) => sleep(ms, undefined, { signal, ref: false }).catch(() => {})
  for (const digit of digits) {
    if (signal?.aborted || isOver()) return
    if (digit === 'w' || digit === 'W') {
      await pause(digit === 'w' ? 500 : 1_000)
      continue
    }
    await press(digit, toneMs)
    await pause(toneMs + gapMs)
  }
}
