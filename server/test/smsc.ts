// A message centre to test carriers against, by our own package: it answers and sends receipts by the last four digits of the
// recipient, as the simulator does, and keeps what it was sent.
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createSmsc,
  type FieldsOf,
  type PduOf,
  readMessage,
  type Smsc,
  type SmscOptions,
  type SmscSession,
  statuses,
} from '@tandem/smpp'

export type Submitted = PduOf<'submit_sm'>

export type TestSmsc = {
  port: number
  smsc: Smsc
  /** Every submit_sm, in order of arrival. */
  submitted: Submitted[]
  /** The most sessions there were at once. */
  maxSessions(): number
  /** Binds so far. */
  binds(): number
  /** Answers of the peer to what was delivered. */
  deliver(fields: FieldsOf<'deliver_sm'>): Promise<number>
  /** Reports a message. */
  sendReceipt(pdu: Submitted, id: string, stat?: string, more?: { err?: string }): Promise<number>
  close(): Promise<void>
}

export type TestSmscOptions = {
  port?: number
  password?: string
  /** Instead of the script: answers a submit_sm, or leaves it to the script. */
  answer?(pdu: Submitted, session: SmscSession): { status: number; messageId?: string } | Promise<never> | undefined
  smsc?: Partial<SmscOptions>
}

/** `submit date` and the like: ten digits, UTC. */
function stamp(): string {
  return new Date().toISOString().replaceAll(/\D/g, '').slice(2, 12)
}

export function receiptFields(pdu: Submitted, id: string, stat: string, err = '000'): FieldsOf<'deliver_sm'> {
  const dlvrd = stat === 'DELIVRD' ? '001' : '000'
  const text = `id:${id} sub:001 dlvrd:${dlvrd} submit date:${stamp()} done date:${stamp()} stat:${stat} err:${err} text:`
  return {
    sourceAddr: pdu.destinationAddr,
    sourceAddrTon: 1,
    sourceAddrNpi: 1,
    destinationAddr: pdu.sourceAddr,
    esmClass: 4,
    shortMessage: Buffer.from(text, 'latin1'),
  }
}

/** Starts it on a free port of 127.0.0.1. */
export async function startSmsc(options: TestSmscOptions = {}): Promise<TestSmsc> {
  const submitted: Submitted[] = []
  const throttled = new Set<string>()
  let ids = 0
  let most = 0
  let binds = 0

  async function deliver(fields: FieldsOf<'deliver_sm'>): Promise<number> {
    const session = smsc.sessions.find(({ role }) => role !== 'transmitter')
    if (session === undefined) throw new Error('nobody is bound')
    return (await session.deliver(fields)).status
  }

  const sendReceipt: TestSmsc['sendReceipt'] = (pdu, id, stat = 'DELIVRD', { err } = {}) =>
    deliver(receiptFields(pdu, id, stat, err))

  async function sendReceipts(pdu: Submitted, id: string, stats: readonly string[]): Promise<void> {
    for (const stat of stats) {
      await sleep(20)
      await sendReceipt(pdu, id, stat).catch(() => {})
    }
  }

  async function answer(pdu: Submitted): Promise<{ status: number; messageId?: string }> {
    const last = pdu.destinationAddr.slice(-4)
    const messageId = `far-${++ids}`
    const taken = { status: 0, messageId }
    if (last === '0009') return { status: statuses.ESME_RINVDSTADR }
    const { text } = readMessage(pdu)
    const mark = `${pdu.destinationAddr} ${text}`
    if (last === '0103' && !throttled.has(mark)) {
      throttled.add(mark)
      return { status: statuses.ESME_RTHROTTLED }
    }
    if (last === '0104') return taken
    if (last === '0105') {
      await sendReceipt(pdu, messageId)
      return taken
    }
    if (last === '0106') void sendReceipts(pdu, messageId, ['DELIVRD', 'DELIVRD', 'DELIVRD'])
    else if (last === '0101') void sendReceipts(pdu, messageId, ['ENROUTE', 'UNDELIV'])
    else if (last === '0107') void sendReceipts(pdu, messageId, ['EXPIRED'])
    else void sendReceipts(pdu, messageId, ['DELIVRD'])
    if (last === '0110') void reply(pdu, 'STOP')
    return taken
  }

  async function reply(pdu: Submitted, text: string): Promise<void> {
    await sleep(30)
    await deliver({
      sourceAddr: pdu.destinationAddr,
      sourceAddrTon: 1,
      destinationAddr: pdu.sourceAddr,
      destAddrTon: pdu.sourceAddrTon,
      shortMessage: Buffer.from(text),
    })
  }

  const smsc = createSmsc({
    systemId: 'far',
    window: 1_000,
    authenticate: ({ password }) => (password === (options.password ?? 'secret') ? 0 : statuses.ESME_RINVPASWD),
    async onSubmit(session, pdu) {
      if (pdu.command !== 'submit_sm') return { status: statuses.ESME_RINVCMDID }
      submitted.push({ ...pdu, shortMessage: Buffer.from(pdu.shortMessage) })
      return (await options.answer?.(pdu, session)) ?? answer(pdu)
    },
    onSession() {
      binds++
      most = Math.max(most, smsc.sessions.length)
    },
    ...options.smsc,
  })
  const { port } = await smsc.listen({ port: options.port ?? 0, host: '127.0.0.1' })
  return {
    port,
    smsc,
    submitted,
    maxSessions: () => most,
    binds: () => binds,
    deliver,
    sendReceipt,
    close: () => smsc.close({ drainMs: 100 }),
  }
}
