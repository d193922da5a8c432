// Where a server warns that it can be listened to.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadConfig } from './config/config.ts'
import { isReadOnTheWay } from './plain_http.ts'

test('plain HTTP that a network reaches is warned of, unless a proxy with TLS stands before it', () => {
  const warns = (env: Record<string, string>) => isReadOnTheWay(loadConfig(env))
  assert.ok(warns({ HOST: '0.0.0.0' }))
  assert.ok(warns({ HOST: '192.0.2.7', TANDEM_PUBLIC_URL: 'http://tandem.example.com' }))
  assert.ok(!warns({}))
  assert.ok(!warns({ HOST: '::1' }))
  assert.ok(!warns({ HOST: 'localhost' }))
  assert.ok(!warns({ HOST: '0.0.0.0', TANDEM_PUBLIC_URL: 'https://tandem.example.com' }))
  assert.ok(!warns({ HOST: '0.0.0.0', TANDEM_TRUSTED_PROXIES: '10.0.0.0/8' }))
  assert.ok(!warns({ HOST: '0.0.0.0', TANDEM_ROLES: 'worker' }))
})
