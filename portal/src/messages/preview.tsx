// How a text would travel, while it is typed: segments, encoding, the characters that make it longer, carrier and price. The
// server answers; a recipient or sender it cannot take is said beside what is known of the text alone.
import { isTandemError, type MessagesPreviewParams, type MessagesPreviewReply, type Tandem } from '@tandem/sdk'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Chip } from '../ui/index.ts'
import styles from './compose.module.css'
import { priceText } from './price.tsx'
import { t } from './texts.ts'

/** What is asked after typing has rested for so long. */
const restMs = 350

function useRested<Value>(value: Value): Value {
  const text = JSON.stringify(value)
  const [rested, setRested] = useState(text)
  useEffect(() => {
    const timer = setTimeout(() => setRested(text), restMs)
    return () => clearTimeout(timer)
  }, [text])
  return JSON.parse(rested) as Value
}

type Preview = MessagesPreviewReply & { problem: string | undefined }

/** @throws TandemError when even the text alone cannot be checked */
async function preview(api: Tandem, asked: MessagesPreviewParams, signal: AbortSignal): Promise<Preview> {
  try {
    return { ...(await api.messages.preview(asked, { signal })), problem: undefined }
  } catch (error) {
    if (!isTandemError(error) || error.status >= 500 || asked.to === undefined) throw error
    const { body, smartEncoding } = asked
    const plain = smartEncoding === undefined ? { body } : { body, smartEncoding }
    return { ...(await api.messages.preview(plain, { signal })), problem: faultText(error) }
  }
}

export type PreviewInput = { sender: string; to: string; body: string; smart: boolean }

/** A sender as requests name it: a service by its id, anything else as `from`. */
export function senderFields(sender: string): { from?: string; serviceId?: string } {
  if (sender === '') return {}
  return sender.startsWith('msv_') ? { serviceId: sender } : { from: sender }
}

/** Long enough to be a number; anything shorter is still being typed. */
const isPlausible = (to: string) => (to.match(/\d/g)?.length ?? 0) >= 7

function usePreview(input: PreviewInput) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const { sender, to, body, smart } = useRested(input)
  const asked: MessagesPreviewParams = {
    body,
    ...(smart ? { smartEncoding: true } : {}),
    ...(isPlausible(to) && sender !== '' ? { to, ...senderFields(sender) } : {}),
  }
  return useQuery({
    queryKey: [mode, 'preview of a text', asked],
    queryFn: ({ signal }) => preview(api, asked, signal),
    enabled: body !== '' && permissions.has('messages:send'),
    placeholderData: keepPreviousData,
  })
}

export function carrierName(id: string, known: readonly { carrierId: string; name: string }[] = []): string {
  return t.of('carriers', id) ?? known.find(carrier => carrier.carrierId === id)?.name ?? id
}

export type PreviewNoteProps = {
  input: PreviewInput
  carriers?: readonly { carrierId: string; name: string }[]
  /** Asks for plain characters in place of typographic ones; left out where a field beside it does. */
  onSmart?: (() => void) | undefined
}
export function PreviewNote({ input, carriers: known, onSmart }: PreviewNoteProps) {
  const query = usePreview(input)
  const data = input.body === '' ? undefined : query.data
  const filled = data === undefined ? 0 : data.units / Math.max(1, data.units + data.unitsLeft)
  return (
    <div className={styles['preview']}>
      <div className={styles['meter']} aria-hidden="true" data-wide={data?.encoding === 'UCS-2'}>
        <span style={{ width: `${Math.round(filled * 100)}%` }} />
      </div>
      <p className={styles['facts']} role="status">
        {data === undefined ? (
          <span>{waitingText(input.body, query.error)}</span>
        ) : (
          <>
            <Chip tone={data.tooLong ? 'bad' : 'neutral'}>{t('previewSegments', { count: data.segments })}</Chip>
            <Chip tone={data.encoding === 'UCS-2' ? 'warn' : 'neutral'}>{data.encoding}</Chip>
            <span>{t('previewLeft', { count: data.unitsLeft })}</span>
            {data.price !== null && <strong>{priceText(data.price, data.currency)}</strong>}
            {data.carrier !== null && <span>{t('previewBy', { carrier: carrierName(data.carrier, known) })}</span>}
          </>
        )}
      </p>
      {data?.tooLong === true && <p className={styles['bad']}>{t('previewTooLong')}</p>}
      {data?.problem !== undefined && <p className={styles['bad']}>{data.problem}</p>}
      {data !== undefined && data.encoding === 'UCS-2' && (
        <p className={styles['wide']}>
          <span>{t('previewWide', { count: data.wideCharacters.length })}</span>{' '}
          {data.wideCharacters.map(character => (
            <kbd key={character} className={styles['character']} title={codePointOf(character)}>
              {character}
            </kbd>
          ))}
          {!input.smart && onSmart !== undefined && (
            <Button size="sm" onClick={onSmart}>
              {t('smart')}
            </Button>
          )}
        </p>
      )}
    </div>
  )
}

/** What stands where there is no preview. */
function waitingText(body: string, error: Error | null): string {
  if (body === '') return t('previewWaiting')
  return error === null ? t('previewLooking') : faultText(error)
}

function codePointOf(character: string): string {
  return `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`
}
