// Files in the Playground: one of this machine is sent byte for byte, and text that is no JSON is not called wrong JSON.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkAccessibility } from './accessibility.ts'
import { chromiumMissing, portalForTests } from './browser.ts'
import { choose, expectStatus, openPlayground, recall, send } from './playground_page.ts'

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

  test('a file is of the request for which it was chosen: another of the same endpoint has none', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=imports.create' })
    const file = (name: string) => ({
      name,
      mimeType: 'text/csv',
      buffer: Buffer.from('Name,E-mail\nAda,ada@example.com\n'),
    })
    const chooseFile = (name: string) => page.getByLabel('File to send').setInputFiles(file(name))
    const dropped = (name: string) =>
      page
        .getByRole('status')
        .filter({ hasText: `Choose a file for this request: ${name} was for another.` })
        .waitFor()
    const saveAs = async (name: string, action: string) => {
      await page.getByRole('button', { name: action, exact: true }).click()
      const saving = page.getByRole('dialog', { name: 'Save the request' })
      await saving.getByLabel('Name of the request').fill(name)
      if (name === 'First') await saving.getByLabel('Name of the collection').fill('Files')
      await saving.getByRole('button', { name: 'Save', exact: true }).click()
      await page.getByText(`${name} is saved to Files.`).waitFor()
    }
    const open = async (name: string) => {
      await page.getByRole('button', { name: 'Collections', exact: true }).click()
      const drawer = page.getByRole('dialog', { name: 'Collections' })
      await drawer.getByRole('button', { name: `POST ${name}` }).click()
      await page.getByText(`Opened ${name}.`).waitFor()
    }
    await page.getByRole('tab', { name: /^Body/ }).click()
    await saveAs('First', 'Save')
    await chooseFile('first.csv')
    await page.getByText('first.csv, 32 B').waitFor()
    await saveAs('Second', 'Save as')
    await page.getByText('first.csv, 32 B').waitFor()

    await open('First')
    await dropped('first.csv')
    await page.getByLabel('Text of the body').waitFor()
    await checkAccessibility(page, { name: 'a file that was of another request' })

    await chooseFile('history.csv')
    await send(page).click()
    await expectStatus(page, 201)
    await page.getByText('history.csv, 32 B').waitFor()
    await page.getByRole('link', { name: 'Logs', exact: true }).click()
    await page.getByRole('heading', { name: 'Logs', level: 1 }).waitFor()
    await page.goBack()
    await page.getByText('history.csv, 32 B').waitFor()
    await recall(page, /imports/)
    await dropped('history.csv')

    // By way of one that sends no file at all.
    await chooseFile('away.csv')
    await page.getByText('away.csv, 32 B').waitFor()
    await choose(page, 'GET')
    await choose(page, 'POST')
    await dropped('away.csv')
    // And with a method that is not in the catalog, which takes headers and body along.
    await chooseFile('method.csv')
    await choose(page, 'PUT')
    await page.getByRole('tab', { name: /^Body/ }).click()
    await dropped('method.csv')
  })

  test('what is brought back has its own file again, and not that of the request it was left for', async t => {
    const page = await openPlayground(portal, t, { path: '/playground?endpoint=imports.create' })
    const chooseFile = async (name: string) => {
      const buffer = Buffer.from('Name,E-mail\nAda,ada@example.com\n')
      await page.getByLabel('File to send').setInputFiles({ name, mimeType: 'text/csv', buffer })
      await page.getByText(`${name}, 32 B`).waitFor()
    }
    const undo = page.getByRole('button', { name: 'Undo' })
    await page.getByRole('tab', { name: /^Body/ }).click()
    const text = page.getByLabel('Text of the body')
    await text.fill('Name,E-mail\nOne,one@example.com\n')
    await send(page).click()
    await expectStatus(page, 201)
    const two = 'Name,E-mail\nTwo,two@example.com\n'
    await text.fill(two)
    await chooseFile('a.csv')
    await recall(page, /imports/)
    await page.getByText('a.csv was for another.').waitFor()
    await chooseFile('b.csv')
    await undo.click()
    await page.getByText('a.csv, 32 B').waitFor()

    await page.getByRole('button', { name: 'Remove the file' }).click()
    await recall(page, /imports/)
    await chooseFile('b.csv')
    await undo.click()
    await text.waitFor()
    assert.equal(await text.inputValue(), two)
    await page.getByText('It’s sent as it is, in place of the text below.').waitFor()
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
