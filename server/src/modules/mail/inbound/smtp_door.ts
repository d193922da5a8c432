// Mail over SMTP (RFC 5321): only for addresses of ours, which their marks prove before a byte of the mail is taken; answered with 250 when
// it is stored. Nothing is passed on to others, and nothing is answered by mail.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server'
import type { Services } from '../../../kernel/endpoint/endpoint.ts'
import type { QueueMaker } from '../../../kernel/jobs/background.ts'
import { crashPoint } from '../../../kernel/values/crash_points.ts'
import { readMark } from '../mails/index.ts'
import type { ReceivingSettings } from '../settings.ts'
import { storeOrKeep } from './bare.ts'
import { dropRaw, prepareMail, storeMail } from './intake.ts'
import { maxMailBytes } from './rules.ts'
import { ownersOf } from './store.ts'

const maxConnections = 20
const maxRecipients = 50

export type SmtpDoor = { port: number; close(): Promise<void> }

const refusal = (code: number, text: string) => Object.assign(new Error(text), { responseCode: code })

/** Opens the port. @throws where it is taken */
export async function openSmtpDoor(
  services: Services,
  { port, host, domain, tls }: ReceivingSettings,
): Promise<SmtpDoor> {
  const { keyring, log } = services
  const server = new SMTPServer({
    name: domain ?? 'localhost',
    banner: 'Tandem',
    size: maxMailBytes,
    maxClients: maxConnections,
    socketTimeout: 60_000,
    closeTimeout: 5_000,
    authOptional: true,
    disableReverseLookup: true,
    disabledCommands: tls === null ? ['AUTH', 'STARTTLS'] : ['AUTH'],
    ...(tls ?? {}),
    logger: false,
    onRcptTo({ address }, session, done) {
      if (session.envelope.rcptTo.length >= maxRecipients) return done(refusal(452, '4.5.3 Too many recipients'))
      if (readMark(keyring, address) === undefined) return done(refusal(550, '5.1.1 No such address here'))
      done()
    },
    onData(stream, session, done) {
      take(services, stream, session).then(
        fault => done(fault),
        error => {
          log.error({ err: error }, 'a mail that came over SMTP could not be stored')
          done(refusal(451, '4.3.0 Not now; try again later'))
        },
      )
    },
  })
  server.on('error', error => log.debug({ err: error }, 'a connection of the SMTP server failed'))
  server.listen(port ?? 0, host)
  await Promise.race([
    once(server.server, 'listening'),
    once(server.server, 'error').then(([error]) => Promise.reject(error as Error)),
  ])
  return {
    port: (server.server.address() as AddressInfo).port,
    close: () => new Promise(resolve => server.close(() => resolve())),
  }
}

/** Stores a mail for each tenant that it came to; the refusal, where it is not to be taken. */
async function take(
  services: Services,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
): Promise<Error | undefined> {
  const { db, clock, keyring } = services
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of stream as AsyncIterable<Buffer>) {
    size += chunk.length
    if (size <= maxMailBytes) chunks.push(chunk)
  }
  if (size > maxMailBytes) return refusal(552, '5.3.4 The mail is larger than 25 MiB')
  const raw = Buffer.concat(chunks)
  const { mailFrom, rcptTo } = session.envelope
  const envelopeFrom = mailFrom === false ? '' : mailFrom.address
  const sender = { remote: { ip: session.remoteAddress, helo: session.hostNameAppearsAs || 'unknown', envelopeFrom } }
  const recipients = Map.groupBy(rcptTo, ({ address }) => readMark(keyring, address)?.tenantId)
  const owners = await ownersOf(
    db,
    [...recipients.keys()].filter(id => id !== undefined),
  )
  for (const scope of owners) {
    const envelopeTo = recipients.get(scope.tenantId)!.map(({ address }) => address)
    const receivedMs = clock.now()
    const prepared = await prepareMail(services, scope, { door: 'smtp', raw, envelopeTo, receivedMs, sender })
    if (!prepared.mail.isMail) return refusal(550, '5.6.0 That is not a mail')
    const { taken } = await storeOrKeep(services, prepared, one =>
      db.inTenant(scope, tx => storeMail(tx, scope, one, { keyring, nowMs: clock.now() })),
    )
    crashPoint('arrival.committed')
    await dropRaw(services, prepared, taken)
  }
  return owners.length === 0 ? refusal(550, '5.1.1 No such address here') : undefined
}

/** Keeps the port open while the process works; one that is taken is tried again. */
export const receiveOverSmtp: QueueMaker = services => {
  const { receiving } = services.mail
  const { log } = services
  let door: SmtpDoor | undefined
  let isFailing = false
  return {
    name: 'mail_smtp',
    batch: 1,
    lanes: 1,
    pollMs: 2_000,
    async claim() {
      if (receiving.port === undefined || door !== undefined) return []
      try {
        door = await openSmtpDoor(services, receiving)
        log.info({ port: door.port, host: receiving.host }, 'mail is taken in over SMTP')
        isFailing = false
      } catch (error) {
        if (!isFailing)
          log.error(
            { err: error, port: receiving.port },
            'mail cannot be taken in over SMTP; free the port or change TANDEM_MAIL_PORT',
          )
        isFailing = true
      }
      return []
    },
    async work() {},
    stopping: () => door?.close(),
  }
}
