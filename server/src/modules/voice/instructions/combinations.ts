// What no schema can say: properties that contradict each other or mean nothing alone, places in a list that are never
// reached. Each fault names the way out.
import { addFault, type Checking, childPath } from './check.ts'
import { nearest } from './hints.ts'
import type { Instruction, InstructionOf, Verb } from './schema.ts'
import { answers, traits } from './traits.ts'
import { messageOnly } from './verbs/recordings.ts'
import { maxIdentityLength } from './verbs/targets.ts'

type AddFault = (code: string, message: string, property?: string) => void
type Rules = { readonly [V in Verb]?: (instruction: InstructionOf<V>, fault: AddFault) => void }

const rules: Rules = {
  reject(it, fault) {
    if (it.reason !== undefined && it.sipCode !== undefined)
      fault('conflict', 'give reason or sipCode, not both', 'sipCode')
  },
  say(it, fault) {
    const isMarkup = /^\s*<speak[\s>]/.test(it.text)
    if (isMarkup && !it.text.trimEnd().endsWith('</speak>')) {
      fault('wrong_format', 'begins as SSML, so it must end with </speak>', 'text')
    }
  },
  play(it, fault) {
    if (it.url === undefined && it.tone === undefined) fault('required', 'needs url or tone: there is nothing to play')
    if (it.url !== undefined && it.tone !== undefined) fault('conflict', 'give url or tone, not both', 'tone')
    if (it.tone !== undefined && it.seekSeconds !== undefined) {
      fault('conflict', 'is for a file; leave it out with tone', 'seekSeconds')
    }
  },
  gather(it, fault) {
    if (it.numDigits === undefined && it.finishOnKey === '') {
      fault('required', 'needs numDigits or finishOnKey: nothing else says when the digits are complete')
    }
    if (it.actionOnEmpty !== undefined && it.actionUrl === undefined) {
      fault('conflict', 'means nothing without actionUrl; add that, or leave it out', 'actionOnEmpty')
    }
    for (const typed of Object.keys(it.branches ?? {})) {
      const property = `branches.${typed}`
      if (it.numDigits !== undefined && typed.length > it.numDigits) {
        fault('unreachable', `can never be typed: numDigits is ${it.numDigits}`, property)
      } else if (typed.includes(it.finishOnKey ?? '#') && it.finishOnKey !== '') {
        fault('unreachable', `can never be typed: ${it.finishOnKey ?? '#'} is the finishOnKey`, property)
      }
    }
  },
  dial(it, fault) {
    for (const [index, target] of it.targets.entries()) {
      if (target.type === 'queue' && it.targets.length > 1) {
        fault('conflict', 'must be the only target: a queue cannot ring', `targets[${index}]`)
      }
      if (target.type === 'sip') credentials(target, `targets[${index}]`, fault)
      if (target.type === 'client') identity(target, `targets[${index}]`, fault)
    }
    if (it.confirm !== undefined && it.confirmUrl !== undefined) {
      fault('conflict', 'give confirm or confirmUrl, not both', 'confirmUrl')
    }
    if (it.confirmKey !== undefined && it.confirm === undefined) {
      fault('conflict', 'needs confirm, which asks the one who answers to press it', 'confirmKey')
    }
    decider(it, ['onEnd', 'onFail'], fault)
  },
  conference(it, fault) {
    if (it.coach !== undefined && it.muted === true) {
      fault('conflict', 'contradicts coach: a coach must be heard by the one who is coached; leave muted out', 'muted')
    }
  },
  enqueue(it, fault) {
    if (it.wait !== undefined && it.waitUrl !== undefined)
      fault('conflict', 'give wait or waitUrl, not both', 'waitUrl')
    decider(it, ['onFail'], fault)
  },
  record(it, fault) {
    if (it.mode === 'call') {
      for (const property of messageOnly) {
        if (it[property] === undefined) continue
        fault('conflict', 'is for mode message; leave it out with mode call', property)
      }
    } else if (it.channels === 'dual') {
      fault('conflict', 'is for mode call: a message has one side only; use mono, or mode call', 'channels')
    }
  },
  transfer(it, fault) {
    if (it.to.type === 'client') identity(it.to, 'to', fault)
    if (it.mode !== 'attended') {
      for (const property of ['confirm', 'callerId'] as const) {
        if (it[property] === undefined) continue
        fault('conflict', 'is for mode attended: in a blind transfer the remote party calls by itself', property)
      }
      if (it.to.type === 'sip' && (it.to.user !== undefined || it.to.password !== undefined)) {
        fault('conflict', 'has a user or password, which a blind transfer cannot hand on; use mode attended', 'to')
      }
    } else if (it.to.type === 'sip') credentials(it.to, 'to', fault)
    decider(it, ['onFail'], fault)
  },
  detectMachine(it, fault) {
    decider(it, ['onMachine'], fault)
  },
  tag(it, fault) {
    if (it.tags === undefined && it.metadata === undefined)
      fault('required', 'needs tags or metadata: there is nothing to add')
  },
  goto(it, fault) {
    if (it.to === it.label) fault('conflict', 'jumps to itself; name another label', 'to')
  },
}

