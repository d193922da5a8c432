// Bodies of several parts: the description is found whatever stands around it, and nothing else is taken for it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { partOf } from '../src/multipart.ts'

const sdp = 'application/sdp'
const body = (text: string) => Buffer.from(text, 'latin1')

test('RFC 2046 §5.1: the part of a type, with preamble, other parts, bare line feeds and the short name of the header', () => {
  const isup =
    'Content-Type: application/ISUP;version=x\r\nContent-Disposition: signal;handling=optional\r\n\r\n\x01\x00\xff'
  const whole = `preamble\r\n--b\r\n${isup}\r\n--b\r\nContent-Type: Application/SDP\r\n\r\nv=0\r\ns=-\r\n--b--\r\nepilogue`
  assert.equal(partOf(body(whole), 'b', sdp), 'v=0\r\ns=-\r\n')
  assert.equal(partOf(body('--b\nc: application/sdp; a=b\n\nv=0\n--b--'), 'b', sdp), 'v=0\r\n')
  assert.equal(partOf(body('--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n'), 'b', sdp), 'v=0\r\n')
})

test('what has no such part has none', () => {
  for (const [text, boundary] of [
    ['', 'b'],
    ['v=0', 'b'],
    ['--b--\r\n--b\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n--b--', 'b'],
    ['--b\r\nX-Content-Type: application/sdp\r\n\r\nv=0\r\n--b--', 'b'],
    ['--b\r\n\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n--b--', 'b'],
    ['--\r\nContent-Type: application/sdp\r\n\r\nv=0\r\n----', ''],
  ] as const)
    assert.equal(partOf(body(text), boundary, sdp), undefined, text)
})
