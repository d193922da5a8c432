// Text becomes speech: the port that engines implement, and the service that picks one, tries the next where one fails, keeps
// what was spoken by text, voice and language, and lets only a few engines work at a time.
import { createHash } from 'node:crypto'
import { createSemaphore } from '../kernel/values/semaphore.ts'
import type { MediaFault } from './audio.ts'
import { isMediaFault, mediaFault } from './audio.ts'
import type { Clip, ClipCache } from './clip.ts'
import { clipOf } from './clip.ts'
import { createSharedWork } from './shared_work.ts'
import type { Ssml } from './ssml.ts'
import { isSsml, readSsml } from './ssml.ts'

export type SpeechVoice = {
  /** As the engine calls it. */
  name: string
  /** BCP 47, `en-US`; null: any. */
  language: string | null
}

export type SpeechRequest = {
  /** Plain text, or what SSML says without its markup. */
  text: string
  /** SSML that was checked, for engines with `takesSsml`; null for plain text. */
  ssml: string | null
  /** Null: the engine picks one by the language. */
  voice: string | null
  language: string | null
  signal: AbortSignal
}

/** What speaks. `say` never rejects, and gives samples of 8 kHz mono. */
export type SpeechEngine = {
  readonly name: string
  readonly voices: readonly SpeechVoice[]
  readonly takesSsml: boolean
  say(request: SpeechRequest): Promise<Int16Array | MediaFault>
}

export type SayOptions = {
  /** The name of a voice, or of an engine and its voice, `flite/slt`. */
  voice?: string
  /** BCP 47; default `en-US`. */
  language?: string
  signal?: AbortSignal
}

export type SpeechService = {
  /** Never rejects. Text that starts with <speak> is SSML. */
  say(text: string, options?: SayOptions): Promise<Clip | MediaFault>
  /** All voices, as `engine/voice`. */
  readonly voices: readonly SpeechVoice[]
  readonly engines: readonly string[]
}

export type SpeechOptions = {
  /** In the order they are tried in. */
  engines: readonly SpeechEngine[]
  cache: ClipCache
  /** Characters; default 4,096. */
  maxText?: number
  /** Engines that work at the same time; default 2. */
  atOnce?: number
}

const noEngine = mediaFault('no_engine', 'nothing here can speak: install espeak-ng or set TANDEM_SPEECH_URL')
const nobody = mediaFault('aborted', 'nobody waits for this speech any more')

export function createSpeech({ engines, cache, maxText = 4_096, atOnce = 2 }: SpeechOptions): SpeechService {
  const shared = createSharedWork<Clip | MediaFault>()
  const working = createSemaphore({ permits: atOnce })

  async function say(text: string, options: SayOptions = {}): Promise<Clip | MediaFault> {
    const { voice = null, language = 'en-US', signal } = options
    if (engines.length === 0) return noEngine
    const read = readText(text, maxText)
    if (isMediaFault(read)) return read
    const key = createHash('sha256')
      .update(JSON.stringify([text, voice, language]))
      .digest('base64url')
    const kept = cache.get(`speech:${key}`)
    if (kept !== undefined) return kept
    return shared.run(key, signal, nobody, async ended => {
      const spoken = await speak(read, voice, language, ended)
      if (isMediaFault(spoken)) return spoken
      const clip = clipOf(spoken)
      cache.put(`speech:${key}`, clip)
      return clip
    })
  }

  async function speak(
    { plain, markup }: { plain: string; markup: string | null },
    voice: string | null,
    language: string,
    signal: AbortSignal,
  ): Promise<Int16Array | MediaFault> {
    let fault: MediaFault | null = null
    for (const choice of inOrder(engines, voice, language)) {
      const spoken = await working.run(async () => {
        if (signal.aborted) return nobody
        const ssml = choice.engine.takesSsml ? markup : null
        return choice.engine.say({ text: plain, ssml, voice: choice.voice, language, signal })
      })
      if (!isMediaFault(spoken) || spoken.fault === 'aborted') return spoken
      // The first one reports what is wrong with the engine that was wanted.
      fault ??= spoken
    }
    return fault ?? noEngine
  }

  return {
    say,
    voices: engines.flatMap(engine =>
      engine.voices.map(({ name, language }) => ({ name: `${engine.name}/${name}`, language })),
    ),
    engines: engines.map(engine => engine.name),
  }
}

function readText(text: string, maxText: number): { plain: string; markup: string | null } | MediaFault {
  if (text.length > maxText) return mediaFault('text', `the text has ${text.length} characters, may have ${maxText}`)
  const read: Ssml | MediaFault | null = isSsml(text) ? readSsml(text) : null
  if (read !== null && isMediaFault(read)) return read
  // Control characters mean nothing to a voice, and something to programs.
  const plain = (read?.plain ?? text).replaceAll(/[\p{Cc}\p{Cs}]+/gu, ' ').trim()
  if (!/[\p{L}\p{N}\p{S}]/u.test(plain)) return mediaFault('text', 'the text has nothing to say: write words or digits')
  return { plain, markup: read?.markup ?? null }
}

type Choice = { engine: SpeechEngine; voice: string | null }

/** Anyone who has the wanted voice first, then those with a voice of the language, then the others. */
function inOrder(engines: readonly SpeechEngine[], voice: string | null, language: string): Choice[] {
  const choices = engines.map(engine => {
    const own = voice?.startsWith(`${engine.name}/`) ? voice.slice(engine.name.length + 1) : voice
    const has = engine.voices.some(({ name }) => name === own)
    const knows = engine.voices.length === 0 || engine.voices.some(known => speaks(known, language))
    return { engine, voice: has ? own : null, rank: has ? 0 : knows ? 1 : 2 }
  })
  return choices.sort((one, other) => one.rank - other.rank)
}

const primary = (language: string) => language.toLowerCase().split(/[-_]/)[0]

function speaks({ language }: SpeechVoice, wanted: string): boolean {
  return language === null || primary(language) === primary(wanted)
}

/** The voice that fits a language best: the same region, else the same language, else none. */
export function voiceOf(voices: readonly SpeechVoice[], language: string | null): string | null {
  if (language === null) return null
  const exact = voices.find(voice => voice.language?.toLowerCase() === language.toLowerCase())
  return (exact ?? voices.find(voice => voice.language !== null && speaks(voice, language)))?.name ?? null
}
