// How a person works through a day: by mouse, or by keyboard alone. The same steps are gone with either.
import type { Locator, Page } from 'playwright-core'
import { testPassword } from '../../server/test/harness.ts'
import { isFocused, screenReady, tabTo } from './checks.ts'
import { headingOf, mainNavigation } from './going.ts'

export const hands = ['mouse', 'keyboard'] as const
export type HandKind = (typeof hands)[number]

export type Hand = {
  /** How many steps were taken: presses, fields that were filled in, choices. */
  steps: number
  /** Presses a button, follows a link, ticks a box. */
  press(target: Locator): Promise<void>
  /** Writes into a field, in place of what is there. */
  write(field: Locator, text: string): Promise<void>
  /** Chooses of a list that the browser draws. */
  choose(field: Locator, option: string): Promise<void>
  /** Opens the menu of a button and takes an entry. */
  pick(button: Locator, entry: string | RegExp): Promise<void>
  /** Goes to a screen that the navigation names, until its heading stands. */
  go(name: string): Promise<void>
  /** Comes to the portal and logs in, in test mode where none was chosen before. */
  logIn(email: string): Promise<void>
}

export function startHand(page: Page, kind: HandKind): Hand {
  const to = async (target: Locator) => {
    await target.waitFor()
    // Of tabs, radio buttons and steps Tab comes to one, and arrows lead on to the others.
    const roves = await target.evaluate(element => {
      const { type, tabIndex, isContentEditable } = element as HTMLInputElement
      return type === 'radio' || (tabIndex === -1 && !isContentEditable)
    })
    // Longer than any way on a screen: what it does not reach in so many presses nobody reaches.
    if (!roves) return tabTo(page, target, { limit: 150 })
    const group = target.locator(
      'xpath=ancestor::*[@role="tablist" or @role="radiogroup" or self::fieldset or self::nav][1]',
    )
    const isThere = () => group.evaluate(element => element.contains(document.activeElement))
    for (let presses = 0; presses < 150 && !(await isThere()); presses++) await page.keyboard.press('Tab')
    for (let presses = 0; presses < 20 && !(await isFocused(target)); presses++) await page.keyboard.press('ArrowRight')
  }
  const hand: Hand = {
    steps: 0,
    async press(target) {
      hand.steps++
      if (kind === 'mouse') return target.click()
      await to(target)
      const isTicked = await target.evaluate(element => /^(radio|checkbox)$/.test((element as HTMLInputElement).type))
      await page.keyboard.press(isTicked ? 'Space' : 'Enter')
    },
    async write(field, text) {
      hand.steps++
      if (kind === 'mouse') await field.click()
      else await to(field)
      await page.keyboard.press('ControlOrMeta+a')
      await page.keyboard.type(text)
    },
    async choose(field, option) {
      hand.steps++
      if (kind === 'keyboard') await to(field)
      await field.selectOption(option)
    },
    async pick(button, entry) {
      await hand.press(button)
      hand.steps++
      const item = page.getByRole('menuitem', { name: entry })
      await item.waitFor()
      if (kind === 'mouse') return item.click()
      for (let presses = 0; presses < 20; presses++) {
        if (await item.evaluate(element => element === document.activeElement)) break
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('Enter')
    },
    async go(name) {
      await hand.press(mainNavigation(page).getByRole('link', { name, exact: true }))
      await page.getByRole('heading', { level: 1, name: headingOf(name), exact: true }).waitFor()
      await screenReady(page)
    },
    async logIn(email) {
      await page.addInitScript(() => {
        localStorage['tandem.mode'] ??= 'test'
      })
      await page.goto('/')
      await hand.write(page.getByLabel('Email or admin ID'), email)
      await hand.write(page.getByLabel('Password'), testPassword)
      await hand.press(page.getByRole('button', { name: 'Log in', exact: true }))
    },
  }
  return hand
}
