// The world of mails for a crash run: an API and a worker over one database, with the next mail server behind them.
import { type House, type HouseOptions, startHouse } from '../house.ts'
import type { Random } from '../random.ts'
import { type MailServer, startMailServer } from './server.ts'

export type MailRole = 'api' | 'worker'

export type MailWorld = Pick<
  House<MailRole>,
  'parts' | 'liveKey' | 'killDatabase' | 'databaseDeaths' | 'sql' | 'close'
> & { server: MailServer }

export type MailWorldOptions = Pick<HouseOptions<MailRole>, 'tree' | 'damage'> & { random: Random }

export async function startMailWorld({ tree, random, damage }: MailWorldOptions): Promise<MailWorld> {
  const server = await startMailServer(random)
  const env = {
    TANDEM_SMTP_URL: server.url,
    TANDEM_MAIL_FROM: 'Crash run <office@example.com>',
    TANDEM_MAIL_PER_MINUTE: '1000000',
    TANDEM_MAIL_PER_DAY: '1000000',
  }
  const house = await startHouse({ tree, damage, env, roles: ['api', 'worker'] as const })
  return {
    ...house,
    server,
    async close() {
      await Promise.all([house.parts.api.kill(), house.parts.worker.kill()])
      await server.close()
      await house.close()
    },
  }
}
