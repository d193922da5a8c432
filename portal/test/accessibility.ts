// Whether everybody can use what a page shows: axe holds its structure to WCAG 2.2 A and AA, and `contrast.ts` the contrast
// of its text and links, in both themes. axe is loaded into a document once and set to describe violations only: how it describes
// what passed, and how it reads contrast from the layers of a full screen, took most of the time of these tests.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { NodeResult, Result, RunOptions } from 'axe-core'
import type { Page } from 'playwright-core'
import { screenshot, settled, type Theme } from './checks.ts'
import { readFaintText } from './contrast.ts'

const axeSource = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8')

const options: RunOptions = {
  runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22a', 'wcag22aa'],
  rules: { 'color-contrast': { enabled: false }, 'link-in-text-block': { enabled: false } },
  resultTypes: ['violations'],
  preload: false,
}

/** Rejects unless nothing that is shown now breaks WCAG 2.2 A or AA, in either theme; the message lists rule by rule. */
export async function checkAccessibility(page: Page, { name }: { name: string }): Promise<void> {
  await settled(page)
  const faint = await readFaintText(page)
  const broken = [
    ...(await findViolations(page)).map(({ id, help, nodes }) => [`${id}: ${help}`, ...nodes.map(placeOf)]),
    ...(faint.length === 0 ? [] : [['contrast: text is too faint on its ground', ...faint.map(line => `    ${line}`)]]),
  ]
  const lines = broken.flatMap(([rule, ...places]) => [
    rule,
    ...places.slice(0, 8),
    ...(places.length > 8 ? [`    … and ${places.length - 8} more`] : []),
  ])
  const count = `${broken.length} ${broken.length === 1 ? 'rule' : 'rules'} of WCAG 2.2 A/AA are broken`
  assert.equal(broken.length, 0, `${name}: ${count}\n${lines.join('\n')}`)
}

/** The same, and where screenshots are asked for, one of `picture` in each theme. */
export async function checkBothThemes(page: Page, name: string, picture?: string): Promise<void> {
  if (picture !== undefined) await takePictures(page, picture)
  await checkAccessibility(page, { name })
}

/** Does nothing unless TANDEM_SCREENSHOTS is set: to paint a full screen again takes long. */
export async function takePictures(page: Page, picture: string): Promise<void> {
  if (!process.env['TANDEM_SCREENSHOTS']) return
  for (const theme of ['light', 'dark'] as const) {
    await showTheme(page, theme)
    await screenshot(page, `${picture}-${theme}`)
  }
}

/** Shows the page as the system's preference `theme` has it. The portal follows it until a person chooses. */
export async function showTheme(page: Page, theme: Theme): Promise<void> {
  await page.emulateMedia({ colorScheme: theme })
  await page.waitForFunction(wanted => (document.documentElement.dataset['theme'] ?? 'light') === wanted, theme)
  // Even the shortest transition takes its frames.
  await page.evaluate(() => new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done))))
  await settled(page)
}

async function findViolations(page: Page): Promise<Result[]> {
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axeSource)
  return page.evaluate(askAxe, options)
}

/** Runs in the page. */
async function askAxe(options: RunOptions): Promise<Result[]> {
  const { axe } = window as unknown as { axe: typeof import('axe-core') }
  return (await axe.run(document, options)).violations
}

function placeOf({ target, html, any, all, none }: NodeResult): string {
  const why = [...any, ...all, ...none].map(({ message }) => message).join('; ')
  return `    ${target.join(' ')}\n      ${html.slice(0, 160)}\n      ${why}`
}
