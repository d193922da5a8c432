// A remote party asks to be replaced in its conversation (REFER, RFC 3515 §2.4): anyone it talks with is to be connected with
// somebody else, and itself it wants to leave. With Replaces (RFC 3891) that somebody is whom it talks with on another call.

import { hangupCauses } from '../call_records/index.ts'
import type { DialTarget } from '../instructions/index.ts'
import type { HeldLeg, TransferRequest } from '../legs/index.ts'
import { apology } from './asking.ts'
import { conversationOf, converse } from './conversation.ts'
import { type Failed, ringTargets, type Taken } from './ringing.ts'
import type { Conversation, Partner, Run } from './run.ts'

const unlimited = { record: 'none', timeLimitSeconds: undefined, finishOnKey: '' } as const
const ringSeconds = 30
/** SIP statuses: "request pending", "no such call here", "unavailable", "server error". */
const codes = { done: 200, busy: 491, unknown: 481, canceled: 487, fault: 500 } as const

/** Does as one side of a conversation asks, and reports to it what became of that. Never rejects. */
export async function obeyTransfer(conversation: Conversation, asker: HeldLeg, asked: TransferRequest): Promise<void> {
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
    lead.log.error({ err: error }, 'a remote party could not be transferred')
    conversation.pending = false
    asked.settle(codes.fault)
    conversation.settle()
  }
}

/** Its partner asks: the call that leads the conversation stays where it is, and talks with somebody else. */
async function ringInstead(conversation: Conversation, asker: HeldLeg, asked: TransferRequest): Promise<void> {
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
function handOver(conversation: Conversation, asked: TransferRequest): void {
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
function joinOthers(conversation: Conversation, asker: HeldLeg, asked: TransferRequest): void {
  const { tools } = conversation.lead
  const there = asked.replaces === null ? undefined : tools.held(asked.replaces.callId)
  const other = there && conversationOf(there)
  const [ourPeer, theirPeer] = [conversation.otherOf(asker)?.held, there && other?.otherOf(there)?.held]
  const isOurs = there?.ref.tenantId === asker.ref.tenantId
  if (!isOurs || ourPeer === undefined || theirPeer === undefined || other === conversation || other?.pending) {
    asked.settle(codes.unknown)
    return
  }
  if (other?.partner.held === theirPeer) other.give()
  // It gets a list of its own, which waits until the conversation is over.
  tools.instead(theirPeer, async run => {
    await new Promise<void>(over => meet({ held: theirPeer, guest: { run, over } }))
    return undefined
  })
  function meet(partner: Partner): void {
    asked.settle(codes.done)
    transferred(asker, asked)
    if (ourPeer === conversation.lead.held) conversation.exchange(partner)
    else {
      conversation.give()
      tools.instead(ourPeer as HeldLeg, async run => {
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

function transferred(asker: HeldLeg, { to }: TransferRequest): void {
  asker.report({ type: 'noted', event: 'call.transferred', details: { to, by: 'remote_party' } })
}

function failed(asker: HeldLeg, { to, settle }: TransferRequest, { failed: why }: Failed): void {
  const code = why === 'declined_by_key' ? hangupCauses.declined.sipCode : hangupCauses[why].sipCode
  settle(code ?? codes.fault)
  asker.report({ type: 'noted', event: 'call.transfer_failed', details: { to, by: 'remote_party', why } })
}
