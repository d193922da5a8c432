// Codes by time are those of oathtool, an implementation of others: a secret of ours read by it, at many times.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { base32, fromBase32, hotp, stepAt } from './totp.ts'

const isMissing = spawnSync('oathtool', ['--version']).status !== 0

test('oathtool shows the same codes', {
  skip: isMissing && 'oathtool is missing: scripts/system_tools.sh installs it',
}, () => {
  for (let round = 0; round < 20; round++) {
    const secret = base32(randomBytes(20))
    const ms = 1_700_000_000_000 + round * 12_345_678_901
    const time = `${new Date(ms).toISOString().slice(0, 19).replace('T', ' ')} UTC`
    const shown = execFileSync('oathtool', ['--totp', '--base32', '--now', time, secret], { encoding: 'utf8' }).trim()
    assert.equal(hotp(fromBase32(secret), stepAt(ms)), shown, time)
  }
})
