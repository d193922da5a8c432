// The line one answers in, with the three words that mean something to every sender.
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, ErrorNote, IconButton } from '../ui/index.ts'
import { isComposing } from '../ui/input_method.ts'
import styles from './composer.module.css'
import { t } from './texts.ts'
import type { Text } from './threads.ts'
import { useAnswer } from './use_handset.ts'

const keywords = ['STOP', 'HELP', 'START'] as const

export type ComposerProps = { number: string; to: string; focus: boolean; onSent(text: Text): void }
export function Composer({ number, to, focus, onSent }: ComposerProps) {
  const { permissions } = useSession()
  const [body, setBody] = useState('')
  const field = useRef<HTMLTextAreaElement>(null)
  const answer = useAnswer(number, text => {
    if (text.body === body.trim()) setBody('')
    onSent(text)
  })
  useEffect(() => {
    if (focus) field.current?.focus({ preventScroll: true })
  }, [focus])
  if (!permissions.has('messages:send')) return <p className={styles['mute']}>{t('mayNotSend')}</p>
  if (/[a-z]/i.test(to)) return <p className={styles['mute']}>{t('nameNoReply')}</p>
  const send = (text: string) => {
    if (text.trim() !== '' && to !== '' && !answer.isPending) answer.mutate({ to, body: text.trim() })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || isComposing(event)) return
    event.preventDefault()
    send(body)
  }
  return (
    <div className={styles['composer']}>
      {answer.error !== null && <ErrorNote text={faultText(answer.error)} />}
      <fieldset className={styles['quick']}>
        <legend className="visually-hidden">{t('quickWords')}</legend>
        {keywords.map(word => (
          <Button
            key={word}
            size="sm"
            aria-label={t('sendWord', { word })}
            disabled={to === ''}
            busy={answer.isPending && answer.variables.body === word}
            onClick={() => send(word)}
          >
            {word}
          </Button>
        ))}
      </fieldset>
      <form
        className={styles['line']}
        onSubmit={event => {
          event.preventDefault()
          send(body)
        }}
      >
        <textarea
          ref={field}
          aria-label={t('textToSend')}
          placeholder={t('textMessage')}
          rows={1}
          maxLength={1_600}
          value={body}
          onChange={event => setBody(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          type="submit"
          variant="primary"
          label={t('send')}
          busy={answer.isPending}
          disabled={body.trim() === '' || to === ''}
          icon={<SendHorizontal size={16} />}
        />
      </form>
    </div>
  )
}
