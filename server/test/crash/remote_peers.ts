// What stands around the server in a crash run: a carrier and a receiver of webhooks, which write down everything they see
// before they answer, and misbehave as real ones do. They run in the harness's own process, which does not crash.
import { createServer } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { createSmsc, type FieldsOf, readMessage, type Smsc, type SmscOptions, statuses } from '@tandem/smpp'
import type { Random } from './random.ts'

/** One message as the carrier knows it, by the word of its text that no other message has. */
export type Carried = {
  word: string
  from: string
  to: string
  /** Every submit_sm of it, in order: what was answered. */
  submits: ('accepted' | 'throttled' | 'refused' | 'silent')[]
  id: string
  /** What its receipts say: that the phone has it, or that it has not. */
  fate: 'delivered' | 'undelivered'
  /** How often a receipt left. */
  reported: number
  /** Whether a receipt was acknowledged: then the carrier never speaks of it again. */
  acknowledged: boolean
}

export type CarrierSide = {
  port: number
  messages: ReadonlyMap<string, Carried>
  /** Texts it delivered, by word; true when that was acknowledged. */
  inbound: ReadonlyMap<string, boolean>
  /** Cuts every link without a word; how many there were. */
  cut(): number
  cuts(): number
  /** Links that are open. */
  links(): number
  /** How many deliveries were not acknowledged: in time, or before their link broke. */
  unanswered(): number
  /** Sends a text to the sender until it is acknowledged. */
  text(word: string, from: string, to: string): void
  /** Receipts and texts that are not acknowledged yet. */
  outstanding(): number
  close(): Promise<void>
}

/** How often it misbehaves, out of a thousand messages. */
const mischief = { throttled: 30, silent: 15, refused: 20, early: 60, repeated: 60, late: 60, undelivered: 60 }

type Delivery = { fields: FieldsOf<'deliver_sm'>; left?(): void; acknowledged(): void; dueAt: number }

/** The word in a text: `#` and what follows it. */
export function wordOf(text: string): string {
  return /#(\w+)/.exec(text)?.[1] ?? text
}

/** Addresses as carriers write them: digits without plus. */
function between(from: string, to: string): FieldsOf<'deliver_sm'> {
  const numbers = { sourceAddrTon: 1, sourceAddrNpi: 1, destAddrTon: 1, destAddrNpi: 1 }
  return { ...numbers, sourceAddr: from.replace('+', ''), destinationAddr: to.replace('+', '') }
}

