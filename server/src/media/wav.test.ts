// WAV in all formats that are taken, in pieces of any size; what is not taken; the resampler's passband and stopband; files of
// our own, whole and broken off. Sox, where it is, writes and reads them too.
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { encodeG711 } from '@tandem/sip'
import { createChance, sine, wavOf } from '../../test/media/sounds.ts'
import { isMediaFault, joinSamples, levelOf } from './audio.ts'
import { toneLevel } from './goertzel.ts'
import { createResampler } from './resample.ts'
import { createWavReader, readWav } from './wav_read.ts'
import { createFileSink, createSink, mendWav, mendWavFile, wavData, wavFile, wavHeader } from './wav_write.ts'

const isInstalled = spawnSync('sox', ['--version']).status === 0
const skip = isInstalled ? false : 'NOT TESTED: WAV files of sox need sox: bash scripts/system_tools.sh'

function folder(context: TestContext): string {
  const path = mkdtempSync(join(tmpdir(), 'wav_'))
  context.after(() => rmSync(path, { recursive: true }))
  return path
}

async function samplesOf(bytes: Uint8Array, limits = {}): Promise<Int16Array> {
  const samples = await readWav([bytes], limits)
  if (isMediaFault(samples)) assert.fail(samples.detail)
  return samples
}

async function faultOf(bytes: Uint8Array, limits = {}): Promise<{ fault: string; detail: string }> {
  const samples = await readWav([bytes], limits)
  if (!isMediaFault(samples)) assert.fail(`${samples.length} samples`)
  return samples
}

const bytesOf = (samples: Int16Array, width: number, write: (into: Buffer, value: number, at: number) => void) => {
  const bytes = Buffer.alloc(samples.length * width)
  for (const [i, sample] of samples.entries()) write(bytes, sample, i * width)
  return bytes
}

const tone = sine(1_000, 500)
const encodings = [
  { tag: 1, bits: 8, data: bytesOf(tone, 1, (into, value, at) => into.writeUInt8((value >> 8) + 128, at)) },
  { tag: 1, bits: 16, data: bytesOf(tone, 2, (into, value, at) => into.writeInt16LE(value, at)) },
  { tag: 1, bits: 24, data: bytesOf(tone, 3, (into, value, at) => into.writeIntLE(value * 256, at, 3)) },
  { tag: 1, bits: 32, data: bytesOf(tone, 4, (into, value, at) => into.writeInt32LE(value * 65_536, at)) },
  { tag: 3, bits: 32, data: bytesOf(tone, 4, (into, value, at) => into.writeFloatLE(value / 32_768, at)) },
  { tag: 6, bits: 8, data: encodeG711('PCMA', tone) },
  { tag: 7, bits: 8, data: encodeG711('PCMU', tone) },
]

for (const { tag, bits, data } of encodings) {
  test(`format ${tag} of ${bits} bits`, async () => {
    const samples = await samplesOf(wavOf({ tag, bits, channels: 1, rate: 8_000, data }))
    assert.equal(samples.length, tone.length)
    const limit = bits > 8 ? 0 : 512
    for (const [i, sample] of samples.entries()) assert.ok(Math.abs(sample - tone[i]!) <= limit, `${i}: ${sample}`)
  })
}

test('channels become their mean; chunks that are not known are passed over', async () => {
  const stereo = wavData(tone, new Int16Array(tone.length))
  const before = Buffer.from('LIST\x05\0\0\0hello\0', 'latin1')
  const samples = await samplesOf(wavOf({ tag: 1, bits: 16, channels: 2, rate: 8_000, data: stereo, before }))
  assert.equal(samples.length, tone.length)
  assert.ok(samples.every((sample, i) => Math.abs(sample - tone[i]! / 2) <= 1))
})

test('the extensible form of the header', async () => {
  const plain = wavFile(tone)
  const chunk = Buffer.alloc(40)
  plain.copy(chunk, 0, 20, 36)
  chunk.writeUInt16LE(0xfffe, 0)
  chunk.writeUInt16LE(1, 24)
  const length = Buffer.from([40, 0, 0, 0])
  const file = Buffer.concat([plain.subarray(0, 16), length, chunk, plain.subarray(36)])
  assert.deepEqual(await samplesOf(file), tone)
})

test('pieces of any size give the same samples', async () => {
  const file = wavOf({
    tag: 1,
    bits: 16,
    channels: 2,
    rate: 44_100,
    data: wavData(sine(700, 90, -9, 44_100), sine(900, 90, -9, 44_100)),
  })
  const whole = await samplesOf(file)
  assert.equal(whole.length, Math.ceil((Math.round(0.09 * 44_100) * 8_000) / 44_100))
  for (const size of [1, 7, 100, 1_001]) {
    const reader = createWavReader()
    const parts: Int16Array[] = []
    for (let at = 0; at < file.length; at += size) parts.push(reader.push(file.subarray(at, at + size)) as Int16Array)
    parts.push(reader.end() as Int16Array)
    assert.deepEqual(joinSamples(parts), whole, `pieces of ${size}`)
  }
})

