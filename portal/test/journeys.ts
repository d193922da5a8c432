// What journeys through several screens do alike: logging in as an operator, waiting for the live stream, storing a secret, and a
// server that keeps one waiting or fails.
import type { Locator, Page, Response, Route } from 'playwright-core'
import type { TestApp } from '../../server/test/harness.ts'
import { codeOf, ownPassword } from '../../server/test/people.ts'

/** The login answers so to a password that needs a second factor. */
export const secondFactorAsked = /status of 401.*\/portal\/session$/

/** Logs in with password and second factor; resolves when the operator console is there. */
export async function enterAsOperator(
  t: TestApp,
  page: Page,
  operator: { email: string; secret: string },
): Promise<void> {
  await page.goto('/login?next=/operator')
  await page.getByLabel('Email or admin ID').fill(operator.email)
  await page.getByLabel('Password').fill(ownPassword)
  await page.keyboard.press('Enter')
  await page.getByLabel('Code').fill(codeOf(t, operator.secret, 1))
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Organizations', level: 2 }).waitFor()
}

/** Resolves when the page has opened the stream of what happens; to be called before it does. */
export function streamOpen(page: Page): Promise<Response> {
  return page.waitForResponse(answer => new URL(answer.url()).pathname === '/v2/stream' && answer.ok())
}

/** Resolves when the screen says that it is connected. */
export function connected(page: Page): Promise<void> {
  return page
    .getByRole('status')
    .filter({ hasText: /^connected$/ })
    .waitFor()
}

/** Ticks "I’ve stored it safely" in the dialog that shows a secret, and leaves; answers the secret. */
export async function storeSecret(dialog: Locator): Promise<string> {
  const secret = await dialog.locator('code', { hasText: /^(tdm|whsec)_/ }).innerText()
  await dialog.getByLabel('I’ve stored it safely').check()
  await dialog.getByRole('button', { name: 'Done' }).click()
  await dialog.waitFor({ state: 'detached' })
  return secret
}

/** Takes from the page what browsers give to secure origins alone; answers how to read what was copied all the same. */
export async function withoutClipboard(page: Page): Promise<() => Promise<string>> {
  const clipboard = await page.evaluateHandle(() => {
    const { clipboard } = navigator
    Object.defineProperty(Navigator.prototype, 'clipboard', { value: undefined })
    return clipboard
  })
  return () => clipboard.evaluate(of => of.readText())
}

type Address = Parameters<Page['route']>[0]

/** What the page asks for there is answered 500 "Out of order." until the returned function is called. */
export async function breakDown(page: Page, address: Address): Promise<() => void> {
  let broken = true
  const json = { error: { code: 'internal', message: 'Out of order.' } }
  await page.route(address, route => (broken ? route.fulfill({ status: 500, json }) : route.continue()))
  return () => {
    broken = false
  }
}

/** What the page asks for there waits until the returned function is called, and is then answered by `answer`. */
export async function holdBack(
  page: Page,
  address: Address,
  answer: (route: Route) => Promise<void>,
): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  await page.route(address, async route => {
    await promise
    await answer(route)
  })
  return resolve
}
