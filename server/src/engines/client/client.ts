// The voice engine whose remote parties are browsers of the tenant itself, by WebRTC: it may carry test calls too. And the handsets of the
// simulator: browsers that have taken one of its numbers.
import { identityIn } from '../../modules/voice/clients/index.ts'
import type { VoiceEngineMaker } from '../../modules/voice/engine/index.ts'
import type { HandsetsMaker } from '../simulator/simulator.ts'
import { createPhones, type PhonesOptions } from './phones.ts'

export function clientEngine(options: PhonesOptions = {}): VoiceEngineMaker {
  return services => {
    const phones = createPhones(services, options)
    return {
      name: 'client',
      virtual: true,
      carries: ['client'],
      async start() {},
      async stop() {
        phones.stop()
      },
      serves: async () => true,
      async prepare(tx, scope, calls) {
        const taken = await phones.take(tx, scope, calls, call => identityIn(call.to) ?? call.to)
        return calls.map(({ callId }) =>
          taken.has(callId) ? { type: 'dial', trunkId: null } : { type: 'refuse', cause: 'not_registered' },
        )
      },
      dial(scope, call) {
        const leg = phones.dial({ ...scope, callId: call.callId }, call)
        if (leg === undefined) throw new Error(`${call.callId} was not prepared`)
        return leg
      },
      // The browser hears of it by its stream, and its connection is gone with the process that had it.
      async endStranded() {},
    }
  }
}

/** Browsers that are phones of the simulator. */
export const handsets: HandsetsMaker = services => {
  const phones = createPhones(services)
  return {
    take: (tx, scope, calls) => phones.take(tx, scope, calls, call => call.to),
    dial: (scope, call) => phones.dial({ ...scope, callId: call.callId }, call),
    stop: phones.stop,
  }
}
