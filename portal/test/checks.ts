// What every screen is held to, and what journeys need: accessibility, no sideways scrolling, themes, screenshots,
// and going somewhere with the keyboard alone.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from 'playwright-core'

export type Theme = 'light' | 'dark'

const colourRules = ['color-contrast', 'link-in-text-block']
const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa']

/**
 * Rejects unless axe finds nothing against WCAG 2.2 A and AA on what is shown now; the message lists rule by rule.
 * @param options.only `colour` for the rules that a theme can break, where everything else was checked in the other one
 */
export async function checkAccessibility(page: Page, options: { name: string; only?: 'colour' }): Promise<void> {
  const { name, only } = options
  await settled(page)
  const axe = new AxeBuilder({ page }).setLegacyMode(true)
  const chosen = only === 'colour' ? axe.withRules(colourRules) : axe.withTags(rules)
  const { violations } = await chosen.analyze()
  const lines = violations.flatMap(({ id, help, nodes }) => [
    `${id}: ${help}`,
    ...nodes
      .slice(0, 8)
      .map(node => `    ${node.target.join(' ')}\n      ${node.html.slice(0, 160)}\n      ${reason(node)}`),
    ...(nodes.length > 8 ? [`    … and ${nodes.length - 8} more`] : []),
  ])
  assert.equal(
    violations.length,
    0,
    `${name}: ${violations.length} rules of WCAG 2.2 A/AA are broken\n${lines.join('\n')}`,
  )
}

function reason({ any, all, none }: { any: Message[]; all: Message[]; none: Message[] }): string {
  return [...any, ...all, ...none].map(({ message }) => message).join('; ')
}
type Message = { message: string }

/** Resolves when transitions and animations of finite length are over: colours are judged as they stay. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const finite = document.getAnimations().filter(({ effect }) => effect?.getComputedTiming().endTime !== Infinity)
    await Promise.race([
      Promise.allSettled(finite.map(({ finished }) => finished)),
      new Promise(resolve => setTimeout(resolve, 2_000)),
    ])
  })
}

/** Resolves when a screen stands: its heading is there, and nothing of it says any more that it is loading. */
export async function screenReady(page: Page): Promise<void> {
  await page.getByRole('main').getByRole('heading', { level: 1 }).first().waitFor()
  await page.waitForFunction(() => document.querySelector('main [role=status][aria-label^="Loading"]') === null)
}

/** Shows the page as the system's preference `theme` has it. The portal follows it until a person chooses. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.waitForFunction(wanted => (document.documentElement.dataset['theme'] ?? 'light') === wanted, theme)
  // Even the shortest transition takes its frames.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  await settled(page)
}

/** Does the same in both themes, light first. */
export async function inBothThemes(page: Page, work: (theme: Theme) => Promise<void>): Promise<void> {
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme)
    await work(theme)
  }
}

/**
 * Holds the page to accessibility in both themes; in the dark one to what a theme can break.
 * @param picture what its screenshots are called; none without it
 */
export function checkBothThemes(page: Page, name: string, picture?: string): Promise<void> {
  return inBothThemes(page, async theme => {
    if (picture !== undefined) await screenshot(page, `${picture}-${theme}`)
    await checkAccessibility(page, { name: `${name}, ${theme}`, ...(theme === 'dark' ? { only: 'colour' } : {}) })
  })
}

/** Rejects when the page can be scrolled sideways, naming the elements that stick out. */
export async function noHorizontalScroll(page: Page, name = page.url()): Promise<void> {
  const { width, scrollWidth, culprits } = await page.evaluate(() => {
    const { clientWidth: width, scrollWidth } = document.documentElement
    const clipped = (element: Element): boolean => {
      for (let above = element.parentElement; above !== null && above !== document.body; above = above.parentElement) {
        if (getComputedStyle(above).overflowX !== 'visible') return true
      }
      return false
    }
    const wide = [...document.body.querySelectorAll('*')].filter(
      element => element.getBoundingClientRect().right > width + 1 && !clipped(element),
    )
    const culprits = wide.slice(0, 5).map(element => {
      const right = Math.round(element.getBoundingClientRect().right)
      return `${element.tagName.toLowerCase()}.${element.className} "${(element.textContent ?? '').slice(0, 40)}" ends at ${right} px`
    })
    return { width, scrollWidth, culprits }
  })
  const wide = `${name} is ${scrollWidth} px wide in a window of ${width} px:\n  ${culprits.join('\n  ')}`
  assert.ok(scrollWidth <= width, wide)
}

/** Writes `<name>.png` into the folder named by TANDEM_SCREENSHOTS; does nothing without it. */
export async function screenshot(page: Page, name: string): Promise<void> {
  const folder = process.env['TANDEM_SCREENSHOTS']
  if (folder === undefined || folder === '') return
  mkdirSync(folder, { recursive: true })
  await settled(page)
  await page.screenshot({ path: join(folder, `${name.replaceAll(/[^\w.-]+/g, '_')}.png`) })
}

export async function isFocused(target: Locator): Promise<boolean> {
  return (await target.count()) === 1 && target.evaluate(element => element === document.activeElement)
}

/** Waits until `target` has the focus: a dialog that closes gives it back a moment after it is gone. */
export async function untilFocused(target: Locator, otherwise = `${target} does not get the focus`): Promise<void> {
  const deadline = Date.now() + 5_000
  while (!(await isFocused(target))) {
    assert.ok(Date.now() < deadline, otherwise)
    await sleep(20)
  }
}

/**
 * Presses Tab until `target` has the focus, as a person without a mouse does; rejects after `limit` presses. On the way
 * every stop must show that it has the focus.
 */
export async function tabTo(page: Page, target: Locator, { limit = 60, back = false } = {}): Promise<void> {
  await target.waitFor({ state: 'attached' })
  for (let presses = 0; presses <= limit; presses++) {
    if (await isFocused(target)) return
    await page.keyboard.press(back ? 'Shift+Tab' : 'Tab')
    await focusIsVisible(page)
  }
  assert.fail(`Tab does not reach ${target} within ${limit} presses`)
}

/** Rejects when the focused element does not show it by an outline or a ring. */
export async function focusIsVisible(page: Page): Promise<void> {
  const hidden = await page.evaluate(() => {
    const active = document.activeElement
    if (active === null || active === document.body) return null
    // A part of a native field, such as the button of a calendar: the browser draws that focus itself.
    if (!active.matches(':focus')) return null
    const outlined = (element: Element) => {
      const { outlineStyle, outlineWidth } = getComputedStyle(element)
      return outlineStyle !== 'none' && parseFloat(outlineWidth) > 0
    }
    // A field may hand its ring to the box around it, and an editor to its frame; a shadow there says nothing.
    const around = [active, active.parentElement, active.parentElement?.parentElement].filter(
      above => above instanceof Element,
    )
    const shown = around.some(outlined) || getComputedStyle(active).boxShadow !== 'none'
    return shown ? null : active.outerHTML.slice(0, 200)
  })
  assert.equal(hidden, null, `the focus cannot be seen on ${hidden}`)
}
