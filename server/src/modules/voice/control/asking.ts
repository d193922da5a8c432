// Asking an address how to go on, and what is said when nobody knows.
import type { InstructionList } from '../instructions/index.ts'
import { orAborted } from '../legs/index.ts'
import type { Asked, AskReason, Jump, Run } from './run.ts'

/** What a caller hears when no instructions can be had: never silence. */
export const apology: InstructionList = [
  {
    verb: 'say',
    text: 'We are sorry, this call cannot go on because of a technical problem. Please call again later.',
  },
  { verb: 'hangup' },
]

/**
 * Asks `url` how to go on, and the fallback address of the call when it does not say. An empty answer lets the list go on.
 * When neither answers, the instructions of the number that was called stand in, once; else the caller hears an apology.
 */
export async function ask(
  run: Run,
  url: string,
  reason: AskReason,
  data: Record<string, unknown>,
  fallbackUrl?: string | null,
): Promise<Jump> {
  const list = await listFrom(run, url, reason, data, fallbackUrl)
  if (run.signal.aborted) return { type: 'end' }
  if (list === undefined) return { type: 'replace', list: standIn(run) }
  return list.length === 0 ? undefined : { type: 'replace', list }
}

/** The list that an address answers, or the fallback address behind it; undefined when neither does. */
export async function listFrom(
  run: Run,
  url: string,
  reason: AskReason,
  data: Record<string, unknown>,
  fallbackUrl: string | null = run.held.call.fallback_url,
): Promise<InstructionList | undefined> {
  const asked = await askOne(run, url, reason, data)
  if (asked.ok) return asked.list
  if (fallbackUrl === null || fallbackUrl === url || run.signal.aborted) return undefined
  const again = await askOne(run, fallbackUrl, reason, { ...data, failedUrl: url, failure: asked.why })
  return again.ok && again.list.length > 0 ? again.list : undefined
}

async function askOne(run: Run, url: string, reason: AskReason, data: Record<string, unknown>): Promise<Asked> {
  const { held, tools, signal, log } = run
  const asked = await orAborted(
    signal,
    tools.ask(held, url, reason, data, signal).catch((error): Asked => {
      log.error({ err: error, url }, 'an address could not be asked for instructions')
      return { ok: false, why: 'a fault of the server', code: 'instructions_failed' }
    }),
  )
  if (asked === undefined) return { ok: false, why: 'not wanted any more' }
  if (!asked.ok && !signal.aborted) {
    const { why, code = 'instruction_fetch_failed' } = asked
    held.report({ type: 'noted', event: 'call.instructions_failed', details: { url, reason, code, why } })
  }
  return asked
}

function standIn({ held: { call }, scratch }: Run): InstructionList {
  if (call.direction === 'outbound' || call.instructions === null || scratch.hasFallenBack) return apology
  scratch.hasFallenBack = true
  return call.instructions as InstructionList
}

/** The same where an address is optional: without one the list goes on. */
export async function askIfNamed(
  run: Run,
  url: string | undefined,
  reason: AskReason,
  data: Record<string, unknown>,
): Promise<Jump> {
  return url === undefined ? undefined : ask(run, url, reason, data)
}
