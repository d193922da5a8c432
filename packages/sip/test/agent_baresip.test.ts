// baresip, a softphone, as the other side: it calls and is called, with sound both ways that is told by its spectrum, digits both
// ways, BYE from either side; over UDP, and over TLS with SRTP.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { freePort, openFolder, start, without } from './agent_programs.ts'
import type { Sound } from './agent_sound.ts'
import { openSound, shareOf, toneAt } from './agent_sound.ts'
import { type Agent, accept, answered, dial, ended, note, openAgent, type Told } from './agent_support.ts'
import { selfSigned, until } from './transport_support.ts'

const skip = without('baresip')
const toneHz = 440
const theirHz = 1_000

type Event = { type?: string; param?: string }
type Phone = {
  port: number
  events: Event[]
  command(command: string, params?: string): void
  /** What it heard, of a call that is over. */
  heard(): Int16Array[]
  output: { text: string }
}

/** A WAV file of 16 bits and 8 kHz. */
function wavOf(hz: number, seconds: number): Buffer {
  const samples = Buffer.alloc(seconds * 16_000)
  for (let at = 0; at < seconds * 8_000; at++) samples.writeInt16LE(toneAt(hz, at), at * 2)
  const head = Buffer.alloc(44)
  head.write('RIFF', 0)
  head.writeUInt32LE(36 + samples.length, 4)
  head.write('WAVEfmt ', 8)
  head.writeUInt32LE(16, 16)
  head.writeUInt16LE(1, 20)
  head.writeUInt16LE(1, 22)
  head.writeUInt32LE(8_000, 24)
  head.writeUInt32LE(16_000, 28)
  head.writeUInt16LE(2, 32)
  head.writeUInt16LE(16, 34)
  head.write('data', 36)
  head.writeUInt32LE(samples.length, 40)
  return Buffer.concat([head, samples])
}

async function openPhone(
  context: TestContext,
  account = '',
  certificate?: { key: string; cert: string },
): Promise<Phone> {
  const folder = openFolder(context)
  const [port, control] = [await freePort(), await freePort()]
  const pem = join(folder, 'both.pem')
  if (certificate !== undefined) writeFileSync(pem, certificate.key + certificate.cert)
  const tone = join(folder, 'tone.wav')
  writeFileSync(tone, wavOf(theirHz, 30))
  const modules = ['g711', 'aufile', 'sndfile', 'srtp', 'ctrl_tcp']
  const config = [
    `sip_listen 127.0.0.1:${certificate === undefined ? port : port - 1}`,
    ...(certificate === undefined ? [] : [`sip_certificate ${pem}`, `sip_cafile ${pem}`]),
    'net_interface 127.0.0.1',
    `audio_source aufile,${tone}`,
    `audio_player aufile,${join(folder, 'player.wav')}`,
    `audio_alert aufile,${join(folder, 'alert.wav')}`,
    'audio_srate 8000',
    'audio_channels 1',
    'rtp_ports 41000-45000',
    'jitter_buffer_delay 2-5',
    'module_path /usr/lib/baresip/modules',
    ...modules.map(name => `module ${name}.so`),
    'module_app account.so',
    'module_app menu.so',
    `ctrl_tcp_listen 127.0.0.1:${control}`,
    `snd_path ${folder}`,
  ]
  writeFileSync(join(folder, 'config'), `${config.join('\n')}\n`)
  writeFileSync(
    join(folder, 'accounts'),
    `<sip:phone@127.0.0.1${certificate === undefined ? '' : ';transport=tls'}>;regint=0${account}\n`,
  )
  writeFileSync(join(folder, 'contacts'), '')
  const { output } = start(context, 'baresip', ['-f', folder], folder)
  const events: Event[] = []
  let socket: Socket | undefined
  await until(() => {
    if (socket === undefined || socket.destroyed) {
      socket = connect({ host: '127.0.0.1', port: control })
      socket.on('error', () => {})
    }
    return socket.readyState === 'open'
  }, 'baresip')
  const control_ = socket!
  context.after(() => control_.destroy())
  let rest = ''
  control_.on('data', bytes => {
    rest += bytes.toString()
    for (let colon = rest.indexOf(':'); colon > 0; colon = rest.indexOf(':')) {
      const length = Number(rest.slice(0, colon))
      if (rest.length < colon + length + 2) return
      events.push(JSON.parse(rest.slice(colon + 1, colon + 1 + length)) as Event)
      rest = rest.slice(colon + length + 2)
    }
  })
  return {
    port,
    events,
    output,
    command(command, params = '') {
      const text = JSON.stringify({ command, params, token: '1' })
      control_.write(`${text.length}:${text},`)
    },
    heard() {
      const file = readdirSync(folder).find(name => name.endsWith('.wav') && name.includes('dec'))
      assert.ok(file, `no recording among ${readdirSync(folder).join(' ')}`)
      const bytes = readFileSync(join(folder, file)).subarray(44)
      return [new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~1)))]
    },
  }
}

