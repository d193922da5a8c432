// A person's own account: name, password, second factors, and all they have open. It is one, whatever organizations they are in.
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { Form } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { InLiveMode } from '../session/shared.tsx'
import {
  Button,
  Card,
  DescriptionList,
  ErrorNote,
  ErrorState,
  LoadingRows,
  Moment,
  PageHeader,
  TextField,
  toast,
} from '../ui/index.ts'
import styles from './account.module.css'
import { DevicesCard } from './devices_card.tsx'
import { EmailDialog } from './email_dialog.tsx'
import { FactorsCard } from './factors_card.tsx'
import { LanguageField } from './language_field.tsx'
import { OrganizationsCard } from './organizations_card.tsx'
import { OwnPasswordDialog } from './own_password_dialog.tsx'
import { SessionsCard } from './sessions_card.tsx'
import { t } from './texts.ts'

export function AccountScreen() {
  return (
    <InLiveMode>
      <PageHeader title={t('title')} description={t('about')} />
      <div className={styles['cards']}>
        <ProfileCard />
        <FactorsCard />
        <SessionsCard />
        <DevicesCard />
        <OrganizationsCard />
      </div>
    </InLiveMode>
  )
}

function ProfileCard() {
  const api = useApi()
  const query = useQuery({ queryKey: ['live', 'account'], queryFn: ({ signal }) => api.account.get({}, { signal }) })
  const [changing, setChanging] = useState<'password' | 'email'>()
  if (query.isPending) return <LoadingRows label={t('loading')} />
  if (query.data === undefined) return <ErrorState error={query.error} onRetry={() => void query.refetch()} />
  const { email, name, locale, passwordChangedAt, passwordEndsAt } = query.data
  return (
    <Card
      title={t('profile')}
      actions={
        <>
          <Button onClick={() => setChanging('email')}>{t('changeEmail')}</Button>
          <Button onClick={() => setChanging('password')}>{t('changePassword')}</Button>
        </>
      }
    >
      <div className={styles['profile']}>
        <NameForm key={name} name={name} />
        <LanguageField locale={locale} />
        <DescriptionList
          items={[
            { term: t('email'), detail: email },
            {
              term: t('password'),
              detail:
                passwordChangedAt === null
                  ? t('passwordNone')
                  : passwordEndsAt === null
                    ? t.rich('passwordSet', { time: () => <Moment iso={passwordChangedAt} /> })
                    : t.rich('passwordEnds', { time: () => <Moment iso={passwordEndsAt} /> }),
            },
          ]}
        />
      </div>
      {changing === 'password' && <OwnPasswordDialog onClose={() => setChanging(undefined)} />}
      {changing === 'email' && <EmailDialog onClose={() => setChanging(undefined)} />}
    </Card>
  )
}

function NameForm({ name }: { name: string }) {
  const api = useApi()
  const cache = useQueryClient()
  const [typed, setTyped] = useState(name)
  const save = useMutation({
    mutationFn: () => api.account.update({ name: typed }),
    onSuccess(saved) {
      cache.setQueryData(['live', 'account'], saved)
      toast({ text: t('nameSaved') })
    },
  })
  const faults = useFormFaults(save.error, ['name'])
  return (
    <Form ref={faults.form} className={record['form']} onSubmit={() => save.mutate()}>
      {faults.general !== undefined && <ErrorNote text={faults.general} />}
      <TextField
        className={record['wide']}
        label={t('name')}
        autoComplete="name"
        maxLength={200}
        value={typed}
        error={faults.fields['name']}
        onChange={event => {
          faults.mend('name')
          setTyped(event.target.value)
        }}
      />
      <div>
        <Button type="submit" busy={save.isPending} disabled={typed.trim() === name}>
          {t('nameSave')}
        </Button>
      </div>
    </Form>
  )
}
