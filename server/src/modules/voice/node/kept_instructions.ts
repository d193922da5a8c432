// The list a call carries out now, kept in its row for those who read the call.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { keepInstructions } from '../call_records/index.ts'
import { closeInstructions, type InstructionList } from '../instructions/index.ts'
import type { HeldLeg } from '../legs/index.ts'

/** As long as the node: the writes that are under way, by the ids of their calls. */
export class KeptInstructions {
  readonly #services: Pick<Services, 'db' | 'log' | 'keyring'>
  readonly #writing = new Map<string, Promise<void>>()

  constructor(services: Pick<Services, 'db' | 'log' | 'keyring'>) {
    this.#services = services
  }

  /** One after the other, so that the newest list of a call stays. */
  keep({ ref, call }: HeldLeg, list: InstructionList): void {
    const { db, log, keyring } = this.#services
    const stored = closeInstructions(keyring, ref, call.id, list)
    const before = this.#writing.get(call.id) ?? Promise.resolve()
    const mine = before
      .then(() => db.inTenant(ref, tx => keepInstructions(tx, ref, call.id, stored)))
      .catch(error => log.warn({ err: error, call: call.id }, 'the instructions of a call could not be kept'))
      .finally(() => {
        if (this.#writing.get(call.id) === mine) this.#writing.delete(call.id)
      })
    this.#writing.set(call.id, mine)
  }

  async flush(): Promise<void> {
    await Promise.all(this.#writing.values())
  }
}
