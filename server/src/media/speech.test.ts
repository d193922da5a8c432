// The speech service: order of engines, fallback, cache, turns, and what it refuses; SSML; the endpoint over HTTP; and the real
// espeak-ng and flite where they are installed.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { createChance, sine } from '../../test/media/sounds.ts'
import type { MediaFault } from './audio.ts'
import { isMediaFault, levelOf, mediaFault } from './audio.ts'
import type { Clip } from './clip.ts'
import { createClipCache } from './clip.ts'
import { toneLevel } from './goertzel.ts'
import type { SpeechEngine, SpeechRequest } from './speech.ts'
import { createSpeech, voiceOf } from './speech.ts'
import { createHttpSpeech, type HttpSpeechOptions } from './speech_http.ts'
import { espeakVoices, findProgram, findSpeechPrograms } from './speech_programs.ts'
import { readSsml } from './ssml.ts'
import { wavFile } from './wav_write.ts'

const path = process.env['PATH'] ?? ''
const programs = await findSpeechPrograms({ path })
const [espeak, flite] = ['espeak-ng', 'flite'].map(name => programs.find(engine => engine.name === name))
const without = (name: string, engine: unknown) =>
  engine === undefined && `NOT TESTED: speech by ${name} needs it installed: bash scripts/system_tools.sh`

const cache = () => createClipCache({ maxBytes: 1e7 })
const never = new AbortController().signal

/** An engine that notes what it is asked for. */
function engineOf(name: string, voices: [string, string][], say?: SpeechEngine['say'], takesSsml = false) {
  const asked: SpeechRequest[] = []
  const engine: SpeechEngine = {
    name,
    takesSsml,
    voices: voices.map(([voice, language]) => ({ name: voice, language })),
    say: request => {
      asked.push(request)
      return say?.(request) ?? Promise.resolve(sine(500, 200))
    },
  }
  return { engine, asked }
}

function fault(result: object): MediaFault {
  if (!isMediaFault(result)) assert.fail('no fault')
  return result
}

function clip(result: Clip | MediaFault): Clip {
  if (isMediaFault(result)) assert.fail(result.detail)
  return result
}

test('without an engine the remedy is reported', async () => {
  const result = await createSpeech({ engines: [], cache: cache() }).say('Hello')
  assert.deepEqual(
    fault(result),
    mediaFault('no_engine', 'nothing here can speak: install espeak-ng or set TANDEM_SPEECH_URL'),
  )
})

test('the engine with the voice, else one with the language, else the next', async () => {
  const one = engineOf('one', [
    ['anna', 'de-DE'],
    ['amy', 'en-GB'],
  ])
  const two = engineOf('two', [
    ['hans', 'de'],
    ['pierre', 'fr-FR'],
  ])
  const speech = createSpeech({ engines: [one.engine, two.engine], cache: cache() })
  clip(await speech.say('Guten Tag', { language: 'de-DE' }))
  clip(await speech.say('Bonjour', { language: 'fr-FR' }))
  clip(await speech.say('Guten Tag', { voice: 'two/hans' }))
  clip(await speech.say('Hallo', { voice: 'nobody', language: 'de' }))
  assert.deepEqual(
    [one.asked, two.asked].map(list => list.map(({ voice }) => voice)),
    [
      [null, null],
      [null, 'hans'],
    ],
  )
  assert.deepEqual(
    speech.voices.map(voice => voice.name),
    ['one/anna', 'one/amy', 'two/hans', 'two/pierre'],
  )
  assert.equal(voiceOf(one.engine.voices, 'EN-us'), 'amy')
  assert.equal(voiceOf(one.engine.voices, 'it'), null)
})

test('the next engine where one fails; the fault of the first where all do', async () => {
  const broken = engineOf('broken', [], async () => mediaFault('engine', 'broken'))
  const fine = engineOf('fine', [])
  assert.ok(clip(await createSpeech({ engines: [broken.engine, fine.engine], cache: cache() }).say('Hello')))
  const other = engineOf('other', [], async () => mediaFault('timeout', 'slow'))
  const all = createSpeech({ engines: [broken.engine, other.engine], cache: cache() })
  assert.equal(fault(await all.say('Hello')).detail, 'broken')
})

