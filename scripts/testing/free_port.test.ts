// Ports given to programs: no two alike, and none that the system gives to connections by itself.
import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { freePort } from './free_port.ts'

test('ports given at the same time differ, and are not those of outgoing connections', async () => {
  const ports = await Promise.all(Array.from({ length: 100 }, freePort))
  assert.equal(new Set(ports).size, ports.length)
  const range = '/proc/sys/net/ipv4/ip_local_port_range'
  const firstEphemeral = existsSync(range) ? Number.parseInt(readFileSync(range, 'utf8'), 10) : 32_768
  assert.ok(Math.max(...ports) < firstEphemeral, `${Math.max(...ports)} is ephemeral here`)
})
