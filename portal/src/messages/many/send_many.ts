// Sends one text to many, in the parts that one request takes. Each part has an idempotency key of its own, by what it says to whom, so that
// one whose answer was lost is not sent a second time.
import { isTandemError, type MessagesSmsBatchParams, type Tandem } from '@tandem/sdk'
import { type Faults, FieldFaults } from '../../forms/faults.ts'
import { fieldFaultText, problemText } from '../../ui/faults.ts'
import { t } from '../texts.ts'
import { type Recipient, textFor } from './recipients.ts'

type Message = MessagesSmsBatchParams['messages'][number]
/** What all of them have in common. */
export type Common = Omit<Message, 'to'>
export type Refused = { recipient: Recipient; reason: string }
export type Progress = { accepted: number; refused: readonly Refused[]; left: readonly Recipient[] }

type Attempts = { of(request: null, content: unknown): { key: string }; forget(): void }

/** Of texts of the greatest length in any script, which together are as much as a request may have (2 MiB). */
const atOnce = 400

/**
 * Sends to all recipients, in their order.
 * @param onPart called after each part that was answered, with how far it has come
 * @throws FieldFaults when the server takes nothing, for a reason that lies in one field; whatever a part fails with: those before it are sent
 */
export async function sendMany(
  { api, attempts }: { api: Tandem; attempts: Attempts },
  {
    common,
    recipients,
    onPart,
  }: { common: Common; recipients: readonly Recipient[]; onPart(progress: Progress): void },
): Promise<Progress> {
  let progress: Progress = { accepted: 0, refused: [], left: recipients }
  while (progress.left.length > 0) {
    const part = progress.left.slice(0, atOnce)
    const { key } = attempts.of(null, [common, part])
    const messages = part.map(one => ({ ...common, to: one.to, body: textFor(common.body, one) }))
    const reply = await api.messages.sms
      .batch({ messages }, { idempotencyKey: key })
      .catch(error => inItsField(error, part))
    const refused = reply.messages.filter(({ messageId }) => messageId === null)
    const fault = progress.accepted + reply.accepted === 0 ? faultOfAll(refused) : undefined
    if (fault !== undefined) {
      // Nothing was sent: the same is another attempt once what was in the way is mended elsewhere.
      attempts.forget()
      throw new FieldFaults(fault)
    }
    progress = {
      accepted: progress.accepted + reply.accepted,
      refused: [
        ...progress.refused,
        ...refused.map(({ index, code, message }) => ({
          recipient: part[index] as Recipient,
          reason: problemText(code ?? '', message ?? ''),
        })),
      ],
      left: progress.left.slice(atOnce),
    }
    onPart(progress)
  }
  return progress
}

type Answer = { code: string | null; message: string | null; field: string | null }

/** Where each is refused for the same field of what they have in common, its fault: a sender, a time. */
function faultOfAll(refused: readonly Answer[]): Faults['fields'] | undefined {
  const [first] = refused
  if (first === undefined || first.field === null || first.field === 'to') return undefined
  if (!refused.every(({ field, code }) => field === first.field && code === first.code)) return undefined
  return { [first.field]: problemText(first.code ?? '', first.message ?? '') }
}

/** A fault of one entry that all have in common, or of its recipient: `messages[0].tags[1]` is `tags`. */
function inItsField(error: unknown, part: readonly Recipient[]): never {
  const details = isTandemError(error) ? (error.details ?? []) : []
  const fields = details.map(fault => {
    const [, index, field] = /^messages\[(\d+)\]\.(\w+)/.exec(fault.field) ?? []
    const said = field === 'to' ? t('manyNoNumber', { what: part[Number(index)]?.to ?? '' }) : fieldFaultText(fault)
    return [field, said] as const
  })
  if (fields.length === 0 || fields.some(([field]) => field === undefined)) throw error
  throw new FieldFaults(Object.fromEntries(fields.toReversed()) as Record<string, string>)
}
