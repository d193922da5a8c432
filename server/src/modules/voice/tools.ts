// What calls under instructions work with in the running server: see control/tools.ts.
import type { Scope, Tx } from '../../kernel/db.ts'
import type { Services } from '../../kernel/endpoint.ts'
import { createRecordings } from './call_recordings.ts'
import { createAsker } from './callbacks.ts'
import type { OuterTools } from './node.ts'
import { createSounds } from './sounds.ts'

export function callTools(services: Services, owner: string): OuterTools {
  return {
    ask: createAsker(services),
    ...createSounds(services),
    recordings: createRecordings(services, owner),
    answering: (tx, scope, to) => answeringOf(tx, scope, to),
    async message() {
      throw new Error('not yet')
    },
  }
}

/** What the number that was called begins with. */
async function answeringOf(_tx: Tx, _scope: Scope, _to: string) {
  return { callback_url: null, fallback_url: null, instructions: null }
}
