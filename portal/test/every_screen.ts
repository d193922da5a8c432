// What the tests of all screens share: one seeded portal, a real address for every screen of the router's list, and two ways
// to a screen: opening it as for the first time, and going there within a page that stays open.
import assert from 'node:assert/strict'
import { after, before, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { hostTables } from '../../server/src/kernel/noun/hosts.ts'
import { makeSample } from '../../server/test/noun_records.ts'
import { sendFile } from '../../server/test/record_work.ts'
import { navigation, pages } from '../src/app/screens.ts'
import type { Page as ScreenPage } from '../src/navigation/screen.ts'
import {
  type LogInOptions,
  type PageOptions,
  type Portal,
  screenReady,
  screenshot,
  seedBelievable,
  startPortal,
  watchOf,
} from './browser.ts'
import type { PageOwner } from './pages.ts'
import { seedMessaging } from './seed_messaging.ts'
import { seedConference, seedTrunk } from './seed_voice.ts'
import { type Sink, startSink } from './webhook_sink.ts'

export type Screen = Pick<ScreenPage, 'id' | 'path' | 'name' | 'public' | 'bare'>
export const everyScreen: readonly Screen[] = pages
/** Those of the navigation. */
export const mainScreens = navigation

export const wide = { width: 1440, height: 900 }
export const narrow = { width: 390, height: 844 }

/** Who goes through the portal, and by what window; a page is kept for each. */
export type Visitor = PageOptions & Omit<LogInOptions, 'path'>

export type Screens = {
  portal: Portal
  /** Resolves when messages and calls have come to their end, which takes some seconds of waiting. */
  carried(): Promise<void>
  /** A screen's address, with the id of a record where it needs one. */
  addressOf(screen: Screen): string
  /** Opens a screen in a page of its own until it stands and has asked the server whatever it asks by itself. */
  open(page: Page, screen: Screen): Promise<void>
  /**
   * Goes to an address as a click would, in the visitor's page, which stays open until all tests are over: that takes a
   * tenth of opening it. The test fails for what the page did wrong meanwhile.
   */
  visit(t: TestContext, path: string, visitor: Visitor): Promise<Page>
}

/** Carriers and trunks belong to live mode, and the conference stands there; everything else was seeded in test mode. */
export function modeOf({ id }: Pick<Screen, 'id'>): 'live' | 'test' {
  return /^(carrier|trunk|conference|mail_transports)/.test(id) ? 'live' : 'test'
}

/** As `portalForTests`, with something on every screen. */
export function screensForTests(): Screens {
  const screens = {} as Partial<Screens>
  before(async () => void Object.assign(screens, await startScreens()))
  after(() => screens.portal?.close())
  return screens as Screens
}

async function startScreens(): Promise<Screens> {
  const sink = await startSink()
  const portal = await startPortal({ env: { TANDEM_EGRESS_ALLOW: '127.0.0.1/32' } })
  const { addresses, carried } = await seedScreens(portal, sink)
  const ends: (() => Promise<unknown>)[] = []
  const visit = visits(portal, ends)
  const addressOf = ({ id, path }: Screen): string => {
    const address = path.includes('$') ? addresses[id] : path
    assert.ok(address !== undefined, `no address is known for ${path}: name one in every_screen.ts`)
    return address
  }
  return {
    portal: {
      ...portal,
      async close() {
        for (const end of ends) await end()
        await portal.close()
        await sink.close()
      },
    },
    carried: () => carried,
    addressOf,
    visit,
    async open(page, screen) {
      if (screen.public === true) await page.goto(addressOf(screen))
      else await portal.logIn(page, { mode: modeOf(screen), path: addressOf(screen) })
      await watchOf(page).quiet()
      await screenReady(page)
    },
  }
}

async function seedScreens({ t }: Portal, sink: Sink) {
  const hook = await seedWebhook(t, sink)
  // Before there are numbers of its own: calls may go out by any.
  const conference = await seedConference(t)
  const seeded = await seedBelievable(t)
  const carried = seeded.untilCarried()
  // Code that awaits it gets the failure; until then the rejection counts as handled.
  carried.catch(() => {})
  const messaging = await seedMessaging(t)
  const words = { subject: 'Your appointment', text: 'Dear Ada,\n\nsee you: https://example.com/appointments/17.' }
  const to = [{ address: 'ada@example.com', name: 'Ada Park' }]
  const mail = await t.call('POST', '/v2/mails', { as: t.main.testKey, body: { to, ...words } })
  const trunk = await seedTrunk(t)
  const file = await sendFile(t, 'companies', 'Name,Domain\nNorthwind,customer0.example\n', { as: t.main.testKey })
  assert.equal(file.status, 201, file.text)
  await t.app.flush()
  const { json } = await t.call('GET', '/v2/requests?limit=1', { as: t.main.testKey })
  const audited = await t.call('GET', '/v2/audit-events?action=webhook.created', { as: t.main.testKey })
  const addresses: Record<string, string> = {
    ...(await recordAddresses(t)),
    endpoint: '/explorer/v2/messaging/post-messages-sms',
    error: '/errors/validation_failed',
    authorize: '/authorize/nobody',
    mail: `/mails/${mail.json.data.mailId}`,
    message: `/messages/${seeded.messages[1]}`,
    service: `/services/${messaging.service}`,
    carrier: `/carriers/${messaging.carrier}`,
    trunk: `/trunks/${trunk}`,
    call: `/calls/${seeded.calls[0]}`,
    conference: `/conferences/${conference}`,
    user: `/users/${t.main.users['Sales Executive'].id}`,
    lead: `/leads/${seeded.leads[0]}`,
    company: `/companies/${seeded.companies[0]}`,
    contact: `/contacts/${seeded.contacts[0]}`,
    import: `/imports/${file.json['import'].id}`,
    invoice: `/invoices/${seeded.invoices[3]}`,
    log: `/logs/${json.data[0].requestId}`,
    audit_event: `/audit/${audited.json.data[0].auditEventId}`,
    webhook: `/webhooks/${hook.webhookId}`,
    delivery: `/webhooks/deliveries/${hook.deliveryId}`,
  }
  return { addresses, carried }
}

/** Of each noun the page of a record like its sample; what is said above is of records with more. */
async function recordAddresses(t: Portal['t']): Promise<Record<string, string>> {
  const addresses: Record<string, string> = {}
  for (const { spec } of hostTables()) {
    const [one, many] = spec.names
    addresses[one] = `/${many.replaceAll('_', '-')}/${await makeSample(t, t.main.testKey, spec)}`
  }
  return addresses
}

/** @param ends gets what ends the pages, to be called before the browser is closed */
function visits(portal: Portal, ends: (() => Promise<unknown>)[]): Screens['visit'] {
  const pages = new Map<string, Page>()
  const owner = { name: 'all screens', after: (end: () => Promise<unknown>) => void ends.push(end) } as PageOwner
  return async (t, path, visitor) => {
    const key = JSON.stringify(visitor)
    let page = pages.get(key)
    if (page === undefined) {
      page = await portal.newPage(owner, visitor)
      pages.set(key, page)
      await portal.logIn(page, { ...visitor, path: '/' })
    }
    const watch = watchOf(page)
    const known = watch.faults.length
    t.after(async () => {
      if (!t.passed) await screenshot(page, `failed ${t.name}`)
      assert.deepEqual(watch.faults.slice(known), [], `what ${path} did wrong`)
    })
    await goOn(page, path)
    await watch.quiet()
    await screenReady(page)
    return page
  }
}

/** Resolves when another screen than before has its heading there. */
async function goOn(page: Page, path: string): Promise<void> {
  if (new URL(page.url()).pathname === path) return
  await page.evaluate(path => {
    for (const heading of document.querySelectorAll('main h1')) heading.setAttribute('data-left', '')
    history.pushState(null, '', path)
  }, path)
  await page.locator('main h1:not([data-left])').first().waitFor()
}

/** A webhook whose first delivery has been answered by an error: the page has something to explain. */
async function seedWebhook(t: Portal['t'], sink: Sink): Promise<{ webhookId: string; deliveryId: string }> {
  const as = t.main.testKey
  sink.answer = { status: 503, body: 'Down for maintenance' }
  const body = { url: sink.url, description: 'Order system', eventTypes: ['message.*', 'call.completed'] }
  const made = await t.call('POST', '/v2/webhooks', { as, body })
  assert.equal(made.status, 201, made.text)
  const { webhookId } = made.json.data
  const tested = await t.call('POST', `/v2/webhooks/${webhookId}/test`, { as })
  assert.equal(tested.status, 201, tested.text)
  await sink.until(() => true)
  sink.answer = { status: 204 }
  return { webhookId, deliveryId: tested.json.data.deliveryId }
}
