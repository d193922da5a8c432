// A day of a sales person, from logging in to logging out, by mouse and by keyboard: what waits is answered, a stranger becomes a lead, a
// lead goes its way to a contact, and what is planned is done.
// test: programs
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/test/eventually.ts'
import { chromiumMissing, portalForTests } from './browser.ts'
import { hands, startHand } from './hand.ts'
import { dayFromNow } from './pages.ts'

for (const kind of hands)
  describe(`a day of a sales person, by ${kind}`, { skip: chromiumMissing }, () => {
    const portal = portalForTests()
    const role = 'Sales Executive'
    const phones = { ada: '+15005550161', stranger: '+15005550162' }
    const call = async (method: string, path: string, body?: object) => {
      const answer = await portal.t.call(method, path, { as: portal.t.main.testKey, body })
      assert.ok(answer.status < 300, `${path}: ${answer.text}`)
      return answer.json
    }

    before(async () => {
      const owner_id = portal.t.main.users[role].id
      const { lead } = await call('POST', '/v1/api/leads', { name: 'Ada Lovelace', phone: phones.ada, owner_id })
      await call('POST', '/v1/api/companies', { name: 'Analytical Engines' })
      const today = dayFromNow()
      const task = { title: 'Send Ada the offer', assignee_id: owner_id, due_on: today, record_id: `lead:${lead.id}` }
      await call('POST', '/v1/api/tasks', task)
      for (const [from, body] of [
        [phones.ada, 'Is my offer ready?'],
        [phones.stranger, 'Do you deliver on Sundays?'],
      ])
        await call('POST', '/v2/test/inbound', { from, to: '+15005550006', body })
      await eventually('both wait', async () => (await call('GET', '/v2/conversations?view=waiting')).data.length === 2)
    })

    const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { level: 1, name })
    const main = (page: Page) => page.getByRole('main')
    const button = (page: Page, name: string | RegExp) => main(page).getByRole('button', { name, exact: true })

    test('from the first log-in of the morning to the log-out at night', async t => {
      const page = await portal.newPage(t, { allow: [/status of 401/] })
      const hand = startHand(page, kind)
      await hand.logIn(portal.t.main.users[role].email)
      await heading(page, /^Good (morning|afternoon|evening)/).waitFor()

      // What waits: a lead of hers has asked something.
      await hand.press(page.getByRole('link', { name: 'Answer Ada Lovelace' }))
      await page.getByRole('log').getByText('Is my offer ready?').waitFor()
      await hand.write(page.getByPlaceholder(/^Text to/), 'Yes, you have it by noon.')
      await hand.press(button(page, 'Send text'))
      await page.getByRole('log').getByText('Yes, you have it by noon.').waitFor()
      await hand.press(button(page, 'Close'))
      await button(page, 'Reopen').waitFor()

      // Somebody whom nobody knows becomes a lead.
      await hand.go('Inbox')
      await hand.press(main(page).getByRole('link', { name: /\+1 500 555 0162/ }))
      await page.getByRole('log').getByText('Do you deliver on Sundays?').waitFor()
      await hand.press(button(page, 'Create a lead'))
      const creating = page.getByRole('dialog', { name: 'Create a lead' })
      await hand.write(creating.getByLabel('Name'), 'Mary Somerville')
      await hand.press(creating.getByRole('button', { name: 'Create lead' }))
      await heading(page, 'Mary Somerville').waitFor()
      await hand.press(page.getByRole('radio', { name: 'Note' }))
      await hand.write(page.getByPlaceholder(/Only colleagues/), 'Wants Sundays. Ask logistics.')
      await hand.press(button(page, 'Add note'))
      await page.getByRole('log').getByText('Wants Sundays.').waitFor()
      await hand.press(button(page, 'Snooze'))
      await hand.press(
        page.getByRole('dialog', { name: 'Snooze until' }).getByRole('button', { name: /Tomorrow morning/ }),
      )
      await page.getByText(/Mary Somerville comes back/).waitFor()

      // A lead from a call, by the palette.
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type('create a lead')
      await page
        .getByRole('option', { name: /Create a lead/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      hand.steps++
      const form = page.getByRole('dialog', { name: 'Create a lead' })
      await hand.write(form.getByLabel('Name'), 'Katherine Johnson')
      await hand.write(form.getByLabel('Email'), 'katherine@langley.example')
      await hand.write(form.getByLabel('Phone'), '+1 500 555 0164')
      await hand.press(form.getByRole('button', { name: 'Create', exact: true }))
      await heading(page, 'Katherine Johnson').waitFor()

      // Its page is where the work is done.
      await hand.press(button(page, 'Edit source'))
      await page.keyboard.type('fair')
      await page.keyboard.press('Enter')
      await main(page).getByText('fair', { exact: true }).waitFor()
      const composer = page.getByRole('region', { name: 'Write, call or note' })
      const story = page.getByRole('list', { name: /^Timeline of this lead/ })
      await hand.press(composer.getByRole('tab', { name: 'Note' }))
      await hand.write(composer.getByLabel('New note'), 'Met at the fair, wants a quote for fifty.')
      await hand.press(composer.getByRole('button', { name: 'Add the note' }))
      await story.getByText('Met at the fair, wants a quote for fifty.').waitFor()
      await hand.press(composer.getByRole('tab', { name: 'Text' }))
      await hand.write(
        composer.getByRole('textbox', { name: 'Text', exact: true }),
        'Good to meet you. The quote is on its way.',
      )
      await hand.press(composer.getByRole('button', { name: 'Send the text' }))
      await story.getByText('The quote is on its way.').waitFor()
      const steps = page.getByRole('navigation', { name: 'Status of the lead' })
      await hand.press(steps.getByRole('button', { name: 'Move to Qualified' }))
      await steps.locator('[aria-current="step"]').getByText('Qualified').waitFor()
      await hand.press(button(page, 'Convert'))
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Convert', exact: true }))
      await steps.locator('[aria-current="step"]').getByText('Converted').waitFor()
      await hand.press(page.getByRole('region', { name: 'Details' }).getByRole('link', { name: 'Katherine Johnson' }))
      await page.waitForURL(/\/contacts\//)

      // A lead that comes to nothing.
      await hand.go('Leads')
      await hand.press(page.getByRole('link', { name: 'Open Mary Somerville', exact: true }))
      await heading(page, 'Mary Somerville').waitFor()
      await hand.pick(button(page, 'Give up'), 'Unqualified')
      await hand.write(page.getByRole('dialog').getByLabel('Why'), 'No delivery on Sundays.')
      await hand.press(page.getByRole('dialog').getByRole('button', { name: 'Move to Unqualified' }))
      await main(page).getByText('No delivery on Sundays.').first().waitFor()

      // What was planned is done, and a person is found by a few letters.
      await hand.go('Home')
      await hand.press(page.getByRole('button', { name: 'Mark “Send Ada the offer” as done' }))
      await page.getByText('Send Ada the offer').first().waitFor({ state: 'detached' })
      await page.keyboard.press('ControlOrMeta+k')
      await page.keyboard.type('ada lov')
      await page
        .getByRole('option', { name: /Ada Lovelace/ })
        .first()
        .waitFor()
      await page.keyboard.press('Enter')
      hand.steps++
      await heading(page, 'Ada Lovelace').waitFor()
      await hand.go('Companies')
      await hand.press(page.getByRole('link', { name: 'Open Analytical Engines', exact: true }))
      await heading(page, 'Analytical Engines').waitFor()
      await hand.pick(page.getByRole('banner').getByRole('button', { name: /^Account/ }), 'Log out')
      await page.getByLabel('Email or admin ID').waitFor()
      assert.ok(hand.steps >= 30, `${hand.steps} steps`)
    })
  })