const has = ({ events }: Phone, type: string, param?: string) =>
  events.some(event => event.type === type && (param === undefined || event.param?.startsWith(param)))

/** Both sides hear the tone of the other one, and the digits it presses. */
async function talk(phone: Phone, sound: Sound): Promise<void> {
  await until(() => sound.heard.length > 60, 'sound')
  const share = shareOf(theirHz, sound.heard.slice(20))
  assert.ok(share > 0.8, `${share} of what we heard is its tone`)
  sound.session!.sendDigits('7')
  await until(() => has(phone, 'CALL_DTMF_START', '7'), 'our digit')
  phone.command('sndcode', '3')
  await until(() => sound.digits.length > 0, 'its digit')
  assert.equal(sound.digits[0], '3')
}

function heardTone(phone: Phone): void {
  const share = shareOf(toneHz, phone.heard())
  assert.ok(share > 0.5, `${share} of what it heard is our tone`)
}

async function openCalled(context: TestContext, options: Parameters<typeof openAgent>[2], srtp?: 'required') {
  const bobs: Told[] = []
  const sounds: Sound[] = []
  const bob: Agent = await openAgent(
    context,
    async call => {
      const sound = await openSound(context, { toneHz, ...(srtp && { srtp }) })
      sounds.push(sound)
      bobs.push(accept(call, note({ onMedia: sound.onMedia }), { local: sound.local }))
      call.ring()
      await call.answer()
    },
    { timers: {}, ...options },
  )
  return { bob, bobs, sounds }
}

for (const security of ['plain', 'secure'] as const) {
  test(`baresip calls and is called, ${security === 'plain' ? 'over UDP' : 'over TLS with SRTP'}`, {
    skip,
  }, async context => {
    const certificate = security === 'secure' ? selfSigned(context, 'IP:127.0.0.1,DNS:localhost') : undefined
    const tls = certificate && {
      tls: [{ address: '127.0.0.1', port: 0, ...certificate }],
      tlsClient: { ca: certificate.cert },
    }
    const srtp = security === 'secure' ? ('required' as const) : undefined
    const phone = await openPhone(context, security === 'secure' ? ';mediaenc=srtp-mand' : '', certificate)
    const { bob, bobs, sounds } = await openCalled(context, { ...tls }, srtp)
    const at = bob.bound.find(({ transport }) => transport === (security === 'secure' ? 'tls' : 'udp'))!.port
    // It puts its account's transport behind it.
    phone.command('dial', `sip:bob@127.0.0.1:${at}`)
    await until(() => bobs[0]?.log.includes('media sendrecv') === true && has(phone, 'CALL_ESTABLISHED'), 'its call')
    await talk(phone, sounds[0]!)
    phone.command('hangup')
    await ended(bobs[0]!)
    assert.equal(bobs[0]?.end.by, 'remote')
    assert.equal(sounds[0]!.streams[0]!.crypto !== undefined, security === 'secure')
    heardTone(phone)

    phone.events.length = 0
    const sound = await openSound(context, { toneHz, ...(srtp && { srtp }) })
    const target =
      security === 'secure' ? `sip:phone@127.0.0.1:${phone.port};transport=tls` : `sip:phone@127.0.0.1:${phone.port}`
    const { call, told } = dial(bob, target, { local: sound.local }, note({ onMedia: sound.onMedia }))
    await until(() => has(phone, 'CALL_INCOMING'), 'our call')
    phone.command('accept')
    await answered(told)
    await talk(phone, sound)
    assert.deepEqual([await call.hold(true), await call.hold(false)], [true, true])
    call.end()
    await until(() => has(phone, 'CALL_CLOSED'), 'its end')
    assert.equal(told.ends.length, 1)
    assert.deepEqual(bob.errors, [])
  })
}
