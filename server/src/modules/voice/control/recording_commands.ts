// What is done to recordings of calls under way: pause, resume and stop reach each of them in which the call is heard, whichever
// side of the conversation or conference it is taken of. Where there is none, the history of the call says so.
import type { Verb } from '../instructions/index.ts'
import { conversationOf } from './conversation.ts'
import { recordingsOf } from './recording.ts'
import type { AskedRecording, Jump, Run, VerbFunction } from './run.ts'

async function forEachRecording(run: Run, verb: Verb, act: (recording: AskedRecording) => unknown): Promise<Jump> {
  const { held, tools } = run
  const conversation = conversationOf(held)
  const both = conversation === undefined ? [] : [conversation.lead.held, conversation.partner.held]
  const legs = new Set([held, ...both, ...tools.conferences.legsWith(held.call.id)])
  const recordings = [...legs].flatMap(recordingsOf)
  if (recordings.length === 0) {
    const details = { verb, why: 'nothing is being recorded' }
    held.report({ type: 'noted', event: 'call.recording_unchanged', details })
  }
  await Promise.all(recordings.map(act))
  return undefined
}

export const recordStop: VerbFunction<'recordStop'> = (run, { verb }) =>
  forEachRecording(run, verb, recording => recording.stop())

export const recordPause: VerbFunction<'recordPause'> = (run, { verb, behavior }) =>
  forEachRecording(run, verb, recording => recording.pause(behavior))

export const recordResume: VerbFunction<'recordResume'> = (run, { verb }) =>
  forEachRecording(run, verb, recording => recording.resume())