test('spoken once for many and kept; so many at a time; ended when nobody waits', async () => {
  let [busy, most] = [0, 0]
  const gate = Promise.withResolvers<void>()
  const slow = engineOf('slow', [], async () => {
    busy += 1
    most = Math.max(most, busy)
    await gate.promise
    busy -= 1
    return sine(500, 200)
  })
  const speech = createSpeech({ engines: [slow.engine], cache: cache(), atOnce: 2 })
  const end = new AbortController()
  const waits = [1, 1, 2, 3, 4].map(n => speech.say(`Number ${n}`))
  const gone = speech.say('Number 5', { signal: end.signal })
  end.abort()
  assert.equal(fault(await gone).fault, 'aborted')
  gate.resolve()
  const clips = await Promise.all(waits)
  assert.deepEqual([most, slow.asked.length], [2, 4])
  assert.equal(await speech.say('Number 1'), clips[0])
  assert.equal(slow.asked.length, 4)
  await speech.say('Number 1', { language: 'de-DE' })
  assert.equal(slow.asked.length, 5)
})

test('a caller at the moment an engine is done does not overtake one that waits, and adds none', async () => {
  for (let ticks = 0; ticks < 20; ticks++) {
    const gate = Promise.withResolvers<void>()
    let [busy, most] = [0, 0]
    const slow = engineOf('slow', [], async () => {
      busy += 1
      most = Math.max(most, busy)
      await gate.promise
      // Longer than anybody takes from a free place to the engine.
      for (let tick = 0; tick < 30; tick++) await undefined
      busy -= 1
      return sine(500, 200)
    })
    const speech = createSpeech({ engines: [slow.engine], cache: cache(), atOnce: 1 })
    const spoken = [speech.say('first'), speech.say('second')]
    gate.resolve()
    for (let tick = 0; tick < 25 + ticks; tick++) await undefined
    spoken.push(speech.say('third'))
    await Promise.all(spoken)
    assert.equal(most, 1, `${ticks} ticks later`)
    assert.equal(slow.asked.map(({ text }) => text).join(), 'first,second,third')
  }
})

test('what cannot be spoken', async () => {
  const { engine } = engineOf('one', [])
  const speech = createSpeech({ engines: [engine], cache: cache(), maxText: 20 })
  for (const [text, what] of [
    ['', /nothing to say/],
    [' \n… ', /nothing to say/],
    ['x'.repeat(21), /has 21 characters, may have 20/],
    ['<speak>a<b/></speak>', /has <b>; may have <speak>/],
  ] as const) {
    const { fault: kind, detail } = fault(await speech.say(text))
    assert.equal(kind, 'text')
    assert.match(detail, what)
  }
})

test('SSML: what is safe is rewritten, what is not is refused by name', async () => {
  const read = (text: string) => {
    const result = readSsml(text)
    return isMediaFault(result) ? result.detail : result
  }
  assert.deepEqual(
    read(`<?xml version="1.0"?><speak xml:lang='en-GB'>a &lt; b &amp; <!-- x --><prosody rate="slow">c</prosody><break time="1.5s"/>
      <sub alias="World Wide Web">WWW</sub> d</speak>`),
    {
      markup: `<speak xml:lang="en-GB">a &lt; b &amp; <prosody rate="slow">c</prosody><break time="1.5s"/>       <sub alias="World Wide Web">WWW</sub> d</speak>`,
      plain: 'a < b & c World Wide Web d',
    },
  )
  for (const [text, what] of [
    ['<speak><audio src="/etc/passwd"/></speak>', /has <audio>; may have <speak>, <p>/],
    ['<speak><AUDIO src="x"/></speak>', /has <AUDIO>/],
    ['<speak><audio\nsrc="$(id)"/></speak>', /has <audio>/],
    ['<speak><p src="x">a</p></speak>', /has src in <p>, which may have xml:lang/],
    ['<speak><break time="1h"/></speak>', /a break of 1h, must be 0ms to 10s/],
    ['<speak><break time="11s"/></speak>', /a break of 11s/],
    ['<speak><voice name="../../x">a</voice></speak>', /with other characters than letters/],
    ['<speak><p xml:lang=en>a</p></speak>', /not written as name="value"/],
    ['<speak><p>a</speak>', /closes <speak>, which is not the last one open/],
    ['<speak>a', /does not close <speak>/],
    ['<speak>a</speak>b', /text outside of <speak>/],
    ['<speak>a</speak><speak>b</speak>', /must be one <speak>/],
    ['<speak>a < b</speak>', /has a < that begins no element|not written as|has </],
    ['<speak><![CDATA[<audio/>]]></speak>', /has </],
    [`<speak>${'<p>'.repeat(20)}${'</p>'.repeat(20)}</speak>`, /more than 16 elements in each other/],
  ] as const) {
    const result = read(text)
    assert.ok(typeof result === 'string', text)
    assert.match(result, what)
  }
  const [knows, plain] = [engineOf('knows', [], undefined, true), engineOf('plain', [])]
  for (const { engine } of [knows, plain])
    await createSpeech({ engines: [engine], cache: cache() }).say('<speak>one <s>two</s></speak>')
  assert.deepEqual([knows.asked[0]!.ssml, plain.asked[0]!.ssml], ['<speak>one <s>two</s></speak>', null])
  assert.equal(plain.asked[0]!.text, 'one two')
})

