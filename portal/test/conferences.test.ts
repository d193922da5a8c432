// Conferences in the portal: a list that follows what happens, and one with who is in it, who is muted, held and removed by those who
// may.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { answeredCall, conferenceWith } from '../../server/test/voice/conferences.ts'
import {
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  portalForTests,
  screenshot,
  streamOpen,
  tabTo,
  untilFocused,
} from './browser.ts'

describe('conferences in the portal', { skip: chromiumMissing }, () => {
  // Nothing is carried out: the tests report what a node would.
  const portal = portalForTests({ work: false })

  type Under = Awaited<ReturnType<typeof conferenceWith>>
  async function join(under: Under): Promise<string> {
    const callId = await answeredCall(portal.t)
    const atMs = portal.t.clock.now()
    under.records.report(under.scope, under.conferenceId, {
      type: 'joined',
      atMs,
      callId,
      muted: false,
      coach: null,
      callbackUrl: null,
    })
    await under.records.flush()
    return callId
  }
  async function leave(under: Under, callId: string, reason: 'removed' | 'hangup'): Promise<void> {
    const atMs = portal.t.clock.now()
    under.records.report(under.scope, under.conferenceId, { type: 'left', atMs, callId, reason, callbackUrl: null })
    await under.records.flush()
  }
  async function end(under: Under): Promise<void> {
    under.records.report(under.scope, under.conferenceId, {
      type: 'ended',
      atMs: portal.t.clock.now(),
      reason: 'empty',
    })
    await under.records.flush()
  }
  const participant = async (under: Under, callId: string) => {
    const path = `/v2/voice/conferences/${under.conferenceId}`
    const { json } = await portal.t.call('GET', path, { as: portal.t.main.liveKey })
    return json.data.participants.find((one: { callId: string }) => one.callId === callId)
  }

  const dialog = (page: Page) => page.getByRole('dialog')
  const row = (page: Page, text: string) =>
    page.getByRole('table', { name: 'Conferences' }).getByRole('row').filter({ hasText: text })
  const inside = (page: Page) => page.getByRole('table', { name: /^In the conference/ }).getByRole('row')
  const gone = (page: Page) => page.getByRole('table', { name: /^Left/ }).getByRole('row')

  test('the list says how each stands, counts a new one, follows its participants and its end, and is filtered', async t => {
    const first = await conferenceWith(portal.t)
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: '/conferences', mode: 'live' })
    await stream
    await row(page, first.name).getByText('active').waitFor()
    const second = await conferenceWith(portal.t)
    await page.getByRole('button', { name: 'Show 1 new' }).click()
    await row(page, second.name).getByRole('cell', { name: '1', exact: true }).waitFor()
    const other = await join(second)
    await row(page, second.name).getByRole('cell', { name: '2', exact: true }).waitFor()
    await leave(second, other, 'hangup')
    await leave(second, second.callId, 'hangup')
    await end(second)
    await row(page, second.name).getByText('The last one left').waitFor()
    await page.getByLabel('State', { exact: true }).selectOption({ label: 'ended' })
    await row(page, first.name).waitFor({ state: 'detached' })
    await row(page, second.name).waitFor()
    await page.getByLabel('State', { exact: true }).selectOption('')
    await page.keyboard.press('/')
    await untilFocused(page.getByLabel('Name', { exact: true }))
    await page.keyboard.type(first.name)
    await page.waitForURL(url => url.searchParams.get('name') === first.name)
    await row(page, second.name).waitFor({ state: 'detached' })
    await tabTo(page, page.getByRole('link', { name: `Open ${first.name}, active` }))
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { level: 1, name: `Conference ${first.name}` }).waitFor()
    await end(first)
  })

  test('somebody is muted, held and removed with the keyboard; the page follows who comes and goes, and leads to calls', async t => {
    const under = await conferenceWith(portal.t)
    const page = await portal.newPage(t)
    const stream = streamOpen(page)
    await portal.logIn(page, { path: `/conferences/${under.conferenceId}`, mode: 'live' })
    await stream
    await inside(page).nth(1).waitFor()
    await tabTo(page, inside(page).getByRole('button', { name: /^Mute/ }))
    await page.keyboard.press('Enter')
    await inside(page).getByText('No, muted').waitFor()
    assert.equal((await participant(under, under.callId)).muted, true)
    await inside(page).getByRole('button', { name: /^Hold/ }).click()
    await inside(page).getByText('No, on hold').waitFor()
    await checkBothThemes(page, 'a conference', 'conference')
    await inside(page)
      .getByRole('button', { name: /^Resume/ })
      .click()
    await inside(page)
      .getByRole('button', { name: /^Unmute/ })
      .click()
    await inside(page).getByText('Yes', { exact: true }).waitFor()
    // What somebody else does is seen as well.
    const path = `/v2/voice/conferences/${under.conferenceId}/participants/${under.callId}`
    for (const [isMuted, text] of [
      [true, 'No, muted'],
      [false, 'Yes'],
    ] as const) {
      await portal.t.call('PATCH', path, { as: portal.t.main.liveKey, body: { muted: isMuted } })
      await inside(page).getByText(text, { exact: true }).waitFor()
    }
    const { muted, held } = await participant(under, under.callId)
    assert.deepEqual([muted, held], [false, false])

    await join(under)
    await inside(page).nth(2).waitFor()
    await page.getByRole('heading', { name: 'In the conference (2)' }).waitFor()
    await inside(page)
      .nth(1)
      .getByRole('button', { name: /^Remove/ })
      .click()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByText('+1 500 555 0200 is being removed.').waitFor()
    const [command] = await portal.t.ownerSql<{ command: unknown }>(
      "select to_jsonb(c) as command from call_commands c where call_id = $1 and to_jsonb(c)::text like '%removed%'",
      [under.callId],
    )
    assert.ok(command !== undefined, 'the node is asked to take the call out')
    await leave(under, under.callId, 'removed')
    await gone(page).getByText('Removed').waitFor()
    await page.getByRole('heading', { name: 'In the conference (1)' }).waitFor()
    await checkBothThemes(page, 'a conference that somebody left', 'conference-left')
    await gone(page).getByRole('link', { name: 'Open the call of +1 500 555 0200' }).click()
    await page.waitForURL(url => url.pathname === `/calls/${under.callId}`)
    await end(under)
  })

  test('somebody who left meanwhile is not muted any more: that is said, and the page shows it', async t => {
    const under = await conferenceWith(portal.t)
    const page = await portal.newPage(t, { allow: [/status of 409|ERR_FAILED|Failed to load/] })
    await page.route('**/v2/stream**', route => route.abort())
    await portal.logIn(page, { path: `/conferences/${under.conferenceId}`, mode: 'live' })
    await leave(under, under.callId, 'hangup')
    await inside(page).getByRole('button', { name: /^Mute/ }).click()
    await page.getByText('The call is not in the conference any more.').waitFor()
    await gone(page).getByText('Hung up').waitFor()
    await end(under)
  })

  test('a Finance Manager sees who is in it, and is offered nothing that would be refused', async t => {
    const under = await conferenceWith(portal.t)
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/conferences/${under.conferenceId}`, mode: 'live', role: 'Finance Manager' })
    await inside(page).getByRole('link', { name: 'Open the call of +1 500 555 0200' }).waitFor()
    assert.equal(await inside(page).getByRole('button').count(), 0)
    await page.getByRole('link', { name: 'All conferences' }).click()
    await row(page, under.name).waitFor()
    await end(under)
  })

  test('an empty list says how a conference begins, and a telephone shows both screens without scrolling sideways', async t => {
    const under = await conferenceWith(portal.t)
    const page = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    await portal.logIn(page, { path: '/conferences' })
    await page.getByRole('heading', { name: 'No conferences yet' }).waitFor()
    await page.getByRole('link', { name: 'Start a call' }).waitFor()
    await noHorizontalScroll(page)
    await page.getByRole('heading', { level: 1, name: 'Conferences' }).waitFor()
    const live = await portal.newPage(t, { width: 390, height: 844, theme: 'dark' })
    for (const path of ['/conferences', `/conferences/${under.conferenceId}`]) {
      await portal.logIn(live, { path, mode: 'live' })
      await live.getByText(under.name).first().waitFor()
      await noHorizontalScroll(live)
      await screenshot(live, `telephone ${path}`)
    }
    await end(under)
  })
})
