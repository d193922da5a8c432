// A messaging service, to be changed on its page. What was typed and not saved outlives a look at another page, and all other fields
// follow what is stored: saving undoes nothing that somebody else changed meanwhile, unless one was shown it.
import type { MessagingService } from '@tandem/sdk'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { forgetMessagingLists } from '../data/messaging_lists.ts'
import { EmptyFormButton } from '../forms/empty_form_button.tsx'
import { examples } from '../forms/examples.ts'
import { Form, useFormFields } from '../forms/form.tsx'
import { useFormDraft } from '../forms/form_draft.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, CheckboxField, ErrorNote, SegmentedControl, TextField, toast } from '../ui/index.ts'
import { listText } from '../words/format.ts'
import { KeywordsEditor } from './keywords_editor.tsx'
import { SendersField } from './senders_field.tsx'
import { changedMeanwhile, draftAfter, emptyDraft, type ServiceDraft, valuesOver } from './service_draft.ts'
import { changesOf, faultOf, fieldNames, type ServiceValues, valuesOf } from './service_values.ts'
import styles from './services.module.css'
import { t } from './texts.ts'

const labels = {
  name: 'name',
  senders: 'senders',
  stickySender: 'stickySender',
  smartEncoding: 'smartEncoding',
  unknownOutcome: 'whenUnknown',
  validityPeriod: 'validity',
  duplicateWindow: 'duplicateWindow',
  callbackUrl: 'callbackUrl',
  keywords: 'keywords',
} as const satisfies Record<keyof ServiceValues, string>

/** Somebody else changed what was typed over. */
class ChangedMeanwhile extends Error {}

/** What was typed over the service, and what saves it. */
function useService(service: MessagingService) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const { serviceId } = service
  const start = valuesOf(service)
  const draft = useFormDraft<ServiceDraft>(`service ${serviceId}`, emptyDraft)
  const values = valuesOver(start, draft.values)
  const meanwhile = changedMeanwhile(start, draft.values)
  const write = (saved: MessagingService) => cache.setQueryData([mode, 'service', serviceId], saved)
  const save = useMutation({
    mutationFn: async () => {
      const sent = draft.values
      const now = await api.messagingServices.get({ serviceId })
      const stored = valuesOf(now)
      if (changedMeanwhile(stored, sent).some(name => !meanwhile.includes(name))) {
        write(now)
        throw new ChangedMeanwhile()
      }
      const changes = changesOf(valuesOver(stored, sent), stored)
      const isSame = Object.keys(changes).length === 0
      const update = () => api.messagingServices.update({ serviceId, ...changes })
      return { sent, saved: isSame ? now : await update() }
    },
    onSuccess({ sent, saved }) {
      draft.sent(sent)
      write(saved)
      forgetMessagingLists(cache, mode)
      toast({ text: t('saved', { name: saved.name }) })
    },
  })
  const state = {
    values,
    isDirty: Object.keys(changesOf(values, start)).length > 0,
    change: (next: (old: ServiceValues) => ServiceValues) => draft.change(old => draftAfter(start, old, next)),
    forget: draft.forget,
  }
  return { state, save, meanwhile }
}

export function ServiceForm({ service }: { service: MessagingService }) {
  const { state: draft, save, meanwhile } = useService(service)
  const { values } = draft
  const error = save.error instanceof ChangedMeanwhile ? null : save.error
  const { form, fields, general, mend, text } = useFormFields(draft, error, fieldNames(values))
  const put = <Name extends keyof ServiceValues>(name: Name, value: ServiceValues[Name], field: string = name) => {
    for (const fault of Object.keys(fields)) if (fault === field || fault.startsWith(`${field}[`)) mend(fault)
    draft.change(old => ({ ...old, [name]: value }))
  }
  return (
    <Form ref={form} className={styles['page']} onSubmit={save.mutate}>
      <Card title={t('nameAndSenders')}>
        <div className={styles['grid']}>
          <TextField label={t('name')} {...text('name')} />
          <SendersField
            value={values.senders}
            serviceId={service.serviceId}
            error={faultOf(fields, 'senders')}
            onChange={senders => put('senders', senders)}
          />
        </div>
      </Card>
      <Card title={t('sending')}>
        <div className={styles['grid']}>
          <CheckboxField
            label={t('stickySender')}
            hint={t('stickyHint')}
            checked={values.stickySender}
            onChange={event => put('stickySender', event.target.checked)}
          />
          <CheckboxField
            label={t('smartEncoding')}
            hint={t('smartHint')}
            checked={values.smartEncoding}
            onChange={event => put('smartEncoding', event.target.checked)}
          />
          <TextField
            label={t('validity')}
            optional
            inputMode="numeric"
            hint={t('validityHint')}
            {...text('validityPeriod')}
          />
          <TextField
            label={t('duplicateWindow')}
            optional
            inputMode="numeric"
            hint={t('duplicateHint')}
            {...text('duplicateWindow')}
          />
          <TextField
            label={t('callbackUrl')}
            optional
            type="url"
            placeholder={examples.textsUrl}
            hint={t('callbackHint')}
            {...text('callbackUrl')}
          />
          <div className={styles['outcome']}>
            <span className={styles['label']}>{t('whenUnknown')}</span>
            <SegmentedControl
              label={t('whenUnknown')}
              options={[
                { value: 'hold', label: t('outcome.hold') },
                { value: 'resend', label: t('outcome.resend') },
              ]}
              value={values.unknownOutcome}
              onChange={value => put('unknownOutcome', value)}
            />
            <p className={styles['hint']}>{t(`outcomeText.${values.unknownOutcome}`)}</p>
          </div>
        </div>
      </Card>
      <Card title={t('keywords')}>
        <p className={styles['hint']}>{t('keywordsText')}</p>
        <KeywordsEditor
          value={values.keywords}
          fields={fields}
          onChange={(keywords, field) => put('keywords', keywords, field)}
        />
      </Card>
      <div className={styles['save']}>
        {general !== undefined && <ErrorNote text={general} />}
        {meanwhile.length > 0 && (
          <ErrorNote text={t('changedMeanwhile', { fields: listText(meanwhile.map(name => t(labels[name]))) })} />
        )}
        <EmptyFormButton draft={draft} request={save} form={form} label={t('undo')} />
        <Button variant="primary" type="submit" busy={save.isPending} disabled={!draft.isDirty}>
          {t('save')}
        </Button>
      </div>
    </Form>
  )
}
