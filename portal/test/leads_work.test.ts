// Working on leads in the portal: editing, moving by the table of states, converting, deleting and restoring, taking what nobody owns.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import {
  checkBothThemes,
  chromiumMissing,
  noHorizontalScroll,
  offeredIn,
  portalForTests,
  tabTo,
  untilFocused,
  watchOf,
} from './browser.ts'

describe('work on leads in the portal', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  async function create(name: string, email: string, more: object = {}): Promise<number> {
    const body = { name, email, ...more }
    const answer = await portal.t.call('POST', '/v1/api/leads', { as: portal.t.main.testKey, body })
    assert.equal(answer.status, 201, answer.text)
    return answer.json.lead.id
  }

  const open = (page: Page, name: string) => page.getByRole('link', { name: `Open ${name}`, exact: true })

  test('a lead is edited, moved with a reason, converted, deleted and brought back', async t => {
    const id = await create('Katherine Johnson', 'katherine@nasa.example', { company: 'Langley' })
    const page = await portal.newPage(t, { allow: [/status of 40[04]/] })
    await portal.logIn(page, { path: `/leads/${id}` })
    const details = page.getByRole('region', { name: 'Details' })
    await page.getByRole('button', { name: 'Edit source' }).click()
    await page.keyboard.type('fair')
    await page.keyboard.press('Enter')
    await details.getByText('fair', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Give up' }).click()
    assert.deepEqual(await offeredIn(page.getByRole('menuitem')), ['Unqualified', 'Junk'])
    await page.getByRole('menuitem', { name: 'Unqualified' }).click()
    const reason = page.getByRole('dialog')
    await reason.getByRole('button', { name: 'Move to Unqualified' }).click()
    await reason.getByText(/is required for a lead that is Unqualified/i).waitFor()
    await reason.getByLabel('Why').fill('No budget.')
    await reason.getByRole('button', { name: 'Move to Unqualified' }).click()
    await details.getByText('No budget.').waitFor()
    const steps = page.getByRole('navigation', { name: 'Status of the lead' })
    const offered = () => steps.getByRole('button').evaluateAll(all => all.map(one => one.getAttribute('aria-label')))
    assert.deepEqual(await offered(), ['Move to New'], 'one that is given up is opened again, and nothing else')
    await checkBothThemes(page, 'a lead that was given up', 'lead-given-up')
    await page.getByRole('button', { name: 'Reopen' }).click()
    await steps.locator('[aria-current="step"]').getByText('New', { exact: true }).waitFor()
    // From step to step by arrow keys, and there by Enter.
    await tabTo(page, steps.getByRole('button', { name: 'Move to Contacted' }))
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    await untilFocused(steps.getByRole('button', { name: 'Move to Qualified' }))
    await page.keyboard.press('Enter')
    await steps.locator('[aria-current="step"]').getByText('Qualified').waitFor()
    await page.getByRole('button', { name: 'Convert', exact: true }).click()
    await page.getByRole('dialog').getByText('Langley, a new one').waitFor()
    await checkBothThemes(page, 'converting a lead', 'lead-convert')
    await page.getByRole('dialog').getByRole('button', { name: 'Convert', exact: true }).click()
    await steps.locator('[aria-current="step"]').getByText('Converted').waitFor()
    await details.getByRole('link', { name: 'Langley' }).waitFor()
    await details.getByRole('link', { name: 'Katherine Johnson' }).waitFor()
    await page.getByRole('button', { name: 'More actions' }).click()
    await page.getByRole('menuitem', { name: 'Delete' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Katherine Johnson was deleted.').waitFor()
    await page.waitForURL(url => url.pathname === '/leads')
    await page.getByRole('button', { name: 'Trash' }).click()
    await open(page, 'Katherine Johnson').waitFor()
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Katherine Johnson was restored.').waitFor()
    const { json } = await portal.t.call('GET', `/v1/api/leads/${id}`, { as: portal.t.main.testKey })
    assert.equal(json.lead.status, 'Converted')
  })

  test('the trash is followed while it is open: what is deleted elsewhere comes, and what is restored goes', async t => {
    const id = await create('Trashed Elsewhere', 'elsewhere@example.com')
    const act = async (method: string, path: string) => {
      const answer = await portal.t.call(method, `/v1/api/leads/${id}${path}`, { as: portal.t.main.testKey })
      assert.equal(answer.status, 200, answer.text)
    }
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads?deleted=true&q=Trashed' })
    await watchOf(page).quiet()
    await act('DELETE', '')
    await open(page, 'Trashed Elsewhere').waitFor()
    await act('POST', '/restore')
    await open(page, 'Trashed Elsewhere').waitFor({ state: 'detached' })
  })

  test('many are moved at once to where they may come, with a reason; what stayed is named, and an undo brings them back', async t => {
    const ids = [await create('Bulk Hudson', 'hudson@example.com'), await create('Bulk Hicks', 'hicks@example.com')]
    const patch = { as: portal.t.main.testKey, body: { status: 'Qualified' } }
    await portal.t.call('PATCH', `/v1/api/leads/${ids[1]}`, patch)
    const statuses = () =>
      Promise.all(
        ids.map(async id => {
          const { json } = await portal.t.call('GET', `/v1/api/leads/${id}`, { as: portal.t.main.testKey })
          return [json.lead.status, json.lead.lost_reason]
        }),
      )
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/leads?name[begins]=Bulk' })
    const dialog = page.getByRole('dialog', { name: 'Change 2 leads' })
    const begin = async (status: string) => {
      await open(page, 'Bulk Hicks').waitFor()
      for (const name of ['Bulk Hudson', 'Bulk Hicks'])
        await page.getByRole('checkbox', { name: `Select ${name}` }).check()
      await page.getByRole('button', { name: 'Change a field' }).click()
      const offered = await dialog.getByLabel('Status', { exact: true }).locator('option').allInnerTexts()
      assert.deepEqual(offered, ['Contacted', 'Nurturing', 'Qualified', 'Unqualified', 'Junk'])
      await dialog.getByLabel('Status', { exact: true }).selectOption(status)
    }
    await begin('Unqualified')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByText('2 stayed as they were:').waitFor()
    await dialog.getByText(/^Bulk Hudson: .*is required for a lead that is Unqualified/).waitFor()
    await dialog.getByLabel('Given up because').fill('No budget.')
    await checkBothThemes(page, 'moving many leads', 'leads-moved')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await page.getByText('2 leads changed.').waitFor()
    assert.deepEqual(await statuses(), Array(2).fill(['Unqualified', 'No budget.']))
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('Undone: 2 leads restored.').waitFor()
    assert.deepEqual(await statuses(), [
      ['New', null],
      ['Qualified', null],
    ])
    await begin('Junk')
    await dialog.getByRole('button', { name: 'Change', exact: true }).click()
    await dialog.getByText('1 stayed as it was:').waitFor()
    await dialog.getByText(/^Bulk Hicks: status is Qualified and cannot become Junk\./).waitFor()
    assert.deepEqual(await statuses(), [
      ['Junk', null],
      ['Qualified', null],
    ])
  })

  test('on the board a lead is dragged where it may come, and nowhere else', async t => {
    await create('Dorothy Vaughan', 'dorothy@nasa.example')
    const page = await portal.newPage(t, { width: 1800, height: 900 })
    await portal.logIn(page, { path: '/leads?layout=board&q=Dorothy' })
    const lane = (name: string) => page.getByRole('region', { name: new RegExp(`^${name}, `) })
    const card = page.getByRole('listitem').filter({ hasText: 'Dorothy Vaughan' })
    await lane('New').getByRole('link', { name: 'Dorothy Vaughan' }).waitFor()
    await card.dragTo(lane('Contacted'))
    await lane('Contacted').getByRole('link', { name: 'Dorothy Vaughan' }).waitFor()
    await card.dragTo(lane('New'))
    await page.getByRole('button', { name: 'Move Dorothy Vaughan' }).click()
    await page.getByRole('menuitem').first().waitFor()
    const offered = await offeredIn(page.getByRole('menuitem'))
    assert.ok(!offered.includes('Move to New') && offered.includes('Move to Qualified'), offered.join())
    await page.getByRole('menuitem', { name: 'Move to Qualified' }).click()
    await lane('Qualified').getByRole('link', { name: 'Dorothy Vaughan' }).waitFor()
    await checkBothThemes(page, 'leads on a board', 'leads-board')
    // A conversion is asked for where it is dragged to.
    await card.dragTo(lane('Converted'))
    await page.getByRole('dialog').getByRole('button', { name: 'Convert', exact: true }).click()
    await lane('Converted').getByRole('link', { name: 'Dorothy Vaughan' }).waitFor()
  })

  test('all columns of the list and all tools of the board are in sight, these in one line', async t => {
    const page = await portal.newPage(t, { width: 1440, height: 900 })
    await portal.logIn(page, { path: '/leads' })
    const list = page.getByRole('region', { name: 'Leads' })
    await list.waitFor()
    assert.ok(await list.evaluate(({ scrollWidth, clientWidth }) => scrollWidth <= clientWidth))
    await page.getByText('Board', { exact: true }).click()
    await page.getByLabel('By', { exact: true }).waitFor()
    const tops = await page.getByRole('search').evaluate(toolbar =>
      [...toolbar.querySelectorAll('select, button')].map(tool => {
        const { top, height } = tool.getBoundingClientRect()
        return top + height / 2
      }),
    )
    assert.ok(Math.max(...tops) - Math.min(...tops) < 4, `the middles of the tools: ${tops}`)
  })

  test('a Sales Executive takes an unassigned lead, and changes and gives away nothing of others', async t => {
    const id = await create('Unassigned Person', 'unassigned@example.com')
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Sales Executive', path: `/leads/${id}` })
    await page.getByRole('button', { name: 'Take it' }).waitFor()
    for (const name of ['Edit', 'More actions', 'Move to Contacted', 'Give up', 'Convert', 'Edit name'])
      assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
    await page.getByRole('button', { name: 'Take it' }).click()
    await page.getByRole('button', { name: 'Edit', exact: true }).waitFor()
    assert.equal(await page.getByRole('button', { name: 'Edit owner' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: 'More actions' }).count(), 0)
    await page.getByRole('button', { name: 'Edit', exact: true }).click()
    await page.getByRole('dialog').getByLabel('Name').waitFor()
    assert.equal(await page.getByRole('dialog').getByLabel('Owner').count(), 0)
  })

  test('at the top of the timeline one writes, notes and plans, and what was sent stands below at once, also for a Sales Executive', async t => {
    const phone = '+15005550131'
    const role = 'Sales Executive'
    const id = await create('Mary Golda Ross', 'mary@lockheed.example', {
      phone,
      owner_id: portal.t.main.users[role].id,
    })
    const page = await portal.newPage(t)
    await portal.logIn(page, { role, path: `/leads/${id}` })
    const composer = page.getByRole('region', { name: 'Write, call or note' })
    const story = page.getByRole('list', { name: /^Timeline of this lead/ })
    await composer.getByLabel('New note').fill('Met at the fair.')
    // What was typed stays while one looks at something else.
    await composer.getByRole('tab', { name: 'Task' }).click()
    await composer.getByLabel('New task').fill('Send the price list')
    await composer.getByRole('tab', { name: 'Note' }).click()
    assert.equal(await composer.getByLabel('New note').inputValue(), 'Met at the fair.')
    await composer.getByRole('button', { name: 'Add the note' }).click()
    await story.getByText('Met at the fair.').waitFor()
    await composer.getByRole('tab', { name: 'Task' }).click()
    await composer.getByRole('button', { name: 'Add the task' }).click()
    await story.getByText('Task: Send the price list').waitFor()
    // The button of the head opens the composer, with the focus where one writes.
    await page.getByRole('button', { name: 'Text', exact: true }).click()
    const body = composer.getByLabel('Text', { exact: true }).and(page.getByRole('textbox'))
    await untilFocused(body)
    await page.keyboard.type('Shall we talk on Monday?')
    await composer.getByText('1 segment').waitFor()
    await checkBothThemes(page, 'a lead with its composer', 'lead-composer')
    await composer.getByRole('button', { name: 'Send the text' }).click()
    await story.getByText('Shall we talk on Monday?').waitFor()
    assert.equal(await body.inputValue(), '')
    await composer.getByRole('tab', { name: 'Call' }).click()
    await composer.getByRole('button', { name: 'Call +1 500 555 0131' }).waitFor()
    assert.equal(await page.getByText('events:read').count(), 0)
    assert.equal(await page.getByRole('tab', { name: 'Developer' }).count(), 0, 'a developer tab is for who reads logs')
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page)
  })

  test('anyone who wants no more texts is not written to', async t => {
    const as = portal.t.main.testKey
    const phone = '+15005550133'
    const sender = '+15550107788'
    for (const [path, body] of [
      ['/v2/numbers', { number: sender }],
      ['/v2/messages/opt-outs', { scope: sender, recipient: phone }],
    ] as const) {
      const answer = await portal.t.call('POST', path, { as, body })
      assert.ok(answer.status < 300, answer.text)
    }
    const id = await create('Annie Easley', 'annie@lewis.example', { phone })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/leads/${id}?compose=text` })
    await page.getByText('doesn’t want any more texts from this sender.').waitFor()
    assert.ok(await page.getByRole('button', { name: 'Send the text' }).isDisabled())
  })

  test('who may put nothing on a record of others, and reach nobody, is offered no composer', async t => {
    const answer = await portal.t.call('POST', '/v1/api/companies', {
      as: portal.t.main.testKey,
      body: { name: 'Langley Research', phone: '+15005550132' },
    })
    const page = await portal.newPage(t)
    await portal.logIn(page, { role: 'Finance Manager', path: `/companies/${answer.json.company.id}` })
    await page
      .getByRole('list', { name: /^Timeline of this company/ })
      .getByText('Company created')
      .waitFor()
    assert.equal(await page.getByRole('region', { name: 'Write, call or note' }).count(), 0)
    assert.equal(await page.getByRole('button', { name: /^(Text|Call|Write)/ }).count(), 0)
  })
})
