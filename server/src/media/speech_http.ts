// Speech by any endpoint that speaks the protocol of OpenAI's `POST /v1/audio/speech`: hosted, or a server beside this one.
// Asked for WAV, or for bare samples of 24 kHz where an endpoint has nothing else.
import type { MediaFault } from './audio.ts'
import { isMediaFault, joinSamples, mediaFault } from './audio.ts'
import { createResampler } from './resample.ts'
import type { SpeechEngine, SpeechRequest, SpeechVoice } from './speech.ts'
import { readWav } from './wav_read.ts'

export type SpeechFetch = (
  url: string,
  init: { method: 'POST'; headers: Record<string, string>; body: string; signal: AbortSignal },
) => Promise<{ status: number; body: AsyncIterable<Uint8Array> | null }>

export type HttpSpeechOptions = {
  fetch: SpeechFetch
  /** Up to `/audio/speech`: `https://api.example.com/v1`. */
  url: string
  /** Goes as bearer token; null where none is asked for. Never reported in a fault. */
  key: string | null
  model: string
  voices: readonly SpeechVoice[]
  /** Where neither the call nor its language says one. */
  defaultVoice: string
  /** Default `wav`; `pcm` is 16-bit little-endian of `pcmRate`. */
  format?: 'wav' | 'pcm'
  /** Default 24,000. */
  pcmRate?: number
  /** For the whole answer; default 20,000. */
  timeoutMs?: number
  /** Default 20 MB. */
  maxBytes?: number
}

export function createHttpSpeech(options: HttpSpeechOptions): SpeechEngine {
  const { format = 'wav', timeoutMs = 20_000, maxBytes = 20_000_000 } = options

  async function say(request: SpeechRequest): Promise<Int16Array | MediaFault> {
    const timeout = AbortSignal.timeout(timeoutMs)
    const signal = AbortSignal.any([timeout, request.signal])
    try {
      return await ask(request, signal)
    } catch (error) {
      if (request.signal.aborted) return mediaFault('aborted', 'nobody waits for this speech any more')
      if (timeout.aborted) return mediaFault('timeout', `the speech endpoint took more than ${timeoutMs / 1_000} s`)
      return mediaFault(
        'unreachable',
        `the speech endpoint gave no answer: ${(error as Error)?.message ?? 'no reason given'}`,
      )
    }
  }

  async function ask({ text, voice }: SpeechRequest, signal: AbortSignal): Promise<Int16Array | MediaFault> {
    const headers: Record<string, string> = { 'content-type': 'application/json' }
    if (options.key !== null) headers['authorization'] = `Bearer ${options.key}`
    const body = JSON.stringify({
      model: options.model,
      input: text,
      voice: voice ?? options.defaultVoice,
      response_format: format,
    })
    const url = `${options.url.replace(/\/+$/, '')}/audio/speech`
    const reply = await options.fetch(url, { method: 'POST', headers, body, signal })
    if (reply.status !== 200 || reply.body === null) {
      const remedy = reply.status === 401 || reply.status === 403 ? ': check its key' : ''
      return mediaFault('status', `the speech endpoint answered ${reply.status}, not 200${remedy}`)
    }
    const bytes: Uint8Array[] = []
    let length = 0
    for await (const chunk of reply.body) {
      signal.throwIfAborted()
      length += chunk.length
      if (length > maxBytes)
        return mediaFault('too_large', `the speech has more than ${maxBytes / 1_000_000} MB, which is the limit`)
      bytes.push(chunk)
    }
    const samples =
      format === 'pcm' ? fromPcm(Buffer.concat(bytes), options.pcmRate ?? 24_000) : await readWav(bytes, { signal })
    signal.throwIfAborted()
    if (isMediaFault(samples)) return mediaFault('engine', `the speech endpoint: ${samples.detail}`)
    return samples.length > 0 ? samples : mediaFault('engine', 'the speech endpoint answered without audio')
  }

  return { name: 'http', voices: options.voices, takesSsml: false, say }
}

function fromPcm(bytes: Buffer, rate: number): Int16Array {
  const samples = Float64Array.from({ length: bytes.length >> 1 }, (_, i) => bytes.readInt16LE(2 * i) / 32_768)
  const resampler = createResampler(rate)
  return joinSamples([resampler.push(samples), resampler.end()])
}
