// What the organization asks of everybody who logs in to it. Before a change is made it says whom it concerns.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { isStale } from '../forms/faults.ts'
import { Form, FormDialog, type FormFields, useFormFields } from '../forms/form.tsx'
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

const queryKey = ['live', 'security']
/** A box shows no fault of its own: that stands below the form. */
const shownFaults = shown.filter(name => name !== 'requireSecondFactor' && name !== 'magicLink')

export function SecurityScreen() {
  const { permissions } = useSession()
  if (!permissions.has('security:manage')) return <Refused title="Security" />
  return (
    <InLiveMode>
      <PageHeader title="Security" description="What the organization asks of everybody who logs in to it." />
      <PolicyCard />
    </InLiveMode>
  )
}

function PolicyCard() {
  const api = useApi()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.security.get({}, { signal }) })
  if (query.isPending) return <LoadingRows label="Loading the policy" />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  return <PolicyForm key={query.data.version} stored={query.data} version={query.data.version} />
}

function PolicyForm({ stored, version }: { stored: Policy; version: number }) {
  const api = useApi()
  const cache = useQueryClient()
  const [typed, setTyped] = useState<Typed>(() => typedOf(stored))
  const [concerned, setConcerned] = useState<Concerned>()
  const change = changeOf(stored, typed)
  const preview = useMutation({ mutationFn: () => api.security.preview(change), onSuccess: setConcerned })
  const save = useMutation({
    mutationFn: () => api.security.update(change, { ifMatch: version }),
    onSuccess(saved) {
      cache.setQueryData(queryKey, saved)
      toast({ text: 'The policy was saved.' })
    },
    onError(error) {
      setConcerned(undefined)
      if (isStale(error)) void cache.invalidateQueries({ queryKey })
    },
  })
  const fields = useFormFields<Typed>({ values: typed, change: setTyped }, preview.error ?? save.error, shownFaults)
  const hasChanged = Object.keys(change).length > 0
  return (
    <Form ref={fields.form} className={styles['cards']} onSubmit={() => hasChanged && preview.mutate()}>
      <LoginCard fields={fields} />
      <LivesCard fields={fields} />
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <div>
        <Button variant="primary" type="submit" busy={preview.isPending} disabled={!hasChanged}>
          Save the policy
        </Button>
      </div>
      {concerned !== undefined && (
        <FormDialog
          title="Save the policy?"
          className={record['form']}
          faults={{ general: undefined }}
          action="Save the policy"
          busy={save.isPending}
          onSubmit={() => save.mutate()}
          onClose={() => setConcerned(undefined)}
        >
          <ul className={styles['said']}>
            {[...consequences(change, concerned), 'It holds from the next login, or the next access token, on.'].map(
              sentence => (
                <li key={sentence}>{sentence}</li>
              ),
            )}
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
    <Card title="Logging in">
      <div className={record['form']}>
        <Box
          fields={fields}
          name="requireSecondFactor"
          label={'Everybody needs a second factor'}
          hint={'Nobody logs in with a password alone; anyone without a second factor sets one up at the next login.'}
        />
        <TextField
          label="Days that a browser may be trusted"
          inputMode="numeric"
          hint="For so long a browser that somebody trusts is not asked for a code again. 0: never trusted."
          {...text('trustDeviceDays')}
        />
        <TextField
          label="Minimum length of passwords"
          inputMode="numeric"
          hint="10 to 64 characters. Everybody needs 15 anyway, or 10 with a second factor. Empty: no more than that."
          {...text('passwordMin')}
        />
        <Box
          fields={fields}
          name="magicLink"
          label={'Logging in by mail'}
          hint={
            'A link in a mail stands for the password, never for the second factor. Anyone who reads the mail gets in.'
          }
        />
        <TextArea
          className={record['wide']}
          label="Addresses that people may log in from"
          hint="One address or range (203.0.113.0/24) a line. Empty: from everywhere. It does not hold for API keys."
          rows={3}
          {...text('allowedAddresses')}
        />
      </div>
    </Card>
  )
}

function LivesCard({ fields: { text } }: Fields) {
  return (
    <Card title="Sessions and keys">
      <div className={record['form']}>
        <TextField
          label="Minutes without use until a session ends"
          inputMode="numeric"
          hint="20160 minutes are 14 days."
          {...text('sessionIdleMinutes')}
        />
        <TextField
          label="Hours until a session ends in any case"
          inputMode="numeric"
          hint="2160 hours are 90 days."
          {...text('sessionMaxHours')}
        />
        <TextField
          label="Days until API keys expire"
          inputMode="numeric"
          hint="For keys that are created or rotated from now on. Empty: each key says for itself."
          {...text('apiKeysMaxDays')}
        />
      </div>
    </Card>
  )
}
