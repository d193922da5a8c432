// Things that are saved one after the other, such as what is said of a call. After one of them failed the rest goes on: what was saved is
// not made again, and where its content was changed meanwhile, what was made is changed.
import { createAttempts } from '../forms/attempts.ts'

type Done = { content: string; made: unknown }

export type Step<Made> = {
  /** What it says; other content is a change. */
  content: unknown
  /** @param idempotencyKey the same for as long as the content is the same */
  make(idempotencyKey: string): Promise<Made>
  change(made: Made): Promise<unknown>
}

export function createSteps() {
  const done = new Map<string, Done>()
  let kept: unknown
  const attempts = createAttempts({
    read: () => kept,
    keep(value) {
      kept = value
    },
    drop() {
      kept = undefined
    },
  })
  /** @param what names the step among the others */
  return async function step<Made>(what: string, { content, make, change }: Step<Made>): Promise<Made> {
    const text = JSON.stringify(content)
    const before = done.get(what)
    if (before === undefined) {
      const made = await make(attempts.of({ what, text }).key)
      done.set(what, { content: text, made })
      return made
    }
    if (before.content !== text) {
      await change(before.made as Made)
      done.set(what, { content: text, made: before.made })
    }
    return before.made as Made
  }
}
