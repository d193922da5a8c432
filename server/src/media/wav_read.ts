// Reads WAV files as a stream: PCM of 8, 16, 24 and 32 bits, 32-bit floats, A-law and µ-law, any rate and channels, and gives
// 8 kHz mono. Chunks that are not known are passed over; lengths of files that were written to a pipe are not believed.
import { decodeSample } from '@tandem/sip'
import type { MediaFault } from './audio.ts'
import { isMediaFault, joinSamples, mediaFault } from './audio.ts'
import type { Resampler } from './resample.ts'
import { createResampler } from './resample.ts'

export type WavFormat = {
  encoding: 'pcm' | 'float' | 'PCMA' | 'PCMU'
  bits: number
  channels: number
  rate: number
}

export type WavReader = {
  /** Samples that are settled by these bytes. A fault is final: every later call gives it again. */
  push(bytes: Uint8Array): Int16Array | MediaFault
  /** The rest, when no more bytes come; a fault where no audio ever started. */
  end(): Int16Array | MediaFault
  /** Null until the header is read. */
  readonly format: WavFormat | null
}

export type WavLimits = {
  /** Default 3,600,000: an hour. */
  maxMs?: number
}

export const takenFormats =
  'WAV with PCM of 8, 16, 24 or 32 bits, 32-bit float, A-law or µ-law, at 2,000 to 384,000 Hz, with 1 to 32 channels'

