// What journeys through the Playground share: its parts, and opening it with an endpoint.
import type { Locator, Page } from 'playwright-core'
import type { PageOptions, Portal } from './browser.ts'

export const status = (page: Page) => page.getByTestId('status')
export const send = (page: Page) => page.getByRole('button', { name: 'Send', exact: true })
export const bodyField = (page: Page) => page.getByRole('textbox', { name: 'JSON body' })
/** The answer in its editor; rows of our own stand there before. */
export const answerBody = (page: Page) => page.locator('.cm-editor').getByRole('textbox', { name: 'Response body' })
export const method = (page: Page, name: string) => page.getByRole('radio', { name, exact: true })
export const smsBody = { from: '+15005550006', to: '+15005550100', body: 'Your table is ready.' }

/** Waits for the heavy editor: until it is there a plain field is in its place. */
export async function editorReady(page: Page): Promise<Locator> {
  await page.locator('.cm-editor [aria-label="JSON body"]').waitFor()
  return bodyField(page)
}

export async function choose(page: Page, name: string): Promise<void> {
  // The radio lies under its label; a person presses the word.
  await page
    .locator('label')
    .filter({ hasText: new RegExp(`^${name}$`) })
    .click()
  await method(page, name).and(page.locator(':checked')).waitFor()
}

export async function expectStatus(page: Page, expected: number): Promise<void> {
  await status(page).getByText(String(expected)).waitFor()
}

/** Opens the newest of the history's requests whose name fits. */
export async function recall(page: Page, name: RegExp): Promise<void> {
  await page.getByRole('button', { name: 'History', exact: true }).click()
  const history = page.getByRole('dialog', { name: /History/ })
  await history.getByRole('button', { name }).first().click()
}

export const refused = /Failed to load resource: the server responded with a status of 4\d\d/

export type Opened = PageOptions & { path?: string; mode?: 'live' | 'test'; role?: 'Admin' | 'Finance Manager' }

/** A page on an endpoint of the Playground, that for sending a text unless another is asked for. */
export async function openPlayground(
  portal: Portal,
  t: Parameters<Portal['newPage']>[0],
  options: Opened = {},
): Promise<Page> {
  const { path = '/playground?endpoint=messages.sms.send', mode, role, ...pageOptions } = options
  const page = await portal.newPage(t, pageOptions)
  await portal.logIn(page, { path, mode, role })
  await send(page).waitFor()
  return page
}
