// Days by class, as one form. An empty field follows the installation.
import type { Retention } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import record from '../data/record.module.css'
import { isStale } from '../forms/faults.ts'
import { Form, useFormFields } from '../forms/form.tsx'
import { wholeOrNull } from '../forms/number_text.ts'
import { useTypedOver } from '../forms/typed_over.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { Button, Card, ErrorNote, ErrorState, LoadingRows, TextField, toast } from '../ui/index.ts'
import styles from './privacy.module.css'
import { t } from './texts.ts'

const queryKey = ['live', 'retention']

export function RetentionCard() {
  const api = useApi()
  const query = useQuery({ queryKey, queryFn: ({ signal }) => api.retention.get({}, { signal }) })
  return (
    <Card title={t('retention')}>
      {query.isPending ? (
        <LoadingRows label={t('loading')} />
      ) : query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : (
        <RetentionForm stored={query.data} />
      )}
    </Card>
  )
}

type Class = Retention['classes'][number]
const typedOf = (classes: readonly Class[]): Record<string, string> =>
  Object.fromEntries(classes.map(one => [one.class, one.ownDays === null ? '' : String(one.ownDays)]))

function RetentionForm({ stored }: { stored: Retention }) {
  const api = useApi()
  const { permissions } = useSession()
  const cache = useQueryClient()
  const before = typedOf(stored.classes)
  const over = useTypedOver(before)
  const typed = over.values
  const changed = stored.classes.filter(one => typed[one.class]?.trim() !== before[one.class])
  const save = useMutation({
    mutationFn: async (sent: readonly Class[]) => {
      const classes = sent.map(one => ({ class: one.class, days: wholeOrNull(typed[one.class] ?? '') }))
      return { saved: await api.retention.update({ classes }, { ifMatch: stored.version }), values: typed }
    },
    onSuccess({ saved, values }) {
      over.saved(values)
      cache.setQueryData(queryKey, saved)
      toast({ text: t('saved') })
    },
    onError(error) {
      if (isStale(error)) void cache.invalidateQueries({ queryKey })
    },
  })
  // The server names a place in what was sent.
  const fieldOf = (one: Class) => {
    const place = save.variables?.findIndex(sent => sent.class === one.class) ?? -1
    return place === -1 ? one.class : `classes[${place}].days`
  }
  const fields = useFormFields(over, save.error, stored.classes.map(fieldOf))
  const mayChange = permissions.has('retention:update')
  return (
    <Form ref={fields.form} className={record['form']} onSubmit={() => changed.length > 0 && save.mutate(changed)}>
      <p className={record['wide']}>{t('retentionText')}</p>
      {stored.classes.map(one => (
        <TextField
          key={one.class}
          label={t('days', { name: t(`class.${one.class}`) })}
          hint={t('daysHint', { min: one.minDays, max: one.maxDays, standard: one.defaultDays })}
          inputMode="numeric"
          placeholder={String(one.defaultDays)}
          disabled={!mayChange}
          {...fields.text(one.class, fieldOf(one))}
        />
      ))}
      {fields.general !== undefined && <ErrorNote text={fields.general} />}
      <div className={styles['foot']}>
        {mayChange ? (
          <Button variant="primary" type="submit" busy={save.isPending} disabled={changed.length === 0}>
            {t('save')}
          </Button>
        ) : (
          <span>{t('readOnly')}</span>
        )}
      </div>
    </Form>
  )
}
