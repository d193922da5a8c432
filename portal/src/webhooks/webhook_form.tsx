// The dialog that creates a webhook or changes one. What the server finds wrong stands beside the field it is about.
import type { Webhook, WebhooksCreateReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { type ReactNode, type RefObject, useId, useState } from 'react'
import { useApi } from '../app/api.ts'
import { EmptyFormButton } from '../app/empty_form_button.tsx'
import { useFormFaults } from '../app/faults.ts'
import { useFormDraft } from '../app/form_draft.ts'
import { useSession } from '../app/session.ts'
import { Button, Dialog, ErrorNote, TextField, toast } from '../ui/index.ts'
import { EventTypePicker } from './event_type_picker.tsx'
import { useRefreshed } from './following.ts'
import styles from './webhooks.module.css'

type Values = { url: string; description: string; eventTypes: readonly string[] | null }
const empty: Values = { url: '', description: '', eventTypes: null }
const shown = ['url', 'description', 'eventTypes'] as const

/** As the API takes them: nothing said is null, and no list is read-only. */
function given({ url, description, eventTypes }: Values) {
  return {
    url: url.trim(),
    description: description.trim() === '' ? null : description.trim(),
    eventTypes: eventTypes === null ? null : [...eventTypes],
  }
}

export function NewWebhookForm({
  onClose,
  onCreated,
}: {
  onClose(): void
  onCreated(reply: WebhooksCreateReply): void
}) {
  const api = useApi()
  const { mode } = useSession()
  const refresh = useRefreshed()
  const draft = useFormDraft('webhook', empty)
  const create = useMutation({
    // The reply holds the secret: nothing keeps it but the dialog that shows it.
    gcTime: 0,
    mutationFn: () => api.webhooks.create(given(draft.values)),
    onSuccess: reply => {
      draft.forget()
      void refresh()
      onCreated(reply)
    },
  })
  return (
    <FormDialog
      title="Create a webhook"
      description={`Events of ${mode} data are sent to it as signed POST requests.`}
      action="Create"
      values={draft.values}
      change={draft.change}
      request={create}
      onClose={onClose}
      aside={form => <EmptyFormButton draft={draft} request={create} form={form} />}
    />
  )
}

export function EditWebhookForm({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const api = useApi()
  const refresh = useRefreshed()
  const { webhookId, url, description, eventTypes } = webhook
  const before: Values = { url, description: description ?? '', eventTypes }
  const [values, setValues] = useState(before)
  const change = useMutation({
    mutationFn: async () => {
      // Only what differs: what somebody else changed meanwhile stays as it is.
      const old = given(before)
      const changes = Object.entries(given(values)).filter(
        ([name, value]) => JSON.stringify(value) !== JSON.stringify(old[name as keyof Values]),
      )
      if (changes.length > 0) await api.webhooks.update({ webhookId, ...Object.fromEntries(changes) })
      return changes.length > 0
    },
    onSuccess: async changed => {
      await refresh()
      if (changed) toast({ text: 'The webhook was changed. Deliveries follow within seconds.' })
      onClose()
    },
  })
  return (
    <FormDialog
      title="Change the webhook"
      description="What waits to be sent goes to the new address."
      action="Save"
      values={values}
      change={setValues}
      request={change}
      onClose={onClose}
    />
  )
}

type FormDialogProps = {
  title: string
  description: string
  action: string
  values: Values
  change(next: (old: Values) => Values): void
  request: { mutate(): void; isPending: boolean; error: unknown }
  onClose(): void
  aside?(form: RefObject<HTMLFormElement | null>): ReactNode
}
function FormDialog({ title, description, action, values, change, request, onClose, aside }: FormDialogProps) {
  const formId = useId()
  const { form, fields, general, mend } = useFormFaults(request.error, shown)
  const set = <Name extends keyof Values>(name: Name, value: Values[Name]) => {
    mend(name)
    change(old => ({ ...old, [name]: value }))
  }
  return (
    <Dialog
      wide
      open
      onOpenChange={open => !open && onClose()}
      title={title}
      description={description}
      footer={
        <>
          {aside?.(form)}
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" form={formId} busy={request.isPending}>
            {action}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        ref={form}
        className={styles['form']}
        noValidate
        onSubmit={event => {
          event.preventDefault()
          request.mutate()
        }}
      >
        {general !== undefined && <ErrorNote text={general} />}
        <TextField
          label="URL"
          type="url"
          inputMode="url"
          mono
          placeholder="https://example.com/hooks/tandem"
          hint="A public address that answers 2xx within 15 seconds."
          value={values.url}
          error={fields['url']}
          onChange={event => set('url', event.target.value)}
        />
        <TextField
          label="Description"
          optional
          placeholder="Status of messages, for the order system"
          value={values.description}
          error={fields['description']}
          onChange={event => set('description', event.target.value)}
        />
        <EventTypePicker
          label="Events"
          value={values.eventTypes}
          error={fields['eventTypes']}
          onChange={next => set('eventTypes', next)}
        />
      </form>
    </Dialog>
  )
}
