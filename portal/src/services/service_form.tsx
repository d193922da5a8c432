// A messaging service, to be changed on its page. What was typed and not saved outlives a look at another page.
import type { MessagingService } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { forgetMessagingLists } from '../data/messaging_lists.ts'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { Form, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, CheckboxField, ErrorNote, SegmentedControl, TextField, toast } from '../ui/index.ts'
import { KeywordsEditor } from './keywords_editor.tsx'
import { SendersField } from './senders_field.tsx'
import { changesOf, faultOf, fieldNames, type ServiceValues, valuesOf } from './service_values.ts'
import styles from './services.module.css'

/** What becomes of a message that a carrier took without a word, in plain words. */
const outcomes: Record<ServiceValues['unknownOutcome'], string> = {
  hold: 'Now and then a link breaks after a text was handed over and before the carrier answered: nobody knows whether it went out. Hold leaves it at that. The message ends unconfirmed and is never sent again, so nobody gets it twice.',
  resend:
    'Now and then a link breaks after a text was handed over and before the carrier answered: nobody knows whether it went out. Resend hands it over again. Somebody may get it twice, but it is not lost: right for one-time codes.',
}

export function ServiceForm({ service }: { service: MessagingService }) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const start = valuesOf(service)
  const draft = useFormDraft(`service ${service.serviceId}`, start)
  const { values } = draft
  const save = useMutation({
    mutationFn: () => api.messagingServices.update({ serviceId: service.serviceId, ...changesOf(values, start) }),
    onSuccess: saved => {
      draft.forget()
      cache.setQueryData([mode, 'service', service.serviceId], saved)
      forgetMessagingLists(cache, mode)
      toast({ text: `${saved.name} was saved. It holds on every node within two seconds.` })
    },
  })
  const { form, fields, general, mend, text } = useFormFields(draft, save.error, fieldNames(values))
  const put = <Name extends keyof ServiceValues>(name: Name, value: ServiceValues[Name], field: string = name) => {
    for (const fault of Object.keys(fields)) if (fault === field || fault.startsWith(`${field}[`)) mend(fault)
    draft.change(old => ({ ...old, [name]: value }))
  }
  return (
    <Form ref={form} className={styles['page']} onSubmit={save.mutate}>
      <Card title="Name and senders">
        <div className={styles['grid']}>
          <TextField label="Name" {...text('name')} />
          <SendersField
            value={values.senders}
            serviceId={service.serviceId}
            error={faultOf(fields, 'senders')}
            onChange={senders => put('senders', senders)}
          />
        </div>
      </Card>
      <Card title="How it sends">
        <div className={styles['grid']}>
          <CheckboxField
            label="Sticky sender"
            hint="A recipient always hears from the same sender."
            checked={values.stickySender}
            onChange={event => put('stickySender', event.target.checked)}
          />
          <CheckboxField
            label="Smart encoding"
            hint="Curly quotes and long dashes become plain ones, so that texts need fewer segments."
            checked={values.smartEncoding}
            onChange={event => put('smartEncoding', event.target.checked)}
          />
          <TextField
            label="Validity"
            optional
            inputMode="numeric"
            hint="Seconds within which a text may be delivered, up to 36,000; later it expires. Empty: four hours."
            {...text('validityPeriod')}
          />
          <TextField
            label="Duplicate window"
            optional
            inputMode="numeric"
            hint="Seconds within which the same text does not go to the same recipient again. Empty: repeats are sent."
            {...text('duplicateWindow')}
          />
          <TextField
            label="Callback URL"
            optional
            type="url"
            placeholder="https://example.com/texts"
            hint="Gets the events of its messages, and of what comes in to its senders."
            {...text('callbackUrl')}
          />
          <div className={styles['outcome']}>
            <span className={styles['label']}>When the outcome is unknown</span>
            <SegmentedControl
              label="When the outcome is unknown"
              options={[
                { value: 'hold', label: 'Hold' },
                { value: 'resend', label: 'Resend' },
              ]}
              value={values.unknownOutcome}
              onChange={value => put('unknownOutcome', value)}
            />
            <p className={styles['hint']}>{outcomes[values.unknownOutcome]}</p>
          </div>
        </div>
      </Card>
      <Card title="Words and replies">
        <p className={styles['hint']}>
          A text of one of these words is understood, whatever its letter case and accents, and answered in the language
          of the word. STOP and the other words of US rules, clear requests in English such as “Please stop”, START and
          HELP are understood in every service.
        </p>
        <KeywordsEditor
          value={values.keywords}
          fields={fields}
          onChange={(keywords, field) => put('keywords', keywords, field)}
        />
      </Card>
      <div className={styles['save']}>
        {general !== undefined && <ErrorNote text={general} />}
        <EmptyFormButton draft={draft} request={save} form={form} label="Undo the changes" />
        <Button variant="primary" type="submit" busy={save.isPending} disabled={!draft.isDirty}>
          Save
        </Button>
      </div>
    </Form>
  )
}
