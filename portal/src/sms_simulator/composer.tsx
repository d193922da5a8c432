// The line one answers in, with the three words that mean something to every sender.
import { SendHorizontal } from 'lucide-react'
import { type KeyboardEvent, useEffect, useRef, useState } from 'react'
import { useSession } from '../session/session.ts'
import { Button, ErrorNote, IconButton } from '../ui/index.ts'
import styles from './composer.module.css'
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
  if (!permissions.has('messages:send'))
    return <p className={styles['mute']}>Your role may read texts but not send them (messages:send).</p>
  if (/[a-z]/i.test(to)) return <p className={styles['mute']}>A name takes no answers: only numbers do.</p>
  const send = (text: string) => {
    if (text.trim() !== '' && to !== '' && !answer.isPending) answer.mutate({ to, body: text.trim() })
  }
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter that ends a composition (Chinese, Japanese, Korean) is not meant for us.
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    send(body)
  }
  return (
    <div className={styles['composer']}>
      {answer.error !== null && <ErrorNote text={answer.error.message} />}
      <fieldset className={styles['quick']}>
        <legend className="visually-hidden">Words that senders understand</legend>
        {keywords.map(word => (
          <Button
            key={word}
            size="sm"
            aria-label={`Send ${word}`}
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
          aria-label="Text to send"
          placeholder="Text message"
          rows={1}
          maxLength={1_600}
          value={body}
          onChange={event => setBody(event.target.value)}
          onKeyDown={onKeyDown}
        />
        <IconButton
          type="submit"
          variant="primary"
          label="Send"
          busy={answer.isPending}
          disabled={body.trim() === '' || to === ''}
          icon={<SendHorizontal size={16} />}
        />
      </form>
    </div>
  )
}
