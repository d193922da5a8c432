// Sends a text to the handset, as a program would: with a sender, and with its cost shown while it is typed.
import { isTandemError } from '@tandem/sdk'
import { useQuery } from '@tanstack/react-query'
import { useNumbers } from '../data/messaging_lists.ts'
import { Form } from '../forms/form.tsx'
import { ComposeFields, useCompose } from '../messages/compose.tsx'
import { simulatorSender } from '../messages/sender_field.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, ButtonLink, Card, LoadingRows, TextLink, toast } from '../ui/index.ts'
import { spokenNumber } from './numbers.ts'
import { t } from './texts.ts'

/**
 * The sender to begin with, one that the server takes: that of the simulator, unless the organization once had a carrier;
 * from then on a live text needs a sender of its own. Empty when it has none, undefined as long as that is being asked.
 */
function useFirstSender(number: string): string | undefined {
  const api = useApi()
  const { mode } = useSession()
  const numbers = useNumbers()
  const isTaken = useQuery({
    queryKey: [mode, 'whether the sender of the simulator is taken', number],
    async queryFn({ signal }) {
      try {
        await api.messages.preview({ from: simulatorSender, to: number, body: 'x' }, { signal })
        return true
      } catch (error) {
        // Whatever else is wrong with the text is said when it is sent.
        if (isTandemError(error)) return error.code !== 'sender_not_owned'
        throw error
      }
    },
    enabled: mode === 'live',
    staleTime: 0,
  })
  if (mode === 'test' || isTaken.data === true || isTaken.isError) return simulatorSender
  if (isTaken.isPending || numbers.isPending) return undefined
  return numbers.items.find(({ sms }) => sms)?.number ?? ''
}

type TextMeProps = { number: string; onSent(partner: string): void }

/** @param props.onSent gets the sender, where one was named and not a service */
export function TextMe({ number, onSent }: TextMeProps) {
  const sender = useFirstSender(number)
  if (sender === undefined) return <LoadingRows label={t('loadingSenders')} rows={3} />
  if (sender !== '') return <TextForm number={number} sender={sender} onSent={onSent} />
  return (
    <Card title={t('textNumber', { number: spokenNumber(number) })}>
      <p>
        {t.rich('noSender', {
          link: text => (
            <TextLink to="/numbers" search={{ create: '1' }}>
              {text}
            </TextLink>
          ),
        })}
      </p>
    </Card>
  )
}

function TextForm({ number, sender, onSent }: TextMeProps & { sender: string }) {
  const compose = useCompose({
    draft: 'text to the handset',
    sender,
    to: number,
    onSent(_reply, { sender: named }, typed) {
      compose.draft.sent(typed, { ...typed, body: '' })
      toast({ text: t('sentToHandset') })
      if (/^\+\d+$|^\d{3,8}$/.test(named)) onSent(named)
    },
  })
  const { send, fields } = compose
  return (
    <Card
      title={t('textNumber', { number: spokenNumber(number) })}
      actions={
        <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }} size="sm">
          {t('playground')}
        </ButtonLink>
      }
    >
      <Form ref={fields.form} onSubmit={send.mutate}>
        <ComposeFields compose={compose} />
        <Button variant="primary" type="submit" busy={send.isPending}>
          {t('sendToHandset')}
        </Button>
      </Form>
    </Card>
  )
}
