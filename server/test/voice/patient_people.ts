// For tests of calls that the simulator carries: people at its numbers who answer at once, say hello and stay until they are hung up,
// however busy the machine is; they press keys when a test says so.
import { setTimeout as sleep } from 'node:timers/promises'
import type { HandsetsMaker } from '../../src/engines/simulator/simulator.ts'
import { startBeat, voiceOf } from '../../src/engines/simulator/sound.ts'
import type { EngineCall, Leg } from '../../src/modules/voice/engine/index.ts'
import { createTestLeg } from './engine.ts'

export type PatientPeople = {
  /** For `simulatorEngine`. */
  handsets: HandsetsMaker
  /** Presses these keys, one after the other, on the phone that was called. */
  press(callId: string, keys: string): void
  /** All hang up: a node that stops waits for calls that are under way. */
  leave(): void
}

type Person = { press(digit: string): void; hangUp(by: 'callee' | 'system'): void }

/**
 * People who have the phones of these numbers.
 * @param options.speed how much faster than real time their calls go, as `simulatorEngine` takes it
 */
export function patientPeople(numbers: readonly string[], { speed }: { speed: number }): PatientPeople {
  const people = new Map<string, Person>()

  return {
    press(callId, keys) {
      const person = people.get(callId)
      if (person === undefined) throw new Error(`nobody talks in ${callId}`)
      for (const digit of keys) person.press(digit)
    },
    leave() {
      for (const person of people.values()) person.hangUp('callee')
    },
    handsets: ({ clock }) => {
      const beat = startBeat(20 / speed)

      function answer(call: EngineCall): Leg {
        const leg = createTestLeg(call, () => clock.now(), pause)
        const voice = voiceOf(call.to)
        const said = Buffer.alloc(160)
        const leaveBeat = beat.add(() => leg.frame(voice.say(said) === 'silence' ? undefined : said))
        const person: Person = {
          press: digit => leg.happen({ type: 'dtmf', digit }),
          hangUp(by) {
            if (!people.delete(call.callId)) return
            leaveBeat()
            leg.happen({ type: 'ended', cause: 'normal', by })
          },
        }
        people.set(call.callId, person)
        leg.happen({ type: 'ringing' })
        leg.happen({ type: 'answered', answeredBy: 'human' })
        return { ...leg, async answer() {}, hangup: () => person.hangUp('system') }
      }

      async function pause(ms: number, signal?: AbortSignal): Promise<void> {
        await sleep(ms / speed, undefined, { signal, ref: false }).catch(() => {})
      }

      return {
        take: async () => new Set(),
        dial: (_scope, call) => (numbers.includes(call.to) ? answer(call) : undefined),
        stop: () => beat.stop(),
      }
    },
  }
}
