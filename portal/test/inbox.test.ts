// The inbox: everything said with a person in one thread, answered in place; two who answer at once, assigning, snoozing and closing by
// keyboard, strangers who become leads, mentions, presence, and what comes in while one looks.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { inboxOf } from '../../server/test/inbox.ts'
import {
  checkBothThemes,
  chromiumMissing,
  countCalls,
  noHorizontalScroll,
  type PageOptions,
  portalForTests,
  screenReady,
  untilFocused,
  watchOf,
} from './browser.ts'
import { addToPerson } from './inbox_hands.ts'

const stranger = '+15005550162'
let made = 0
const freshPhone = () => `+15005552${String(100 + ++made)}`

describe('the inbox', { skip: chromiumMissing }, () => {
  const portal = portalForTests()
  let inbox: ReturnType<typeof inboxOf>
  const manager = () => portal.t.main.tokens['Sales Manager']

  const until = async (what: string, isSo: () => Promise<boolean>) => {
    const end = Date.now() + 10_000
    while (!(await isSo())) {
      assert.ok(Date.now() < end, what)
      await new Promise(resolve => setTimeout(resolve, 50))
    }
  }

  /** A lead who texted, with the id of the conversation. */
  async function person(name: string, ...texts: string[]): Promise<{ id: string; phone: string; name: string }> {
    const phone = freshPhone()
    await inbox.lead({ name, phone })
    for (const text of texts) await inbox.receive(phone, text)
    // The server follows too: what it is at, is there a moment later.
    await until('the conversation is there', async () => (await inbox.conversationWith(phone)) !== undefined)
    const { conversationId } = await inbox.conversationWith(phone)
    return { id: conversationId, phone, name }
  }
  const now = (id: string) => inbox.data('GET', `/v2/conversations/${id}`)

  before(async () => {
    inbox = inboxOf(portal.t)
    await inbox.follow()
    await inbox.receive(stranger, 'Who are you?')
  })

  const rows = (page: Page) => page.getByRole('list', { name: /first$/ }).getByRole('listitem')
  const row = (page: Page, name: string) => rows(page).filter({ hasText: name })
  const log = (page: Page) => page.getByRole('log')
  const heading = (page: Page, name: string) => page.getByRole('heading', { level: 1, name })
  const field = (page: Page) => page.getByRole('form', { name: 'Answer' }).getByRole('textbox').last()
  const notice = (page: Page, text: RegExp) => page.getByRole('region', { name: 'Notifications' }).getByText(text)
  const streams = (page: Page) => page.waitForRequest(request => /\/v2\/stream\?.*conversations/.test(request.url()))
  const open = async (t: Parameters<typeof portal.newPage>[0], path = '/inbox', options: PageOptions = {}) => {
    const page = await portal.newPage(t, options)
    const stream = streams(page)
    await portal.logIn(page, { mode: 'live', path })
    await stream
    await screenReady(page)
    return page
  }
  test('who began to wait last is first; a text is read and answered in place, and stands in the thread', async t => {
    const ada = await person('Ada Lovelace', 'Is it ready?')
    const page = await open(t)
    await row(page, 'Ada Lovelace').getByText('Is it ready?').waitFor()
    await row(page, 'Ada Lovelace').getByText('Unread').waitFor({ state: 'attached' })
    assert.match(await rows(page).first().innerText(), /Ada Lovelace/, 'the stranger has waited longer')
    await checkBothThemes(page, 'the list of the inbox', 'inbox-list')
    await row(page, 'Ada Lovelace').getByRole('link').click()
    await heading(page, 'Ada Lovelace').waitFor()
    await log(page).getByText('Is it ready?').waitFor()
    await until('it is read', async () => !(await now(ada.id)).unread)
    await field(page).fill('Yes, “come” by')
    await page.getByText(/UCS-2/).waitFor()
    await page.getByRole('button', { name: 'Replace look-alikes' }).click()
    await page.getByText(/GSM-7/).waitFor()
    assert.equal(await field(page).inputValue(), 'Yes, "come" by')
    await checkBothThemes(page, 'a conversation', 'inbox-conversation')
    await field(page).press('Control+Enter')
    await log(page).getByText('Yes, "come" by').waitFor()
    assert.equal(await field(page).inputValue(), '')
    const after = await now(ada.id)
    assert.equal(after.waitingSince, null)
    assert.equal(after.assignee.userId, portal.t.main.users.Admin.id)
    await row(page, 'Ada Lovelace').waitFor({ state: 'detached' })
  })

  test('the list and a conversation are there with few calls', async t => {
    const { id } = await person('Few Calls', 'Hello')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Hello').waitFor()
    await watchOf(page).quiet()
    const { total, byRoute } = countCalls(page)
    assert.ok(total <= 10, JSON.stringify(byRoute, null, 2))
  })

  test('what somebody else answered meanwhile is shown before anything is sent, and the draft is kept', async t => {
    const { id } = await person('Grace Hopper', 'Can you call me?')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Can you call me?').waitFor()
    await field(page).fill('Which number?')
    // The stream is kept from saying so until the text is on its way: the server alone knows.
    let isOnItsWay = false
    await page.route(`**/v2/conversations/${id}/items*`, route => (isOnItsWay ? route.continue() : route.abort()))
    await page.route(`**/v2/conversations/${id}/texts`, route => {
      isOnItsWay = true
      return route.continue()
    })
    const items = await inbox.items(id)
    watchOf(page).allow(/ERR_FAILED|status of 412/)
    await inbox.data(
      'POST',
      `/v2/conversations/${id}/texts`,
      { body: 'At three, I promise', lastSeenItemId: items[0].itemId },
      manager(),
    )
    await field(page).press('Control+Enter')
    const alert = page.getByRole('alert').filter({ hasText: 'answered a moment ago' })
    await alert.getByText(/At three, I promise/).waitFor()
    await log(page).getByText('At three, I promise').waitFor()
    assert.equal(await field(page).inputValue(), 'Which number?')
    assert.equal((await inbox.items(id)).filter((one: { body: string }) => one.body === 'Which number?').length, 0)
    await alert.getByRole('button', { name: 'Send anyway' }).click()
    await log(page).getByText('Which number?').waitFor()
    assert.equal((await inbox.items(id)).filter((one: { body: string }) => one.body === 'Which number?').length, 1)
  })

  test('by keyboard: walk, open, take, snooze, open again, close, and mark as unread', async t => {
    const { id } = await person('Kay Board', 'Anybody there?')
    const page = await open(t, '/inbox?q=Kay%20Board')
    await row(page, 'Kay Board').waitFor()
    await page.keyboard.press('j')
    await untilFocused(row(page, 'Kay Board').getByRole('link'))
    await page.keyboard.press('Enter')
    await heading(page, 'Kay Board').waitFor()
    await log(page).getByText('Anybody there?').waitFor()
    await page.keyboard.press('a')
    await until('it is taken', async () => (await now(id)).assignee?.userId === portal.t.main.users.Admin.id)
    await log(page)
      .getByText(/took it/)
      .waitFor()
    await page.keyboard.press('s')
    const dialog = page.getByRole('dialog', { name: 'Snooze until' })
    await checkBothThemes(page, 'the dialog to snooze', 'inbox-snooze')
    await dialog.getByRole('button', { name: /Tomorrow morning/ }).click()
    await notice(page, /Kay Board comes back/).waitFor()
    assert.equal((await now(id)).state, 'snoozed')
    await page.getByRole('button', { name: 'Reopen' }).click()
    await page.getByRole('button', { name: 'Close', exact: true }).waitFor()
    await heading(page, 'Kay Board').click({ position: { x: 0, y: 0 }, trial: true })
    await page.keyboard.press('e')
    await notice(page, /is closed/).waitFor()
    assert.equal((await now(id)).state, 'closed')
    await page.keyboard.press('e')
    await until('it is open again', async () => (await now(id)).state === 'open')
    await page.keyboard.press('u')
    await until('it is unread again', async () => (await now(id)).unread)
    await page.keyboard.press('r')
    await untilFocused(page.getByPlaceholder(/^Text to/))
  })

  test('a missed call, a mail and a text are one thread; the mail is answered with its subject', async t => {
    const phone = freshPhone()
    const email = 'rosalind@example.com'
    await inbox.lead({ name: 'Rosalind Franklin', phone, email })
    const call = 'call_01m8cynk2g3psckygaxt38qagz'
    const { liveTenantId } = portal.t.main
    await portal.t.ownerSql(
      `insert into calls (tenant_id, id, direction, from_number, to_number, timeout_seconds, time_limit_seconds, state, ended_at,
         hangup_cause, hangup_by, changed_at)
       values ($1, $2, 'inbound', $3, '+15005550006', 30, 3600, 'no_answer', now(), 'normal', 'caller', now())`,
      [liveTenantId, call, phone],
    )
    await portal.t.ownerSql(
      `insert into events (tenant_id, id, type, resource_id, sequence, data)
       select tenant_id, 'evt_' || right(id, 26), 'call.no_answer', id, 2, json_build_object('callId', id, 'direction', direction,
         'from', from_number, 'to', to_number, 'state', state, 'bridgedTo', null, 'answeredAt', null, 'createdAt', created_at)
       from calls where id = $1`,
      [call],
    )
    const raw = `From: Rosalind <${email}>\r\nTo: office@example.com\r\nSubject: Photo 51\r\nMessage-ID: <p51@x.example>\r\n\r\nHave you seen it?\r\n\r\nOn Monday, Bob wrote:\r\n> Which photo?\r\n`
    const sent = await portal.t.call('POST', '/v2/mail/inbound', {
      as: portal.t.main.tokens.Admin,
      headers: { 'content-type': 'message/rfc822' },
      rawBody: raw,
    })
    assert.equal(sent.status, 200, sent.text)
    await inbox.receive(phone, 'Please call me back')
    await until('all are in it', async () => {
      const one = await inbox.conversationWith(phone)
      return one !== undefined && (await inbox.items(one.conversationId)).length === 3
    })
    const { conversationId } = await inbox.conversationWith(phone)
    const page = await open(t, `/inbox/${conversationId}`)
    await log(page).getByText('Missed call').waitFor()
    await log(page).getByRole('button', { name: 'Call Rosalind Franklin back' }).waitFor()
    await log(page).getByText('Have you seen it?').waitFor()
    assert.equal(await log(page).getByText('Which photo?').isVisible(), false)
    await log(page).getByText('Quoted text').click()
    await log(page).getByText('Which photo?').waitFor()
    await page.getByRole('radio', { name: 'Mail' }).check()
    await page.getByText('Re: Photo 51').waitFor()
    await field(page).fill('Here it is.')
    const file = { name: 'photo.jpg', mimeType: 'image/jpeg', buffer: Buffer.from([255, 216, 255]) }
    await page.getByLabel('Files to attach').setInputFiles(file)
    await checkBothThemes(page, 'a thread of all kinds', 'inbox-kinds')
    await field(page).press('Control+Enter')
    await log(page).getByText('Here it is.').waitFor()
    await page.getByRole('button', { name: 'Remove photo.jpg' }).waitFor({ state: 'detached' })
    const answer = (await inbox.items(conversationId)).find(({ body }: { body: string }) => body === 'Here it is.')
    const { attachments } = await inbox.data('GET', `/v2/mails/${answer.itemId}`)
    assert.deepEqual([attachments.length, attachments[0]?.fileName], [1, 'photo.jpg'])
  })

  test('a stranger becomes a lead, and another is put on a person who is there', async t => {
    const { conversationId } = await inbox.conversationWith(stranger)
    const page = await open(t, `/inbox/${conversationId}`)
    await heading(page, '+1 500 555 0162').waitFor()
    await page.getByRole('button', { name: 'Create a lead' }).click()
    const dialog = page.getByRole('dialog', { name: 'Create a lead' })
    await dialog.getByLabel('Name').fill('Mary Somerville')
    await dialog.getByRole('button', { name: 'Create lead' }).click()
    await heading(page, 'Mary Somerville').getByRole('link').waitFor()
    await inbox.lead({ name: 'Emmy Noether', email: 'emmy@example.com' })
    const other = freshPhone()
    await inbox.receive(other, 'It is me, from a new number')
    await until('the conversation is there', async () => (await inbox.conversationWith(other)) !== undefined)
    await page.goto(`/inbox/${(await inbox.conversationWith(other)).conversationId}`)
    await addToPerson(page, 'Emmy', 'Emmy Noether')
    assert.equal((await inbox.conversationWith(other)).party.name, 'Emmy Noether')
  })

  test('a note mentions a colleague by @, and only colleagues see it', async t => {
    const { id } = await person('Noted Person', 'Hello')
    const { colleagues } = await inbox.call('GET', '/v1/api/colleagues').then(({ json }) => json)
    const { name } = colleagues.find((one: { id: number }) => one.id === portal.t.main.users['Sales Manager'].id)
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Hello').waitFor()
    await page.keyboard.press('n')
    const note = page.getByPlaceholder(/Only colleagues/)
    await untilFocused(note)
    await page.keyboard.type(`Please look @${name.slice(0, 3)}`)
    await page.getByRole('option', { name, exact: true }).waitFor()
    await checkBothThemes(page, 'a note that mentions', 'inbox-note')
    await page.getByRole('option', { name, exact: true }).click()
    await page.keyboard.type('today')
    assert.equal(await note.inputValue(), `Please look @${name} today`)
    await page.keyboard.press('Control+Enter')
    await log(page).getByText('Note, only for colleagues').waitFor()
    const mentioned = await inbox.data('GET', '/v2/conversations?view=mentioned', undefined, manager())
    assert.ok(mentioned.some((one: { conversationId: string }) => one.conversationId === id))
  })

  test('a note takes files along, which stand on the record, and are downloaded from the thread', async t => {
    const { id } = await person('Filed Person', 'Hello')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('Hello').waitFor()
    await page.keyboard.press('n')
    await untilFocused(page.getByPlaceholder(/Only colleagues/))
    await page.keyboard.type('Here is the offer.')
    await page.getByLabel('Files to attach').setInputFiles([
      { name: 'offer.txt', mimeType: 'text/plain', buffer: Buffer.from('An offer.') },
      { name: 'wrong.txt', mimeType: 'text/plain', buffer: Buffer.from('A mistake.') },
    ])
    await page.getByRole('button', { name: 'Remove wrong.txt' }).click()
    await checkBothThemes(page, 'a note with a file', 'inbox-note-file')
    await page.keyboard.press('Control+Enter')
    const download = page.waitForEvent('download')
    await log(page).getByRole('button', { name: 'Download offer.txt' }).click()
    assert.equal((await download).suggestedFilename(), 'offer.txt')
    const { party } = await now(id)
    const { attachments } = await inbox
      .call('GET', `/v1/api/attachments?record_id=${party.recordId}`)
      .then(({ json }) => json)
    assert.deepEqual(
      attachments.map(({ name }: { name: string }) => name),
      ['offer.txt'],
    )
  })

  test('what is read stays among the unread until one leaves; the search follows the address', async t => {
    const { name } = await person('Quiet Person', 'Are you there?')
    const page = await open(t, '/inbox?view=unread')
    await row(page, name).getByRole('link').click()
    await log(page).getByText('Are you there?').waitFor()
    await row(page, name).getByText('Unread').waitFor({ state: 'detached' })
    await row(page, name).waitFor()
    const search = page.getByRole('searchbox', { name: 'Search conversations' })
    await search.fill('nobody is called so')
    await page.getByRole('button', { name: 'Clear search' }).click()
    await row(page, name).waitFor({ state: 'detached' })
    assert.equal(await search.inputValue(), '')
  })

  test('who else looks or writes is shown while they do, and what comes in appears by itself', async t => {
    const { id, phone } = await person('Live Person', 'First')
    const page = await open(t, `/inbox/${id}`)
    await log(page).getByText('First').waitFor()
    await inbox.data('PUT', `/v2/conversations/${id}/presence`, { state: 'composing' }, manager())
    await page
      .getByRole('status')
      .getByText(/is writing an answer/)
      .waitFor()
    await inbox.data('PUT', `/v2/conversations/${id}/presence`, { state: 'away' }, manager())
    await page.getByText(/is writing an answer/).waitFor({ state: 'detached' })
    await inbox.receive(phone, 'Second')
    await log(page).getByText('Second').waitFor()
    await row(page, 'Live Person').getByText('Second').waitFor()
    const { presence } = await inbox.data('GET', `/v2/conversations/${id}`, undefined, manager())
    assert.deepEqual(
      presence.map((one: { userId: number }) => one.userId),
      [portal.t.main.users.Admin.id],
    )
  })

  test('in a narrow window the list, then the thread with a way back; the draft is kept', async t => {
    await person('Nora Narrow', 'Small?')
    const page = await open(t, '/inbox', { width: 390, height: 844 })
    await heading(page, 'Inbox').waitFor()
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'the list in a narrow window', 'inbox-list-390')
    await row(page, 'Nora Narrow').getByRole('link').click()
    await heading(page, 'Nora Narrow').waitFor()
    await log(page).getByText('Small?').waitFor()
    await field(page).fill('Half a senten')
    await noHorizontalScroll(page)
    await checkBothThemes(page, 'a conversation in a narrow window', 'inbox-conversation-390')
    await page.getByRole('button', { name: 'Person', exact: true }).click()
    await page.getByRole('dialog', { name: 'Person' }).getByText('Lead', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await row(page, 'Nora Narrow').getByRole('link').click()
    await heading(page, 'Nora Narrow').waitFor()
    assert.equal(await field(page).inputValue(), 'Half a senten')
  })

  test('a long list and a long thread are read on without a jump', async t => {
    const { id, phone } = await person('Long Story', 'Chapter 0')
    for (let n = 1; n <= 45; n++) await inbox.receive(phone, `Chapter ${n}`)
    const page = await open(t, `/inbox/${id}`)
    const last = log(page).getByText(/Chapter 45$/)
    await last.waitFor()
    await until('it opens at its end', () =>
      last.evaluate(element => element.getBoundingClientRect().bottom < innerHeight),
    )
    await log(page).evaluate(element => element.scrollTo({ top: 300 }))
    await log(page)
      .getByText(/Chapter 1$/)
      .waitFor()
    const top = await log(page).evaluate(element => element.scrollTop)
    assert.ok(top > 300, `what was read above moved the place: ${top}`)
  })

  test('who may not answer is offered no composer, and who may not read learns why', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', path: '/inbox', role: 'Finance Manager' })
    await page.getByText(/You don’t have access to Inbox/i).waitFor()
  })

  test('nothing waits: all caught up', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', path: '/inbox', organization: 'other' })
    await page.getByRole('heading', { name: 'All caught up' }).first().waitFor()
    await checkBothThemes(page, 'an empty inbox', 'inbox-empty')
  })
})
