// Clips and their cache; fetching them: limits of size and time, freshness, one fetch for many, and what goes wrong.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { decodeG711 } from '@tandem/sip'
import { sine } from '../../test/media/sounds.ts'
import type { MediaFault } from './audio.ts'
import { isMediaFault } from './audio.ts'
import type { Clip } from './clip.ts'
import { clipBytes, clipOf, clipOfOctets, createClipCache, silenceClip } from './clip.ts'
import type { ClipFetch } from './clip_fetch.ts'
import { createClipLoader } from './clip_fetch.ts'
import { wavFile } from './wav_write.ts'

const tone = sine(800, 1_000)
const file = wavFile(tone)

test('a clip has both laws, each of the samples', () => {
  const clip = clipOf(tone)
  assert.equal(clip.durationMs, 1_000)
  for (const law of ['PCMU', 'PCMA'] as const)
    assert.ok(decodeG711(law, clip[law]).every((sample, i) => Math.abs(sample - tone[i]!) <= 512))
  assert.deepEqual(clipOfOctets('PCMU', clip.PCMU).PCMU, clip.PCMU)
  assert.ok(decodeG711('PCMA', silenceClip(20).PCMA).every(sample => Math.abs(sample) <= 8))
})

test('the cache keeps its budget and forgets what was not used for longest', () => {
  const cache = createClipCache({ maxBytes: 16_000 * 5 })
  for (const key of ['a', 'b', 'c', 'd', 'e']) cache.put(key, silenceClip(1_000))
  assert.equal(cache.bytes, 80_000)
  assert.ok(cache.get('a'))
  cache.put('f', silenceClip(1_000))
  assert.deepEqual(
    ['a', 'b', 'c', 'f'].map(key => cache.get(key) !== undefined),
    [true, false, true, true],
  )
  cache.put('c', silenceClip(500))
  assert.equal(cache.bytes, 72_000)
  cache.put('huge', silenceClip(3_000))
  assert.deepEqual([cache.size, cache.get('huge')], [5, undefined])
})

type Reply = { status?: number; headers?: Record<string, string>; body?: AsyncIterable<Uint8Array> | null }

function loaderOf(answer: (url: string, headers: Record<string, string>) => Reply | Promise<Reply>, options = {}) {
  const calls: Record<string, string>[] = []
  let nowMs = 0
  const fetch: ClipFetch = async (url, { headers }) => {
    calls.push(headers)
    const { status = 200, body = chunks(file), ...reply } = await answer(url, headers)
    return { status, body, headers: new Headers(reply.headers) }
  }
  const cache = createClipCache({ maxBytes: 1e6 })
  const loader = createClipLoader({ fetch, cache, now: () => nowMs, ...options })
  return { ...loader, calls, cache, pass: (ms: number) => (nowMs += ms) }
}

async function* chunks(...parts: Uint8Array[]): AsyncGenerator<Uint8Array> {
  yield* parts
}

function audio(result: Clip | MediaFault): Clip {
  if (isMediaFault(result)) assert.fail(result.detail)
  return result
}

function fault(result: Clip | MediaFault): MediaFault {
  if (!isMediaFault(result)) assert.fail('a clip')
  return result
}

const url = 'https://example.com/hello.wav'

test('fetched once for many, and not again while it is fresh', async () => {
  const loader = loaderOf(() => ({}))
  const clips = await Promise.all([1, 2, 3].map(() => loader.load(url)))
  assert.ok(clips.every(clip => audio(clip).durationMs === 1_000))
  await loader.load(url)
  assert.equal(loader.calls.length, 1)
  assert.equal(loader.cache.bytes, clipBytes(audio(clips[0]!)))
})

test('asked for again by its tag; 304 makes it fresh; max-age and no-store are respected', async () => {
  const loader = loaderOf((_, headers) =>
    headers['if-none-match'] === '"1"'
      ? { status: 304, body: null }
      : { headers: { etag: '"1"', 'cache-control': 'max-age=5' } },
  )
  const first = await loader.load(url)
  loader.pass(4_999)
  await loader.load(url)
  assert.equal(loader.calls.length, 1)
  loader.pass(2)
  assert.equal(await loader.load(url), first)
  assert.equal(loader.calls.length, 2)
  loader.pass(59_000)
  await loader.load(url)
  assert.equal(loader.calls.length, 2, 'the answer 304 said nothing of its age')
  loader.pass(2_000)
  assert.equal(await loader.load(url), first)
  assert.equal(loader.calls.at(-1)!['if-none-match'], '"1"')
  const secret = loaderOf(() => ({ headers: { 'cache-control': 'private, no-store' } }))
  audio(await secret.load(url))
  assert.equal(secret.cache.size, 0)
})

test('what goes wrong is reported', async () => {
  const faultFor = async (answer: () => Reply | Promise<Reply>, options = {}, at = url) => {
    const loader = loaderOf(answer, options)
    return fault(await loader.load(at))
  }
  assert.match((await faultFor(() => ({ status: 404 }))).detail, /answered 404, not 200/)
  assert.match(
    (await faultFor(() => Promise.reject(new Error('blocked_address')))).detail,
    /could not be fetched: blocked_address/,
  )
  assert.equal((await faultFor(() => ({}), {}, 'file:///etc/passwd')).fault, 'url')
  const large = { maxBytes: 10_000 }
  assert.match((await faultFor(() => ({}), large)).detail, /more than 0.01 MB, which is the limit/)
  assert.equal(
    (await faultFor(() => ({ headers: { 'content-length': '10001' }, body: chunks() }), large)).fault,
    'too_large',
  )
  assert.match((await faultFor(() => ({ body: chunks(Buffer.from('ID3 and so on')) }))).detail, /is an MP3 file/)
  assert.equal((await faultFor(() => ({}), { maxMs: 500 })).fault, 'too_long')
  assert.match((await faultFor(() => ({ body: chunks(wavFile(new Int16Array(0))) }))).detail, /no samples/)
})

test('a body that hangs, and one that nobody waits for any more', async () => {
  const gate = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const hanging = async function* () {
    try {
      yield file.subarray(0, 100)
      await gate.promise
      yield file.subarray(100)
    } finally {
      ended.resolve()
    }
  }
  const loader = loaderOf(() => ({ body: hanging() }), { timeoutMs: 20 })
  assert.equal(fault(await loader.load(url)).fault, 'timeout')
  const patient = loaderOf(() => ({ body: hanging() }))
  const [one, two] = [new AbortController(), new AbortController()]
  const waits = [patient.load(url, one.signal), patient.load(url, two.signal)]
  one.abort()
  assert.equal(fault(await waits[0]!).fault, 'aborted')
  gate.resolve()
  assert.ok(audio(await waits[1]!), 'the other still gets it')
  assert.equal(patient.calls.length, 1)
  const last = new AbortController()
  const third = loaderOf(() => ({ body: hanging() }))
  const wait = third.load(url, last.signal)
  last.abort()
  assert.equal(fault(await wait).fault, 'aborted')
  assert.ok(audio(await third.load(url)), 'anyone who comes later is not given the end of another')
  assert.equal(third.calls.length, 2)
  await ended.promise
})
