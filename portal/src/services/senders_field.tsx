// The senders of a service: those it has, each with a way to take it out, and a field to add one.
import { X } from 'lucide-react'
import { type OwnNumber, useNumbers } from '../data/messaging_lists.ts'
import { t as tNumbers } from '../numbers/texts.ts'
import { Combobox } from '../ui/combobox.tsx'
import { IconButton, TextLink } from '../ui/index.ts'
import styles from './services.module.css'
import { t } from './texts.ts'

export type SendersFieldProps = {
  /** Ids of numbers. */
  value: readonly string[]
  onChange(value: string[]): void
  error?: string | undefined
  /** The service they are for, where it is there already. */
  serviceId?: string
}
export function SendersField({ value, onChange, error, serviceId }: SendersFieldProps) {
  const numbers = useNumbers()
  const byId = new Map(numbers.items.map(number => [number.numberId, number]))
  const isFree = (number: OwnNumber) => number.serviceId === null || number.serviceId === serviceId
  const free = numbers.items.filter(number => isFree(number) && !value.includes(number.numberId))
  const elsewhere = numbers.items.filter(number => !isFree(number)).length
  return (
    <div className={styles['senders']}>
      <span className={styles['label']}>{t('senders')}</span>
      {value.length > 0 && (
        <ul aria-label={t('senders')}>
          {value.map(id => {
            const number = byId.get(id)
            const name = number?.number ?? id
            return (
              <li key={id} className={styles['sender']}>
                <span>
                  {name} <small>{number === undefined ? '' : (number.label ?? tNumbers(`kind.${number.kind}`))}</small>
                </span>
                <IconButton
                  size="sm"
                  label={t('removeName', { name })}
                  icon={<X size={14} />}
                  onClick={() => onChange(value.filter(one => one !== id))}
                />
              </li>
            )
          })}
        </ul>
      )}
      <Combobox
        label={t('addSender')}
        value=""
        placeholder={t(free.length === 0 ? 'noFree' : 'chooseSender')}
        options={free.map(number => ({
          value: number.numberId,
          label: number.number,
          hint: number.label ?? tNumbers(`kind.${number.kind}`),
          keywords: number.label ?? '',
        }))}
        onChange={id => onChange([...value, id])}
        {...(error === undefined ? {} : { error })}
      />
      <p className={styles['hint']}>
        {elsewhere > 0 && <>{t('elsewhere', { count: elsewhere })} </>}
        {numbers.isKnown &&
          numbers.items.length === 0 &&
          t.rich('noNumbers', {
            link: text => (
              <TextLink to="/numbers" search={{ create: '1' }}>
                {text}
              </TextLink>
            ),
          })}
      </p>
    </div>
  )
}
