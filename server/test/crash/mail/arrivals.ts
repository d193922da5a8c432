// Mails that come in while processes die: over SMTP, by clients that insist as mail servers do until they hear a definite answer, and into a
// mailbox that is read over IMAP. Some come both ways, and some twice at once. Each is written down before it is sent.
import { setTimeout as sleep } from 'node:timers/promises'
import { createTransport } from 'nodemailer'
import type { Random } from '../random.ts'

export type Arrival = {
  /** What only this one has: in its subject, its words and its Message-ID. */
  word: string
  bySmtp: boolean
  byImap: boolean
  tries: number
  /** How often it was answered with 250. */
  acknowledged: number
  /** A definite refusal. */
  refused: string | undefined
}

export type Arrivals = {
  all: readonly Arrival[]
  /** Begins nothing new; resolves when every mail has its answer, or rejects after `limitMs`. */
  finish(limitMs: number): Promise<void>
}

export type ArrivalsOptions = {
  random: Random
  run: string
  perSecond: number
  /** Where the server takes mail, and the address of ours that they are for. */
  port: number
  to: string
  /** Who they are from. */
  from: string
  /** Puts a mail into the mailbox; undefined where there is none. */
  deliver: ((mail: string) => void) | undefined
}

/** More than this are not under way at once: the server takes twenty connections. */
const maxUnderWay = 15

export function startArrivals({ random, run, perSecond, port, to, from, deliver }: ArrivalsOptions): Arrivals {
  const all: Arrival[] = []
  const open = new Set<Promise<void>>()
  const transport = createTransport({
    host: '127.0.0.1',
    port,
    ignoreTLS: true,
    connectionTimeout: 3_000,
    greetingTimeout: 5_000,
    socketTimeout: 15_000,
  })

  const timer = setInterval(() => {
    if (open.size >= maxUnderWay) return
    const word = `${run}a${all.length}`
    const way = deliver === undefined ? 9 : random.below(10)
    const arrival = { word, bySmtp: way > 2, byImap: way < 5, tries: 0, acknowledged: 0, refused: undefined }
    all.push(arrival)
    const text = textOf(word, { from, to })
    if (arrival.byImap) deliver?.(text)
    if (!arrival.bySmtp) return
    // Now and then a client does not believe it and sends it again, or two send it at once.
    send(arrival, text, random.oneIn(8) ? 2 : 1)
    if (random.oneIn(12)) send(arrival, text, 1)
  }, 1_000 / perSecond)

  function send(arrival: Arrival, text: string, times: number): void {
    const sending = insist(arrival, text, times).finally(() => open.delete(sending))
    open.add(sending)
  }

  async function insist(arrival: Arrival, text: string, times: number): Promise<void> {
    for (let left = times; left > 0; ) {
      const answer = await attempt(arrival, text)
      if (answer === 'refused') return
      if (answer === 'taken') left--
      else await sleep(400)
    }
  }

  async function attempt(arrival: Arrival, raw: string): Promise<'taken' | 'refused' | 'unknown'> {
    arrival.tries++
    try {
      await transport.sendMail({ envelope: { from, to }, raw })
      arrival.acknowledged++
      return 'taken'
    } catch (error) {
      const { responseCode = 0, message } = error as Error & { responseCode?: number }
      if (responseCode < 500) return 'unknown'
      arrival.refused = message
      return 'refused'
    }
  }

  return {
    all,
    async finish(limitMs) {
      clearInterval(timer)
      const deadline = performance.now() + limitMs
      while (open.size > 0) {
        if (performance.now() > deadline) throw new Error(`${open.size} mails that came in have no definite answer`)
        await sleep(50)
      }
    },
  }
}

const textOf = (word: string, { from, to }: { from: string; to: string }) =>
  [
    `From: Ada Park <${from}>`,
    `To: ${to}`,
    `Subject: Crash run #${word}`,
    `Message-ID: <${word}@crash.invalid>`,
    'Date: Sat, 21 Nov 2026 09:12:00 +0000',
    '',
    `Monday suits me well, #${word}.`,
    '',
  ].join('\r\n')
