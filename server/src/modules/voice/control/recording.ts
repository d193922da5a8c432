// Recording: a message that somebody leaves, or the whole call in the background. Times are those of the leg's frames, so a
// recording is as long as what was heard.
import { createRecorder, type RecorderOptions, type RecordingEnd } from '../../../media/recorder.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import { frameMs } from './leg_sound.ts'
import type { CallRecorder, Run, VerbFunction } from './run.ts'

type Recording = CallRecorder & { nextBeep(into: Buffer): boolean }
type Options = Pick<RecorderOptions, 'channels' | 'maxMs' | 'endSilenceMs' | 'isTrimmed' | 'hasBeep' | 'listensTo'>

/** Begins a recording of this call's leg; undefined when it cannot be, which the log tells: the call goes on without. */
async function begin(run: Run, options: Options): Promise<Recording | undefined> {
  const { held, media, tools, log } = run
  const opened = await tools.recordings.open(held, options.channels).catch(error => {
    log.error({ err: error, call: held.call.id }, 'a recording could not be begun')
    return undefined
  })
  if (opened === undefined) return undefined
  const { promise: ended, resolve } = Promise.withResolvers<RecordingEnd>()
  const recorder = createRecorder({ ...options, sink: opened.sink, startMs: 0, onEnd: resolve })
  // Who called is on the left.
  const [own, other] =
    held.call.direction === 'inbound' ? (['caller', 'callee'] as const) : (['callee', 'caller'] as const)
  let atMs = 0
  const untap = media.tap((from, to, law) => {
    recorder.push(own, from, law, atMs)
    recorder.push(other, to, law, atMs)
    atMs += frameMs
  })
  const settled = ended.then(async ({ durationMs, reason }) => {
    untap()
    await opened.ended(durationMs)
    return { durationMs, reason }
  })
  settled.catch(error => log.error({ err: error, recording: opened.recordingId }, 'a recording was not ended in order'))
  return {
    recordingId: opened.recordingId,
    async pause(behavior) {
      recorder.pause(behavior, atMs)
      await opened.paused()
    },
    async resume() {
      recorder.resume(atMs)
      await opened.resumed()
    },
    stop() {
      recorder.stop(atMs)
      return settled
    },
    ended: settled,
    nextBeep: into => recorder.nextBeep(into, media.law),
  }
}

/** Records the whole call from here, both sides. */
export async function recordCall(
  run: Run,
  channels: 'mono' | 'dual',
  maxMs?: number,
): Promise<CallRecorder | undefined> {
  return begin(run, { channels, ...(maxMs === undefined ? {} : { maxMs }) })
}

export const record: VerbFunction<'record'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { mode, channels, maxSeconds, actionUrl } = instruction
  const { scratch, digits, signal } = run
  const maxMs = maxSeconds === undefined ? undefined : maxSeconds * 1_000
  if (mode === 'call') {
    // One at a time: a second one would only be the same again.
    scratch.recording ??= await recordCall(run, channels, maxMs)
    const { recording } = scratch
    void recording?.ended.then(() => {
      if (scratch.recording === recording) scratch.recording = undefined
    })
    return undefined
  }
  const { finishOnKey, silenceSeconds, trim, beep } = instruction
  const recording = await begin(run, {
    channels: 'mono',
    isTrimmed: trim,
    hasBeep: beep,
    listensTo: [run.held.call.direction === 'inbound' ? 'caller' : 'callee'],
    ...(maxMs === undefined ? {} : { maxMs }),
    ...(silenceSeconds === 0 ? {} : { endSilenceMs: silenceSeconds * 1_000 }),
  })
  if (recording === undefined) return undefined
  let key = ''
  const unlisten = digits.listen(digit => {
    if (finishOnKey === '' || digit !== finishOnKey) return
    key = digit
    void recording.stop()
  })
  const stop = () => void recording.stop()
  signal.addEventListener('abort', stop, { once: true })
  if (beep) run.media.setBase(recording.nextBeep)
  const { durationMs, reason } = await recording.ended
  if (beep) run.media.setBase(null)
  signal.removeEventListener('abort', stop)
  unlisten()
  if (signal.aborted) return { type: 'end' }
  const { recordingId } = recording
  return askIfNamed(run, actionUrl, 'recorded', { recordingId, durationMs, recordResult: reason, key })
}

export const recordStop: VerbFunction<'recordStop'> = async ({ scratch }) => {
  await scratch.recording?.stop()
  scratch.recording = undefined
  return undefined
}

export const recordPause: VerbFunction<'recordPause'> = async ({ scratch }, { behavior }) => {
  await scratch.recording?.pause(behavior)
  return undefined
}

export const recordResume: VerbFunction<'recordResume'> = async ({ scratch }) => {
  await scratch.recording?.resume()
  return undefined
}
