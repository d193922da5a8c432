// The history of a message as its timeline shows it: a carrier that throttles puts a message back every other second, and
// a hundred rounds of that say no more than one does.
import type { Message } from '@tandem/sdk'

type Entry = Message['history'][number]
export type Step = {
  entry: Entry
  /** When the entry before it happened. */
  before: string | undefined
  /** How many further rounds, each handed over and put back for the same reason, it stands for; 0 for one entry. */
  rounds: number
}

export function stepsOf(history: readonly Entry[]): Step[] {
  const steps: Step[] = []
  const add = (index: number, rounds = 0) => {
    const entry = history[index]
    if (entry !== undefined) steps.push({ entry, before: history[index - 1]?.at, rounds })
  }
  for (let index = 0; index < history.length; ) {
    const rounds = roundsFrom(history, index)
    add(index)
    if (rounds > 2) {
      add(index + 1)
      add(index + 2 * rounds - 1, rounds - 1)
    }
    index += rounds > 2 ? 2 * rounds : 1
  }
  return steps
}

/** How many rounds of "sending" and "queued", all for the reason of the first, follow one another from here. */
function roundsFrom(history: readonly Entry[], from: number): number {
  const code = history[from + 1]?.code ?? null
  const isRound = (at: number) =>
    history[at]?.status === 'sending' && history[at + 1]?.status === 'queued' && history[at + 1]?.code === code
  let rounds = 0
  while (code !== null && isRound(from + 2 * rounds)) rounds += 1
  return rounds
}