test('whatever SSML is made of, what is passed on has no element but those allowed', () => {
  const chance = createChance(11)
  const pieces = [
    '<speak>',
    '</speak>',
    '<audio src="x">',
    '<audio',
    ' src="x"',
    '/>',
    '>',
    '<',
    '"',
    "'",
    '<p>',
    '</p>',
    '<s/>',
    '&lt;',
    '&#60;audio/&#62;',
    '&amp;lt;',
    '<!--',
    '-->',
    'a',
    '\n',
    '<sub alias="&lt;audio/>">',
    '</sub>',
    '[[',
    '<break time="1s"/>',
    ' =',
  ]
  for (let round = 0; round < 20_000; round++) {
    const middle = Array.from(
      { length: 1 + Math.floor(chance() * 8) },
      () => pieces[Math.floor(chance() * pieces.length)],
    )
    const result = readSsml(`<speak>${middle.join('')}</speak>`)
    if (isMediaFault(result)) continue
    for (const [element] of result.markup.matchAll(/<[^>]*>?/g))
      assert.match(element, /^<\/?(speak|p|s|sub|break)( [\w:]+="[^"<>]*")*\/?>$/, result.markup)
  }
})

async function startEndpoint(
  context: TestContext,
  answer: (body: Record<string, string>) => { status?: number; body: Buffer } | null,
) {
  const seen: { url: string | undefined; key: string | undefined; body: Record<string, string> }[] = []
  const server = createServer(async (request, response) => {
    const body = JSON.parse((await request.setEncoding('utf8').toArray()).join(''))
    seen.push({ url: request.url, key: request.headers.authorization, body })
    const reply = answer(body)
    if (reply !== null) response.writeHead(reply.status ?? 200).end(reply.body)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  context.after(() => {
    server.closeAllConnections()
    server.close()
  })
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const open = (options: Partial<HttpSpeechOptions> = {}) =>
    createHttpSpeech({ fetch, url, key: 'secret', model: 'tts-1', voices: [], defaultVoice: 'alloy', ...options })
  return { seen, open }
}

const request = (more: Partial<SpeechRequest> = {}): SpeechRequest => ({
  text: 'Hello',
  ssml: null,
  voice: null,
  language: 'en-US',
  signal: never,
  ...more,
})

test('the endpoint is asked as OpenAI has it; WAV and bare samples', async context => {
  const long = sine(1_000, 3 * 300)
  const { seen, open } = await startEndpoint(context, ({ response_format }) => {
    const wav = wavFile(long)
    return { body: response_format === 'pcm' ? wav.subarray(44) : wav }
  })
  const spoken = await open().say(request({ voice: 'nova' }))
  assert.deepEqual(spoken, long)
  assert.deepEqual(seen, [
    {
      url: '/v1/audio/speech',
      key: 'Bearer secret',
      body: { model: 'tts-1', input: 'Hello', voice: 'nova', response_format: 'wav' },
    },
  ])
  // Taken for 24 kHz it is three times as fast, and as high.
  const pcm = await open({ format: 'pcm', key: null }).say(request())
  assert.ok(!isMediaFault(pcm) && pcm.length === 2_400 && toneLevel(pcm, 3_000, 400, 1_600) > -11)
  assert.deepEqual([seen[1]!.key, seen[1]!.body['voice']], [undefined, 'alloy'])
})

test('what goes wrong with the endpoint is reported, without its key', async context => {
  let reply: { status?: number; body: Buffer } | null = { status: 401, body: Buffer.from('secret') }
  const { open } = await startEndpoint(context, () => reply)
  const faultOf = async (options = {}, more = {}) => fault(await open(options).say(request(more)))
  assert.equal((await faultOf()).detail, 'the speech endpoint answered 401, not 200: check its key')
  reply = { body: Buffer.from('ID3 secret') }
  assert.match((await faultOf()).detail, /^the speech endpoint: the audio is an MP3 file/)
  reply = { body: Buffer.alloc(0) }
  assert.equal((await faultOf({ format: 'pcm' })).fault, 'engine')
  reply = { body: wavFile(sine(500, 1_000)) }
  assert.equal((await faultOf({ maxBytes: 1_000 })).fault, 'too_large')
  reply = null
  assert.equal((await faultOf({ timeoutMs: 30 })).fault, 'timeout')
  assert.equal((await faultOf({}, { signal: AbortSignal.timeout(30) })).fault, 'aborted')
  assert.equal((await faultOf({ url: 'http://127.0.0.1:1' })).fault, 'unreachable')
})

/** A program of our own in a PATH of its own, under the name of another. */
function fake(context: TestContext, name: string, script: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'speech_'))
  context.after(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, name), `#!${process.execPath}\n${script}`)
  chmodSync(join(folder, name), 0o755)
  return folder
}

