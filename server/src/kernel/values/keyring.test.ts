// Keys that change while a process runs: what is made with the one in use, what is still accepted, and what never changes.
import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { createKeyring, type KeyMaterial, keyringOf, type SecretState } from './keyring.ts'
import { createSeal, sealVersionOf } from './seal.ts'

const bytes = (fill: number) => Buffer.alloc(32, fill)
const version = (number: number, state: SecretState) => ({ version: number, value: bytes(number), state })
const material = (states: Record<number, SecretState>): KeyMaterial => {
  const versions = Object.entries(states).map(([number, state]) => version(Number(number), state))
  return { pepper: versions, sealing: versions, lasting: bytes(9) }
}
const macOf = (fill: number) => createHmac('sha256', bytes(fill)).update('x').digest()

test('hashes are of the pepper in use, and those of the others are accepted until they end', () => {
  const keyring = createKeyring(material({ 1: 'active' }))
  assert.deepEqual([keyring.pepperVersion, keyring.macs('x')], [1, [macOf(1)]])
  keyring.replace(material({ 1: 'active', 2: 'next' }))
  assert.deepEqual([keyring.mac('x'), keyring.macs('x')], [macOf(1), [macOf(1), macOf(2)]])
  keyring.replace(material({ 1: 'retiring', 2: 'active' }))
  assert.deepEqual([keyring.pepperVersion, keyring.macs('x')], [2, [macOf(2), macOf(1)]])
  assert.ok(keyring.isMac('x', macOf(1)) && keyring.isMac('x', macOf(2)) && !keyring.isMac('x', macOf(3)))
  assert.ok(keyring.isMac('x', macOf(1).toString('base64url')))
  assert.ok(!keyring.isMac('x', macOf(1).subarray(1)) && !keyring.isMac('x', `${macOf(1).toString('base64url')}A`))
  keyring.replace(material({ 1: 'retired', 2: 'active' }))
  assert.ok(!keyring.isMac('x', macOf(1)))
  assert.throws(() => keyring.replace(material({ 1: 'retiring' })), /no pepper is in use/)
  assert.deepEqual(keyring.mac('x'), macOf(2), 'what cannot be used changes nothing')
})

test('what others keep for good stays when everything else is replaced', () => {
  const keyring = createKeyring(material({ 1: 'active' }))
  const [name, key] = [keyring.lastingMac('passkey handle 1'), keyring.lastingKey('callback')]
  keyring.replace(material({ 1: 'retired', 2: 'active' }))
  assert.deepEqual([keyring.lastingMac('passkey handle 1'), keyring.lastingKey('callback')], [name, key])
})

test('a seal closes with the key in use and opens with the one that the text names', () => {
  const keyring = createKeyring(material({ 1: 'active' }))
  const seal = createSeal(keyring, 'answers')
  const first = seal.close('7', 'open')
  assert.equal(sealVersionOf(first), 1)
  assert.equal(createSeal(keyringOf(bytes(1)), 'answers').open('7', first), 'open', 'as before there were versions')
  keyring.replace(material({ 1: 'active', 2: 'next' }))
  assert.equal(sealVersionOf(seal.close('7', 'x')), 1, 'another process may not know the next one yet')
  keyring.replace(material({ 1: 'retiring', 2: 'active' }))
  const second = seal.close('7', 'again')
  assert.deepEqual([sealVersionOf(second), seal.open('7', first), seal.open('7', second)], [2, 'open', 'again'])
  keyring.replace(material({ 2: 'active' }))
  assert.throws(() => seal.open('7', first), /version 1 of the sealing key, which is not here/)
  assert.throws(() => seal.open('7', second.replace('sealed.2.', 'sealed.1.')))
  assert.equal(sealVersionOf('sealed.x.y'), undefined)
})
