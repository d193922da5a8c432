// What the organization asks of everybody who logs in to it. Before a change is made it says whom it concerns.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { isStale } from '../forms/faults.ts'
import { Form, FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
import { useTypedOver } from '../forms/typed_over.ts'
import { Refused } from '../navigation/fallbacks.tsx'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { InLiveMode } from '../session/shared.tsx'
import {
  Button,
  Card,
  CheckboxField,
  ErrorNote,
  ErrorState,
  LoadingRows,
  PageHeader,
  TextArea,
  TextField,
  toast,
} from '../ui/index.ts'
import { type Concerned, changeOf, consequences, type Policy, shown, type Typed, typedOf } from './policy.ts'
import styles from './security.module.css'
import { t } from './texts.ts'

const queryKey = ['live', 'security']
/** A box shows no fault of its own: that stands below the form. */
const shownFaults = shown.filter(name => name !== 'requireSecondFactor' && name !== 'magicLink')

export function SecurityScreen() {
  const { permissions } = useSession()
  if (!permissions.has('security:manage')) return <Refused title={t('title')} />
  return (
    <InLiveMode>
      <PageHeader title={t('title')} description={t('about')} />
      <PolicyCard />
    </InLiveMode>
  )
}

function PolicyCard() {
  const api = useApi()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.security.get({}, { signal }) })
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <PolicyForm stored={query.data} version={query.data.version} />
}

function PolicyForm({ stored, version }: { stored: Policy; version: number }) {
  const api = useApi()
  const cache = useQueryClient()
  const over = useTypedOver<Typed>(typedOf(stored))
  const typed = over.values
  const [concerned, setConcerned] = useState<Concerned>()
  const change = changeOf(stored, typed)
  const preview = useMutation({ mutationFn: () => api.security.preview(change), onSuccess: setConcerned })
  const save = useMutation({
    mutationFn: async () => ({ saved: await api.security.update(change, { ifMatch: version }), sent: typed }),
    onSuccess({ saved, sent }) {
      over.saved(sent)
      setConcerned(undefined)
      cache.setQueryData(queryKey, saved)
      toast({ text: t('saved') })
    },
    onError(error) {
      setConcerned(undefined)
      if (isStale(error)) void cache.invalidateQueries({ queryKey })
    },
  })
  const fields = useFormFields<Typed>(over, preview.error ?? save.error, shownFaults)
  const hasChanged = Object.keys(change).length > 0
  return (
    <Form ref={fields.form} className={styles['cards']} onSubmit={() => hasChanged && preview.mutate()}>
      <LoginCard fields={fields} />
      <LivesCard fields={fields} />
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <div>
        <Button variant="primary" type="submit" busy={preview.isPending} disabled={!hasChanged}>
          {t('save')}
        </Button>
      </div>
      {concerned !== undefined && (
        <FormDialog
          title={t('saveTitle')}
          className={record['form']}
          faults={{ general: undefined }}
          action={t('save')}
          busy={save.isPending}
          onSubmit={() => save.mutate()}
          onClose={() => setConcerned(undefined)}
        >
          <ul className={styles['said']}>
            {[...consequences(change, concerned), t('from')].map(sentence => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
        </FormDialog>
      )}
    </Form>
  )
}

type Fields = { fields: FormFields<Typed> }

function Box({
  fields,
  name,
  label,
  hint,
}: Fields & { name: 'requireSecondFactor' | 'magicLink'; label: string; hint: string }) {
  return (
    <CheckboxField
      className={record['wide']}
      label={label}
      hint={hint}
      checked={fields.values[name]}
      onChange={event => fields.put(name, event.target.checked)}
    />
  )
}

function LoginCard({ fields }: Fields) {
  const { text } = fields
  return (
    <Card title={t('login')}>
      <div className={record['form']}>
        <Box fields={fields} name="requireSecondFactor" label={t('factor')} hint={t('factorHint')} />
        <TextField label={t('trust')} inputMode="numeric" hint={t('trustHint')} {...text('trustDeviceDays')} />
        <TextField label={t('passwordMin')} inputMode="numeric" hint={t('passwordMinHint')} {...text('passwordMin')} />
        <Box fields={fields} name="magicLink" label={t('mail')} hint={t('mailHint')} />
        <TextArea
          className={record['wide']}
          label={t('addresses')}
          hint={t('addressesHint')}
          rows={3}
          {...text('allowedAddresses')}
        />
      </div>
    </Card>
  )
}

function LivesCard({ fields: { text } }: Fields) {
  return (
    <Card title={t('lives')}>
      <div className={record['form']}>
        <TextField label={t('idle')} inputMode="numeric" hint={t('idleHint')} {...text('sessionIdleMinutes')} />
        <TextField label={t('most')} inputMode="numeric" hint={t('maxHint')} {...text('sessionMaxHours')} />
        <TextField label={t('keys')} inputMode="numeric" hint={t('keysHint')} {...text('apiKeysMaxDays')} />
      </div>
    </Card>
  )
}