test('a length that a pipe made up, and a file that is cut, are read to the end', async () => {
  const data = wavData(tone)
  for (const dataLength of [0, 0x7fff_f000, 0xffff_ffff]) {
    const file = wavOf({ tag: 1, bits: 16, channels: 1, rate: 8_000, data, dataLength })
    assert.deepEqual(await samplesOf(file), tone)
  }
  assert.equal((await samplesOf(wavFile(tone).subarray(0, 1_045))).length, 500)
})

test('what is not taken is named, with what is', async () => {
  const other = (text: string) => Buffer.from(text.padEnd(64, '\0'), 'latin1')
  for (const [bytes, what] of [
    [other('ID3\x03'), /is an MP3 file; convert it to WAV with PCM of 8, 16, 24 or 32 bits/],
    [other('\xff\xfb\x90\x64'), /is an MP3 file/],
    [other('\xff\xf1\x50\x80'), /is an AAC file/],
    [other('OggS'), /is an Ogg file/],
    [other('fLaC'), /is a FLAC file/],
    [other('\0\0\0\x20ftypM4A '), /is an MP4 or M4A file/],
    [other('<!doctype html>'), /is a web page or XML/],
    [other('RF64'), /more than 4 GB/],
    [other('what is this'), /is not a WAV file/],
    [Buffer.from('ab'), /is not a WAV file/],
    [wavOf({ tag: 85, bits: 0, channels: 1, rate: 8_000, data: Buffer.alloc(10) }), /holds MP3; convert/],
    [wavOf({ tag: 17, bits: 4, channels: 1, rate: 8_000, data: Buffer.alloc(10) }), /holds IMA ADPCM; convert/],
    [wavOf({ tag: 1, bits: 12, channels: 1, rate: 8_000, data: Buffer.alloc(10) }), /holds pcm of 12 bits/],
    [wavOf({ tag: 1, bits: 16, channels: 0, rate: 8_000, data: Buffer.alloc(10) }), /has 0 channels/],
    [wavOf({ tag: 1, bits: 16, channels: 1, rate: 1, data: Buffer.alloc(10) }), /has 1 Hz/],
  ] as const) {
    const { fault, detail } = await faultOf(bytes)
    assert.equal(fault, 'format')
    assert.match(detail, what)
  }
  assert.equal((await faultOf(wavFile(tone).subarray(0, 30))).fault, 'cut')
  assert.equal((await faultOf(Buffer.alloc(0))).fault, 'cut')
  assert.match((await faultOf(wavFile(tone), { maxMs: 400 })).detail, /longer than 0.4 s, which is the limit/)
  assert.equal((await faultOf(wavFile(tone), { signal: AbortSignal.abort() })).fault, 'aborted')
})

for (const rate of [11_025, 16_000, 22_050, 24_000, 44_100, 47_999, 48_000]) {
  test(`from ${rate} Hz: tones below 3.4 kHz stay, above 4.1 kHz they are gone`, () => {
    const through = (frequency: number) => {
      const samples = Float64Array.from(sine(frequency, 400, -6, rate), sample => sample / 32_768)
      const resampler = createResampler(rate)
      const out = joinSamples([resampler.push(samples), resampler.end()])
      assert.equal(out.length, Math.ceil((samples.length * 8_000) / rate))
      return out.subarray(400, 2_800)
    }
    for (const frequency of [300, 1_000, 2_000, 3_000, 3_400]) {
      const level = toneLevel(through(frequency), frequency)
      assert.ok(Math.abs(level + 6) < 0.5, `${frequency} Hz: ${level} dBm0`)
    }
    for (const frequency of [4_150, 4_600, 5_000]) {
      const level = levelOf(through(frequency))
      assert.ok(level < -56, `${frequency} Hz: ${level} dBm0`)
    }
  })
}

test('up from 4,000 Hz, and nothing is shifted in time', () => {
  const samples = Float64Array.from(sine(500, 200, -6, 4_000), sample => sample / 32_768)
  const resampler = createResampler(4_000)
  const out = joinSamples([resampler.push(samples), resampler.end()])
  const wanted = sine(500, 200, -6)
  assert.equal(out.length, wanted.length)
  for (let i = 200; i < 1_400; i++) assert.ok(Math.abs(out[i]! - wanted[i]!) < 120, `${i}: ${out[i]}, not ${wanted[i]}`)
})

