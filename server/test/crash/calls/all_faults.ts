// Every kind of fault that calls are held against, at least once.
import type { CallFault } from './scenario.ts'

/** @param lostMs after which calls of a dead process are ended: faults that last must not all be over by then */
export function allCallFaults(lostMs: number): readonly CallFault[] {
  return [
    { kind: 'kill', role: 'api' },
    { kind: 'kill', role: 'worker' },
    { kind: 'kill', role: 'voice' },
    { kind: 'kill_database' },
    { kind: 'weather', perMille: 50, forMs: 10_000 },
    { kind: 'cut_links', forMs: 3_000 },
    { kind: 'callbacks', main: 'down', fallback: 'well', forMs: 4_000 },
    { kind: 'callbacks', main: 'wrong', fallback: 'down', forMs: 4_000 },
    { kind: 'callbacks', main: 'slow', fallback: 'wrong', forMs: 8_000 },
    { kind: 'webhooks_down', forMs: 1_500 },
    { kind: 'die_at', role: 'api', point: 'call.taken', passes: 5 },
    { kind: 'die_at', role: 'api', point: 'call.committed', passes: 5 },
    { kind: 'die_at', role: 'voice', point: 'dial.marked', passes: 5 },
    { kind: 'die_at', role: 'voice', point: 'dial.committed', passes: 5 },
    { kind: 'die_at', role: 'voice', point: 'invite.leaving', passes: 5 },
    { kind: 'die_at', role: 'voice', point: 'invite.sent', passes: 5 },
    { kind: 'die_at', role: 'voice', point: 'answer.known', passes: 4 },
    { kind: 'die_at', role: 'voice', point: 'answer.committed', passes: 4 },
    { kind: 'die_at', role: 'voice', point: 'bye.leaving', passes: 3 },
    { kind: 'die_at', role: 'voice', point: 'bye.sent', passes: 3 },
    { kind: 'die_at', role: 'voice', point: 'end.known', passes: 4 },
    { kind: 'die_at', role: 'voice', point: 'end.committed', passes: 4 },
    { kind: 'die_at', role: 'voice', point: 'offer.committed', passes: 2 },
    { kind: 'die_at', role: 'worker', point: 'lost.taken', passes: 1 },
    { kind: 'die_at', role: 'worker', point: 'lost.committed', passes: 1 },
    { kind: 'die_at', role: 'voice', point: 'stranded.ended', passes: 1 },
    { kind: 'kill_database' },
    { kind: 'cut_links', forMs: lostMs / 2 },
    { kind: 'kill', role: 'voice' },
  ]
}
