// baresip, a softphone, run by a test: with a tone for its microphone, a file for its loudspeaker, and commands over TCP.
import assert from 'node:assert/strict'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { freePort } from '../../../scripts/testing/free_port.ts'
import { openFolder, start } from './agent_programs.ts'
import { toneAt } from './agent_sound.ts'

type Event = { type?: string; param?: string }
export type Phone = {
  port: number
  events: Event[]
  command(command: string, params?: string): void
  /** What it heard, of a call that is over. */
  heard(): Int16Array[]
  output: { text: string }
}

/** A WAV file of 16 bits and 8 kHz. */
export function wavOf(hz: number, seconds: number): Buffer {
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

export type PhoneOptions = {
  /** Parameters of its account. */
  account?: string
  /** Its address, with the server to register with. */
  address?: string
  certificate?: { key: string; cert: string } | undefined
  /** What it says. */
  toneHz?: number
}

export async function openPhone(
  context: TestContext,
  { account = '', address = 'sip:phone@127.0.0.1', certificate, toneHz = 1_000 }: PhoneOptions = {},
): Promise<Phone> {
  const folder = openFolder(context)
  const pem = join(folder, 'both.pem')
  if (certificate !== undefined) writeFileSync(pem, certificate.key + certificate.cert)
  const tone = join(folder, 'tone.wav')
  writeFileSync(tone, wavOf(toneHz, 30))
  const modules = ['g711', 'aufile', 'sndfile', 'srtp', 'ctrl_tcp']
  const configOf = (port: number, control: number) => [
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
  writeFileSync(
    join(folder, 'accounts'),
    `<${address}${certificate === undefined ? '' : ';transport=tls'}>;${account.includes('regint=') ? '' : 'regint=0'}${account}\n`,
  )
  writeFileSync(join(folder, 'contacts'), '')
  const { port, control, output } = await started(context, folder, configOf)
  const events: Event[] = []
  context.after(() => control.destroy())
  let rest = ''
  control.on('data', bytes => {
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
      control.write(`${text.length}:${text},`)
    },
    heard() {
      const file = readdirSync(folder).find(name => name.endsWith('.wav') && name.includes('dec'))
      assert.ok(file, `no recording among ${readdirSync(folder).join(' ')}`)
      const bytes = readFileSync(join(folder, file)).subarray(44)
      return [new Int16Array(bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + (bytes.length & ~1)))]
    },
  }
}

/** Of ports that were free a moment ago one may be taken: then baresip says so and stays deaf, and is started again with others. */
async function started(
  context: TestContext,
  folder: string,
  configOf: (port: number, control: number) => readonly string[],
): Promise<{ port: number; control: Socket; output: { text: string } }> {
  const said: string[] = []
  for (let tries = 1; tries <= 3; tries++) {
    const [port, controlPort] = [await freePort(), await freePort()]
    writeFileSync(join(folder, 'config'), `${configOf(port, controlPort).join('\n')}\n`)
    const { child, output, exit } = start(context, 'baresip', ['-f', folder], folder)
    let isOver = false
    void exit.then(() => {
      isOver = true
    })
    const control = await connected(controlPort, () => isOver)
    if (control !== undefined) return { port, control, output }
    child.kill('SIGKILL')
    await exit
    said.push(output.text)
  }
  return assert.fail(`baresip did not start: ${said.join('\n')}`)
}

async function connected(port: number, isInVain: () => boolean): Promise<Socket | undefined> {
  const endMs = performance.now() + 10_000
  while (performance.now() < endMs && !isInVain()) {
    const socket = connect({ host: '127.0.0.1', port })
    const isOpen = await new Promise<boolean>(resolve => {
      socket.once('connect', () => resolve(true))
      socket.once('error', () => resolve(false))
    })
    socket.on('error', () => {})
    if (isOpen) return socket
    await new Promise(resolve => setTimeout(resolve, 20))
  }
  return undefined
}

export const has = ({ events }: Phone, type: string, param?: string) =>
  events.some(event => event.type === type && (param === undefined || event.param?.startsWith(param)))
