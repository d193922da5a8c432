// Keeps the SIP messages of calls for the ladder that people look at: written in batches, without passwords, and never in the way
// of a call.
import type { SipMessage, TraceEntry } from '@tandem/sip'
import type { Scope } from '../../kernel/data/db.ts'
import type { Services } from '../../kernel/endpoint/endpoint.ts'
import { isoMs } from '../../kernel/values/clock.ts'
import type { CallRef } from '../../modules/voice/engine/index.ts'
import { insertTraces, type TraceRow } from '../trunks/store.ts'
import { traceText } from './trace_text.ts'

const flushMs = 500
const maxMessages = 200
const maxWaiting = 5_000
/** Of messages whose call is not known yet: it came in a moment ago. */
const maxUnknown = 500
/** After the end of a call the last transaction may still go on so long: 64*T1 (RFC 3261, 17). */
const lingerMs = 32_000

/** A call, with all Call-IDs that it is dialled by: each try of a trunk has its own. */
type Known = { ref: CallRef; sipCallIds: string[]; count: number }

export type Traces = ReturnType<typeof createTraces>

export function createTraces({ db, log }: Services) {
  const calls = new Map<string, Known>()
  const bySipCallId = new Map<string, Known>()
  const unknown = new Map<string, TraceEntry[]>()
  const waiting = new Map<number, { scope: Scope; rows: TraceRow[] }>()
  let timer: NodeJS.Timeout | undefined
  let writing: Promise<void> = Promise.resolve()
  let count = 0

  function take(entry: TraceEntry): void {
    const known = bySipCallId.get(entry.callId)
    if (known !== undefined) {
      keep(known, entry)
      return
    }
    const earlier = unknown.get(entry.callId)
    if (earlier !== undefined) {
      if (earlier.length < 20) earlier.push(entry)
      return
    }
    // Registrations and signs of life belong to no call.
    if (methodOf(entry.message) === 'REGISTER' || methodOf(entry.message) === 'OPTIONS') return
    if (unknown.size >= maxUnknown) unknown.delete(unknown.keys().next().value as string)
    unknown.set(entry.callId, [entry])
  }

  function keep(known: Known, { direction, message, flow, atMs }: TraceEntry): void {
    if (known.count >= maxMessages || count >= maxWaiting) return
    const { ref } = known
    const row: TraceRow = {
      call_id: ref.callId,
      position: known.count++,
      at: isoMs(atMs),
      direction: direction === 'in' ? 'received' : 'sent',
      transport: flow.transport,
      remote: `${flow.remote.address}:${flow.remote.port}`,
      message: traceText(message),
    }
    const mine = waiting.get(ref.tenantId) ?? { scope: ref, rows: [] }
    mine.rows.push(row)
    waiting.set(ref.tenantId, mine)
    count++
    timer ??= setTimeout(flushSoon, flushMs).unref()
  }

  function flushSoon(): void {
    timer = undefined
    const batches = [...waiting.values()]
    waiting.clear()
    count = 0
    writing = writing.then(async () => {
      for (const { scope, rows } of batches) {
        try {
          await db.inTenant(scope, tx => insertTraces(tx, scope, rows))
        } catch (error) {
          log.warn({ err: error, messages: rows.length }, 'SIP messages of calls could not be kept')
        }
      }
    })
  }

  return {
    take,
    /** From here on messages with this Call-ID belong to this call; those that came before too. */
    belong(sipCallId: string, ref: CallRef): void {
      const known = calls.get(ref.callId) ?? { ref, sipCallIds: [], count: 0 }
      calls.set(ref.callId, known)
      known.sipCallIds.push(sipCallId)
      bySipCallId.set(sipCallId, known)
      for (const entry of unknown.get(sipCallId) ?? []) keep(known, entry)
      unknown.delete(sipCallId)
    },
    /** The call that messages with this Call-ID belong to. */
    callOf: (sipCallId: string): CallRef | undefined => bySipCallId.get(sipCallId)?.ref,
    /** The call is over: soon nothing more will come. */
    forget(callId: string): void {
      const forgotten = () => {
        for (const sipCallId of calls.get(callId)?.sipCallIds ?? []) bySipCallId.delete(sipCallId)
        calls.delete(callId)
      }
      setTimeout(forgotten, lingerMs).unref()
    },
    async flush(): Promise<void> {
      clearTimeout(timer)
      flushSoon()
      await writing
    },
  }
}

function methodOf(message: SipMessage): string | undefined {
  if (message.kind === 'request') return message.method
  const cseq = message.headers.find(({ name }) => name === 'CSeq')?.value
  return cseq?.split(/\s+/)[1]
}