const listed = `if (process.argv[2] === '--voices') { console.log(' 5  en-us  --/M  English  gmw/en-US'); process.exit() }\n`

test('a program that hangs, floods or fails is ended, and said to be', async context => {
  assert.deepEqual(await findSpeechPrograms({ path: '/nowhere:relative' }), [])
  assert.equal(await findProgram('espeak-ng', ''), null)
  const say = async (script: string, options = {}, more = {}) => {
    const [engine] = await findSpeechPrograms({ path: fake(context, 'espeak-ng', listed + script), ...options })
    return fault(await engine!.say(request(more)))
  }
  const hangs = 'setInterval(() => undefined, 1000); process.on("SIGTERM", () => undefined)'
  assert.equal((await say(hangs, {}, { signal: AbortSignal.timeout(300) })).fault, 'aborted')
  assert.equal((await say('process.exit(3)')).detail, 'espeak-ng ended with code 3')
  assert.match(
    (await say('console.log("no audio at all")')).detail,
    /^espeak-ng made no audio: the audio is not a WAV file/,
  )
  const floods = 'const more = () => process.stdout.write(Buffer.alloc(65536), more); more()'
  assert.equal((await say(floods, { maxMs: 1_000 })).fault, 'too_long')
})

test('a program gets text by stdin and nothing of our settings', async context => {
  const script = `const text = require('fs').readFileSync(0, 'utf8')
    require('fs').writeFileSync(__dirname + '/seen.json', JSON.stringify({ text, args: process.argv.slice(2), env: Object.keys(process.env) }))`
  const folder = fake(context, 'espeak-ng', listed + script)
  const [engine] = await findSpeechPrograms({ path: folder })
  await engine!.say(request({ text: '-v x <audio src="a"/> [[x]] "$(id)"' }))
  const seen = JSON.parse(await import('node:fs').then(fs => fs.readFileSync(join(folder, 'seen.json'), 'utf8')))
  assert.deepEqual(seen.args, ['-m', '-b', '1', '--stdin', '--stdout', '-v', 'en-us'])
  assert.equal(seen.text, '<speak>-v x &lt;audio src=&quot;a&quot;/&gt; [ [x]] &quot;$(id)&quot;</speak>\n')
  assert.deepEqual(
    seen.env.filter((name: string) => !['PATH', 'LANG'].includes(name) && !name.startsWith('__')),
    [],
  )
})

const speaks = async (engine: SpeechEngine, more: Partial<SpeechRequest>) => {
  const samples = await engine.say(request(more))
  if (isMediaFault(samples)) assert.fail(samples.detail)
  return samples
}

test('espeak-ng speaks, in many languages, and knows SSML', { skip: without('espeak-ng', espeak) }, async () => {
  const samples = await speaks(espeak!, { text: 'Hello, this is a test of the telephone.' })
  assert.ok(samples.length > 8_000 && samples.length < 48_000, `${samples.length} samples`)
  assert.ok(levelOf(samples) > -35)
  assert.ok(espeak!.voices.length > 50 && voiceOf(espeak!.voices, 'de-DE') === 'de')
  const markup = await speaks(espeak!, { ssml: '<speak>one<break time="3s"/>two</speak>' })
  assert.ok(markup.length > 24_000, 'the break is heard')
  const plain = await speaks(espeak!, { text: '<break time="9s"/>' })
  assert.ok(plain.length > 4_000, 'plain text is spoken as it is')
  const [english, german] = await Promise.all(
    ['en-US', 'de-DE'].map(language => speaks(espeak!, { text: 'Rufnummer', language })),
  )
  assert.notDeepEqual(english, german)
})

test('flite speaks English, and says that it knows nothing else', { skip: without('flite', flite) }, async () => {
  const samples = await speaks(flite!, { text: 'Hello, this is a test of the telephone.' })
  assert.ok(samples.length > 8_000 && samples.length < 48_000, `${samples.length} samples`)
  assert.match(fault(await flite!.say(request({ language: 'de-DE' }))).detail, /English only, not de-DE/)
})

test('voices of espeak-ng are read from its list', () => {
  const list = `Pty Language       Age/Gender VoiceName          File                 Other Languages
 5  af              --/M      Afrikaans          gmw/af
 2  en-gb           --/M      English_(Great_Britain) gmw/en            (en 2)
 5  en-gb           --/M      Other              gmw/x\n`
  assert.deepEqual(
    espeakVoices(list).map(({ name }) => name),
    ['af', 'en-gb'],
  )
})
