// The next mail server in a crash run: writes down every mail that it has whole before it answers, and misbehaves as real ones do. It runs in
// the harness's own process, which does not crash.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Random } from '../random.ts'
import { wordOf } from '../remote_peers.ts'

export type Taking = 'taken' | 'cut' | 'deferred' | 'refused'

/** One mail as the server knows it, by the word in it that no other mail has. */
export type Taken = {
  word: string
  /** Each time it came whole, in order: `cut` has no answer. */
  takings: Taking[]
  messageIds: Set<string>
}

export type MailServer = {
  url: string
  mails: ReadonlyMap<string, Taken>
  /** Cuts every connection without a word; how many there were. */
  cut(): number
  close(): Promise<void>
}

/** How often it misbehaves, out of a thousand mails. */
const mischief = { cut: 15, deferred: 40, refused: 20 }

const failure = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

type Open = { session: SMTPServerSession; _socket: { destroy(): void } }

export async function startMailServer(random: Random): Promise<MailServer> {
  const mails = new Map<string, Taken>()

  function decide({ takings }: Taken): Taking {
    // What was deferred once is taken then, so that a run comes to its end.
    if (takings.length > 0) return 'taken'
    if (random.oneIn(1_000 / mischief.cut)) return 'cut'
    if (random.oneIn(1_000 / mischief.deferred)) return 'deferred'
    return random.oneIn(1_000 / mischief.refused) ? 'refused' : 'taken'
  }

  async function onData(stream: SMTPServerDataStream, session: SMTPServerSession, done: (error?: Error) => void) {
    const chunks: Buffer[] = []
    try {
      for await (const chunk of stream) chunks.push(chunk as Buffer)
    } catch {
      // It never came whole.
      return
    }
    const text = Buffer.concat(chunks).toString()
    const word = wordOf(/^Subject: (.*)\r$/m.exec(text)?.[1] ?? '')
    const mail: Taken = mails.get(word) ?? { word, takings: [], messageIds: new Set() }
    const taking = decide(mail)
    mail.takings.push(taking)
    mail.messageIds.add(/^Message-ID: <(.*)>\r$/m.exec(text)?.[1] ?? '')
    mails.set(word, mail)
    if (taking === 'cut') cutWhere(one => one.session.id === session.id)
    else if (taking === 'deferred') done(failure(451, '4.7.1 come back later'))
    else if (taking === 'refused') done(failure(554, '5.7.1 no thanks'))
    else done()
  }

  const server: SMTPServer = new SMTPServer({
    disabledCommands: ['STARTTLS'],
    authOptional: true,
    logger: false,
    onData: (stream, session, done) => void onData(stream, session, done),
  })
  function cutWhere(is: (one: Open) => boolean): number {
    const open = [...(server.connections as unknown as Set<Open>)].filter(is)
    for (const one of open) one._socket.destroy()
    return open.length
  }
  server.on('error', () => {})
  server.listen(0, '127.0.0.1')
  await once(server.server, 'listening')
  const { port } = server.server.address() as AddressInfo
  return {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    cut: () => cutWhere(() => true),
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}