test('a broken header is mended from the length of the file', async context => {
  const path = join(folder(context), 'call.wav')
  // A crash has left half a block behind.
  writeFileSync(path, Buffer.concat([wavHeader(2), wavData(tone, tone), Buffer.from([1, 2, 3])]))
  assert.deepEqual(await samplesOf(readFileSync(path)), tone)
  const mended = await mendWavFile(path)
  assert.ok(!isMediaFault(mended))
  assert.equal(mended.durationMs, 500)
  assert.deepEqual(readFileSync(path), wavFile(tone, tone))
  const { mtimeMs } = statSync(path)
  await mendWavFile(path)
  assert.equal(statSync(path).mtimeMs, mtimeMs, 'a whole file is left alone')
  truncateSync(path, 20)
  assert.equal(((await mendWavFile(path)) as { fault?: string }).fault, 'format')
  assert.equal((mendWav(Buffer.alloc(44), 100) as { fault?: string }).fault, 'format')
})

test('a file sink keeps the order, cuts and ends the file', async context => {
  const path = join(folder(context), 'call.wav')
  const sink = createFileSink(path)
  sink.write(wavHeader(1))
  for (let at = 0; at < tone.length; at += 100) sink.write(wavData(tone.subarray(at, at + 100)))
  sink.finish({ header: wavHeader(1, 2_000), fileBytes: 2_044 })
  await sink.closed
  assert.equal(sink.waitingBytes(), 0)
  assert.deepEqual(readFileSync(path), wavFile(tone.subarray(0, 1_000)))
  const second = createFileSink(path)
  second.write(wavHeader(1))
  second.finish({ header: wavHeader(1, 0), fileBytes: 44 })
  await assert.rejects(second.closed, /EEXIST/)
})

test('a disk that takes nothing is given up before it fills the memory; what it took stays', async () => {
  const file = { taken: 0, cut: 0 }
  const hangs = Promise.withResolvers<void>()
  const sink = createSink(
    Promise.resolve({
      writeFile: () => hangs.promise.then(() => void file.taken++),
      truncate: async () => void file.cut++,
      close: async () => {},
    } as never),
  )
  const second = Buffer.alloc(32_000)
  for (let at = 0; at < 320; at++) sink.write(second)
  assert.ok(sink.waitingBytes() > 1_000_000 && sink.waitingBytes() <= 1_048_576, String(sink.waitingBytes()))
  await assert.rejects(sink.closed, /too slow/)
  sink.finish({ header: wavHeader(1), fileBytes: 320 * 32_000 })
  hangs.resolve()
  await new Promise(resolve => setImmediate(resolve))
  assert.deepEqual([sink.waitingBytes(), file], [0, { taken: 32, cut: 0 }])
})

test('sox reads what we write, and we read what sox writes', { skip }, async context => {
  const path = join(folder(context), 'ours.wav')
  writeFileSync(path, wavFile(tone, tone))
  for (const [args, limit] of [
    [['-r', '48000', '-b', '24'], 40],
    [['-r', '44100', '-e', 'floating-point', '-b', '32'], 40],
    [['-r', '16000', '-b', '8', '-e', 'unsigned-integer'], 700],
    [['-e', 'a-law', '-b', '8'], 600],
    [['-e', 'u-law', '-b', '8'], 600],
  ] as const) {
    const { stdout, status } = spawnSync('sox', [path, ...args, '-t', 'wav', '-'], { maxBuffer: 1e7 })
    assert.equal(status, 0)
    const samples = await samplesOf(stdout)
    assert.equal(samples.length, tone.length, args.join(' '))
    for (let i = 300; i < 3_700; i++)
      assert.ok(Math.abs(samples[i]! - tone[i]!) <= limit, `${args.join(' ')} at ${i}: ${samples[i]}, not ${tone[i]}`)
  }
})

test('files with octets changed are audio or a fault, and never throw', async () => {
  const chance = createChance(5)
  const data = wavData(tone.subarray(0, 300))
  const file = wavOf({
    tag: 1,
    bits: 16,
    channels: 2,
    rate: 16_000,
    data,
    before: Buffer.from('fact\x02\0\0\0ab', 'latin1'),
  })
  for (let round = 0; round < 2_000; round++) {
    const changed = Buffer.from(file.subarray(0, Math.floor(chance() * file.length * 1.5)))
    for (let i = 0; i < 3 && changed.length > 0; i++)
      changed[Math.floor(chance() * Math.min(changed.length, 60))] = chance() * 256
    const reader = createWavReader({ maxMs: 10_000 })
    for (const result of [reader.push(changed), reader.end()]) {
      if (isMediaFault(result)) assert.match(result.detail, /^the (audio|WAV file) /)
      else assert.ok(result.length <= 80_000)
    }
  }
})
