// Going to a screen as a person does: by the navigation, its two sides, the tabs of an entry and the page of settings.
import type { Locator, Page } from 'playwright-core'
import { entriesOf, entryWith } from '../src/app/entries.ts'
import { navigation } from '../src/app/screens.ts'
import './words.ts'
import { t } from '../src/app/texts.ts'
import type { SideId } from '../src/navigation/screen.ts'
import { sideWith } from '../src/navigation/side_with.ts'

export const mainNavigation = (page: Page): Locator => page.getByRole('navigation', { name: 'Main' })

const sideSwitch = (page: Page, side: SideId) =>
  page.getByRole('group', { name: 'Side of the portal' }).getByRole('radio', { name: t(`side.${side}`) })

/** What is said of test mode, and of live mode not. */
export const testBanner = (page: Page): Locator => page.getByTestId('test-banner')

/** The name of the screen that a side begins with, for who may see all. */
export const startOf = (side: SideId): string => entriesOf(side, navigation)[0]?.screens[0]?.name ?? ''

/** What stands at the top of a screen of that name: Home greets. */
export const headingOf = (name: string): string | RegExp =>
  name === 'Home' ? /^Good (morning|afternoon|evening)/ : name

/** The side that is shown. */
export async function shownSide(page: Page): Promise<SideId> {
  return (await sideSwitch(page, 'developers').isChecked()) ? 'developers' : 'workspace'
}

/** Goes to the other side, if it is not shown. */
export async function chooseSide(page: Page, side: SideId): Promise<void> {
  if ((await shownSide(page)) === side) return
  // It is ticked when a screen of that side is there.
  await sideSwitch(page, side).click()
  await page.getByRole('radio', { name: t(`side.${side}`), checked: true }).waitFor()
}

/** Clicks through the navigation to the screen of that name, as it is called there. */
export async function goByNavigation(page: Page, name: string): Promise<void> {
  const screen = navigation.find(one => one.name === name)
  if (screen === undefined) throw new Error(`no screen of the navigation is called ${name}`)
  const side = sideWith(screen, await shownSide(page))
  await chooseSide(page, side)
  const entry = entryWith(entriesOf(side, navigation), screen)
  if (entry === undefined) throw new Error(`${name} is in no entry of the ${side}`)
  // Where the role may not see the first screen of an entry, it is called after the first that it may see.
  const names = [entry.name, ...entry.screens.map(one => one.name)].map(one =>
    one.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'),
  )
  await mainNavigation(page)
    .getByRole('link', { name: new RegExp(`^(${names.join('|')})$`) })
    .click()
  if (entry.id === 'settings' && screen.id !== 'settings') {
    await page.getByRole('main').getByRole('heading', { level: 1, name: 'Settings', exact: true }).waitFor()
    await page
      .getByRole('main')
      .getByRole('link', { name: new RegExp(`^${name}`) })
      .first()
      .click()
  } else if (entry.screens[0] !== screen) {
    const tab = page
      .getByRole('navigation', { name: `Screens of ${entry.name}` })
      .getByRole('link', { name, exact: true })
    await tab.click()
  }
}
