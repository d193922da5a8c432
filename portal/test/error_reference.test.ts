// The error reference: every code that the server answers, found by words, status and retry, with its cause, its fix and the
// endpoints that answer it.
// test: programs
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readCatalog } from '@tandem/catalog'
import type { Page } from 'playwright-core'
import { checkBothThemes, chromiumMissing, portalForTests } from './browser.ts'

const catalog = readCatalog(JSON.parse(readFileSync(join(import.meta.dirname, '../../docs/openapi.json'), 'utf8')))
const title = (page: Page, name: string) => page.getByRole('heading', { level: 1, name, exact: true })
const codes = (page: Page) => page.getByRole('main').locator('li[id^=error-]')

describe('the error reference', { skip: chromiumMissing }, () => {
  const portal = portalForTests()

  test('all codes stand by status, are searched with typos and filtered, all in the address', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/errors' })
    await codes(page).first().waitFor()
    assert.equal(await codes(page).count(), catalog.problems.length)
    await page.keyboard.press('/')
    await page.keyboard.type('recipiant opted')
    await page.getByText(/^1 of \d+ codes$/).waitFor()
    await page.waitForURL(/q=recipiant/)
    await page.getByRole('searchbox', { name: 'Search' }).fill('')
    await page.getByRole('combobox', { name: 'Status' }).selectOption('429')
    await page.getByRole('combobox', { name: 'Retry' }).selectOption('yes')
    const limited = catalog.problems.filter(({ status, retriable }) => status === 429 && retriable).length
    await page.getByText(new RegExp(`^${limited} of`)).waitFor()
    await page.reload()
    await page.getByText(new RegExp(`^${limited} of`)).waitFor()
    await page.getByRole('combobox', { name: 'Retry' }).selectOption('no')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText(new RegExp(`^${catalog.problems.length} of`)).waitFor()
    await checkBothThemes(page, 'errors')
  })

  test('a code shows cause, fix, retry, both forms of its body, and who answers it', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/errors/version_mismatch' })
    await title(page, 'version_mismatch').waitFor()
    const main = page.getByRole('main')
    const known = catalog.problemByCode.get('version_mismatch')
    for (const text of [known?.cause, known?.fix, '412'])
      await main
        .getByText(text ?? 'missing')
        .first()
        .waitFor()
    const v2 = JSON.parse(await main.getByRole('region', { name: 'Sample reply of v2' }).innerText())
    const v1 = JSON.parse(await main.getByRole('region', { name: 'Sample reply of v1' }).innerText())
    assert.deepEqual(
      [v2.status, v2.error.code, v1.success, v1.code],
      [412, 'version_mismatch', false, 'version_mismatch'],
    )
    const answering = catalog.endpoints.filter(({ problems }) =>
      problems.some(({ code }) => code === 'version_mismatch'),
    )
    await main.getByRole('heading', { name: `${answering.length} endpoints may answer it` }).waitFor()
    await main.getByText(/^Show \d+ more$/).click()
    await main.getByRole('link', { name: 'Update a lead', exact: true }).click()
    await title(page, 'Update a lead').waitFor()
  })

  test('codes of records say that they are no answers, and an unknown code says so', async t => {
    const page = await portal.newPage(t)
    await portal.logIn(page, { path: '/errors/callee_busy' })
    await page.getByText('never as an answer').waitFor()
    await page.goto('/errors/no_such_code')
    await page.getByText('There’s no such error code').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'All errors' }).first().click()
    await title(page, 'Errors').waitFor()
  })
})
