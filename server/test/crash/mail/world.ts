// The world of mails for a crash run: an API and a worker over one database, with the next mail server behind them, somebody who writes to
// them, and a mailbox that is read.
import { freePort } from '../../../../scripts/testing/free_port.ts'
import { type Dovecot, noDovecot, startDovecot } from '../../dovecot.ts'
import { type House, type HouseOptions, startHouse } from '../house.ts'
import type { Random } from '../random.ts'
import { type MailServer, startMailServer } from './server.ts'

export type MailRole = 'api' | 'worker'

export type MailWorld = Pick<
  House<MailRole>,
  'parts' | 'liveKey' | 'killDatabase' | 'databaseDeaths' | 'sql' | 'close'
> & {
  server: MailServer
  /** Where mail comes in over SMTP, and the address of ours that it comes to. */
  door: { port: number; address: string }
  /** Undefined where no IMAP server is installed. */
  mailbox: Dovecot | undefined
  /** Who writes: all of their mails stand on one record. */
  sender: { address: string; recordId: string }
  /** Asks the API for something. @throws where it refuses */
  ask(method: string, path: string, body?: object): Promise<Response>
}

export type MailWorldOptions = Pick<HouseOptions<MailRole>, 'tree' | 'damage'> & { random: Random }

const senderAddress = 'ada@crash.invalid'

export async function startMailWorld({ tree, random, damage }: MailWorldOptions): Promise<MailWorld> {
  const server = await startMailServer(random)
  const port = await freePort()
  const env = {
    TANDEM_SMTP_URL: server.url,
    TANDEM_MAIL_FROM: 'Crash run <office@example.com>',
    TANDEM_MAIL_PER_MINUTE: '1000000',
    TANDEM_MAIL_PER_DAY: '1000000',
    TANDEM_MAIL_PORT: String(port),
    TANDEM_MAIL_DOMAIN: 'in.crash.invalid',
  }
  const house = await startHouse({ tree, damage, env, roles: ['api', 'worker'] as const })
  let mailbox: Dovecot | undefined
  async function close(): Promise<void> {
    await Promise.all([house.parts.api.kill(), house.parts.worker.kill()])
    await Promise.all([server.close(), mailbox?.close()])
    await house.close()
  }
  async function ask(method: string, path: string, body?: object): Promise<Response> {
    const answer = await fetch(`${house.parts.api.address()}${path}`, {
      method,
      headers: { authorization: `Bearer ${house.liveKey}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${await answer.text()}`)
    return answer
  }
  try {
    const made = await ask('POST', '/v1/api/contacts', { name: 'Ada Park', emails: [{ value: senderAddress }] })
    const { contact } = (await made.json()) as { contact: { id: string } }
    const { inboxAddress = '' } = await house.call('GET', '/v2/mail/inbound/addresses')
    if (noDovecot === false) {
      mailbox = await startDovecot()
      const { user, password } = mailbox
      const settings = { host: '127.0.0.1', port: mailbox.port, security: 'none', user, password }
      await house.call('POST', '/v2/mail/mailboxes', {
        name: 'Sales',
        settings,
        readsFrom: '2020-01-01T00:00:00.000Z',
      })
    }
    return {
      ...house,
      server,
      door: { port, address: inboxAddress },
      mailbox,
      sender: { address: senderAddress, recordId: contact.id },
      ask,
      close,
    }
  } catch (error) {
    await close()
    throw error
  }
}
