// Speech by programs of the system, espeak-ng and flite, as processes of their own (they are GPL, and may crash): the text goes
// in by stdin and never by an argument, a WAV file comes out, and a time, a size and an abort each end it.
import { spawn } from 'node:child_process'
import { constants, createReadStream } from 'node:fs'
import { access, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, isAbsolute, join } from 'node:path'
import type { MediaFault } from './audio.ts'
import { isMediaFault, mediaFault } from './audio.ts'
import type { SpeechEngine, SpeechRequest, SpeechVoice } from './speech.ts'
import { voiceOf } from './speech.ts'
import { escapeText } from './ssml.ts'
import { readWav } from './wav_read.ts'

export type ProgramOptions = {
  /** As PATH has it. */
  path: string
  /** For one text; default 15,000. */
  timeoutMs?: number
  /** Of the audio that is made; default 300,000. */
  maxMs?: number
}

/** The engines that this machine has, espeak-ng before flite. */
export async function findSpeechPrograms(options: ProgramOptions): Promise<SpeechEngine[]> {
  const found = await Promise.all([openEspeak(options), openFlite(options)])
  return found.filter(engine => engine !== null)
}

/** The file of a program, or null. */
export async function findProgram(name: string, path: string): Promise<string | null> {
  for (const folder of path.split(delimiter).filter(isAbsolute)) {
    const file = join(folder, name)
    if (
      await access(file, constants.X_OK).then(
        () => true,
        () => false,
      )
    )
      return file
  }
  return null
}

async function openEspeak(options: ProgramOptions): Promise<SpeechEngine | null> {
  const program = await findProgram('espeak-ng', options.path)
  if (program === null) return null
  const list = await run(program, ['--voices'], '', { ...options, signal: AbortSignal.timeout(5_000) })
  if (isMediaFault(list)) return null
  const voices = espeakVoices(list.toString('utf8'))
  return {
    name: 'espeak-ng',
    voices,
    takesSsml: true,
    say(request) {
      const voice = request.voice ?? voiceOf(voices, request.language) ?? 'en-us'
      // Always as markup, so that `[[` and `<` of plain text are text.
      const text = (request.ssml ?? `<speak>${escapeText(request.text)}</speak>`).replaceAll('[[', '[ [')
      return speak(program, ['-m', '-b', '1', '--stdin', '--stdout', '-v', voice], text, request, options)
    },
  }
}

/** Lines of `Pty Language Age/Gender VoiceName File …`, of which the language is also the name to choose it by. */
export function espeakVoices(list: string): SpeechVoice[] {
  const names = list.split('\n').flatMap(line => /^\s*\d+\s+([a-z][\w-]*)\s/.exec(line)?.[1] ?? [])
  return [...new Set(names)].map(name => ({ name, language: name }))
}

async function openFlite(options: ProgramOptions): Promise<SpeechEngine | null> {
  const program = await findProgram('flite', options.path)
  if (program === null) return null
  const list = await run(program, ['-lv'], '', { ...options, signal: AbortSignal.timeout(5_000) })
  if (isMediaFault(list)) return null
  const names = /:(.*)/.exec(list.toString('utf8'))?.[1]?.trim().split(/\s+/) ?? []
  const voices = names.map(name => ({ name, language: 'en-US' }))
  const preferred = ['slt', 'rms', 'awb'].find(name => names.includes(name)) ?? names[0] ?? 'kal'
  return {
    name: 'flite',
    voices,
    takesSsml: false,
    async say(request) {
      if (request.language !== null && !/^en\b/i.test(request.language))
        return mediaFault('engine', `flite speaks English only, not ${request.language.slice(0, 20)}`)
      return speakByFile(program, ['-voice', request.voice ?? preferred, '-f', '-', '-o'], request, options)
    },
  }
}

async function speak(
  program: string,
  args: string[],
  text: string,
  { signal }: SpeechRequest,
  options: ProgramOptions,
): Promise<Int16Array | MediaFault> {
  const bytes = await run(program, args, `${text}\n`, { ...options, signal })
  if (isMediaFault(bytes)) return bytes
  return checked(program, await readWav([bytes], { maxMs: options.maxMs ?? 300_000, signal }))
}

/** flite opens its output by name, and what Node gives a child for stdout cannot be opened: it is a socket. */
async function speakByFile(
  program: string,
  args: string[],
  { text, signal }: SpeechRequest,
  options: ProgramOptions,
): Promise<Int16Array | MediaFault> {
  let folder: string | null = null
  try {
    folder = await mkdtemp(join(tmpdir(), 'tandem_speech_'))
    const file = join(folder, 'speech.wav')
    const said = await run(program, [...args, file], `${text}\n`, { ...options, signal })
    if (isMediaFault(said)) return said
    return checked(program, await readWav(createReadStream(file), { maxMs: options.maxMs ?? 300_000, signal }))
  } catch (error) {
    return mediaFault('engine', `${nameOf(program)} made no audio: ${(error as Error).message}`)
  } finally {
    if (folder !== null) await rm(folder, { recursive: true, force: true })
  }
}

function checked(program: string, samples: Int16Array | MediaFault): Int16Array | MediaFault {
  if (isMediaFault(samples) && samples.fault !== 'aborted' && samples.fault !== 'too_long')
    return mediaFault('engine', `${nameOf(program)} made no audio: ${samples.detail}`)
  return samples
}

const nameOf = (program: string) => program.slice(program.lastIndexOf('/') + 1)
/** Of the most that these programs make in a second: 22,050 samples of two octets. */
const bytesPerMs = 45

/** What a program says by stdout. Whatever ends it early ends it for sure. */
function run(
  program: string,
  args: string[],
  input: string,
  options: ProgramOptions & { signal: AbortSignal },
): Promise<Buffer | MediaFault> {
  const { signal, timeoutMs = 15_000, maxMs = 300_000 } = options
  const { promise, resolve } = Promise.withResolvers<Buffer | MediaFault>()
  if (signal.aborted) return Promise.resolve(mediaFault('aborted', 'nobody waits for this speech any more'))
  // Of the environment it gets what it needs to start: it has no business with our settings.
  const env = { PATH: options.path, LANG: 'C.UTF-8' }
  const child = spawn(program, args, { env, cwd: '/', stdio: ['pipe', 'pipe', 'ignore'] })
  const chunks: Buffer[] = []
  let left = maxMs * bytesPerMs + 4_096
  const finish = (result: Buffer | MediaFault) => {
    clearTimeout(timer)
    signal.removeEventListener('abort', abort)
    // SIGTERM is a request.
    child.kill('SIGKILL')
    child.stdout.destroy()
    resolve(result)
  }
  const abort = () => finish(mediaFault('aborted', 'nobody waits for this speech any more'))
  const timer = setTimeout(
    () => finish(mediaFault('timeout', `${nameOf(program)} took more than ${timeoutMs / 1_000} s`)),
    timeoutMs,
  )
  signal.addEventListener('abort', abort, { once: true })
  child.on('error', error => finish(mediaFault('engine', `${nameOf(program)} could not be started: ${error.message}`)))
  child.stdout.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    left -= chunk.length
    if (left < 0)
      finish(mediaFault('too_long', `the text takes more than ${maxMs / 1_000} s to speak, which is the limit`))
  })
  child.on('close', (code, killedBy) => {
    if (code === 0) finish(Buffer.concat(chunks))
    else finish(mediaFault('engine', `${nameOf(program)} ended with ${code === null ? killedBy : `code ${code}`}`))
  })
  // A program that does not read to the end is checked by its exit code.
  child.stdin.on('error', () => undefined)
  child.stdin.end(input)
  return promise
}
