// What the tests of all screens share: one seeded portal, a real address for every screen of the router's list, and two ways
// to a screen: opening it as for the first time, and going there within a page that stays open.
import assert from 'node:assert/strict'
import { after, before, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { hostTables } from '../../server/src/kernel/noun/hosts.ts'
import { eventually } from '../../server/test/eventually.ts'
import { makeSample } from '../../server/test/noun_records.ts'
import { sendFile } from '../../server/test/record_work.ts'
import { navigation, pages } from '../src/app/screens.ts'
import './words.ts'
import type { NamedPage } from '../src/navigation/screen.ts'
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

export type Screen = Pick<NamedPage, 'id' | 'path' | 'name' | 'public' | 'bare'>
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
  return /^(carrier|trunk|conference|mail_transports|mailboxes)/.test(id) ? 'live' : 'test'
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
      // Who is no operator is refused there.
      if (screen.id.startsWith('operator')) watchOf(page).allow(/status of 403.*\/v2\/operator/)
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
  const raw =
    'From: Ada Park <ada@example.com>\r\nSubject: Re: Your appointment\r\n\r\nMonday suits me.\r\n\r\nOn Monday, Bob wrote:\r\n> See you.\r\n'
  const headers = { 'content-type': 'message/rfc822' }
  const inbound = await t.call('POST', '/v2/mail/inbound', { as: t.main.testKey, headers, rawBody: raw })
  const trunk = await seedTrunk(t)
  const file = await sendFile(t, 'companies', 'Name,Domain\nNorthwind,customer0.example\n', { as: t.main.testKey })
  assert.equal(file.status, 201, file.text)
  await t.app.flush()
  const conversation = await firstConversation(t)
  const { json } = await t.call('GET', '/v2/requests?limit=1', { as: t.main.testKey })
  const audited = await t.call('GET', '/v2/audit-events?action=webhook.created', { as: t.main.testKey })
  const addresses: Record<string, string> = {
    ...(await recordAddresses(t)),
    endpoint: '/explorer/v2/messaging/post-messages-sms',
    error: '/errors/validation_failed',
    authorize: '/authorize/nobody',
    mail: `/mails/${mail.json.data.mailId}`,
    inbound_mail: `/mail-inbox/${inbound.json.data.received[0].inboundId}`,
    conversation: `/inbox/${conversation}`,
    message: `/messages/${seeded.messages[1]}`,
    service: `/services/${messaging.service}`,
    carrier: `/carriers/${messaging.carrier}`,
    trunk: `/trunks/${trunk}`,
    call: `/calls/${seeded.calls[0]}`,
    conference: `/conferences/${conference}`,
    user: `/users/${t.main.users['Sales Executive'].id}`,
    ...(await seedRoleAndTeam(t)),
    lead: `/leads/${seeded.leads[0]}`,
    company: `/companies/${seeded.companies[0]}`,
    contact: `/contacts/${seeded.contacts[0]}`,
    import: `/imports/${file.json['import'].id}`,
    invoice: `/invoices/${seeded.invoices[3]}`,
    log: `/logs/${json.data[0].requestId}`,
    audit_event: `/audit/${audited.json.data[0].auditEventId}`,
    webhook: `/webhooks/${hook.webhookId}`,
    app: `/apps/${await seedApp(t)}`,
    delivery: `/webhooks/deliveries/${hook.deliveryId}`,
  }
  return { addresses, carried }
}

/** Somebody texts, and waits for an answer; resolves when the inbox has followed. */
/** What comes in is followed by the worker of the portal's server. */
async function firstConversation(t: Portal['t']): Promise<string> {
  const as = t.main.testKey
  const body = { from: '+15005550171', to: '+15005550006', body: 'Is the offer from Monday still good?' }
  const sent = await t.call('POST', '/v2/test/inbound', { as, body })
  assert.ok(sent.status < 300, sent.text)
  return eventually('a conversation', async (): Promise<string | undefined> => {
    const { json } = await t.call('GET', '/v2/conversations?view=all&limit=1', { as })
    return json.data[0]?.conversationId
  })
}

/** A role that sees by teams, and a team with a lead. */
async function seedRoleAndTeam(t: Portal['t']): Promise<{ role: string; team: string }> {
  const as = t.main.tokens.Admin
  const body = {
    ...{ name: 'Team lead', description: 'Leads a sales team.', base: 'Sales Executive' },
    ...{ permissions: ['leads:read', 'leads:update', 'teams:read'], rows: { leads: 'team' } },
  }
  const role = await t.call('POST', '/v2/roles', { as, body })
  assert.equal(role.status, 201, role.text)
  const team = await t.call('POST', '/v2/teams', {
    as,
    body: { name: 'North', description: 'Customers in the north.' },
  })
  assert.equal(team.status, 201, team.text)
  const { teamId } = team.json.data
  for (const [name, lead] of [
    ['Sales Manager', true],
    ['Sales Executive', false],
  ] as const) {
    const path = `/v2/teams/${teamId}/members/${t.main.users[name].id}`
    assert.equal((await t.call('PUT', path, { as, body: { lead } })).status, 200)
  }
  return { role: `/roles/${role.json.data.roleId}`, team: `/teams/${teamId}` }
}

/** An app that did something wrong. */
async function seedApp(t: Portal['t']): Promise<string> {
  const body = {
    name: 'Ledger sync',
    kind: 'confidential',
    redirectUris: ['https://sync.example.com/callback'],
    scopes: ['invoices:read', 'profile:read'],
  }
  const { json } = await t.call('POST', '/v2/auth/apps', { as: t.main.tokens.Admin, body })
  const { appId, clients } = json.data
  await t.ownerSql(
    `insert into oauth_app_errors (organization_id, id, app_id, client_id, mode, path, status, error, description, detail, ip, request_id)
     values ($1, 'oer_01k9r7d3w2v8e6q4n5m1b0c9xz', $2, $3, $4, '/oauth/token', 400, 'invalid_grant', 'grant request is invalid',
       'authorization code is expired', '192.0.2.7', 'req_01k9r7d3w2v8e6q4n5m1b0c9xz')`,
    [t.main.organizationId, appId, clients[0].clientId, clients[0].mode],
  )
  return appId
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
