// How texts become conversations.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isOf, standingOf, type Text, threadsOf } from './threads.ts'

const handset = '+15005550100'
const text = (n: number, partner: string, direction: Text['direction'], status: Text['status']): Text =>
  ({
    messageId: `msg_${n}`,
    direction,
    from: direction === 'outbound' ? partner : handset,
    to: direction === 'outbound' ? handset : partner,
    status,
  }) as Text

test('texts stand by whom they are exchanged with, the newest conversation first', () => {
  const texts = [
    text(3, '+15005550006', 'inbound', 'received'),
    text(1, '+15005550006', 'outbound', 'delivered'),
    text(2, 'Tandem', 'outbound', 'delivered'),
    text(4, 'Tandem', 'outbound', 'queued'),
  ]
  const summary = threadsOf(texts).map(({ partner, texts: of }) => [partner, of.map(({ messageId }) => messageId)])
  assert.deepEqual(summary, [
    ['Tandem', ['msg_2', 'msg_4']],
    ['+15005550006', ['msg_1', 'msg_3']],
  ])
})

test('only texts to and from the handset are its own', () => {
  assert.ok(isOf(handset, text(1, '+15005550006', 'outbound', 'queued')))
  assert.ok(isOf(handset, text(1, '+15005550006', 'inbound', 'received')))
  assert.ok(!isOf('+15005550006', text(1, '+15005550006', 'inbound', 'received')))
})

test('a text has arrived only when it is delivered', () => {
  const standings = (['scheduled', 'queued', 'sending', 'sent', 'delivered', 'failed', 'unconfirmed'] as const).map(
    status => standingOf(text(1, 'Tandem', 'outbound', status)),
  )
  assert.deepEqual(standings, ['coming', 'coming', 'coming', 'coming', 'arrived', 'lost', 'lost'])
  assert.equal(standingOf(text(1, 'Tandem', 'inbound', 'received')), 'mine')
})
