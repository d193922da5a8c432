// Saves the log, as it is filtered, as a file.
import { useMutation } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { fileTimeoutMs } from '../data/file_timeout.ts'
import { saveFile, saveTable } from '../data/save_file.ts'
import { chosenOf } from '../navigation/params.ts'
import { useParamsOfAddress } from '../navigation/search_params.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Menu, toast } from '../ui/index.ts'
import { t } from './texts.ts'

type Asked = { format: 'ndjson' | 'csv' | 'ocsf'; isWhole?: true }

export function ExportMenu({
  names,
  asked,
}: {
  names: readonly string[]
  asked(chosen: Record<string, string>): object
}) {
  const api = useApi()
  const { permissions } = useSession()
  const [params] = useParamsOfAddress()
  const chosen = chosenOf(params, names)
  const isFiltered = Object.keys(chosen).length > 0
  const save = useMutation({
    mutationFn: async ({ format, isWhole }: Asked) => {
      const filters = isWhole ? {} : asked(chosen)
      const file = await api.auditEvents.export({ ...filters, format } as never, { timeoutMs: fileTimeoutMs })
      if (format === 'csv') saveTable(file, 'audit.csv')
      else saveFile(file, 'audit.ndjson')
    },
    onError: error => toast({ text: faultText(error), tone: 'bad' }),
  })
  if (!permissions.has('audit:export')) return null
  const item = (key: string, label: string, what: Asked) => ({ key, label, onSelect: () => save.mutate(what) })

  return (
    <Menu
      trigger={
        <Button icon={<Download size={14} />} busy={save.isPending}>
          {t('export')}
        </Button>
      }
      items={[
        item('csv', t(isFiltered ? 'export.csvShown' : 'export.csvAll'), { format: 'csv' }),
        item('ocsf', t(isFiltered ? 'export.ocsfShown' : 'export.ocsfAll'), { format: 'ocsf' }),
        item('ndjson', t('export.whole'), { format: 'ndjson', isWhole: true }),
      ]}
    />
  )
}
