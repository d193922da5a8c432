// What the verbs do to the list and to the call, as one table: whether the list waits for them or ends with them, whether
// they need an answered call, and whether they may be sent alone to a call that is under way.
import type { Instruction, Verb } from './schema.ts'

export const liveStates = ['initiated', 'ringing', 'answered'] as const
export type LiveState = (typeof liveStates)[number]

/**
 * What a verb sent as a command does to the running list: it acts `beside` it, takes its place (`replaces`, as a list of
 * this one verb would), or ends the call and the list.
 */
export type CommandEffect = 'beside' | 'replaces' | 'ends'

export type Command = {
  effect: CommandEffect
  states: readonly LiveState[]
  /** Set where only a call that came in can take it. */
  direction?: 'inbound'
}

export type Traits = {
  /** `done`: the list goes on when it is done; `at_once`: it goes on meanwhile; `never`: nothing behind it is reached. */
  goesOn: 'done' | 'at_once' | 'never'
  /** An inbound call is answered by it where it is not yet; of an outbound call the list starts with the answer. */
  needsAnswer: boolean
  command: Command | undefined
  /** What it is called elsewhere. */
  peers: { twiml?: string; jambonz?: string; ncco?: string }
}

const always = liveStates
const answered = ['answered'] as const
const beside: Command = { effect: 'beside', states: answered }
const besideAlways: Command = { effect: 'beside', states: always }
const replaces: Command = { effect: 'replaces', states: always }

export const traits: { readonly [V in Verb]: Traits } = {
  answer: {
    goesOn: 'done',
    needsAnswer: false,
    command: { effect: 'beside', states: ['initiated', 'ringing'], direction: 'inbound' },
    peers: { jambonz: 'answer' },
  },
  reject: {
    goesOn: 'never',
    needsAnswer: false,
    command: { effect: 'ends', states: ['initiated', 'ringing'], direction: 'inbound' },
    peers: { twiml: 'Reject', jambonz: 'sip:decline' },
  },
  say: { goesOn: 'done', needsAnswer: true, command: beside, peers: { twiml: 'Say', jambonz: 'say', ncco: 'talk' } },
  play: {
    goesOn: 'done',
    needsAnswer: true,
    command: beside,
    peers: { twiml: 'Play', jambonz: 'play', ncco: 'stream' },
  },
  pause: {
    goesOn: 'done',
    needsAnswer: false,
    command: undefined,
    peers: { twiml: 'Pause', jambonz: 'pause', ncco: 'wait' },
  },
  gather: {
    goesOn: 'done',
    needsAnswer: true,
    command: replaces,
    peers: { twiml: 'Gather', jambonz: 'gather', ncco: 'input' },
  },
  dial: {
    goesOn: 'done',
    needsAnswer: true,
    command: replaces,
    peers: { twiml: 'Dial', jambonz: 'dial', ncco: 'connect' },
  },
  conference: {
    goesOn: 'done',
    needsAnswer: true,
    command: replaces,
    peers: { twiml: 'Dial Conference', jambonz: 'conference', ncco: 'conversation' },
  },
  enqueue: { goesOn: 'done', needsAnswer: true, command: replaces, peers: { twiml: 'Enqueue', jambonz: 'enqueue' } },
  dequeue: { goesOn: 'done', needsAnswer: true, command: replaces, peers: { twiml: 'Dial Queue', jambonz: 'dequeue' } },
  leave: { goesOn: 'never', needsAnswer: false, command: beside, peers: { twiml: 'Leave', jambonz: 'leave' } },
  record: {
    goesOn: 'done',
    needsAnswer: true,
    command: beside,
    peers: { twiml: 'Record', jambonz: 'config.record', ncco: 'record' },
  },
  recordStop: { goesOn: 'at_once', needsAnswer: false, command: beside, peers: { jambonz: 'config.record' } },
  recordPause: { goesOn: 'at_once', needsAnswer: false, command: beside, peers: { jambonz: 'config.record' } },
  recordResume: { goesOn: 'at_once', needsAnswer: false, command: beside, peers: { jambonz: 'config.record' } },
  transfer: {
    goesOn: 'done',
    needsAnswer: true,
    command: beside,
    peers: { twiml: 'Refer', jambonz: 'sip:refer', ncco: 'transfer' },
  },
  hold: { goesOn: 'at_once', needsAnswer: true, command: beside, peers: {} },
  resume: { goesOn: 'at_once', needsAnswer: true, command: beside, peers: {} },
  mute: { goesOn: 'at_once', needsAnswer: true, command: beside, peers: {} },
  unmute: { goesOn: 'at_once', needsAnswer: true, command: beside, peers: {} },
  sendDigits: { goesOn: 'done', needsAnswer: true, command: beside, peers: { twiml: 'Play digits', jambonz: 'dtmf' } },
  detectMachine: {
    goesOn: 'done',
    needsAnswer: true,
    command: beside,
    peers: { twiml: 'MachineDetection', jambonz: 'amd' },
  },
  redirect: {
    goesOn: 'never',
    needsAnswer: false,
    command: replaces,
    peers: { twiml: 'Redirect', jambonz: 'redirect' },
  },
  // It falls through when it has jumped as often as it may.
  goto: { goesOn: 'at_once', needsAnswer: false, command: undefined, peers: {} },
  notify: { goesOn: 'at_once', needsAnswer: false, command: besideAlways, peers: { ncco: 'notify' } },
  tag: { goesOn: 'at_once', needsAnswer: false, command: besideAlways, peers: { jambonz: 'tag' } },
  message: {
    goesOn: 'at_once',
    needsAnswer: false,
    command: besideAlways,
    peers: { twiml: 'Message', jambonz: 'message' },
  },
  hangup: {
    goesOn: 'never',
    needsAnswer: false,
    command: { effect: 'ends', states: always },
    peers: { twiml: 'Hangup', jambonz: 'hangup' },
  },
}

/** When the list goes on behind this instruction: a recording in the background takes no time of the list. */
export function goesOn(instruction: Instruction): Traits['goesOn'] {
  if (instruction.verb === 'record' && instruction.mode === 'call') return 'at_once'
  return traits[instruction.verb].goesOn
}

/** Whether an inbound call is answered by the time this instruction is done. */
export function answers(instruction: Instruction): boolean {
  if (instruction.verb === 'dial') return instruction.answerOnBridge !== true
  return instruction.verb === 'answer' || traits[instruction.verb].needsAnswer
}
