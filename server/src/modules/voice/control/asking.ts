// Asking an address how to go on, and what is said when nobody knows.
import type { InstructionList } from '../instructions/schema.ts'
import type { Jump, Run } from './run.ts'
import type { AskReason } from './tools.ts'

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
 * When neither answers, the caller hears an apology.
 */
export async function ask(
  run: Run,
  url: string,
  reason: AskReason,
  data: Record<string, unknown>,
  fallbackUrl: string | null = run.held.call.fallback_url,
): Promise<Jump> {
  const asked = await run.tools.ask(run.held, url, reason, data, run.signal)
  if (run.signal.aborted) return { type: 'end' }
  if (asked.ok) return asked.list.length === 0 ? undefined : { type: 'replace', list: asked.list }
  tellFailure(run, url, reason, asked.why)
  if (fallbackUrl === null || fallbackUrl === url) return { type: 'replace', list: apology }
  const again = await run.tools.ask(
    run.held,
    fallbackUrl,
    reason,
    { ...data, failedUrl: url, failure: asked.why },
    run.signal,
  )
  if (run.signal.aborted) return { type: 'end' }
  if (again.ok && again.list.length > 0) return { type: 'replace', list: again.list }
  if (!again.ok) tellFailure(run, fallbackUrl, reason, again.why)
  return { type: 'replace', list: apology }
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

function tellFailure({ held }: Run, url: string, reason: AskReason, why: string): void {
  held.tell({ type: 'noted', event: 'call.instructions_failed', details: { url, reason, why } })
}
