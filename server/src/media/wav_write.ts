// Writes WAV files of 16-bit PCM at 8 kHz as a stream, mono or with the caller left and the callee right. The header that is
// written first does not know the length; it is written again at the end, or mended after a crash from the file's length.
import { type FileHandle, open } from 'node:fs/promises'
import type { MediaFault } from './audio.ts'
import { mediaFault, sampleRate } from './audio.ts'

export const wavHeaderBytes = 44
/** What a writer to a pipe says; readers then take the file's end for the end of the audio. */
const unknownLength = 0xffff_ffff

/** The header of a file with so many octets of audio; without a number, of one whose length is not known yet. */
export function wavHeader(channels: 1 | 2, dataBytes?: number): Buffer {
  const header = Buffer.alloc(wavHeaderBytes)
  const known = dataBytes === undefined ? unknownLength : Math.min(dataBytes, unknownLength - 36)
  header.write('RIFF', 0, 'latin1')
  header.writeUInt32LE(Math.min(known + 36, unknownLength), 4)
  header.write('WAVEfmt ', 8, 'latin1')
  header.writeUInt32LE(16, 16)
  header.writeUInt16LE(1, 20)
  header.writeUInt16LE(channels, 22)
  header.writeUInt32LE(sampleRate, 24)
  header.writeUInt32LE(sampleRate * 2 * channels, 28)
  header.writeUInt16LE(2 * channels, 32)
  header.writeUInt16LE(16, 34)
  header.write('data', 36, 'latin1')
  header.writeUInt32LE(known, 40)
  return header
}

/** Samples as the octets of a file: of one channel, or of two of the same length in turn. */
export function wavData(left: Int16Array, right?: Int16Array): Buffer {
  const channels = right === undefined ? 1 : 2
  const both = new Int16Array(left.length * channels)
  // Whatever Tandem runs on is little-endian, as the file is.
  if (right === undefined) both.set(left)
  else {
    for (let i = 0; i < left.length; i++) {
      both[2 * i] = left[i]!
      both[2 * i + 1] = right[i]!
    }
  }
  return Buffer.from(both.buffer)
}

/** A whole file in memory. */
export function wavFile(left: Int16Array, right?: Int16Array): Buffer {
  const data = wavData(left, right)
  return Buffer.concat([wavHeader(right === undefined ? 1 : 2, data.length), data])
}

/**
 * What to make of a file that this writer started and did not end: the right header, the length to cut the file to (a sample
 * may be half written), and how long it plays.
 */
export function mendWav(
  header: Buffer,
  fileBytes: number,
): { header: Buffer; fileBytes: number; durationMs: number } | MediaFault {
  const channels = header.length >= wavHeaderBytes ? header.readUInt16LE(22) : 0
  const isOurs =
    (channels === 1 || channels === 2) &&
    header.subarray(0, 4).equals(wavHeader(channels).subarray(0, 4)) &&
    header.subarray(8, 40).equals(wavHeader(channels).subarray(8, 40))
  if (!isOurs) return mediaFault('format', 'the file was not begun as a recording: its first 44 octets are not ours')
  const block = 2 * channels
  const dataBytes = Math.floor((fileBytes - wavHeaderBytes) / block) * block
  return {
    header: wavHeader(channels as 1 | 2, dataBytes),
    fileBytes: wavHeaderBytes + dataBytes,
    durationMs: Math.floor(dataBytes / block / (sampleRate / 1_000)),
  }
}

/** Mends a file in place; one that needs nothing stays as it is. Rejects where the file cannot be opened. */
export async function mendWavFile(path: string): Promise<{ fileBytes: number; durationMs: number } | MediaFault> {
  const file = await open(path, 'r+')
  try {
    const { size } = await file.stat()
    const header = Buffer.alloc(Math.min(size, wavHeaderBytes))
    await file.read(header, 0, header.length, 0)
    const mended = mendWav(header, size)
    if ('fault' in mended) return mended
    if (mended.header.equals(header) && mended.fileBytes === size) return mended
    await file.truncate(mended.fileBytes)
    await file.write(mended.header, 0, wavHeaderBytes, 0)
    await file.datasync()
    return mended
  } finally {
    await file.close()
  }
}

/** Where a recording goes. `write` must not block and keeps the order; `finish` is the last call. */
export type RecordingSink = {
  write(bytes: Buffer): void
  /** `header` replaces the first 44 octets, and the file ends after `fileBytes`: trailing silence may lie behind that. */
  finish(end: { header: Buffer; fileBytes: number }): void
}

/** Half a minute of two channels. A disk that takes nothing for as long does not fill the memory of all calls. */
const maxWaitingBytes = 1_048_576

export type FileSink = RecordingSink & {
  /** Resolves when all of it is on disk, or rejects with the first thing that failed. */
  closed: Promise<void>
  waitingBytes(): number
}

/** A sink that is a new file. */
export function createFileSink(path: string): FileSink {
  return createSink(open(path, 'wx', 0o600))
}

/** @param opened an empty file */
export function createSink(
  opened: Promise<Pick<FileHandle, 'writeFile' | 'truncate' | 'write' | 'datasync' | 'close'>>,
): FileSink {
  const { promise: closed, resolve, reject } = Promise.withResolvers<void>()
  // Anyone who does not look at it is not to be ended by it.
  closed.catch(() => undefined)
  let waiting = 0
  let isGivenUp = false
  let last: Promise<unknown> = opened
  opened.catch(reject)

  function write(bytes: Buffer): void {
    if (!isGivenUp && waiting + bytes.length > maxWaitingBytes) {
      isGivenUp = true
      reject(new Error(`the disk is too slow: ${waiting} octets of a recording wait for it; what comes is left out`))
    }
    if (isGivenUp) return
    waiting += bytes.length
    last = last.then(async () => {
      // In append order, whatever a write takes in one go.
      await (await opened).writeFile(bytes)
      waiting -= bytes.length
    })
    last.catch(reject)
  }

  function finish({ header, fileBytes }: { header: Buffer; fileBytes: number }): void {
    last
      .then(async () => {
        // It is as long as what was taken, and mended by that.
        if (isGivenUp) return
        const file = await opened
        await file.truncate(fileBytes)
        await file.write(header, 0, header.length, 0)
        await file.datasync()
      })
      .finally(async () => (await opened).close())
      .then(() => resolve(), reject)
  }

  return { write, finish, closed, waitingBytes: () => waiting }
}
