// Files in the Playground: one of this machine is sent byte for byte, and text that is no JSON is not called wrong JSON.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility } from './accessibility.ts'
import { chromiumMissing, portalForTests } from './browser.ts'
import { expectStatus, openPlayground, send } from './playground_page.ts'

/** A picture of one pixel: its bytes are no text. */
const pixel = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
)

describe('files in the Playground', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('a file of this machine arrives as it is', async t => {
    const as = portal.t.main.testKey
    const body = { name: 'Has a picture', email: 'has.a.picture@example.com' }
    const { json: made } = await portal.t.call('POST', '/v1/api/leads', { as, body })
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=attachments.create' })
    await page.getByRole('tab', { name: /^Query/ }).click()
    await page.getByLabel('Query parameter record_id value').fill(`lead:${made.lead.id}`)
    await page.getByLabel('Query parameter name value').fill('pixel.png')
    await page.getByRole('tab', { name: /^Body/ }).click()
    await page.getByLabel('File to send').setInputFiles({ name: 'pixel.png', mimeType: 'image/png', buffer: pixel })
    await page.getByText(`pixel.png, ${pixel.length} B`).waitFor()
    assert.equal(await page.getByLabel('Text of the body').count(), 0, 'which of the two is sent?')
    await checkAccessibility(page, { name: 'a file chosen' })

    await page.getByRole('tab', { name: /^Code/ }).click()
    await page.getByText("--data-binary '@pixel.png'").waitFor()
    await send(page).click()
    await expectStatus(page, 201)
    const { json } = await portal.t.call('GET', `/v1/api/attachments?record_id=lead:${made.lead.id}`, { as })
    const [{ id, content_type: type }] = json.attachments
    assert.equal(type, 'image/png')
    const headers = { authorization: `Bearer ${as}` }
    const kept = await fetch(`${portal.address}/v1/api/attachments/${id}/content`, { headers })
    assert.deepEqual(Buffer.from(await kept.arrayBuffer()), pixel)

    await page.getByRole('tab', { name: /^Body/ }).click()
    await page.getByRole('button', { name: 'Remove the file' }).click()
    await page.getByLabel('Text of the body').waitFor()
  })

  test('the text of a CSV file is written as text, and sent', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=imports.create' })
    await page.getByRole('tab', { name: /^Body/ }).click()
    const text = page.getByLabel('Text of the body')
    assert.match(await text.inputValue(), /^Name,E-mail/)
    assert.equal(await page.getByRole('textbox', { name: 'JSON body' }).count(), 0)
    await text.fill('Name,E-mail\nGrace Hopper,grace@example.com\n')
    await send(page).click()
    await expectStatus(page, 201)
  })
})
