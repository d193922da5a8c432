// What is printed and written when the server is ready: secrets that are shown once are there until somebody has removed their file.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { loadConfig } from './config/config.ts'
import type { Demo } from './demo/demo.ts'
import { readyText } from './welcome.ts'

test('a later start with demo data keeps the file of the first login', t => {
  const dataDir = mkdtempSync(join(tmpdir(), 'tandem-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const config = { ...loadConfig({ TANDEM_DATA: dataDir }), showSecrets: false }
  const file = () => readFileSync(join(dataDir, 'first_login.txt'), 'utf8')
  const address = 'http://127.0.0.1:8080'
  const first = {
    adminEmail: 'admin@example.com',
    adminId: 'ADM-000001',
    generatedPassword: 'seven brass lanterns',
    liveKey: 'tdm_live_1',
    testKey: 'tdm_test_1',
  }
  const there: Demo = { outcome: 'there', company: 'Fresh', logins: [] }
  const counts = { users: 0, leads: 0, companies: 0, contacts: 0, notes: 0, tasks: 0, invoices: 0, payments: 0 }
  const filled: Demo = {
    ...there,
    outcome: 'filled',
    counts: { ...counts, messages: 0, calls: 0 },
    keys: [],
    durationMs: 0,
  }
  readyText({ address, first, demo: undefined }, config)
  const written = file()
  assert.match(written, /tdm_live_1/)
  readyText({ address, first: undefined, demo: there }, config)
  assert.equal(file(), written)
  readyText({ address, first: undefined, demo: filled }, config)
  assert.ok(file().startsWith(written) && file().length > written.length)
  rmSync(join(dataDir, 'first_login.txt'))
  readyText({ address, first: undefined, demo: there }, config)
  assert.match(file(), /Tandem is ready on/)
})
