// Mail that comes in, in the portal: a mail is written to a lead, its answer stands on the timeline, what nobody knows is put on a record in one
// press, and mailboxes say how reading them goes.
// test: programs
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { eventually } from '../../server/test/eventually.ts'
import { checkBothThemes, chromiumMissing, portalForTests, takePictures } from './browser.ts'

describe('mail that comes in', { skip: chromiumMissing }, () => {
  const portal = portalForTests({
    work: true,
    env: { TANDEM_MAIL_DOMAIN: 'in.example.com', TANDEM_EGRESS_ALLOW: '127.0.0.0/8' },
  })
  const dialog = (page: Page) => page.getByRole('dialog')
  const row = (page: Page, text: string) => page.getByRole('main').getByRole('row').filter({ hasText: text })
  const timeline = (page: Page) => page.getByRole('list', { name: /^Timeline of this/ })
  const key = () => portal.t.main.testKey
  const api = async (method: string, path: string, body?: unknown) =>
    (await portal.t.call(method, path, { as: key(), ...(body === undefined ? {} : { body }) })).json

  async function handIn(raw: string) {
    const headers = { 'content-type': 'message/rfc822' }
    const { json } = await portal.t.call('POST', '/v2/mail/inbound', {
      as: key(),
      headers,
      rawBody: raw.replaceAll('\n', '\r\n'),
    })
    return json.data.received[0]
  }

  test('a mail is written to a lead, and the answer comes onto the timeline while one looks', async t => {
    const { lead } = await api('POST', '/v1/api/leads', { name: 'Ada Park', email: 'ada@example.com' })
    await api('POST', '/v2/mail/templates', {
      key: 'appointment',
      subject: 'Monday, {{ name }}',
      text: 'Dear {{ name }},',
    })
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: `/leads/${lead.id}` })
    const writing = page.getByRole('form', { name: 'Mail to Ada Park' })
    await page.getByRole('button', { name: 'Write a mail' }).click()
    await writing.getByLabel('Template').selectOption({ label: 'appointment' })
    await eventually('the words of the template stand there', async () => {
      return (await writing.getByLabel('Subject').inputValue()) === 'Monday, Ada Park'
    })
    await writing.getByLabel('Text', { exact: true }).fill('Dear Ada Park,\n\nsee you on Monday.')
    const file = (name: string, buffer: Buffer) => ({ name, mimeType: 'application/pdf', buffer })
    const files = writing.getByLabel('Files to attach')
    await files.setInputFiles([file('offer.pdf', Buffer.from('%PDF an offer')), file('none.pdf', Buffer.alloc(0))])
    await writing.getByText('none.pdf is empty.').waitFor()
    await checkBothThemes(page, 'writing a mail', 'mail-composer')
    await writing.getByRole('button', { name: 'Send mail' }).click()
    await timeline(page).getByText('Mail to ada@example.com: Monday, Ada Park').waitFor()
    await timeline(page).getByText('see you on Monday.').waitFor()
    const [{ mailId }] = (await api('GET', `/v2/mails?recordId=lead:${lead.id}`)).data
    const { attachments } = (await api('GET', `/v2/mails/${mailId}`)).data
    assert.deepEqual(
      attachments.map(({ fileName, mediaType }: Record<string, string>) => [fileName, mediaType]),
      [['offer.pdf', 'application/pdf']],
    )
    await handIn(
      'From: Ada Park <ada@example.com>\nSubject: Re: Monday\nMessage-ID: <a@x.example>\n\nMonday suits me.\n\nOn Sunday, Bob wrote:\n> see you\n',
    )
    await timeline(page).getByText('Mail from ada@example.com: Re: Monday').waitFor()
    await timeline(page).getByText('Monday suits me.').waitFor()
    assert.equal(await timeline(page).getByText('> see you').isVisible(), false)
    await timeline(page).getByText('Quoted text').click()
    await timeline(page).getByText('> see you').waitFor()
    await takePictures(page, 'mail-timeline')
    await timeline(page)
      .getByRole('link', { name: /Mail from ada/ })
      .click()
    await page.getByRole('button', { name: 'Answer' }).click()
    assert.equal(await dialog(page).getByLabel('Subject').inputValue(), 'Re: Monday')
    await dialog(page).getByLabel('Text').fill('Good.')
    await dialog(page).getByRole('button', { name: 'Send' }).click()
    await eventually('the answer is sent', async () => {
      const { data } = await api('GET', `/v2/mails?recordId=lead:${lead.id}`)
      return data.some((mail: { subject: string }) => mail.subject === 'Re: Monday')
    })
  })

  test('what could be of two is put on one of them in one press, and what is of no use is set aside', async t => {
    const email = 'two@example.com'
    await api('POST', '/v1/api/leads', { name: 'Lead Two', email })
    await api('POST', '/v1/api/contacts', { name: 'Contact Two', emails: [{ value: email }] })
    await handIn(
      `From: Two <${email}>\nSubject: Which of us\nMessage-ID: <two@x.example>\nContent-Type: text/html\n\n<h1>Hello</h1><img src="https://tracker.example/x.png"><script>parent.hacked = 1</script>\n`,
    )
    const page = await portal.newPage(t, { allow: [/Blocked script execution in 'blob:/] })
    await portal.logIn(page, { path: '/mail-inbox?state=unmatched' })
    await row(page, 'Which of us').waitFor()
    await takePictures(page, 'mail-inbox')
    await row(page, 'Which of us').getByRole('link').first().click()
    await page.getByText('Several people have this address. Choose one.').waitFor()
    await page.getByRole('tab', { name: 'Mail' }).click()
    await page.frameLocator('iframe').getByRole('heading', { name: 'Hello' }).waitFor()
    assert.equal(await page.locator('iframe').getAttribute('sandbox'), '')
    assert.equal(await page.evaluate(() => 'hacked' in globalThis), false)
    await checkBothThemes(page, 'a mail that came in', 'inbound-mail')
    await page.getByRole('button', { name: 'Link to contact Contact Two' }).click()
    await page.getByRole('link', { name: 'Contact Two' }).waitFor()
    await page.getByRole('button', { name: 'Ignore' }).click()
    await page.getByText('ignored', { exact: true }).first().waitFor()
    assert.equal(await page.getByRole('button', { name: 'Ignore' }).count(), 0)
  })

  test('a mailbox is set up, tried out, changed, stopped and deleted; the addresses of this server stand below', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { mode: 'live', path: '/mailboxes' })
    await page.getByText(/^in\+/).waitFor()
    await page.getByText(/^log\+/).waitFor()
    await page.getByRole('button', { name: 'Add a mailbox' }).first().click()
    await dialog(page).getByLabel('Name').fill('Sales')
    await dialog(page).getByLabel('IMAP server').fill('127.0.0.1')
    await dialog(page).getByLabel('Port').fill('1')
    await dialog(page).getByLabel('User').fill('sales@example.com')
    await dialog(page).getByLabel('Password').fill('correct horse')
    await dialog(page).getByRole('button', { name: 'Add' }).click()
    await row(page, 'Sales').waitFor()
    await takePictures(page, 'mailboxes')
    await page.getByRole('button', { name: 'Test Sales' }).click()
    await dialog(page).getByRole('button', { name: 'Test now' }).click()
    await dialog(page).getByText('It doesn’t work').waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).first().click()
    await page.getByRole('button', { name: 'Edit Sales' }).click()
    await dialog(page).getByLabel('Name').fill('Sales team')
    await dialog(page).getByRole('button', { name: 'Save' }).click()
    await row(page, 'Sales team').waitFor()
    await page.getByRole('button', { name: 'Stop Sales team' }).click()
    await row(page, 'stopped').waitFor()
    await page.getByRole('button', { name: 'Delete Sales team' }).click()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('No mailboxes yet').waitFor()
  })
})
