// What an Admin does with the data of a person, on their page: seldom, and so in a menu.
import { ShieldUser } from 'lucide-react'
import { useState } from 'react'
import { useSession } from '../session/session.ts'
import { IconButton, Menu } from '../ui/index.ts'
import { type PersonAct, PersonDialog } from './person_dialog.tsx'
import { t } from './texts.ts'

export function PersonMenu({ recordId, name }: { recordId: string; name: string }) {
  const { mode, permissions } = useSession()
  const [act, setAct] = useState<PersonAct>()
  const mayHold = permissions.has('legal_holds:manage') && mode === 'live'
  if (!permissions.has('privacy_requests:create')) return null
  return (
    <>
      <Menu
        trigger={<IconButton label={t('menu')} variant="secondary" icon={<ShieldUser size={16} />} />}
        items={[
          { key: 'export', label: t('exportData'), onSelect: () => setAct('export') },
          ...(mayHold ? [{ key: 'hold', label: t('holdData'), onSelect: () => setAct('hold') }] : []),
          { key: 'erasure', label: t('eraseData'), danger: true, onSelect: () => setAct('erasure') },
        ]}
      />
      {act !== undefined && (
        <PersonDialog act={act} recordId={recordId} name={name} onClose={() => setAct(undefined)} />
      )}
    </>
  )
}
