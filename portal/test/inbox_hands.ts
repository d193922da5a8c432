// What journeys through the inbox do alike.
import type { Page } from 'playwright-core'

/** Puts who the open conversation is with on a person who is there already, found by what is typed. */
export async function addToPerson(page: Page, typed: string, name: string): Promise<void> {
  await page.getByRole('button', { name: 'Add to a person' }).click()
  const adding = page.getByRole('dialog', { name: 'Add to a person' })
  await adding.getByRole('combobox', { name: 'Person' }).fill(typed)
  await adding.getByRole('option', { name: new RegExp(name) }).click()
  await adding.getByRole('button', { name: 'Add to person' }).click()
  await page.getByRole('heading', { level: 1, name }).waitFor()
}