export async function startCarrier(random: Random): Promise<CarrierSide> {
  const messages = new Map<string, Carried>()
  const inbound = new Map<string, boolean>()
  const waiting = new Set<Delivery>()
  let cuts = 0
  let unanswered = 0
  let nextId = 1

  function receiptOf(message: Carried): FieldsOf<'deliver_sm'> {
    const [count, stat] = message.fate === 'delivered' ? ['001', 'DELIVRD'] : ['000', 'UNDELIV']
    const text = `id:${message.id} sub:001 dlvrd:${count} submit date:2611211200 done date:2611211201 stat:${stat} err:000 text:`
    return { esmClass: 0x04, ...between(message.to, message.from), shortMessage: Buffer.from(text) }
  }

  function sendReceipt(message: Carried, delayMs: number): void {
    waiting.add({
      fields: receiptOf(message),
      left: () => {
        message.reported++
      },
      acknowledged: () => {
        message.acknowledged = true
      },
      dueAt: performance.now() + delayMs,
    })
  }

  const onSubmit: SmscOptions['onSubmit'] = async (_session, pdu) => {
    const word = wordOf(readMessage(pdu).text ?? '')
    const message: Carried = messages.get(word) ?? {
      word,
      from: pdu.sourceAddr,
      to: pdu.destinationAddr,
      submits: [],
      id: `c${nextId++}`,
      fate: random.oneIn(1000 / mischief.undelivered) ? 'undelivered' : 'delivered',
      reported: 0,
      acknowledged: false,
    }
    messages.set(word, message)
    if (message.submits.length === 0 && random.oneIn(1000 / mischief.throttled)) {
      message.submits.push('throttled')
      return { status: statuses.ESME_RTHROTTLED }
    }
    if (random.oneIn(1000 / mischief.refused)) {
      message.submits.push('refused')
      return { status: statuses.ESME_RINVDSTADR }
    }
    if (random.oneIn(1000 / mischief.silent)) {
      // Taken, and reported later; the answer gets lost.
      message.submits.push('silent')
      sendReceipt(message, random.below(500))
      await new Promise<never>(() => {})
    }
    message.submits.push('accepted')
    const copies = random.oneIn(1000 / mischief.repeated) ? 2 : 1
    const early = random.oneIn(1000 / mischief.early)
    for (let copy = 0; copy < copies; copy++)
      sendReceipt(message, early ? 0 : random.oneIn(1000 / mischief.late) ? 2_000 : 20 + random.below(200))
    if (early) {
      void pump()
      await sleep(20)
    }
    return { status: 0, messageId: message.id }
  }

  const smsc: Smsc = createSmsc({
    authenticate: () => 0,
    onSubmit,
    // A run on a full machine may stand still itself: what was acknowledged in time is not repeated because it was read late.
    onLateResponse(_session, fields, { status }) {
      const delivery = [...waiting].find(one => one.fields === fields)
      if (status !== 0 || delivery === undefined) return
      delivery.acknowledged()
      waiting.delete(delivery)
    },
    window: 100,
    responseTimeoutMs: 3_000,
  })
  const { port } = await smsc.listen({ port: 0 })

  /** Delivers what is due; what is not acknowledged is delivered again, over whatever link there is. */
  async function pump(): Promise<void> {
    for (const delivery of [...waiting]) {
      if (delivery.dueAt > performance.now()) continue
      const session = random.pick(smsc.sessions.filter(one => one.freeWindow() > 0))
      if (session === undefined) return
      delivery.dueAt = Number.POSITIVE_INFINITY
      delivery.left?.()
      session.deliver(delivery.fields).then(
        ({ status }) => {
          if (status !== 0) {
            delivery.dueAt = performance.now() + 300
            return
          }
          delivery.acknowledged()
          waiting.delete(delivery)
        },
        () => {
          unanswered++
          delivery.dueAt = performance.now() + 300
        },
      )
    }
  }
  const pumping = setInterval(() => void pump(), 20)

  return {
    port,
    messages,
    inbound,
    cut() {
      const open = smsc.sessions.length
      for (const session of smsc.sessions) void session.close({ drainMs: 0 })
      cuts += open
      return open
    },
    cuts: () => cuts,
    links: () => smsc.sessions.length,
    unanswered: () => unanswered,
    text(word, from, to) {
      inbound.set(word, false)
      waiting.add({
        fields: { ...between(from, to), shortMessage: Buffer.from(`Hello #${word}`) },
        acknowledged: () => void inbound.set(word, true),
        dueAt: 0,
      })
    },
    outstanding: () => waiting.size,
    async close() {
      clearInterval(pumping)
      await smsc.close({ drainMs: 0 })
    },
  }
}

export type Heard = {
  id: string
  bodies: Set<string>
  type: string
  eventOf: string
  times: number
  wellSigned: boolean
}

export type WebhookSide = {
  url: string
  /** What was acknowledged, by webhook-id. */
  heard: ReadonlyMap<string, Heard>
  /** Refuses and resets everything until called with false; how many it turned away since. */
  setDown(down: boolean): void
  turnedAway(): number
  close(): Promise<void>
}

/** @param options.verify throws when a delivery is not well signed */
export async function startWebhookSink(
  random: Random,
  { verify }: { verify(body: string, headers: Record<string, string>): void },
): Promise<WebhookSide> {
  const heard = new Map<string, Heard>()
  const sockets = new Set<Socket>()
  let down = false
  let turnedAway = 0
  const server = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', chunk => chunks.push(chunk))
    request.on('end', () => {
      if (down) {
        turnedAway++
        if (random.oneIn(2)) request.socket.destroy()
        else response.writeHead(503).end()
        return
      }
      const body = Buffer.concat(chunks).toString()
      const headers = Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name, String(value)]))
      const id = headers['webhook-id'] ?? ''
      let wellSigned = true
      try {
        verify(body, headers)
      } catch {
        wellSigned = false
      }
      const { type, data } = JSON.parse(body) as { type: string; data: { messageId?: string } }
      const known = heard.get(id)
      if (known === undefined)
        heard.set(id, { id, bodies: new Set([body]), type, eventOf: data.messageId ?? '', times: 1, wellSigned })
      else {
        known.bodies.add(body)
        known.times++
        known.wellSigned &&= wellSigned
      }
      response.writeHead(200).end()
    })
    request.on('error', () => {})
  })
  server.on('connection', socket => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
    socket.on('error', () => {})
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    heard,
    setDown(value) {
      down = value
      if (value) for (const socket of sockets) socket.destroy()
    },
    turnedAway: () => turnedAway,
    async close() {
      server.close()
      for (const socket of sockets) socket.destroy()
    },
  }
}
