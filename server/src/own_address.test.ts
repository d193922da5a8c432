// Where people reach this server, as it is put before paths.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config/config.ts'
import { ownAddressOf } from './own_address.ts'

const at = (env: Record<string, string>, bound?: { port: number }) => ownAddressOf(loadConfig(env), bound)

test('it never ends with a slash, nor with what begins a query or a fragment, however it was set', () => {
  for (const end of ['', '/', '//', '/?', '?', '#', '/#']) {
    assert.equal(at({ TANDEM_PUBLIC_URL: `https://crm.example.com${end}` }), 'https://crm.example.com', end)
    assert.equal(at({ TANDEM_PUBLIC_URL: `https://example.com:8443/crm${end}` }), 'https://example.com:8443/crm', end)
  }
})

test('where none was set it is that of the machine, while nobody else comes there', () => {
  assert.equal(at({ PORT: '3000' }), 'http://127.0.0.1:3000')
  assert.equal(at({ HOST: '::1', PORT: '0' }, { port: 41_234 }), 'http://[::1]:41234')
  assert.equal(at({ HOST: 'localhost', PORT: '8080' }), 'http://localhost:8080')
  assert.equal(at({ HOST: '0.0.0.0' }), undefined)
})
