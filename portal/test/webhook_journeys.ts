// What journeys of webhooks and of their deliveries share: a portal, a receiver that each test has to itself, webhooks and leads
// made by the API, and the places on their screens.
import assert from 'node:assert/strict'
import { beforeEach } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import type { Answer } from '../../server/test/harness.ts'
import { type Portal, portalForTests } from './browser.ts'
import { type Received, type Sink, sinkForTests } from './webhook_sink.ts'

export type WebhookJourneys = {
  portal: Portal
  sink: Sink
  /** By an API key of test mode; a refusal fails the test. */
  api(method: string, path: string, body?: unknown): Promise<Answer>
  /** Of leads to the receiver, unless `body` says otherwise; its id. */
  makeWebhook(body?: object): Promise<string>
  makeLead(name: string): Promise<number>
}

/** As `portalForTests`; before each test the receiver has heard nothing and no webhook is left. */
export function webhookJourneys(): WebhookJourneys {
  const portal = portalForTests({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
  const journeys: WebhookJourneys = {
    portal,
    sink: sinkForTests(),
    async api(method, path, body) {
      const answer = await portal.t.call(method, path, { as: portal.t.main.testKey, body })
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.text}`)
      return answer
    },
    async makeWebhook(body = {}) {
      const wanted = { url: journeys.sink.url, eventTypes: ['lead.*'], ...body }
      return (await journeys.api('POST', '/v2/webhooks', wanted)).json.data.webhookId
    },
    async makeLead(name) {
      const email = `${name.replaceAll(' ', '.').toLowerCase()}@example.com`
      return (await journeys.api('POST', '/v1/api/leads', { name, email })).json.lead.id
    },
  }
  beforeEach(async () => {
    const { json } = await journeys.api('GET', '/v2/webhooks?limit=200')
    for (const { webhookId } of json.data) await journeys.api('DELETE', `/v2/webhooks/${webhookId}`)
    journeys.sink.received.length = 0
    journeys.sink.answer = { status: 204 }
  })
  return journeys
}

export const typeOf = ({ body }: Received): string => JSON.parse(body).type

export const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody').getByRole('row')
export const rowOf = (page: Page, text: string | RegExp) => rows(page).filter({ hasText: text })
export const notice = (page: Page) => page.getByRole('region', { name: 'Notifications' })
export const dialog = (page: Page, name: string | RegExp) => page.getByRole('dialog', { name })

/** The function `verify` of the code that the page shows, run as it stands there. */
export async function verifierOf(shown: Locator): Promise<(headers: object, body: string, secret: string) => unknown> {
  const code = await shown.getByRole('region', { name: 'Verification' }).innerText()
  return (await import(`data:text/javascript,${encodeURIComponent(code)}`)).verify
}
