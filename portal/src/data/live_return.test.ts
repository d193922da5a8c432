// After which ends of a stream another is tried: after all but what the server or the session refused.
// What the SDK mends by itself does not come here.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { TandemError } from '@tandem/sdk'
import { mayReturn } from './live_return.ts'

const fault = (code: string, status: number, retriable = false) => new TandemError(code, { code, status, retriable })

test('a stream comes back after anything but a refusal', () => {
  const passing = [undefined, new Error('x'), fault('network_error', 0, true), fault('unexpected_reply', 200)]
  for (const end of [...passing, fault('internal_error', 500)]) assert.equal(mayReturn(end), true, String(end))
  for (const end of [fault('session_ended', 0), fault('insufficient_role', 403), fault('unauthenticated', 401)])
    assert.equal(mayReturn(end), false, end.code)
})
