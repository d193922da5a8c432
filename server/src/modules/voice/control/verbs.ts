// Every verb and what does it.

import { dequeue, enqueue, leave } from './call_queues.ts'
import { conference } from './conferences.ts'
import { record } from './recording.ts'
import { recordPause, recordResume, recordStop } from './recording_commands.ts'
import type { VerbTable } from './run.ts'
import { dial, hold, mute, resume, transfer, unmute } from './verbs_connect.ts'
import { answer, goTo, hangup, message, notify, redirect, reject, tag } from './verbs_control.ts'
import { detectMachine, gather, pause, play, say, sendDigits } from './verbs_sound.ts'

export const verbs: VerbTable = {
  answer,
  reject,
  say,
  play,
  pause,
  gather,
  dial,
  conference,
  enqueue,
  dequeue,
  leave,
  record,
  recordStop,
  recordPause,
  recordResume,
  transfer,
  hold,
  resume,
  mute,
  unmute,
  sendDigits,
  detectMachine,
  redirect,
  goto: goTo,
  notify,
  tag,
  message,
  hangup,
}
