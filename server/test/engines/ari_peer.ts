// An Asterisk for tests, as far as ARI shows one: REST as its documentation describes it, events over a WebSocket, and sound over RTP.
// What the remote party of a channel does is decided by the test; so are the faults.
import { createSocket } from 'node:dgram'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeG711 } from '@tandem/sip'
import { sine } from '../media/sounds.ts'
import { AriEvents, type Channel, isKnown, shown } from './ari_events.ts'

export type RemoteChannel = {
  readonly id: string
  readonly number: string
  readonly variables: Map<string, string>
  /** Digits that were typed to it. */
  readonly typed: string[]
  readonly isHeld: boolean
  ring(): void
  /** Sound before the answer. */
  progress(): void
  answer(): void
  press(digit: string): void
  hold(isOn: boolean): void
  /** Ends the channel with a Q.850 cause, and a SIP status as newer Asterisks report it. */
  hangup(cause: number, status?: number): void
  /** It is gone without an event. */
  vanish(): void
}

export type AriPeer = {
  readonly port: number
  /** What it was asked, as `POST /channels/create`. */
  readonly asked: string[]
  /** Channels that are there. */
  channels(): string[]
  bridges(): string[]
  applications(): string[]
  /** RTP packets that came from the server. */
  readonly heard: number
  /** A call comes in by the dialplan; answers its channel. */
  callIn(number: string, from: string, application?: string): RemoteChannel
  /** Cuts the WebSockets. */
  cut(): void
  /** Nobody is there any more: sockets are cut and refused until it is there again. */
  down(isDown: boolean): void
  /** Answers such requests with this status. */
  refuse(pattern: RegExp, status: number): () => void
  /** Lets such requests wait, and then carries them out, however long ago anyone gave them up. */
  hold(pattern: RegExp): () => void
  /** Emits every event twice, and ends before what came before them. */
  disorder(isOn: boolean): void
  close(): Promise<void>
}

const frame = Buffer.alloc(160)
encodeG711('PCMU', sine(440, 20, -10).subarray(0, 160), frame)

