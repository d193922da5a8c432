// The way between the server and one carrier, both signalling and sound, through sockets of ours: it can lose, double and reorder
// datagrams, be cut, and keep the sound from coming back.
import { createSocket, type RemoteInfo, type Socket } from 'node:dgram'
import type { Random } from '../random.ts'

export type LinkCounts = { carried: number; lost: number; doubled: number; reordered: number; cutOff: number }

export type Link = {
  /** Where the server sees the carrier. */
  serverSide: number
  /** Where the carrier sees the server. */
  carrierSide: number
  /** Where the carrier says that it hears: what comes in goes back, as an echo. */
  sound: number
  /** Sets where each of them is; until then nothing is carried. */
  between(serverPort: number, carrierPort: number): void
  /** How many of a thousand datagrams are lost, as many doubled, and as many late. */
  setWeather(perMille: number): void
  setCut(isCut: boolean): void
  counts: LinkCounts
  /** Packets of sound that came, and those kept back. */
  heard: { packets: number; keptBack: number }
  /** Sound that went back to a port of the server, in the order of its start. */
  echoesTo(port: number): readonly Echo[]
  close(): Promise<void>
}

/** Sound of one call: its first packet, the last that went back and the last that came, in ms since 1970. */
export type Echo = { fromMs: number; backMs: number; cameMs: number; packets: number }

export type LinkOptions = {
  random: Random
  /** Packets of each call that come back; then the remote party is silent. */
  echoes?: number
}

const latestMs = 250
/** A port that was silent for so long has another call when it speaks again. */
const anotherMs = 2_000

async function open(): Promise<{ socket: Socket; port: number }> {
  const socket = createSocket('udp4')
  socket.on('error', () => {})
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  return { socket, port: socket.address().port }
}

export async function openLink({ random, echoes = Number.POSITIVE_INFINITY }: LinkOptions): Promise<Link> {
  const [front, back, sound] = [await open(), await open(), await open()]
  const counts: LinkCounts = { carried: 0, lost: 0, doubled: 0, reordered: 0, cutOff: 0 }
  const heard = { packets: 0, keptBack: 0 }
  const echoed = new Map<number, Echo[]>()
  const timers = new Set<NodeJS.Timeout>()
  let ports: { server: number; carrier: number } | undefined
  let perMille = 0
  let isCut = false
  let isClosed = false

  /** Whether it goes through. */
  function carry(bytes: Buffer, through: Socket, port: number): boolean {
    if (isCut) {
      counts.cutOff++
      return false
    }
    const chance = random.below(1_000)
    if (chance < perMille) {
      counts.lost++
      return false
    }
    counts.carried++
    if (chance < 2 * perMille) {
      counts.doubled++
      send(bytes, through, port)
    } else if (chance < 3 * perMille) {
      counts.reordered++
      const timer = setTimeout(() => {
        timers.delete(timer)
        send(bytes, through, port)
      }, 20 + random.below(latestMs))
      timers.add(timer)
      return true
    }
    send(bytes, through, port)
    return true
  }

  function send(bytes: Buffer, through: Socket, port: number): void {
    if (!isClosed) through.send(bytes, port, '127.0.0.1')
  }

  front.socket.on('message', (bytes, from) => {
    // Signs of life are answered by the carrier's border, which is this.
    if (bytes.subarray(0, 8).toString() === 'OPTIONS ') {
      if (!isCut) send(answerTo(bytes), front.socket, from.port)
    } else if (ports !== undefined) carry(bytes, back.socket, ports.carrier)
  })
  back.socket.on('message', bytes => {
    if (ports !== undefined) carry(bytes, front.socket, ports.server)
  })
  sound.socket.on('message', (bytes: Buffer, { port }: RemoteInfo) => {
    heard.packets++
    const nowMs = Date.now()
    const calls = echoed.get(port) ?? []
    echoed.set(port, calls)
    let call = calls.at(-1)
    if (call === undefined || nowMs - call.cameMs > anotherMs) {
      call = { fromMs: nowMs, backMs: nowMs, cameMs: nowMs, packets: 0 }
      calls.push(call)
    }
    call.cameMs = nowMs
    if (++call.packets > echoes) heard.keptBack++
    else if (carry(bytes, sound.socket, port)) call.backMs = nowMs
  })

  return {
    serverSide: front.port,
    carrierSide: back.port,
    sound: sound.port,
    counts,
    heard,
    echoesTo: port => echoed.get(port) ?? [],
    between(server, carrier) {
      ports = { server, carrier }
    },
    setWeather(next) {
      perMille = next
    },
    setCut(next) {
      isCut = next
    },
    async close() {
      isClosed = true
      for (const timer of timers) clearTimeout(timer)
      await Promise.all([front, back, sound].map(({ socket }) => new Promise<void>(resolve => socket.close(resolve))))
    },
  }
}

/** "200 OK" to a request, by the headers that an answer copies (RFC 3261 §8.2.6.2). */
function answerTo(request: Buffer): Buffer {
  const lines = request.toString('latin1').split('\r\n')
  const copied = lines.filter(line => /^(via|from|call-id|cseq):/i.test(line))
  const to = lines.find(line => /^to:/i.test(line)) ?? ''
  return Buffer.from(
    ['SIP/2.0 200 OK', ...copied, `${to};tag=border`, 'Content-Length: 0', '', ''].join('\r\n'),
    'latin1',
  )
}
