// Words to begin with: the templates of the organization, with the person's name in its place.
import { useQuery } from '@tanstack/react-query'
import { LayoutTemplate } from 'lucide-react'
import { type TemplateWordsOptions, useTemplateWords } from '../mails/use_template_words.ts'
import { useApi } from '../session/api.ts'
import { useSession } from '../session/session.ts'
import { faultText } from '../ui/faults.ts'
import { Button, Menu, toast } from '../ui/index.ts'
import { t } from './texts.ts'

export type TemplatesMenuProps = Omit<TemplateWordsOptions, 'onError'>

export function TemplatesMenu(props: TemplatesMenuProps) {
  const api = useApi()
  const { mode, permissions } = useSession()
  const templates = useQuery({
    queryKey: [mode, 'templates to write with'],
    queryFn: ({ signal }) => api.mailTemplates.list({ limit: 200 }, { signal }),
    enabled: permissions.has('mail:read'),
  })
  const offered = templates.data?.items ?? []
  const begin = useTemplateWords({
    ...props,
    onError: error => toast({ tone: 'bad', text: t('templates.fault', { fault: faultText(error) }) }),
  })
  if (offered.length === 0) return null
  return (
    <Menu
      trigger={
        <Button size="sm" variant="ghost" icon={<LayoutTemplate size={14} />} busy={begin.isPending}>
          {t('templates')}
        </Button>
      }
      items={offered.map(({ templateId, key, locale, subject, text }) => ({
        key: templateId,
        label: locale === null || locale === '' ? key : `${key} (${locale})`,
        onSelect: () => begin.choose({ subject, text }),
      }))}
    />
  )
}
