// Recording: a message that somebody leaves, or the whole call in the background. Times are those of the leg's frames, so a
// recording is as long as what was heard.
import { createRecorder, type RecorderOptions, type RecordingEnd } from '../../../media/recorder.ts'
import type { HeldLeg } from '../legs/index.ts'
import { frameMs } from '../legs/index.ts'
import type { OpenRecording } from '../recordings/index.ts'
import { answer } from './answering.ts'
import { askIfNamed } from './asking.ts'
import type { AskedRecording, CallRecorder, Recorded, Run, VerbFunction } from './run.ts'

type Recording = CallRecorder & { nextBeep(into: Buffer): boolean }
type Options = Pick<RecorderOptions, 'channels' | 'maxMs' | 'endSilenceMs' | 'isTrimmed' | 'hasBeep' | 'listensTo'> & {
  /** Of a message only what the remote party says; else both sides. */
  isMessage?: boolean
  /** A pause it starts with. */
  pausedAs?: AskedRecording['pausedAs']
}

type Asked = AskedRecording & { begin(recorder: CallRecorder): void }

/** Recordings of whole calls, by the leg they are taken of, from when they are asked for to their end. */
const asked = new WeakMap<HeldLeg, ReadonlySet<Asked>>()

export function recordingsOf(held: HeldLeg): readonly AskedRecording[] {
  return [...(asked.get(held) ?? [])]
}

function createAsked(held: HeldLeg, first: AskedRecording['pausedAs']): { own: Asked; forget(): void } {
  let recorder: CallRecorder | undefined
  let pausedAs = first
  let isStopped = false
  const own: Asked = {
    get pausedAs() {
      return pausedAs
    },
    get isStopped() {
      return isStopped
    },
    async pause(behavior) {
      pausedAs = behavior
      await recorder?.pause(behavior)
    },
    async resume() {
      pausedAs = undefined
      await recorder?.resume()
    },
    stop() {
      isStopped = true
      void recorder?.stop()
    },
    begin(next) {
      recorder = next
      if (isStopped) void next.stop()
      else if (pausedAs !== undefined) void next.pause(pausedAs)
    },
  }
  asked.set(held, new Set([...(asked.get(held) ?? []), own]))
  return { own, forget: () => asked.set(held, new Set([...(asked.get(held) ?? [])].filter(other => other !== own))) }
}

/** Starts a recording of this call's leg; undefined when it cannot be, which the log says: the call goes on without. */
async function startRecording(run: Run, options: Options): Promise<Recording | undefined> {
  const { held, tools, log } = run
  const { own, forget } = createAsked(held, options.pausedAs)
  // Whose message it is steers it by keys.
  if (options.isMessage === true) forget()
  const opened = await tools.recordings.open(held, options.channels).catch(error => {
    log.error({ err: error }, 'a recording could not be started')
    return undefined
  })
  if (opened === undefined) {
    forget()
    return undefined
  }
  const recording = attach(run, options, opened, own)
  void recording.ended.then(forget)
  own.begin(recording)
  // The call may have ended while the file was being opened.
  if (held.isOver) void recording.stop()
  return recording
}

function attach(
  run: Run,
  { isMessage = false, pausedAs: _, ...options }: Options,
  opened: OpenRecording,
  commands: AskedRecording,
): Recording {
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
    forget()
    await opened.ended(durationMs).catch(faulty)
    return { durationMs, reason }
  })
  // Another one may be started from then on.
  const forget = () => {
    if (scratch.recording === recording) scratch.recording = undefined
  }
  const recording: Recording = {
    recordingId: opened.recordingId,
    asked: commands,
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
      forget()
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
  { maxMs, pausedAs }: { maxMs?: number | undefined; pausedAs?: AskedRecording['pausedAs'] } = {},
): Promise<CallRecorder | undefined> {
  return startRecording(run, { channels, pausedAs, ...(maxMs === undefined ? {} : { maxMs }) })
}

export const record: VerbFunction<'record'> = async (run, instruction) => {
  if (!(await answer(run))) return { type: 'end' }
  const { mode, channels, maxSeconds, actionUrl } = instruction
  const { scratch, digits, signal } = run
  const maxMs = maxSeconds === undefined ? undefined : maxSeconds * 1_000
  if (mode === 'call') {
    // One at a time: a second one would only be the same again.
    if (scratch.recording !== undefined) return undefined
    const recorder = await recordCall(run, channels, { maxMs })
    if (recorder === undefined || recorder.asked.isStopped) return undefined
    if (scratch.recording !== undefined) {
      // Another command was quicker. Nothing was recorded yet, or next to nothing.
      void recorder.stop()
      return undefined
    }
    scratch.recording = recorder
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
