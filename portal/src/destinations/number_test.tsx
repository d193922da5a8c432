// Asks whether a number may be called and texted. Nothing is called, sent or counted.
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { Form, useFormFields } from '../forms/form.tsx'
import { useApi } from '../session/api.ts'
import { problemText } from '../ui/faults.ts'
import { Button, Card, Chip, ErrorNote, TextField } from '../ui/index.ts'
import { countryName } from './countries.ts'
import styles from './destinations.module.css'
import { kindName } from './kinds.ts'
import { t } from './texts.ts'

const shown = ['to'] as const

export function NumberTest() {
  const api = useApi()
  const [values, setValues] = useState({ to: '' })
  const ask = useMutation({ mutationFn: () => api.destinations.check(values) })
  const { form, general, text } = useFormFields({ values, change: setValues }, ask.error, shown)
  return (
    <Card title={t('testTitle')}>
      <Form ref={form} className={styles['line']} onSubmit={() => ask.mutate()}>
        <TextField label={t('to')} type="tel" placeholder="+1 900 555 1234" {...text('to')} />
        <Button type="submit" busy={ask.isPending}>
          {t('ask')}
        </Button>
      </Form>
      <div role="status">
        {general !== undefined && <ErrorNote text={general} />}
        {ask.data !== undefined && <Answer {...ask.data} />}
      </div>
    </Card>
  )
}

type Asked = Awaited<ReturnType<ReturnType<typeof useApi>['destinations']['check']>>

function Answer({ to, country, kind, allowed, refusal, reached }: Asked) {
  const what = kind === null ? t('kind.none') : kindName(kind)
  return (
    <>
      <p className={styles['facts']}>
        <Chip tone={allowed ? 'ok' : 'bad'}>{t(allowed ? 'allowed' : 'notAllowed')}</Chip>{' '}
        {country === null ? t('answer', { to, what }) : t('answerIn', { to, what, country: countryName(country) })}
      </p>
      {refusal !== null && <p>{problemText(refusal.code, refusal.message)}</p>}
      {reached.map(({ policy, ceiling }) => (
        <p key={`${policy} ${ceiling}`}>{t(`reached.${ceiling}`)}</p>
      ))}
    </>
  )
}
