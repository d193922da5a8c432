// What the page says of a build that failed: the cause and what to do, and no path of the machine.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { portalFault } from './fault.ts'

const root = '/srv/tandem'
const failed = (output: string) => new Error(`the build of the portal ended with 1:\n${output}`)

test('each cause is reported with its remedy', () => {
  const cases: [error: Error, what: RegExp, remedy: RegExp][] = [
    [failed("Error [ERR_MODULE_NOT_FOUND]: Cannot find package 'vite' imported from /srv"), /“vite” is not/, /npm ci/],
    [failed("Cannot find package '@vitejs/plugin-react' imported from"), /“@vitejs\/plugin-react”/, /npm ci/],
    [Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' }), /space left/, /50 MB/],
    [Object.assign(new Error('EROFS: read-only file system'), { code: 'EROFS' }), /may not write/, /right/],
    [new Error('the build of the portal took too long'), /five minutes/, /less to do/],
    [new Error('the build of the portal ended with a signal:\n'), /killed/, /1 GB/],
    [new Error('there is neither a built portal (/x) nor what'), /neither/, /TANDEM_PORTAL=0/],
  ]
  for (const [error, what, remedy] of cases) {
    const fault = portalFault(error, root)
    assert.match(fault.what, what)
    assert.match(fault.remedy, remedy)
    assert.ok(!`${fault.what} ${fault.remedy}`.includes('/srv'), fault.what)
  }
})

test('a mistake in a source is reported as the build reports it, by names below the checkout', () => {
  const { what, remedy } = portalFault(
    failed('\n[PARSE_ERROR] in /srv/tandem/portal/src/app/shell.tsx:3 (see /home/somebody/.cache/x.log)'),
    root,
  )
  assert.equal(what, 'The build says: [PARSE_ERROR] in portal/src/app/shell.tsx:3 (see x.log)')
  assert.match(remedy, /log of the server/)
})
