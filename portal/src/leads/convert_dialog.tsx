// Converts a lead: shows first what would come of it, and lets one choose the company and the contact to use.
import type { LeadsConvertReply } from '@tandem/sdk'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import record from '../data/record.module.css'
import { useFormFaults } from '../forms/faults.ts'
import { FormDialog } from '../forms/form.tsx'
import type { NounRecord } from '../nouns/noun.ts'
import { RecordPicker } from '../nouns/pickers.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { DescriptionList, ErrorState, LoadingRows, toast } from '../ui/index.ts'
import { t } from './texts.ts'

type Part = LeadsConvertReply['contact'] | null
export type ConvertDialogProps = { lead: NounRecord; onClose(): void; onConverted(lead: NounRecord): void }

export function ConvertDialog({ lead, onClose, onConverted }: ConvertDialogProps) {
  const api = useApi()
  const { mode } = useSession()
  const cache = useQueryClient()
  const [company, setCompany] = useState<string>()
  const [contact, setContact] = useState<string>()
  const body = {
    id: Number(lead.id),
    qualify: true,
    ...(company !== undefined && { company_id: company }),
    ...(contact !== undefined && { contact_id: contact }),
  }
  const preview = useQuery({
    queryKey: [mode, 'conversion', body, lead.version],
    queryFn: ({ signal }) => api.leads.convert({ ...body, dry_run: true }, { signal }),
    staleTime: 0,
  })
  const convert = useMutation({
    mutationFn: () => api.leads.convert(body),
    onSuccess(reply) {
      for (const key of ['leads', 'contacts', 'companies']) void cache.invalidateQueries({ queryKey: [mode, key] })
      toast({ text: t('converted', { name: reply.lead.name, contact: reply.contact?.title ?? t('partNone') }) })
      onConverted(reply.lead as unknown as NounRecord)
    },
  })
  const faults = useFormFaults(convert.error, [])
  return (
    <FormDialog
      title={t('convertTitle', { name: String(lead['name']) })}
      description={t('convertText')}
      faults={faults}
      className={record['form']}
      action={t('convert')}
      busy={convert.isPending}
      disabled={preview.data === undefined}
      onSubmit={() => convert.mutate()}
      onClose={onClose}
    >
      <RecordPicker
        of="contact"
        label={t('useContact')}
        none={t('asItFits')}
        value={contact ?? null}
        onChange={id => setContact(id === null ? undefined : String(id))}
      />
      <RecordPicker
        of="company"
        label={t('useCompany')}
        none={t('asItFits')}
        value={company ?? null}
        onChange={id => setCompany(id === null ? undefined : String(id))}
      />
      <div className={record['wide']}>
        {preview.isPending ? (
          <LoadingRows label={t('previewing')} rows={2} />
        ) : preview.data === undefined ? (
          <ErrorState error={preview.error} />
        ) : (
          <DescriptionList
            items={[
              { term: t('contact'), detail: textOf(preview.data.contact) },
              { term: t('company'), detail: textOf(preview.data.company) },
            ]}
          />
        )}
      </div>
    </FormDialog>
  )
}

function textOf(part: Part): string {
  if (part === null) return t('partNone')
  return t(part.created ? 'partNew' : 'partKnown', { title: part.title })
}
