// Takes a list away as CSV: all that the filters find, in its order, with the columns that are shown, or with all there are.
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import { saveTable } from '../data/save_file.ts'
import type { ColumnChoice } from '../lists/columns.ts'
import { useApi } from '../session/api.ts'
import { faultText } from '../ui/faults.ts'
import { Button, toast } from '../ui/index.ts'
import type { Patch } from './api.ts'
import { methodsOf } from './methods.ts'
import type { NounDescription } from './noun.ts'
import { t } from './texts.ts'

export type ExportButtonProps = { noun: NounDescription; query: Patch; columns: readonly ColumnChoice[] }

export function ExportButton({ noun, query, columns }: ExportButtonProps) {
  const api = useApi()
  const names = columns.map(({ name }) => name).filter(name => noun.fields.some(field => field.name === name))
  const load = useMutation({
    async mutationFn() {
      const params = { ...query, ...(noun.exportsAll !== true && { fields: names.join(',') }) }
      saveTable(await methodsOf(api, noun.many).export(params, { timeoutMs: fileTimeoutMs }), `${noun.many}.csv`)
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  return (
    <Button icon={<Download size={14} />} busy={load.isPending} onClick={() => load.mutate()}>
      {t('export')}
    </Button>
  )
}
