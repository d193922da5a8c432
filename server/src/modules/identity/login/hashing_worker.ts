// The thread that hashes passwords. A hash keeps a processor for 16 ms and has time; what else the server does has not. So on Linux, where
// each thread has a priority of its own (setpriority(2), "C library/kernel differences"), this one gives way to the others.
import { setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import { hashSync, verifySync } from '@node-rs/argon2'

export type Asked =
  | { kind: 'hash'; password: string; options: Parameters<typeof hashSync>[1] }
  | { kind: 'verify'; stored: string; password: string }
export type Answered = { value: string | boolean } | { fault: string }

/** With nothing else to do for the processors it has all of one, beside others a tenth of what they get. */
const niceness = 10

if (process.platform === 'linux') {
  try {
    setPriority(0, niceness)
  } catch {
    // Where it is not allowed, hashes are as urgent as everything else.
  }
}

parentPort?.on('message', (asked: Asked) => {
  let answered: Answered
  try {
    const { password } = asked
    answered = {
      value: asked.kind === 'hash' ? hashSync(password, asked.options) : verifySync(asked.stored, password),
    }
  } catch (error) {
    answered = { fault: String(error) }
  }
  parentPort?.postMessage(answered)
})
