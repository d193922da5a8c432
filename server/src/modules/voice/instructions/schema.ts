// The vocabulary of call control: one schema per verb. Types, checks, defaults, forms and documentation are all made of
// these; nothing about a property is written a second time.
import type { Static, TObject, TProperties } from 'typebox'
import type { ListKind, NestedList, Preset } from './parts.ts'
import { Conference, Dial, Hold, Mute, Resume, Transfer, Unmute } from './verbs/connect.ts'
import { Answer, Goto, Hangup, Message, Notify, Redirect, Reject, Tag } from './verbs/control.ts'
import { Dequeue, Enqueue, Leave } from './verbs/queues.ts'
import { Record, RecordPause, RecordResume, RecordStop } from './verbs/recordings.ts'
import { DetectMachine, Gather, Pause, Play, Say, SendDigits } from './verbs/sound.ts'

export const verbSchemas = {
  answer: Answer,
  reject: Reject,
  say: Say,
  play: Play,
  pause: Pause,
  gather: Gather,
  dial: Dial,
  conference: Conference,
  enqueue: Enqueue,
  dequeue: Dequeue,
  leave: Leave,
  record: Record,
  recordStop: RecordStop,
  recordPause: RecordPause,
  recordResume: RecordResume,
  transfer: Transfer,
  hold: Hold,
  resume: Resume,
  mute: Mute,
  unmute: Unmute,
  sendDigits: SendDigits,
  detectMachine: DetectMachine,
  redirect: Redirect,
  goto: Goto,
  notify: Notify,
  tag: Tag,
  message: Message,
  hangup: Hangup,
}

export type Verb = keyof typeof verbSchemas
export const verbs = Object.keys(verbSchemas) as Verb[]

/** What each kind of list may hold. Only who waits in a queue has something to leave while a list runs. */
export const verbsOfList: { readonly [K in ListKind]: readonly Verb[] } = {
  any: verbs.filter(verb => verb !== 'leave'),
  prompt: ['say', 'play', 'pause'],
  wait: ['say', 'play', 'pause', 'gather', 'leave'],
}

/** The instruction of one verb: `InstructionOf<'say'>`. */
export type InstructionOf<V extends Verb> = WithLists<Static<(typeof verbSchemas)[V]>>
export type Instruction = { [V in Verb]: InstructionOf<V> }[Verb]
/** An interface, because a list of instructions may hold lists of instructions. */
export interface InstructionList extends Array<Instruction> {}

export type PromptInstruction = InstructionOf<'say' | 'play' | 'pause'>
export type PromptList = PromptInstruction[]
export type WaitInstruction = PromptInstruction | InstructionOf<'gather'> | InstructionOf<'leave'>
export type WaitList = WaitInstruction[]

type Lists = { any: InstructionList; prompt: PromptList; wait: WaitList }
type WithLists<T> = T extends unknown
  ? { [K in keyof T]: NonNullable<T[K]> extends NestedList<infer Kind> ? Lists[Kind] : T[K] }
  : never

export type SayInstruction = InstructionOf<'say'>
export type PlayInstruction = InstructionOf<'play'>
export type { ClientTarget, DialTarget, NumberTarget, QueueTarget, SipTarget, TransferTarget } from './verbs/targets.ts'

type Presets<P extends TProperties> = { [K in keyof P]: P[K] extends Preset<P[K]> ? K : never }[keyof P]

/** An instruction in which every property that has a default is there. */
export type Complete<V extends Verb> =
  (typeof verbSchemas)[V] extends TObject<infer P extends TProperties>
    ? InstructionOf<V> & Required<Pick<InstructionOf<V>, Presets<P> & keyof InstructionOf<V>>>
    : never
