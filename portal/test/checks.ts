// What every screen is held to, and what journeys need: that it stands, no sideways scrolling, screenshots, and going
// somewhere with the keyboard alone.
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Locator, Page } from 'playwright-core'

export type Theme = 'light' | 'dark'

/** Resolves when transitions and animations of finite length are over: colours are checked as they stay. */
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

/** Goes to an address as a link would, without loading the portal again, which takes ten times as long. */
export async function goTo(page: Page, path: string): Promise<void> {
  await page.evaluate(path => history.pushState(null, '', path), path)
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
    if (Date.now() > deadline) {
      const focused = await target.page().evaluate(() => document.activeElement?.outerHTML.slice(0, 200))
      assert.fail(`${otherwise}: it is on ${focused}`)
    }
    await sleep(20)
  }
}

/**
 * Presses Tab until `target` has the focus, as a person without a mouse does; rejects after `limit` presses. On the way
 * every stop must show that it has the focus.
 */
export async function tabTo(page: Page, target: Locator, { limit = 90, back = false } = {}): Promise<void> {
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
  const hidden = await page.evaluate(hiddenFocus)
  assert.equal(hidden, null, `the focus cannot be seen on ${hidden}`)
}

/**
 * Presses Tab so many times; rejects when a stop on the way does not show that it has the focus.
 * @returns the stops, by the beginning of their markup
 */
export async function walkByTab(page: Page, presses: number): Promise<Set<string>> {
  // The page keeps the record: to ask it after each press would take longer than the presses.
  await page.evaluate(`window.walked = { stops: [], hidden: [] }
    window.stopWalk = new AbortController()
    document.addEventListener('focusin', () => {
      window.walked.stops.push(document.activeElement.outerHTML.slice(0, 300))
      const hidden = (${hiddenFocus})()
      if (hidden !== null) window.walked.hidden.push(hidden)
    }, { signal: window.stopWalk.signal })`)
  for (let press = 0; press < presses; press++) await page.keyboard.press('Tab')
  const walked = await page.evaluate('window.stopWalk.abort(), window.walked')
  const { stops, hidden } = walked as { stops: string[]; hidden: string[] }
  assert.deepEqual(hidden, [], 'the focus cannot be seen')
  return new Set(stops)
}

/** Runs in the page: the focused element when it does not show that it is. */
function hiddenFocus(): string | null {
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
}

/** What is offered, once anything is: a menu or a list of suggestions opens a moment after what asks for it. */
export async function offeredIn(options: Locator): Promise<string[]> {
  await options.first().waitFor()
  return options.allInnerTexts()
}
