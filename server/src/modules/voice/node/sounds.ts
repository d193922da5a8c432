// Where calls get their sound from: speech by the programs or the endpoint that the operator has, and files that customers
// name, fetched like everything else that is theirs.
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import { isMediaFault, type MediaFault } from '../../../media/audio.ts'
import { type Clip, createClipCache } from '../../../media/clip.ts'
import { createClipLoader } from '../../../media/clip_fetch.ts'
import { createSpeech, type SpeechEngine } from '../../../media/speech.ts'
import { createHttpSpeech } from '../../../media/speech_http.ts'
import { findSpeechPrograms } from '../../../media/speech_programs.ts'
import type { ControlTools } from '../control/index.ts'

/** An hour and a half of sound. */
const cacheBytes = 100_000_000
const maxFileBytes = 20_000_000

export function createSounds({ outbound, clock, speech: settings }: Services): Pick<ControlTools, 'say' | 'fetchClip'> {
  const cache = createClipCache({ maxBytes: cacheBytes })
  const loader = createClipLoader({
    cache,
    now: () => clock.now(),
    maxBytes: maxFileBytes,
    async fetch(url, { headers, signal }) {
      const target = new URL(url)
      const list = [...Object.entries(headers).flat(), 'user-agent', 'Tandem-Calls/1.0', 'accept-encoding', 'identity']
      const reply = await outbound.send({
        method: 'GET',
        url: target,
        headers: list,
        signal,
        maxReplyBytes: maxFileBytes + 1,
      })
      if (!reply.ok) throw new Error(reply.error)
      if (reply.cut !== undefined && reply.cut !== 'reply_too_large') throw new Error(reply.cut)
      const { status, headers: given, body } = reply
      const get = (name: string) => {
        const value = given[name.toLowerCase()]
        return typeof value === 'string' ? value : (value?.[0] ?? null)
      }
      return { status, headers: { get }, body: chunksOf(body) }
    },
  })
  let speaking: Promise<ReturnType<typeof createSpeech>> | undefined

  async function findSpeech() {
    const engines: SpeechEngine[] = []
    if (settings.endpoint !== undefined) {
      const { url, key, model, voice } = settings.endpoint
      engines.push(createHttpSpeech({ fetch: fetchSpeech, url, key, model, voices: [], defaultVoice: voice }))
    }
    engines.push(...(await findSpeechPrograms({ path: settings.path })))
    return createSpeech({ engines, cache })
  }

  return {
    async say({ text, language, voice }, signal) {
      speaking ??= findSpeech()
      const options = {
        signal,
        ...(language === undefined ? {} : { language }),
        ...(voice === undefined ? {} : { voice }),
      }
      return clipOrThrow(await (await speaking).say(text, options))
    },
    async fetchClip(_held, url, signal) {
      return clipOrThrow(await loader.load(url, signal))
    },
  }
}

function clipOrThrow(result: Clip | MediaFault): Clip {
  if (isMediaFault(result)) throw new Error(result.detail)
  return result
}

async function* chunksOf(body: Buffer) {
  yield body
}

/** The operator's own endpoint, which may well be on this machine: it is no address of a customer. */
async function fetchSpeech(url: string, init: { headers: Record<string, string> } & RequestInit) {
  const reply = await fetch(url, init)
  return { status: reply.status, body: reply.body }
}