function credentials(target: { user?: string; password?: string }, place: string, fault: AddFault): void {
  if ((target.user === undefined) === (target.password === undefined)) return
  const missing = target.user === undefined ? 'user' : 'password'
  fault('required', `needs ${missing} too: user and password belong together`, place)
}

/** Identities are compared in lower case, where some letters are two. */
function identity(target: { identity: string }, place: string, fault: AddFault): void {
  if ([...target.identity.toLowerCase()].length <= maxIdentityLength) return
  fault('too_long', `must have at most ${maxIdentityLength} characters, written in lower case`, `${place}.identity`)
}

/** Who decides how to go on: an address, or lists that stand here. */
function decider<K extends string>(
  it: { readonly [P in K | 'actionUrl']?: unknown },
  lists: readonly K[],
  fault: AddFault,
): void {
  const given = lists.filter(name => it[name] !== undefined)
  if (it.actionUrl === undefined || given.length === 0) return
  fault('conflict', `give actionUrl or ${given.join(' and ')}, not both: one of them decides how to go on`, 'actionUrl')
}

/** Reports what contradicts itself within one instruction. */
export function checkCombinations(instruction: Instruction, at: string, checking: Checking): void {
  const rule = rules[instruction.verb] as ((it: Instruction, fault: AddFault) => void) | undefined
  rule?.(instruction, (code, message, property) => {
    addFault(checking, property === undefined ? at : childPath(at, property), code, message)
  })
}

/** Reports labels that are named but do not stand in this list or one around it. */
export function checkLabels(
  instruction: Instruction,
  at: string,
  labels: readonly ReadonlySet<string>[],
  checking: Checking,
): void {
  const named: [label: string, place: string][] = []
  if (instruction.verb === 'goto') named.push([instruction.to, childPath(at, 'to')])
  if (instruction.verb === 'gather') {
    for (const [typed, label] of Object.entries(instruction.branches ?? {})) {
      named.push([label, childPath(at, `branches.${typed}`)])
    }
  }
  for (const [label, place] of named) {
    if (labels.some(set => set.has(label))) continue
    const known = labels.flatMap(set => [...set])
    const meant = nearest(label, known)
    const hint =
      meant !== undefined
        ? `did you mean ${meant}?`
        : known.length === 0
          ? 'give an instruction this label'
          : `labels are: ${known.slice(0, 20).join(', ')}`
    addFault(checking, place, 'unknown_label', `is no label of this list or of one around it; ${hint}`)
  }
}

/** Reports what a list can never come to. `undefined` stands for an instruction that is faulty itself. */
export function checkOrder(list: readonly (Instruction | undefined)[], at: string, checking: Checking): void {
  let ended: Verb | undefined
  let answered: { verb: Verb; index: number } | undefined
  for (const [index, instruction] of list.entries()) {
    // Of what comes by a jump, or behind what is not understood, nothing is known.
    if (instruction === undefined || instruction.label !== undefined) [ended, answered] = [undefined, undefined]
    if (instruction === undefined) continue
    const { verb } = instruction
    const place = `${at}[${index}]`
    if (ended !== undefined) {
      addFault(
        checking,
        place,
        'unreachable',
        `is never reached: ${ended} stands before it; remove it, or give it a label`,
      )
      return
    }
    if (verb === 'reject' && answered !== undefined) {
      const why = `${at}[${answered.index}] (${answered.verb}) has answered the call`
      addFault(checking, place, 'conflict', `comes too late: ${why}; use hangup`)
    }
    if (answers(instruction)) answered ??= { verb, index }
    if (traits[verb].goesOn === 'never') ended = verb
  }
}