/** What other files start with, so that a fault can name them. */
const others: [name: string, matches: (bytes: Buffer) => boolean][] = [
  ['an MP3 file', bytes => startsWith(bytes, 'ID3') || (bytes[0] === 0xff && (bytes[1]! & 0xe6) === 0xe2)],
  ['an AAC file', bytes => bytes[0] === 0xff && (bytes[1]! & 0xf6) === 0xf0],
  ['an Ogg file', bytes => startsWith(bytes, 'OggS')],
  ['a FLAC file', bytes => startsWith(bytes, 'fLaC')],
  ['an MP4 or M4A file', bytes => bytes.toString('latin1', 4, 8) === 'ftyp'],
  ['an AIFF file', bytes => startsWith(bytes, 'FORM')],
  ['an AU file', bytes => startsWith(bytes, '.snd')],
  ['an AMR file', bytes => startsWith(bytes, '#!AMR')],
  ['a WAV file of more than 4 GB (RF64)', bytes => startsWith(bytes, 'RF64')],
  ['a big-endian WAV file (RIFX)', bytes => startsWith(bytes, 'RIFX')],
  ['another kind of RIFF file', bytes => startsWith(bytes, 'RIFF')],
  ['a web page or XML', bytes => /^\s*</.test(bytes.toString('latin1', 0, 12))],
  ['JSON', bytes => /^\s*[{[]/.test(bytes.toString('latin1', 0, 12))],
]

function startsWith(bytes: Buffer, text: string): boolean {
  return bytes.toString('latin1', 0, text.length) === text
}

function notWav(bytes: Buffer): MediaFault {
  const other = others.find(([, matches]) => matches(bytes))
  const what = other === undefined ? 'is not a WAV file' : `is ${other[0]}`
  return mediaFault('format', `the audio ${what}; convert it to ${takenFormats}`)
}

/** A chunk at a time. `skip` passes over octets; `data` is the audio, whose end may not be known. */
type State =
  | { at: 'start' }
  | { at: 'chunk' }
  | { at: 'format'; length: number }
  | { at: 'skip'; left: number }
  | { at: 'data'; left: number }
  | { at: 'done' }

const maxFormatLength = 4_096
/** Writers to a pipe put 0, or one of the largest values, where they do not know the length. */
const unknownLengthFrom = 0x7fff_0000

export function createWavReader({ maxMs = 3_600_000 }: WavLimits = {}): WavReader {
  let state: State = { at: 'start' }
  let held: Buffer = Buffer.alloc(0)
  let format: WavFormat | null = null
  let resampler: Resampler | null = null
  let fault: MediaFault | null = null
  let made = 0
  let out: Int16Array[] = []

  function push(bytes: Uint8Array): Int16Array | MediaFault {
    if (fault !== null) return fault
    held = held.length === 0 ? Buffer.from(bytes) : Buffer.concat([held, bytes])
    let isMoving = true
    while (isMoving && fault === null) isMoving = step()
    return result()
  }

  function result(): Int16Array | MediaFault {
    if (fault !== null) return fault
    const samples = joinSamples(out)
    out = []
    made += samples.length
    if (made <= maxMs * 8) return samples
    fault = mediaFault('too_long', `the audio is longer than ${maxMs / 1_000} s, which is the limit`)
    return fault
  }

  function take(length: number): Buffer {
    const taken = held.subarray(0, length)
    held = held.subarray(length)
    return taken
  }

  /** Whether there may be more to do with the octets at hand. */
  function step(): boolean {
    switch (state.at) {
      case 'start':
        return readStart()
      case 'chunk':
        return readChunk()
      case 'format':
        if (held.length < state.length) return false
        readFormat(take(state.length), state.length % 2)
        return true
      case 'skip': {
        const skipped = take(Math.min(state.left, held.length)).length
        state = state.left === skipped ? { at: 'chunk' } : { at: 'skip', left: state.left - skipped }
        return state.at === 'chunk'
      }
      case 'data':
        return readData(state.left)
      case 'done':
        held = Buffer.alloc(0)
        return false
    }
  }

  function readStart(): boolean {
    if (held.length < 12) return false
    const head = take(12)
    if (startsWith(head, 'RIFF') && head.toString('latin1', 8) === 'WAVE') state = { at: 'chunk' }
    else fault = notWav(head)
    return true
  }

  function readChunk(): boolean {
    if (held.length < 8) return false
    const head = take(8)
    const name = head.toString('latin1', 0, 4)
    const length = head.readUInt32LE(4)
    if (name === 'data') startData(length)
    else if (name !== 'fmt ') state = { at: 'skip', left: length + (length % 2) }
    else if (length >= 16 && length <= maxFormatLength) state = { at: 'format', length }
    else fault = mediaFault('format', `the WAV file has a format chunk of ${length} octets, must be 16 to 4,096`)
    return true
  }

  function startData(length: number): void {
    if (format === null) {
      fault = mediaFault('format', 'the WAV file has audio before its format: write it again')
      return
    }
    state = { at: 'data', left: length === 0 || length >= unknownLengthFrom ? Number.POSITIVE_INFINITY : length }
  }

  function readFormat(chunk: Buffer, padding: number): void {
    const read = formatOf(chunk)
    if (isMediaFault(read)) {
      fault = read
      return
    }
    format = read
    resampler = createResampler(read.rate)
    state = { at: 'skip', left: padding }
  }

  function readData(left: number): boolean {
    const block = (format!.bits / 8) * format!.channels
    const length = Math.min(left, held.length)
    const whole = length - (length % block)
    if (whole > 0) out.push(resampler!.push(monoOf(take(whole), format!)))
    const rest = left - whole
    if (rest >= block) {
      state = { at: 'data', left: rest }
      return false
    }
    state = { at: 'done' }
    return true
  }

  function end(): Int16Array | MediaFault {
    if (fault !== null) return fault
    if (state.at === 'start' && held.length > 0) fault = notWav(Buffer.concat([held, Buffer.alloc(12)]))
    else if (state.at !== 'data' && state.at !== 'done')
      fault = mediaFault('cut', 'the WAV file ends before its audio begins')
    else out.push(resampler!.end())
    return result()
  }

  return {
    push,
    end,
    get format() {
      return format
    },
  }
}

const encodings: Readonly<Record<number, { encoding: WavFormat['encoding']; bits: readonly number[] }>> = {
  1: { encoding: 'pcm', bits: [8, 16, 24, 32] },
  3: { encoding: 'float', bits: [32] },
  6: { encoding: 'PCMA', bits: [8] },
  7: { encoding: 'PCMU', bits: [8] },
}
const otherTags: Readonly<Record<number, string>> = {
  2: 'MS ADPCM',
  17: 'IMA ADPCM',
  49: 'GSM 6.10',
  80: 'MPEG',
  85: 'MP3',
}
const extensible = 0xfffe

function formatOf(chunk: Buffer): WavFormat | MediaFault {
  const isExtensible = chunk.readUInt16LE(0) === extensible && chunk.length >= 40
  const tag = chunk.readUInt16LE(isExtensible ? 24 : 0)
  const [channels, rate, block, bits] = [2, 4, 12, 14].map(at =>
    at === 4 ? chunk.readUInt32LE(4) : chunk.readUInt16LE(at),
  )
  const known = encodings[tag]
  if (known === undefined || !known.bits.includes(bits!)) {
    const what = known === undefined ? (otherTags[tag] ?? `format ${tag}`) : `${known.encoding} of ${bits} bits`
    return mediaFault('format', `the WAV file holds ${what}; convert it to ${takenFormats}`)
  }
  if (channels! < 1 || channels! > 32)
    return mediaFault('format', `the WAV file has ${channels} channels; takes ${takenFormats}`)
  if (rate! < 2_000 || rate! > 384_000)
    return mediaFault('format', `the WAV file has ${rate} Hz; takes ${takenFormats}`)
  if (block !== (channels! * bits!) / 8)
    return mediaFault(
      'format',
      `the WAV file says that a block has ${block} octets, its format ${(channels! * bits!) / 8}`,
    )
  return { encoding: known.encoding, bits: bits!, channels: channels!, rate: rate! }
}

/** Samples of -1 to 1; channels become their mean. */
function monoOf(bytes: Buffer, format: WavFormat): Float64Array {
  const { channels } = format
  const read = readerOf(bytes, format)
  const width = format.bits / 8
  const samples = new Float64Array(bytes.length / width / channels)
  for (let i = 0, at = 0; i < samples.length; i++) {
    let sum = 0
    for (let channel = 0; channel < channels; channel++, at += width) sum += read(at)
    samples[i] = sum / channels
  }
  return samples
}

function readerOf(bytes: Buffer, { encoding, bits }: WavFormat): (at: number) => number {
  if (encoding === 'float') return at => bytes.readFloatLE(at)
  if (encoding !== 'pcm') return at => decodeSample(encoding, bytes[at]!) / 32_768
  if (bits === 8) return at => (bytes[at]! - 128) / 128
  if (bits === 16) return at => (((bytes[at]! | (bytes[at + 1]! << 8)) << 16) >> 16) / 32_768
  if (bits === 24) return at => bytes.readIntLE(at, 3) / 8_388_608
  return at => bytes.readInt32LE(at) / 2_147_483_648
}

/** Between pieces of this size other work of the process gets its turn: about a millisecond of decoding. */
const pieceBytes = 16_384

/** Decodes a whole file from its pieces, without holding up the frames of calls in the same process. */
export async function readWav(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  limits?: WavLimits & { signal?: AbortSignal },
): Promise<Int16Array | MediaFault> {
  const reader = createWavReader(limits)
  const parts: Int16Array[] = []
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += pieceBytes) {
      const samples = reader.push(chunk.subarray(at, at + pieceBytes))
      if (isMediaFault(samples)) return samples
      parts.push(samples)
      await new Promise(setImmediate)
      if (limits?.signal?.aborted) return mediaFault('aborted', 'nobody waits for this audio any more')
    }
  }
  const rest = reader.end()
  return isMediaFault(rest) ? rest : joinSamples([...parts, rest])
}
