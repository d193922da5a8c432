// Ids of parts: what a receipt is about where several parts bear one id, and that nothing made up here speaks for others.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Receipt } from '../../modules/messaging/carrier.ts'
import { createPartIds } from './part_ids.ts'

const undivided = { longMessages: 'message_payload', receiptIds: 'same' } as const
const divided = { longMessages: 'udh8', receiptIds: 'same' } as const

describe('receipts', () => {
  const idsOf = (receipts: readonly Receipt[]) => receipts.map(({ carrierMessageId }) => carrierMessageId)
  const about = (carrierMessageId: string): Receipt => ({
    tenantId: 1,
    carrierMessageId,
    status: 'delivered',
    from: '+15005550006',
    to: '+4915112345678',
  })

  test('of an undivided message are one for each part, also when nobody remembers how many', () => {
    const ids = createPartIds(undivided)
    const idOf = ids.idsOf({ messageId: 'msg_1', segments: 3 }, [1, 2, 3], '007')
    assert.deepEqual([1, 2, 3].map(idOf), ['7', '7.2', '7.3'])
    assert.deepEqual(idsOf(ids.receiptsOf(about('7'))), ['7', '7.2', '7.3'])
    ids.idsOf({ messageId: 'msg_2', segments: 1 }, [1], '8')
    assert.deepEqual(idsOf(ids.receiptsOf(about('8'))), ['8'])
    assert.equal(ids.receiptsOf(about('9')).length, 10)
  })

  test('speak by sender and recipient of the id that the carrier said, never of one made up here', () => {
    const ids = createPartIds(undivided)
    ids.idsOf({ messageId: 'msg_1', segments: 3 }, [1, 2, 3], '7')
    for (const id of ['7', 'of before the restart']) {
      const [said, ...madeUp] = ids.receiptsOf(about(id))
      assert.deepEqual(said, about(id))
      assert.ok(madeUp.length > 0)
      for (const receipt of madeUp) assert.ok(!('from' in receipt || 'to' in receipt), JSON.stringify(receipt))
    }
  })

  test('cover every part when a carrier answers them all with one id', () => {
    const ids = createPartIds(divided)
    const message = { messageId: 'msg_1', segments: 3 }
    const answered = ids.idsOf(message, [2], '7')(2)
    assert.deepEqual(idsOf(ids.receiptsOf(about('7'))), ['7'])
    assert.deepEqual(
      [answered, ids.idsOf(message, [1], '7')(1), ids.idsOf(message, [3], '007')(3)],
      ['7', '7.1', '7.3'],
    )
    assert.equal(ids.idsOf(message, [1], '7')(1), '7.1', 'said again')
    assert.deepEqual(idsOf(ids.receiptsOf(about('7'))), ['7', '7.1', '7.3'])
    // The id comes round again, for another message.
    assert.equal(ids.idsOf({ messageId: 'msg_2', segments: 1 }, [1], '7')(1), '7')
    assert.deepEqual(idsOf(ids.receiptsOf(about('7'))), ['7'])
  })

  test('without an id are about nothing, and parts that got none are named here', () => {
    const ids = createPartIds(divided)
    for (const none of ['', '0', '0000']) {
      const named = [1, 2].map(part => ids.idsOf({ messageId: 'msg_1', segments: 2 }, [part], none)(part))
      assert.deepEqual(named, ['msg_1.1', 'msg_1.2'])
    }
  })
})
