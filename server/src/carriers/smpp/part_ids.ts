// Ids of the parts of messages. What joins a receipt to its part is the carrier's id, so every part needs one of its own; but
// a message that goes out undivided has one id, and some carriers answer every part of a long one with the same.
import type { Receipt, Submission } from '../../modules/messaging/carrier.ts'
import { answerId, isNoId } from './receipts.ts'
import type { SmppSettings } from './settings.ts'

/** As many parts as a message may have. */
const maxParts = 10
const remembered = 50_000

/** `parts`: those that bear the id, in the order in which they were answered. The first has it as it is. */
type Shared = { messageId: string; parts: number[] }

const idOfPart = (id: string, part: number, isFirst: boolean) => (isFirst ? id : `${id}.${part}`)

/**
 * Gives the parts their ids, and makes of the receipt of an id that several parts bear one for each of them: it speaks of
 * all, also when others with the same id follow. That lasts as long as it is remembered: 50,000 ids, until the carrier is
 * opened again.
 */
export function createPartIds(settings: Pick<SmppSettings, 'longMessages' | 'receiptIds'>) {
  const isUndivided = settings.longMessages === 'message_payload'
  const sharedById = new Map<string, Shared>()

  function remember(id: string, shared: Shared): Shared {
    sharedById.delete(id)
    sharedById.set(id, shared)
    const [oldest] = sharedById.keys()
    if (sharedById.size > remembered && oldest !== undefined) sharedById.delete(oldest)
    return shared
  }

  return {
    /**
     * The ids of the parts that one answer accepted. A carrier that gives none leaves us to name them; its receipts cannot
     * be distinguished, so they settle nothing.
     */
    idsOf(
      { messageId, segments }: Pick<Submission, 'messageId' | 'segments'>,
      parts: readonly number[],
      answered: string,
    ): (part: number) => string {
      const id = answerId(answered, settings)
      if (isNoId(id)) return part => `${messageId}.${part}`
      const before = sharedById.get(id)
      const isKnown = before?.messageId === messageId
      // An id that comes again for another message is that one's from now on.
      if (before !== undefined && !isKnown) sharedById.delete(id)
      if (segments === 1 && !isUndivided) return () => id
      const shared = isKnown ? before : remember(id, { messageId, parts: [] })
      for (const part of parts) if (!shared.parts.includes(part)) shared.parts.push(part)
      return part => idOfPart(id, part, part === shared.parts[0])
    },

    /**
     * One receipt for each part that its id may stand for. After a restart nobody remembers how many an undivided message
     * had: ids are invented for as many as there can be. Only the id that the carrier said brings sender and recipient
     * along, by which receipts find a message whose answer was lost: the others would find messages that are none of theirs.
     */
    receiptsOf(receipt: Receipt): Receipt[] {
      const id = receipt.carrierMessageId
      const known = sharedById.get(id)?.parts
      if (known === undefined && !isUndivided) return [receipt]
      const { from: _, to: __, ...bare } = receipt
      const parts = known ?? Array.from({ length: maxParts }, (_, index) => index + 1)
      return parts.map((part, index) =>
        index === 0 ? receipt : { ...bare, carrierMessageId: idOfPart(id, part, false) },
      )
    },
  }
}

export type PartIds = ReturnType<typeof createPartIds>
