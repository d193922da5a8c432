// Call instructions in a real browser: their verbs are read in the Explorer, where what names itself is opened step by step, and
// written in the Playground, which offers what fits and names the place of what does not.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { checkAccessibility, chromiumMissing, noHorizontalScroll, portalForTests, screenshot } from './browser.ts'

const startCall = '/explorer/v2/voice/post-voice-calls'
const schema = (page: Page, ...names: string[]) =>
  names.reduce(
    (within, name) =>
      within
        .locator('details')
        .filter({ has: page.locator(`:scope > summary > code:text-is("${name}")`) })
        .first(),
    page.locator('#parameters'),
  )
const open = (page: Page, ...names: string[]) =>
  schema(page, ...names)
    .locator(':scope > summary')
    .click()

describe('call instructions', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('are read in the Explorer by their names, as deep as one likes', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: startCall })
    const field = page.locator('#param-body-instructions')
    await field.getByText('list of Instruction').waitFor()
    assert.equal(await field.locator('details').count(), 1, 'nothing is expanded before it is opened')
    await open(page, 'Instruction')
    await schema(page, 'Instruction', 'HangupInstruction').waitFor()
    assert.equal(await schema(page, 'Instruction').locator('details').count(), 27)
    await open(page, 'Instruction', 'DialInstruction')
    const onFail = page.locator('#param-body-instructions-Instruction-DialInstruction-onFail')
    await onFail.getByText('What to do when nobody took the call').waitFor()
    for (const target of ['NumberTarget', 'SipTarget', 'ClientTarget', 'QueueTarget'])
      await schema(page, 'Instruction', 'DialInstruction', target).waitFor()
    await screenshot(page, 'instructions-explorer')
    // And into itself again.
    await onFail.locator('summary').first().click()
    await onFail.locator('summary', { hasText: 'SayInstruction' }).click()
    const text = page.locator(
      '#param-body-instructions-Instruction-DialInstruction-onFail-Instruction-SayInstruction-text',
    )
    assert.match(await text.innerText(), /text[\s\S]*required[\s\S]*1–4,096 characters/)
    await checkAccessibility(page, { name: 'instructions in the Explorer' })
    await page.setViewportSize({ width: 390, height: 844 })
    await noHorizontalScroll(page, 'instructions in the Explorer on a telephone')
    await screenshot(page, 'instructions-explorer-narrow')
    await page.setViewportSize({ width: 1440, height: 900 })
    await text.hover()
    await text.getByRole('link', { name: 'Link to text' }).click()
    await page.waitForURL(
      /#param-body-instructions-Instruction-DialInstruction-onFail-Instruction-SayInstruction-text$/,
    )
    await page.reload()
    await text.waitFor()
    await page.waitForFunction(() => window.scrollY > 0)
    assert.equal(await text.getAttribute('data-target'), 'true', 'a link opens the way to a field within')
    assert.equal(await page.locator('details[open]').count(), 4)
    await screenshot(page, 'instructions-explorer-nested')
  })

  test('a command is shown as the choice it is', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/explorer/v2/voice/post-voice-calls-call-id-commands' })
    await open(page, 'CallCommand')
    await schema(page, 'CallCommand', 'InstructionsCommand').waitFor()
    await open(page, 'CallCommand', 'RecordCommand')
    const fields = page.getByRole('list', { name: 'Fields of RecordCommand' })
    await fields.waitFor()
    assert.deepEqual((await fields.locator('b').allInnerTexts()).slice(0, 4), ['verb', 'label', 'mode', 'channels'])
    await screenshot(page, 'instructions-command')
  })

  test('are written in the Playground with what fits, and a fault is marked with its place', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/playground?endpoint=calls.create' })
    await page.locator('.cm-editor [aria-label="JSON body"]').waitFor()
    const body = page.getByRole('textbox', { name: 'JSON body' })
    const offered = page.getByRole('listbox', { name: 'Suggestions' })
    const pick = async (name: string) => {
      await page.keyboard.press('Control+Space')
      await offered.getByRole('option', { name, exact: true }).click()
      await offered.waitFor({ state: 'hidden' })
    }
    await body.fill('{"from": "+15005550006", "to": "+15005550200", "instructions": []}')
    await page.keyboard.press('End')
    for (let steps = 0; steps < 2; steps++) await page.keyboard.press('ArrowLeft')
    await page.keyboard.press('Control+Space')
    await offered.getByRole('option', { name: 'dial' }).waitFor()
    await screenshot(page, 'instructions-verbs')
    await page.keyboard.press('Escape')
    await pick('dial')
    assert.match((await body.textContent()) ?? '', /"instructions": \[\{ "verb": "dial", "targets": \[\] \}\]\}$/)
    await page.getByText('Line 1: instructions[0].targets must have at least 1 entry.').waitFor()
    for (let steps = 0; steps < 3; steps++) await page.keyboard.press('ArrowLeft')
    await pick('queue')
    await page.getByText('Line 1: instructions[0].targets[0].queue must not be empty.').waitFor()
    const text = ((await body.textContent()) ?? '').replace('"queue": ""', '"queue": "support"')
    await body.fill(text.replace(/ \}\]\}$/, ', "onFail": [{ "verb": "sai", "text": "Hello" }] }]}'))
    await page
      .getByText(/^Line 1: instructions\[0\]\.onFail\[0\]\.verb must be one of: .* Did you mean say\?$/)
      .waitFor()
    await checkAccessibility(page, { name: 'instructions in the Playground' })
    await screenshot(page, 'instructions-fault')
    await body.fill(((await body.textContent()) ?? '').replace('"sai"', '"say"'))
    await page.getByText(/^Line 1: /).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByTestId('status').getByText('201').or(page.getByTestId('status').getByText('200')).first().waitFor()
  })
})
