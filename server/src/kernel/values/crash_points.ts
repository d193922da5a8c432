// Named places where a process may die at the worst moment. They do nothing until a test arms one of them: then the process
// ends there by SIGKILL, as if the machine had, and the tests ask what was lost or doubled (test/crash).

/** Where a process may be made to die. `committed`: what happened is durable, and nobody has been notified. */
export const crashPoints = [
  'accept.taken',
  'accept.committed',
  'claim.committed',
  'submit.written',
  'answers.known',
  'answers.committed',
  'receipts.taken',
  'receipts.committed',
  'inbound.taken',
  'inbound.committed',
  'webhooks.claimed',
  'webhooks.sent',
  'webhooks.committed',
  'mail.claimed',
  'mail.sent',
  'mail.known',
  'mail.committed',
  'erasure.files_removed',
  'erasure.some_erased',
  'arrival.kept',
  'arrival.committed',
  'fetch.kept',
  'fetch.committed',
  'call.taken',
  'call.committed',
  'dial.marked',
  'dial.committed',
  'invite.leaving',
  'invite.sent',
  'answer.known',
  'answer.committed',
  'bye.leaving',
  'bye.sent',
  'end.known',
  'end.committed',
  'offer.committed',
  'lost.taken',
  'lost.committed',
  'stranded.ended',
] as const
export type CrashPoint = (typeof crashPoints)[number]

let armed: CrashPoint | undefined
let passesLeft = 0
let sayLast = () => {}

/** From now on the process dies when it passes the place for the `passes`-th time; `lastWords` is called right before. */
export function armCrashPoint(point: CrashPoint, passes: number, lastWords = () => {}): void {
  armed = point
  passesLeft = passes
  sayLast = lastWords
}

/** Says that the process is at this place. */
export function crashPoint(point: CrashPoint): void {
  if (armed !== point || --passesLeft > 0) return
  sayLast()
  process.kill(process.pid, 'SIGKILL')
  // The signal arrives in a moment; nothing may happen in between.
  for (;;);
}
