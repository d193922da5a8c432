// The world of messages for a crash run: an API and a worker over one database, with a carrier and a receiver of webhooks around
// them.
import { Webhook } from 'standardwebhooks'
import { type House, type HouseOptions, type Part, startHouse } from './house.ts'
import type { Random } from './random.ts'
import { type CarrierSide, startCarrier, startWebhookSink, type WebhookSide } from './remote_peers.ts'

export type MessageRole = 'api' | 'worker'

export type World = Pick<
  House<MessageRole>,
  'parts' | 'liveKey' | 'killDatabase' | 'databaseDeaths' | 'sql' | 'close'
> & {
  api: Part
  worker: Part
  carrier: CarrierSide
  webhooks: WebhookSide
  senders: readonly string[]
  /** Words of texts that were sent when there was no carrier. */
  uncarried: ReadonlySet<string>
  /** Removes the carrier and sends texts, which nobody can carry. */
  sendWithoutCarrier(words: readonly string[]): Promise<void>
}

export type WorldOptions = Pick<HouseOptions<MessageRole>, 'tree' | 'damage'> & { random: Random }

export async function startWorld({ tree, random, damage }: WorldOptions): Promise<World> {
  const house = await startHouse({ tree, damage, roles: ['api', 'worker'] as const })
  const carrier = await startCarrier(random)
  let secret = ''
  const webhooks = await startWebhookSink(random, {
    verify: (body, headers) => void new Webhook(secret).verify(body, headers),
  })
  const uncarried = new Set<string>()
  const { carrierId } = await house.call('POST', '/v2/carriers', {
    kind: 'smpp',
    name: 'Remote peer',
    settings: {
      host: '127.0.0.1',
      port: carrier.port,
      systemId: 'tandem',
      password: 'secret',
      windowSize: 20,
      segmentsPerSecond: 1_000,
      responseTimeoutSeconds: 2,
    },
  })
  const senders = ['+4930555000', '+4930555001'].map((start, index) => `${start}${index}`)
  for (const number of senders) await house.call('POST', '/v2/numbers', { number })
  const hook = { url: webhooks.url, description: 'Crash run', eventTypes: ['message.*'] }
  secret = (await house.call('POST', '/v2/webhooks', hook))['secret'] as string

  return {
    ...house,
    ...house.parts,
    carrier,
    webhooks,
    senders,
    uncarried,
    async sendWithoutCarrier(words) {
      await house.call('DELETE', `/v2/carriers/${carrierId}`)
      for (const word of words) {
        uncarried.add(word)
        const [from] = senders
        await house.call('POST', '/v2/messages/sms', { from, to: '+4915199999999', body: `Nobody has this #${word}` })
      }
    },
    async close() {
      await Promise.all([house.parts.api.kill(), house.parts.worker.kill()])
      await Promise.all([carrier.close(), webhooks.close()])
      await house.close()
    },
  }
}