export async function startAriPeer(onDial: (remote: RemoteChannel) => void | Promise<void>): Promise<AriPeer> {
  const channels = new Map<string, Channel>()
  const bridges = new Set<string>()
  const events = new AriEvents()
  const asked: string[] = []
  const refusals = new Map<RegExp, number>()
  const holds = new Map<RegExp, Promise<void>>()
  let heard = 0
  let isDown = false

  const server = createServer((request, response) => void answer(request, response))
  server.on('upgrade', (request, socket) => {
    if (isDown) socket.destroy()
    else events.upgrade(request, socket as Socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo

  function make(id: string, more: Partial<Channel>): Channel {
    const channel: Channel = {
      id,
      name: `PJSIP/carrier-${id}`,
      state: 'Down',
      app: '',
      isInStasis: false,
      number: '',
      context: 'from-carrier',
      caller: '',
      variables: new Map(),
      typed: [],
      isHeld: false,
      bridge: undefined,
      media: undefined,
      subscribers: new Set(),
      ...more,
    }
    channels.set(id, channel)
    return channel
  }

  async function enterStasis(channel: Channel, args: string[] = []): Promise<void> {
    await sleep(5)
    if (!channels.has(channel.id)) return
    channel.isInStasis = true
    events.emit(channel, 'StasisStart', { args })
  }

  function destroy(channel: Channel, cause: number, status?: number): void {
    if (!channels.delete(channel.id)) return
    channel.media?.socket.close()
    const why = { cause, ...(status === undefined ? {} : { tech_cause: status }) }
    events.emit(channel, 'ChannelHangupRequest', why)
    if (channel.isInStasis) events.emit(channel, 'StasisEnd')
    events.emit(channel, 'ChannelDestroyed', { cause_txt: '', ...why })
  }

  function state(channel: Channel, next: string, dialstatus: string): void {
    if (!channels.has(channel.id)) return
    channel.state = next
    if (dialstatus !== 'PROGRESS') events.emit(channel, 'ChannelStateChange')
    events.emit(channel, 'Dial', { dialstatus })
    void talk(channel)
  }

  /** The remote party is heard: a tone, as long as it is in a bridge with a channel of sound. */
  async function talk(channel: Channel): Promise<void> {
    let sequence = 0
    const packet = Buffer.alloc(172)
    packet[0] = 0x80
    packet.writeUInt32BE(7, 8)
    frame.copy(packet, 12)
    while (channels.has(channel.id)) {
      const other = [...channels.values()].find(({ bridge, media }) => media !== undefined && bridge === channel.bridge)
      packet.writeUInt16BE(sequence++ & 0xffff, 2)
      packet.writeUInt32BE((sequence * 160) >>> 0, 4)
      if (other?.media !== undefined) other.media.socket.send(packet, other.media.port, other.media.host)
      await sleep(20)
    }
  }

  function remoteOf(channel: Channel): RemoteChannel {
    return {
      id: channel.id,
      number: channel.number,
      variables: channel.variables,
      typed: channel.typed,
      get isHeld() {
        return channel.isHeld
      },
      ring: () => state(channel, 'Ringing', 'RINGING'),
      progress: () => state(channel, channel.state, 'PROGRESS'),
      answer: () => state(channel, 'Up', 'ANSWER'),
      press: digit => events.emit(channel, 'ChannelDtmfReceived', { digit, duration_ms: 100 }),
      hold: isOn => events.emit(channel, isOn ? 'ChannelHold' : 'ChannelUnhold'),
      hangup: (cause, status) => destroy(channel, cause, status),
      vanish() {
        channels.delete(channel.id)
        channel.media?.socket.close()
      },
    }
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    request.resume()
    if (isDown) return void request.socket.destroy()
    const { pathname, searchParams } = new URL(request.url ?? '', 'http://peer')
    const path = decodeURIComponent(pathname.replace(/^\/ari/, ''))
    const what = `${request.method} ${path}`
    asked.push(what)
    await [...holds].find(([pattern]) => pattern.test(what))?.[1]
    const refused = [...refusals].find(([pattern]) => pattern.test(what))?.[1]
    const query = Object.fromEntries(searchParams)
    const [status, body] = !isKnown(request)
      ? [401, { error: 'Unauthorized' }]
      : refused !== undefined
        ? [refused, { message: 'Refused by the test' }]
        : await reply(what, path, query)
    const text = body === undefined ? '' : JSON.stringify(body)
    response.writeHead(status, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) })
    response.end(text)
  }

  type Reply = [status: number, body?: unknown]

  async function reply(what: string, path: string, query: Record<string, string>): Promise<Reply> {
    if (what === 'GET /asterisk/info') return [200, { system: { version: '22.0.0-peer' }, status: {} }]
    if (what === 'GET /endpoints/PJSIP/carrier')
      return [200, { technology: 'PJSIP', resource: 'carrier', state: 'online' }]
    if (what === 'POST /channels/create') return create(query)
    if (what === 'POST /channels/externalMedia') return externalMedia(query)
    const [, kind, id = '', action] = path.split('/')
    if (kind === 'applications') {
      const eventSource = query['eventSource'] ?? ''
      if (!events.applications().includes(id)) return [404, { message: 'Application not found' }]
      if (action === 'subscription') channels.get(eventSource.replace('channel:', ''))?.subscribers.add(id)
      return [200, { name: id, channel_ids: [] }]
    }
    if (kind === 'bridges') return bridge(what.split(' ')[0] ?? '', id, action, query)
    const channel = channels.get(id)
    if (kind !== 'channels' || channel === undefined) return [404, { message: 'Channel not found' }]
    return ofChannel(channel, what.split(' ')[0] ?? '', action, query)
  }

  function create({ endpoint = '', app = '', channelId = '' }: Record<string, string>): Reply {
    if (endpoint === '') return [400, { message: 'Endpoint must be specified' }]
    if (!events.applications().includes(app)) return [400, { message: 'Application not found' }]
    if ([...channels.keys()].some(id => id.startsWith(channelId)))
      return [409, { message: 'Channel with given unique ID already exists' }]
    const channel = make(channelId, { app, number: endpoint.replace(/^PJSIP\//, '').replace(/@.*$/, '') })
    void enterStasis(channel)
    return [200, shown(channel)]
  }

  async function externalMedia(query: Record<string, string>): Promise<Reply> {
    const { app = '', channelId = '', external_host: host = '' } = query
    const socket = createSocket('udp4')
    socket.on('message', () => {
      heard++
    })
    await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
    const [address = '', at] = host.split(':')
    const channel = make(channelId, {
      app,
      name: `UnicastRTP/${host}`,
      state: 'Up',
      media: { socket, host: address, port: Number(at) },
    })
    channel.variables.set('UNICASTRTP_LOCAL_ADDRESS', '127.0.0.1')
    channel.variables.set('UNICASTRTP_LOCAL_PORT', String(socket.address().port))
    void enterStasis(channel)
    return [200, shown(channel)]
  }

  function bridge(method: string, id: string, action: string | undefined, query: Record<string, string>): Reply {
    if (method === 'POST' && action === undefined) {
      bridges.add(id)
      return [200, { id, bridge_type: 'mixing' }]
    }
    if (!bridges.has(id)) return [404, { message: 'Bridge not found' }]
    if (method === 'DELETE') {
      bridges.delete(id)
      return [204]
    }
    for (const name of (query['channel'] ?? '').split(',')) {
      const channel = channels.get(name)
      if (channel === undefined) return [400, { message: 'Channel not found' }]
      if (!channel.isInStasis) return [409, { message: 'Channel not in Stasis application' }]
      channel.bridge = action === 'addChannel' ? id : undefined
    }
    return [204]
  }

  function ofChannel(
    channel: Channel,
    method: string,
    action: string | undefined,
    query: Record<string, string>,
  ): Reply {
    if (action === undefined) {
      if (method === 'GET') return [200, shown(channel)]
      destroy(channel, Number(query['reason_code'] ?? 16))
      return [204]
    }
    if (!channel.isInStasis) return [409, { message: 'Channel not in Stasis application' }]
    if (action === 'variable' && method === 'GET') {
      if (query['variable'] !== 'CHANNEL(pjsip,remote_uri)') return [404, { message: 'Variable not found' }]
      return [200, { value: `<sip:${channel.number}@127.0.0.1>` }]
    }
    if (action === 'variable') channel.variables.set(query['variable'] ?? '', query['value'] ?? '')
    else if (action === 'dial') {
      events.emit(channel, 'Dial', { dialstatus: '' })
      void Promise.resolve().then(() => onDial(remoteOf(channel)))
    } else if (action === 'answer') state(channel, 'Up', 'ANSWER')
    else if (action === 'ring') channel.state = 'Ringing'
    else if (action === 'dtmf') channel.typed.push(query['dtmf'] ?? '')
    else if (action === 'hold') channel.isHeld = method === 'POST'
    else if (action === 'continue') {
      channels.delete(channel.id)
      events.emit(channel, 'StasisEnd')
    } else if (action === 'redirect') setTimeout(() => destroy(channel, 16), 20)
    else return [404, { message: 'Invalid method' }]
    return [204]
  }

  return {
    port,
    asked,
    channels: () => [...channels.keys()],
    bridges: () => [...bridges],
    applications: () => events.applications(),
    get heard() {
      return heard
    },
    callIn(number, caller, app = 'tandem') {
      const channel = make(`${Math.trunc(performance.now() * 1_000)}.1`, { app, number, caller, state: 'Ring' })
      void enterStasis(channel)
      return remoteOf(channel)
    },
    cut: () => events.cut(),
    down(next) {
      isDown = next
      if (next) {
        events.cut()
        server.closeAllConnections()
      }
    },
    refuse(pattern, status) {
      refusals.set(pattern, status)
      return () => void refusals.delete(pattern)
    },
    hold(pattern) {
      const { promise, resolve } = Promise.withResolvers<void>()
      holds.set(pattern, promise)
      return () => {
        holds.delete(pattern)
        resolve()
      }
    },
    disorder(isOn) {
      events.isDisordered = isOn
    },
    async close() {
      events.cut()
      for (const channel of channels.values()) channel.media?.socket.close()
      channels.clear()
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
