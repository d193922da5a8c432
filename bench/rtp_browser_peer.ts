// The peer of the RTP bench where the streams are those of browsers: what stands for browsers in tests, with a socket of its own for each.
// It sends back what it hears.
import { isRtcp } from '@tandem/sip'
import { offerOf, openConnection } from '../server/test/engines/browser_phone.ts'
import { type BrowserTools, giveUp } from './rtp_browser_engine.ts'

export type BrowserPeer = {
  offer(streams: number): Promise<string[]>
  /** Takes answers, in the order of the offers; resolves when all are connected. */
  connect(answers: readonly string[]): Promise<void>
}

const connectMs = 30_000

export function createBrowserPeer({ counts, createStamp }: BrowserTools): BrowserPeer {
  /** Those that have offered and are not answered yet. */
  const waiting: ReturnType<typeof openConnection>[] = []
  /** For as long as the process lives: the garbage collector would close them. */
  const connected: ReturnType<typeof openConnection>[] = []

  async function offerOne(): Promise<string> {
    const browser = openConnection()
    waiting.push(browser)
    return offerOf(browser.connection)
  }

  async function connectOne(browser: ReturnType<typeof openConnection>, answer: string): Promise<void> {
    const { connection, track } = browser
    connected.push(browser)
    const stamp = createStamp()
    track.onMessage(packet => {
      if (isRtcp(packet)) return
      stamp()
      counts.received += 1
      counts.sent += 1
      if (!track.sendMessageBinary(packet)) counts.failures += 1
    })
    const opened = Promise.withResolvers<void>()
    const late = setTimeout(() => giveUp(`a browser is not connected: ${connection.state()}`), connectMs)
    track.onOpen(opened.resolve)
    connection.setRemoteDescription(answer, 'answer')
    await opened.promise
    clearTimeout(late)
  }

  return {
    offer: streams => Promise.all(Array.from({ length: streams }, offerOne)),
    async connect(answers) {
      await Promise.all(waiting.splice(0, answers.length).map((browser, at) => connectOne(browser, answers[at]!)))
    },
  }
}
