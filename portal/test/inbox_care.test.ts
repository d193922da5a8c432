// The inbox is careful: mails that anybody may have written say so, in the list and in the thread; and what is typed in a conversation that
// becomes part of another one goes there. What somebody else answered first is known before anything goes out.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/test/eventually.ts'
import { inboxOf } from '../../server/test/inbox.ts'
import { chromiumMissing, portalForTests, screenReady, untilFocused, watchOf } from './browser.ts'
import { addToPerson } from './inbox_hands.ts'

let made = 0
const freshPhone = () => `+15005552${String(600 + ++made)}`

describe('the inbox is careful', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let inbox: ReturnType<typeof inboxOf>
  before(async () => {
    inbox = inboxOf(portal.t)
    await inbox.follow()
  })

  type LogIn = Parameters<typeof portal.logIn>[1]
  async function open(t: Parameters<typeof portal.newPage>[0], path: string, as: LogIn = {}): Promise<Page> {
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', path, ...as })
    await screenReady(page)
    return page
  }
  const log = (page: Page) => page.getByRole('log')

  /** Hands a mail in, with what another server found out about its sender. */
  async function mailFrom(from: string, subject: string, dmarc: string): Promise<string> {
    const rawBody = `Authentication-Results: mx.example.com; dmarc=${dmarc}\r\nFrom: <${from}>\r\nTo: office@example.com\r\nSubject: ${subject}\r\nMessage-ID: <${++made}@x.example>\r\n\r\nHello.\r\n`
    const headers = { 'content-type': 'message/rfc822' }
    const path = '/v2/mail/inbound?authservId=mx.example.com'
    const sent = await portal.t.call('POST', path, { as: portal.t.main.tokens.Admin, headers, rawBody })
    assert.equal(sent.status, 200, sent.text)
    // The server follows, too.
    return eventually('it is in a conversation', async () => (await inbox.conversationWith(from))?.conversationId)
  }

  test('with mails that anybody may have written', async t => {
    const email = 'katherine@example.com'
    await inbox.lead({ name: 'Katherine Johnson', phone: freshPhone(), email })
    await mailFrom(email, 'Trajectories', 'pass')
    const id = await mailFrom(email, 'The new bank account', 'fail')
    const page = await open(t, `/inbox/${id}`)
    const article = (subject: string) => log(page).getByRole('article').filter({ hasText: subject })
    await article('The new bank account').getByText('Sender not verified').waitFor()
    assert.equal(await article('Trajectories').getByText('Sender not verified').count(), 0)
    const row = page
      .getByRole('list', { name: /first$/ })
      .getByRole('listitem')
      .filter({ hasText: 'Katherine' })
    await row.getByRole('img', { name: /Sender not verified/ }).waitFor()
  })
  const field = (page: Page) => page.getByRole('form', { name: 'Answer' }).getByRole('textbox').last()
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  /** A stranger who texted, and a lead who did. */
  async function strangerAnd(name: string) {
    const [known, unknown] = [freshPhone(), freshPhone()]
    const recordId = await inbox.lead({ name, phone: known })
    await inbox.receive(known, 'It is me')
    await inbox.receive(unknown, 'Me too')
    const idOf = (phone: string) =>
      eventually('the conversation is there', async () => (await inbox.conversationWith(phone))?.conversationId)
    return { recordId, into: await idOf(known), id: await idOf(unknown) }
  }

  test('with what was typed to a stranger who is put on a person with a conversation', async t => {
    const { id, into } = await strangerAnd('Emmy Noether')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Me too').waitFor()
    await field(page).fill('A long answer')
    await page.getByRole('radio', { name: 'Note' }).check()
    await page.getByPlaceholder(/Only colleagues/).fill('A note')
    await addToPerson(page, 'Emmy', 'Emmy Noether')
    await page.waitForURL(`**/inbox/${into}`)
    assert.equal(await page.getByPlaceholder(/Only colleagues/).inputValue(), 'A note')
    await page.getByRole('radio', { name: 'Text' }).check()
    assert.equal(await field(page).inputValue(), 'A long answer')
    await page.reload()
    await log(page).getByText('It is me').waitFor()
    assert.equal(await field(page).inputValue(), 'A long answer')
  })

  test('with what is being typed while a colleague does so', async t => {
    const { id, into, recordId } = await strangerAnd('Ida Noddack')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Me too').waitFor()
    await field(page).fill('Half a senten')
    const manager = portal.t.main.tokens['Sales Manager']
    await inbox.data('POST', `/v2/conversations/${id}/attach`, { recordId }, manager)
    await page.waitForURL(`**/inbox/${into}`)
    await heading(page, 'Ida Noddack').waitFor()
    await untilFocused(field(page))
    await page.keyboard.type('ce')
    assert.equal(await field(page).inputValue(), 'Half a sentence')
    await field(page).press('Control+Enter')
    await log(page).getByText('Half a sentence').waitFor()
  })
  /** Keeps the page from hearing of it: the server alone knows what is answered meanwhile. */
  async function deaf(page: Page, id: string, way: string): Promise<void> {
    let isOnItsWay = false
    watchOf(page).allow(/ERR_FAILED|status of 412/)
    await page.route(`**/v2/conversations/${id}/items*`, route => (isOnItsWay ? route.continue() : route.abort()))
    await page.route(`**/v2/conversations/${id}/${way}`, route => {
      isOnItsWay = true
      return route.continue()
    })
  }
  const bodies = async (id: string): Promise<string[]> =>
    (await inbox.items(id)).map(({ body }: { body: string | null }) => body ?? '')

  test('with a mail that somebody else was quicker with: it is kept, and goes out once', async t => {
    const email = 'mary@example.com'
    await inbox.lead({ name: 'Mary Jackson', phone: freshPhone(), email })
    const id = await mailFrom(email, 'The wind tunnel', 'pass')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Hello.').waitFor()
    await field(page).fill('Our answer')
    await deaf(page, id, 'mails')
    const [{ itemId: lastSeenItemId }] = await inbox.items(id)
    const theirs = { text: 'Theirs', lastSeenItemId }
    await inbox.data('POST', `/v2/conversations/${id}/mails`, theirs, portal.t.main.tokens['Sales Manager'])
    await field(page).press('Control+Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'answered a moment ago' })
    await alert.getByText(/Theirs/).waitFor()
    assert.equal(await field(page).inputValue(), 'Our answer')
    assert.ok(!(await bodies(id)).includes('Our answer'), 'it was not sent yet')
    await alert.getByRole('button', { name: 'Send anyway' }).click()
    await log(page).getByText('Our answer').waitFor()
    await alert.waitFor({ state: 'detached' })
    assert.equal((await bodies(id)).filter(body => body === 'Our answer').length, 1)
    assert.equal(await field(page).inputValue(), '')
  })

  test('with an answer that one may not read: it is said that there is one, and the second press sends', async t => {
    const as = portal.t.main.tokens.Admin
    const inboxRights = ['conversations:read', 'conversations:write', 'messages:read', 'messages:send']
    const permissions = ['leads:read', 'requests:read', ...inboxRights]
    const role = await inbox.data('POST', '/v2/roles', { name: 'Texts alone', base: 'Sales Manager', permissions })
    const { id: userId } = portal.t.main.users['Sales Executive']
    const given = await portal.t.call('PATCH', `/v1/api/users/${userId}`, { as, body: { roleId: role.roleId } })
    assert.equal(given.status, 200, given.text)
    const [phone, email] = [freshPhone(), 'dorothy@example.com']
    await inbox.lead({ name: 'Dorothy Vaughan', phone, email })
    await inbox.receive(phone, 'Are you there?')
    const { conversationId: id } = await inbox.conversationWith(phone)
    const page = await open(t, `/inbox/${id}`, { role: 'Sales Executive' })
    await log(page).getByText('Are you there?').waitFor()
    await field(page).fill('Yes')
    await deaf(page, id, 'texts')
    const [{ itemId: lastSeenItemId }] = await inbox.items(id)
    const mail = { text: 'Confidential', subject: 'Secret', lastSeenItemId }
    await inbox.data('POST', `/v2/conversations/${id}/mails`, mail)
    await field(page).press('Control+Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'answered a moment ago' })
    await alert.waitFor()
    assert.doesNotMatch(await page.getByRole('main').innerText(), /Confidential|Secret/)
    assert.equal(await field(page).inputValue(), 'Yes')
    await alert.getByRole('button', { name: 'Send anyway' }).click()
    await log(page).getByText(/Yes$/).waitFor()
    await alert.waitFor({ state: 'detached' })
    assert.equal((await bodies(id)).filter(body => body === 'Yes').length, 1)
  })
})
