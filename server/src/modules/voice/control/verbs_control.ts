// Verbs that steer: answer, reject, redirect, goto, hangup; and those that report: notify, tag, message.
import { causeOfRefusal } from '../call_records/index.ts'
import { rejectCodes } from '../instructions/index.ts'
import { answer as ensureAnswered } from './answering.ts'
import { ask } from './asking.ts'
import type { VerbFunction } from './run.ts'

export const answer: VerbFunction<'answer'> = async run => {
  return (await ensureAnswered(run)) ? undefined : { type: 'end' }
}

export const reject: VerbFunction<'reject'> = async ({ held }, { reason, sipCode }) => {
  // Once answered there is nothing to refuse: the call ends as by `hangup`.
  if (held.isAnswered || held.call.direction === 'outbound') held.end('normal', 'system')
  else {
    const code = sipCode ?? rejectCodes[reason]
    held.refuse(code, causeOfRefusal(code))
  }
  return { type: 'end' }
}

export const redirect: VerbFunction<'redirect'> = async (run, { url, fallbackUrl }) => {
  const jump = await ask(run, url, 'redirected', {}, fallbackUrl)
  // Nothing said means nothing more to do.
  return jump ?? { type: 'replace', list: [] }
}

export const goTo: VerbFunction<'goto'> = async ({ scratch }, { to, times }, asItStands) => {
  const jumps = scratch.jumps.get(asItStands) ?? 0
  if (jumps >= times) return undefined
  scratch.jumps.set(asItStands, jumps + 1)
  return { type: 'goto', label: to }
}

export const hangup: VerbFunction<'hangup'> = async ({ held }, { reason }) => {
  if (reason !== undefined) held.report({ type: 'noted', event: 'call.notified', details: { reason } })
  held.end('normal', 'system')
  return { type: 'end' }
}

export const notify: VerbFunction<'notify'> = async ({ held }, { data }) => {
  held.report({ type: 'noted', event: 'call.notified', details: data })
  return undefined
}

const maxTags = 10
const maxMetadata = 20

export const tag: VerbFunction<'tag'> = async ({ held }, { tags = [], metadata = {} }) => {
  const all = [...new Set([...held.call.tags, ...tags])].slice(0, maxTags)
  const entries = Object.entries({ ...held.call.metadata, ...metadata }).slice(0, maxMetadata)
  held.call.tags = all
  held.call.metadata = Object.fromEntries(entries)
  held.report({
    type: 'noted',
    event: 'call.tagged',
    details: null,
    facts: { tags: all, metadata: held.call.metadata },
  })
  return undefined
}

/** The list goes on at once: what becomes of the message is reported when it is known. */
export const message: VerbFunction<'message'> = async ({ held, tools, log }, { body, to, from }) => {
  const { direction, from_number, to_number } = held.call
  const [ours, theirs] = direction === 'inbound' ? [to_number, from_number] : [from_number, to_number]
  void tools.message(held, { from: from ?? ours, to: to ?? theirs, body }).catch(error => {
    const why = error instanceof Error ? error.message : String(error)
    held.report({ type: 'noted', event: 'call.message_failed', details: { why } })
    log.warn({ err: error }, 'a message of instructions could not be sent')
  })
  return undefined
}
