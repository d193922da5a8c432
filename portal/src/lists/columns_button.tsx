// The button that lets one choose the columns of a list.
import { Columns3 } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../ui/index.ts'
import { readyPart } from '../ui/lazy_part.tsx'
import type { ColumnsProps } from './columns.ts'
import { t } from './texts.ts'

const ColumnsDialog = readyPart(() => import('./columns_dialog.tsx').then(module => module.ColumnsDialog))

export function ColumnsButton(props: ColumnsProps) {
  const [choosing, setChoosing] = useState(false)
  return (
    <>
      <Button icon={<Columns3 size={14} />} onClick={() => setChoosing(true)}>
        {t('columns')}
      </Button>
      {choosing && <ColumnsDialog {...props} onClose={() => setChoosing(false)} />}
    </>
  )
}
