// A mail server for tests, on smtp-server: takes mails in, and misbehaves as it is asked to.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'

export type SinkMail = { from: string; to: string[]; raw: Buffer }

/** What it does with the next mails, each in its turn; without an entry they are taken. */
export type Trick =
  | 'take'
  /** Replies to the whole mail. */
  | { data: string }
  /** Replies to each recipient with this part in its address. */
  | { rcpt: string; of: string }
  /** Ends the connection when the mail has begun. */
  | 'cut_in_data'
  /** Has the whole mail, and ends the connection instead of an answer. */
  | 'cut_after_data'
  /** Ends the connection before the mail. */
  | 'cut_before_data'
  /** Takes the mail, and answers so much later. */
  | { lateMs: number }

export type Sink = {
  port: number
  url: string
  mails: SinkMail[]
  tricks: Trick[]
  /** Connections made so far. */
  connections(): number
  close(): Promise<void>
}

const failure = (reply: string) => {
  const [, code = '451', text = ''] = /^(\d{3}) (.*)$/.exec(reply) ?? []
  return Object.assign(new Error(text), { responseCode: Number(code) })
}

/** `size`: bytes of the largest mail, as it announces (RFC 1870). */
export type SinkOptions = { user?: string; password?: string; token?: string; size?: number }

export async function startSink({ user, password, token, size }: SinkOptions = {}): Promise<Sink> {
  const mails: SinkMail[] = []
  const tricks: Trick[] = []
  const current = new Map<string, Trick>()
  let count = 0
  const trickOf = (session: SMTPServerSession) => current.get(session.id) ?? 'take'
  const cut = (session: SMTPServerSession) => {
    for (const one of server.connections as Set<{ session: SMTPServerSession; _socket: { destroy(): void } }>)
      if (one.session.id === session.id) one._socket.destroy()
  }

  async function onData(
    stream: SMTPServerDataStream,
    session: SMTPServerSession,
    done: (error?: Error | null) => void,
  ) {
    const trick = trickOf(session)
    if (trick === 'cut_in_data') return void stream.once('data', () => cut(session))
    const chunks: Buffer[] = []
    try {
      for await (const chunk of stream) chunks.push(chunk as Buffer)
    } catch {
      // It never came whole: its sender was killed.
      return
    }
    if (typeof trick === 'object' && 'data' in trick) return done(failure(trick.data))
    const { mailFrom, rcptTo } = session.envelope
    mails.push({
      from: mailFrom === false ? '' : mailFrom.address,
      to: rcptTo.map(({ address }) => address),
      raw: Buffer.concat(chunks),
    })
    if (trick === 'cut_after_data') return cut(session)
    if (typeof trick === 'object' && 'lateMs' in trick) setTimeout(done, trick.lateMs)
    else done()
  }

  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: user === undefined && token === undefined,
    ...(size !== undefined && { size }),
    allowInsecureAuth: true,
    authMethods: token === undefined ? ['PLAIN', 'LOGIN'] : ['XOAUTH2'],
    logger: false,
    onConnect(_session, done) {
      count++
      done()
    },
    onAuth(auth, _session, done) {
      const isKnown =
        auth.username === user && (token === undefined ? auth.password === password : auth.accessToken === token)
      if (isKnown) done(null, { user })
      else done(failure('535 5.7.8 credentials refused'))
    },
    onMailFrom(_address, session, done) {
      const trick = tricks.shift() ?? 'take'
      current.set(session.id, trick)
      if (trick === 'cut_before_data') return cut(session)
      done()
    },
    onRcptTo({ address }, session, done) {
      const trick = trickOf(session)
      if (typeof trick === 'object' && 'rcpt' in trick && address.includes(trick.of)) done(failure(trick.rcpt))
      else done()
    },
    onData: (stream, session, done) => void onData(stream, session, done),
  })
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    port,
    url: `smtp://${user === undefined ? '' : `${user}:${password}@`}127.0.0.1:${port}`,
    mails,
    tricks,
    connections: () => count,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
