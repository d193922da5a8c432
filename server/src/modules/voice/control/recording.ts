// Recording: a message that somebody leaves, or the whole call in the background. Times are those of the leg's frames, so a
// recording is as long as what was heard.
import { createRecorder, type RecorderOptions, type RecordingEnd } from '../../../media/recorder.ts'
import { frameMs } from '../legs/index.ts'
import type { OpenRecording } from '../recordings/index.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import type { CallRecorder, Recorded, Run, VerbFunction } from './run.ts'

type Recording = CallRecorder & { nextBeep(into: Buffer): boolean }
type Options = Pick<RecorderOptions, 'channels' | 'maxMs' | 'endSilenceMs' | 'isTrimmed' | 'hasBeep' | 'listensTo'> & {
  /** Of a message only what the remote party says; else both sides. */
  isMessage?: boolean
}

/** Starts a recording of this call's leg; undefined when it cannot be, which the log says: the call goes on without. */
async function startRecording(run: Run, options: Options): Promise<Recording | undefined> {
  const { held, tools, log } = run
  const opened = await tools.recordings.open(held, options.channels).catch(error => {
    log.error({ err: error }, 'a recording could not be started')
    return undefined
  })
  if (opened === undefined) return undefined
  const recording = attach(run, options, opened)
  // The call may have ended while the file was being opened.
  if (held.isOver) void recording.stop()
  return recording
}

function attach(run: Run, { isMessage = false, ...options }: Options, opened: OpenRecording): Recording {
  const { held, media, scratch, log } = run
  const { promise: over, resolve } = Promise.withResolvers<RecordingEnd>()
  const recorder = createRecorder({ ...options, sink: opened.sink, startMs: 0, onEnd: resolve })
  // Who called is on the left.
  const [own, other] =
    held.call.direction === 'inbound' ? (['caller', 'callee'] as const) : (['callee', 'caller'] as const)
  let atMs = 0
  const untap = media.tap((from, to, law) => {
    recorder.push(own, from, law, atMs)
    if (!isMessage) recorder.push(other, to, law, atMs)
    atMs += frameMs
  })
  const faulty = (error: unknown) =>
    log.error({ err: error, recording: opened.recordingId }, 'what happened to a recording could not be stored')
  const ended = over.then(async ({ durationMs, reason }): Promise<Recorded> => {
    untap()
    scratch.recorders.delete(recording)
    await opened.ended(durationMs).catch(faulty)
    return { durationMs, reason }
  })
  const recording: Recording = {
    recordingId: opened.recordingId,
    async pause(behavior) {
      recorder.pause(behavior, atMs)
      await opened.paused().catch(faulty)
    },
    async resume() {
      recorder.resume(atMs)
      await opened.resumed().catch(faulty)
    },
    stop() {
      recorder.stop(atMs)
      return ended
    },
    ended,
    nextBeep: into => recorder.nextBeep(into, media.law),
  }
  scratch.recorders.add(recording)
  return recording
}

/** Records the whole call from here, both sides. */
export async function recordCall(
  run: Run,
  channels: 'mono' | 'dual',
  maxMs?: number,
): Promise<CallRecorder | undefined> {
  return startRecording(run, { channels, ...(maxMs === undefined ? {} : { maxMs }) })
}

export const record: VerbFunction<'record'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { mode, channels, maxSeconds, actionUrl } = instruction
  const { scratch, digits, signal } = run
  const maxMs = maxSeconds === undefined ? undefined : maxSeconds * 1_000
  if (mode === 'call') {
    // One at a time: a second one would only be the same again.
    if (scratch.recording !== undefined) return undefined
    const recorder = await recordCall(run, channels, maxMs)
    if (recorder === undefined) return undefined
    if (scratch.recording !== undefined) {
      // Another command was quicker. Nothing was recorded yet, or next to nothing.
      void recorder.stop()
      return undefined
    }
    scratch.recording = recorder
    void recorder.ended.then(() => {
      if (scratch.recording === recorder) scratch.recording = undefined
    })
    return undefined
  }
  const { finishOnKey, silenceSeconds, trim, beep } = instruction
  const recording = await startRecording(run, {
    channels: 'mono',
    isMessage: true,
    isTrimmed: trim,
    hasBeep: beep,
    listensTo: [run.held.call.direction === 'inbound' ? 'caller' : 'callee'],
    ...(maxMs === undefined ? {} : { maxMs }),
    ...(silenceSeconds === 0 ? {} : { endSilenceMs: silenceSeconds * 1_000 }),
  })
  if (recording === undefined) return undefined
  let key = ''
  const stop = () => void recording.stop()
  const unlisten = digits.listen(digit => {
    if (finishOnKey === '' || digit !== finishOnKey) return
    key = digit
    stop()
  })
  signal.addEventListener('abort', stop, { once: true })
  if (signal.aborted) stop()
  const silence = beep ? run.media.setBase(recording.nextBeep) : undefined
  const { durationMs, reason } = await recording.ended
  silence?.()
  signal.removeEventListener('abort', stop)
  unlisten()
  if (signal.aborted) return { type: 'end' }
  const { recordingId } = recording
  return askIfNamed(run, actionUrl, 'recorded', { recordingId, durationMs, recordResult: reason, key })
}

export const recordStop: VerbFunction<'recordStop'> = async ({ scratch }) => {
  const { recording } = scratch
  scratch.recording = undefined
  void recording?.stop()
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
