// The dialog that creates a webhook or changes one. What the server finds wrong stands beside the field it is about.

import type { Webhook, WebhooksCreateReply } from '@tandem/sdk'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { differing } from '../forms/differing.ts'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { FormDialog, type FormDialogProps, type FormFields, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { textOrNull } from '../forms/text_or_null.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { TextField, toast } from '../ui/index.ts'
import { EventTypePicker } from './event_type_picker.tsx'
import { useRefreshed } from './following.ts'
import { t } from './texts.ts'
import styles from './webhooks.module.css'

type Values = { url: string; description: string; eventTypes: readonly string[] | null }
const empty: Values = { url: '', description: '', eventTypes: null }
const shown = ['url', 'description', 'eventTypes'] as const

/** As the API takes them: nothing said is null, and no list is read-only. */
function given({ url, description, eventTypes }: Values) {
  return {
    url: url.trim(),
    description: textOrNull(description),
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
  const fields = useFormFields(draft, create.error, shown)
  return (
    <WebhookDialog
      kept
      title={t('create')}
      description={t('createText', { mode })}
      action={t('createShort')}
      fields={fields}
      busy={create.isPending}
      onSubmit={create.mutate}
      onClose={onClose}
      aside={<EmptyFormButton draft={draft} request={create} form={fields.form} />}
    />
  )
}

export function EditWebhookForm({ webhook, onClose }: { webhook: Webhook; onClose(): void }) {
  const api = useApi()
  const refresh = useRefreshed()
  const { webhookId, url, description, eventTypes } = webhook
  const [before] = useState<Values>({ url, description: description ?? '', eventTypes })
  const [values, setValues] = useState(before)
  const change = useMutation({
    mutationFn: async () => {
      // Only what differs: what somebody else changed meanwhile stays as it is.
      const changes = differing(given(values), given(before))
      const hasChanged = Object.keys(changes).length > 0
      if (hasChanged) await api.webhooks.update({ webhookId, ...changes })
      return hasChanged
    },
    onSuccess: async changed => {
      await refresh()
      if (changed) toast({ text: t('changedToast') })
      onClose()
    },
  })
  const fields = useFormFields({ values, change: setValues }, change.error, shown)
  return (
    <WebhookDialog
      title={t('updateTitle')}
      description={t('updateText')}
      action={t('save')}
      fields={fields}
      busy={change.isPending}
      onSubmit={change.mutate}
      onClose={onClose}
    />
  )
}

type WebhookDialogProps = Omit<FormDialogProps, 'faults' | 'className'> & { fields: FormFields<Values> }
function WebhookDialog({ fields, ...dialog }: WebhookDialogProps) {
  const { fields: faults, values, put, text } = fields
  return (
    <FormDialog wide className={styles['form']} faults={fields} {...dialog}>
      <TextField
        label={t('url')}
        type="url"
        inputMode="url"
        mono
        placeholder={t('urlPlaceholder')}
        hint={t('urlHint')}
        {...text('url')}
      />
      <TextField label={t('description')} optional placeholder={t('descriptionHint')} {...text('description')} />
      <EventTypePicker
        label={t('events')}
        value={values.eventTypes}
        error={faults['eventTypes']}
        onChange={next => put('eventTypes', next)}
      />
    </FormDialog>
  )
}
