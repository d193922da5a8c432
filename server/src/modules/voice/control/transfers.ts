// A far side asks to be replaced in its conversation (REFER, RFC 3515 §2.4): whoever it talks with is to be connected with
// somebody else, and itself it wants to leave. With Replaces (RFC 3891) that somebody is whom it talks with on another call.
import { hangupCauses } from '../calls/rules.ts'
import type { DialTarget } from '../instructions/schema.ts'
import type { HeldLeg, TransferAsked } from '../node.ts'
import { apology } from './asking.ts'
import { type Conversation, converse, type Partner } from './conversation.ts'
import { type Failed, ringTargets, type Taken } from './ringing.ts'
import type { Run } from './run.ts'

const unlimited = { record: 'none', timeLimitSeconds: undefined, finishOnKey: '' } as const
const ringSeconds = 30
/** SIP statuses: "request pending", "no such call here", "unavailable", "server error". */
const codes = { done: 200, busy: 491, unknown: 481, canceled: 487, fault: 500 } as const

/** Does as one side of a conversation asks, and tells it what became of that. Never rejects. */
export async function obeyTransfer(conversation: Conversation, asker: HeldLeg, asked: TransferAsked): Promise<void> {
  if (conversation.pending) {
    asked.settle(codes.busy)
    return
  }
  const { lead } = conversation
  try {
    if (asked.replaces !== null) joinOthers(conversation, asker, asked)
    else if (asker === lead.held) handOver(conversation, asked)
    else await ringInstead(conversation, asker, asked)
  } catch (error) {
    lead.log.error({ err: error }, 'a far side could not be transferred')
    conversation.pending = false
    asked.settle(codes.fault)
    conversation.settle()
  }
}

/** Its partner asks: the call that leads the conversation stays where it is, and talks with somebody else. */
async function ringInstead(conversation: Conversation, asker: HeldLeg, asked: TransferAsked): Promise<void> {
  const { lead } = conversation
  const rejoin = conversation.part()
  conversation.pending = true
  const outcome = await ring(lead, asked.to)
  conversation.pending = false
  if ('taken' in outcome) {
    asked.settle(codes.done)
    transferred(asker, asked)
    conversation.exchange({ held: outcome.taken })
    asker.end('normal', 'system')
  } else {
    failed(asker, asked, outcome)
    rejoin()
    conversation.settle()
  }
}

/** The call that leads the conversation asks: its partner goes on with a list of its own. */
function handOver(conversation: Conversation, asked: TransferAsked): void {
  const { lead, partner } = conversation
  const asker = lead.held
  const back = Promise.withResolvers<Partner | undefined>()
  conversation.give(back.promise)
  lead.tools.instead(partner.held, async run => {
    const outcome = await ring(run, asked.to)
    if ('taken' in outcome) {
      asked.settle(codes.done)
      transferred(asker, asked)
      asker.end('normal', 'system')
      await converse(run, { held: outcome.taken }, unlimited)
      return undefined
    }
    failed(asker, asked, outcome)
    if (run.signal.aborted) {
      back.resolve(undefined)
      return { type: 'end' }
    }
    // Who asked may have hung up at once, as many phones do.
    if (asker.isOver) return { type: 'replace', list: apology }
    // It waits still: both go on.
    await new Promise<void>(over => back.resolve({ held: run.held, guest: { run, over } }))
    return undefined
  })
}

/** Whom the asker talks with here is joined with whom it talks with there. */
function joinOthers(conversation: Conversation, asker: HeldLeg, asked: TransferAsked): void {
  const { tools } = conversation.lead
  const there = asked.replaces === null ? undefined : tools.held(asked.replaces.callId)
  const other = there?.conversation
  const [here, far] = [conversation.otherOf(asker)?.held, there && other?.otherOf(there)?.held]
  const isOurs = there?.ref.tenantId === asker.ref.tenantId
  if (!isOurs || here === undefined || far === undefined || other === conversation || other?.pending) {
    asked.settle(codes.unknown)
    return
  }
  if (other?.partner.held === far) other.give()
  // It gets a list of its own, which waits until the conversation is over.
  tools.instead(far, async run => {
    await new Promise<void>(over => meet({ held: far, guest: { run, over } }))
    return undefined
  })
  function meet(partner: Partner): void {
    asked.settle(codes.done)
    transferred(asker, asked)
    if (here === conversation.lead.held) conversation.exchange(partner)
    else {
      conversation.give()
      tools.instead(here as HeldLeg, async run => {
        await converse(run, partner, unlimited)
        return undefined
      })
    }
    asker.end('normal', 'system')
    there?.end('normal', 'system')
  }
}

function ring(run: Run, to: string): Promise<Taken | Failed> {
  const target: DialTarget = /^sips?:/i.test(to) ? { type: 'sip', uri: to } : { type: 'number', number: to }
  return ringTargets(run, { targets: [target], strategy: 'simultaneous', timeoutSeconds: ringSeconds })
}

function transferred(asker: HeldLeg, { to }: TransferAsked): void {
  asker.tell({ type: 'noted', event: 'call.transferred', details: { to, by: 'far_side' } })
}

function failed(asker: HeldLeg, { to, settle }: TransferAsked, { failed: why }: Failed): void {
  const code = why === 'declined_by_key' ? hangupCauses.declined.sipCode : hangupCauses[why].sipCode
  settle(code ?? codes.fault)
  asker.tell({ type: 'noted', event: 'call.transfer_failed', details: { to, by: 'far_side', why } })
}
