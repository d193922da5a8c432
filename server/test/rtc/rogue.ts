// A remote party that speaks ICE by hand, for tests that attack: it makes the offer of a browser, proves by its password that it may, and
// gives anyone who made it all that is not STUN.
import { randomBytes } from 'node:crypto'
import { createSocket } from 'node:dgram'
import { nomination, readStun, stunType, success } from './stun.ts'

export type Rogue = {
  /** An offer with this fingerprint of a certificate, as `sha-256 AA:…`. */
  offer(fingerprint: string, setup?: 'actpass' | 'active' | 'passive'): string
  /** Takes the answer and goes on as a browser does. */
  begin(answer: string): void
  send(bytes: Uint8Array): void
  /** Of datagrams that are not STUN. */
  onData(take: (bytes: Buffer) => void): void
  /** The server has checked the way here, and been answered. */
  readonly connected: Promise<void>
  /** What its checks are proved with, once it has begun. */
  readonly username: string
  readonly password: string
  close(): void
}

export async function openRogue(): Promise<Rogue> {
  const socket = createSocket('udp4')
  await new Promise<void>(resolve => socket.bind(0, '127.0.0.1', resolve))
  const { port } = socket.address()
  const [ufrag, password] = [randomBytes(6).toString('base64'), randomBytes(24).toString('base64')]
  let theirs = { username: '', password: '' }
  let server: { address: string; port: number } | undefined
  let take: (bytes: Buffer) => void = () => {}
  let timer: NodeJS.Timeout | undefined
  const { promise: connected, resolve } = Promise.withResolvers<void>()
  const send = (bytes: Uint8Array) => server && socket.send(bytes, server.port, server.address)
  socket.on('message', (bytes, from) => {
    const stun = readStun(bytes)
    if (stun === undefined) take(bytes)
    else if (stun.type === stunType.request) {
      send(success(stun.transaction, from, { password }))
      setTimeout(resolve, 100)
    }
  })
  return {
    connected,
    get username() {
      return theirs.username
    },
    get password() {
      return theirs.password
    },
    offer: (fingerprint, setup = 'actpass') =>
      `${[
        ...['v=0', 'o=- 1 1 IN IP4 127.0.0.1', 's=-', 't=0 0', 'a=group:BUNDLE 0', 'm=audio 9 UDP/TLS/RTP/SAVPF 0 8'],
        ...['c=IN IP4 0.0.0.0', 'a=mid:0', 'a=sendrecv', 'a=rtcp-mux', 'a=rtpmap:0 PCMU/8000', 'a=rtpmap:8 PCMA/8000'],
        ...[`a=ice-ufrag:${ufrag}`, `a=ice-pwd:${password}`, `a=fingerprint:${fingerprint}`, `a=setup:${setup}`],
        `a=candidate:1 1 udp 2130706431 127.0.0.1 ${port} typ host`,
      ].join('\r\n')}\r\n`,
    begin(answer) {
      const valueIn = (form: RegExp) => form.exec(answer)?.[1]?.trim() ?? ''
      const [, address = '', at] = /^a=candidate:\S+ 1 udp \d+ (\S+) (\d+)/m.exec(answer) ?? []
      server = { address, port: Number(at) }
      const username = `${valueIn(/^a=ice-ufrag:(.*)$/m)}:${ufrag}`
      theirs = { username, password: valueIn(/^a=ice-pwd:(.*)$/m) }
      const check = () => send(nomination(theirs.username, theirs))
      check()
      timer = setInterval(check, 200)
    },
    send,
    onData(next) {
      take = next
    },
    close() {
      clearInterval(timer)
      socket.close()
    },
  }
}
