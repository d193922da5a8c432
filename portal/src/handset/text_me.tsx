// Sends a text to the handset, as a program would: with a sender, and with what it costs told while it is typed.
import { Form } from '../app/form.tsx'
import { ComposeFields, useCompose } from '../messages/compose.tsx'
import { simulatorSender } from '../messages/sender_field.tsx'
import { Button, ButtonLink, Card, toast } from '../ui/index.ts'
import { spokenNumber } from './numbers.ts'

/** @param props.onSent gets the sender, where one was named and not a service */
export function TextMe({ number, onSent }: { number: string; onSent(partner: string): void }) {
  const compose = useCompose({
    draft: 'text to the handset',
    sender: simulatorSender,
    to: number,
    onSent(_reply, { sender }) {
      compose.draft.change(old => ({ ...old, body: '' }))
      toast({ text: 'The text is on its way to the handset.' })
      if (/^\+\d+$|^\d{3,8}$/.test(sender)) onSent(sender)
    },
  })
  const { send, fields } = compose
  return (
    <Card
      title={`Text ${spokenNumber(number)}`}
      actions={
        <ButtonLink to="/playground" search={{ endpoint: 'messages.sms.send' }} size="sm">
          In the Playground
        </ButtonLink>
      }
    >
      <Form ref={fields.form} onSubmit={send.mutate}>
        <ComposeFields compose={compose} />
        <Button variant="primary" type="submit" busy={send.isPending}>
          Send it to the handset
        </Button>
      </Form>
    </Card>
  )
}
