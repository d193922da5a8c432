// Members who log in with their password though single sign-on is enforced: those there are, and a field to add one.
import { X } from 'lucide-react'
import record from '../data/record.module.css'
import { useName } from '../nouns/names.ts'
import { RecordPicker } from '../nouns/picker.tsx'
import { IconButton } from '../ui/index.ts'
import styles from './single_sign_on.module.css'
import { t } from './texts.ts'

type EmergencyProps = { value: readonly number[]; error?: string | undefined; onChange(ids: number[]): void }

export function EmergencyField({ value, error, onChange }: EmergencyProps) {
  return (
    <div className={`${record['wide']} ${styles['emergency']}`}>
      <RecordPicker
        of="user"
        label={t('emergency')}
        hint={t('emergencyHint')}
        error={error}
        value={null}
        onChange={id => id !== null && onChange([...new Set([...value, Number(id)])])}
      />
      {value.length > 0 && (
        <ul aria-label={t('emergency')}>
          {value.map(id => (
            <Member key={id} id={id} onTakeOut={() => onChange(value.filter(one => one !== id))} />
          ))}
        </ul>
      )}
    </div>
  )
}

function Member({ id, onTakeOut }: { id: number; onTakeOut(): void }) {
  const name = useName('user', id) ?? t('member', { id: String(id) })
  return (
    <li>
      {name}
      <IconButton size="sm" label={t('removeNamed', { name })} icon={<X size={14} />} onClick={onTakeOut} />
    </li>
  )
}
